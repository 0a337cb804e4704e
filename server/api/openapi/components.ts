import type { Types } from "../../engine/types.ts";

// The shared parts of the document. A part is made when something first refers to it, so nothing unused is in there.

export type Ref = { $ref: string };
export type Schema = Record<string, unknown>;

type Section = "schemas" | "parameters" | "responses" | "headers";

export class Components {
  private readonly sections: Record<Section, Record<string, unknown>> = {
    schemas: {},
    parameters: {},
    responses: {},
    headers: {},
  };

  ref(section: Section, name: string, make: () => unknown): Ref {
    const parts = this.sections[section];
    if (!Object.hasOwn(parts, name)) {
      parts[name] = null; // records refer to each other in circles
      parts[name] = make();
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  /** Everything that was made, each section in the order of its names. */
  all(): Record<Section, Record<string, unknown>> {
    const sorted = (parts: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1)));
    const { schemas, parameters, responses, headers } = this.sections;
    return {
      schemas: sorted(schemas),
      parameters: sorted(parameters),
      responses: sorted(responses),
      headers: sorted(headers),
    };
  }
}

/** What every part of the document is made from. */
export type OpenApiContext = {
  types: Types;
  components: Components;
  /** the domain in nodeIDs */
  domain: string;
};
