import type { Context, Ref } from "./components.ts";
import { pascal } from "./names.ts";

/** The values of an enumeration, once in the document. */
export const enumeration = (context: Context, name: string, values: unknown): Ref =>
  context.components.ref("schemas", `${pascal(name)}Enum`, () => ({
    type: "string",
    enum: values,
    description: `Enumeration \`${name}\`; \`GET /enums\` has the labels.`,
  }));
