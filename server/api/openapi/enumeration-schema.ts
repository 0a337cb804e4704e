import type { OpenApiContext, Ref } from "./components.ts";
import { toPascalCase } from "./names.ts";

/** All fields of one enumeration share one schema. */
export const buildEnumerationSchema = (context: OpenApiContext, name: string, values: unknown): Ref =>
  context.components.ref("schemas", `${toPascalCase(name)}Enum`, () => ({
    type: "string",
    enum: values,
    description: `The \`${name}\` enumeration; \`GET /enums\` returns the labels.`,
  }));
