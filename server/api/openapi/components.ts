import type { Types } from "../../engine/types.ts";

// The components of the document. A component is built on its first reference, so that none is unused.

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

  ref(section: Section, name: string, build: () => unknown): Ref {
    const parts = this.sections[section];
    if (!Object.hasOwn(parts, name)) {
      parts[name] = null; // guards against infinite recursion: records refer to each other
      parts[name] = build();
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  /** All components, sorted by name. */
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

export type OpenApiContext = {
  types: Types;
  components: Components;
  /** the domain in nodeIDs */
  domain: string;
};
