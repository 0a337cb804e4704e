import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

// Validates values against an OpenAPI document's schemas and finds members that no schema mentions.

type Schema = Record<string, unknown>;

const formats = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^https?:\/\/\S+$/,
};

/** Points references to components to the schemas registered under the document's key. */
const withOwnReferences = (schema: unknown): string =>
  JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', '"$ref":"document:/');

export class SchemaCheck {
  // Each schema checks only a few values, so optimizing the generated code would take longer than running it.
  private readonly ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, allErrors: true, formats },
    ...{ inlineRefs: false, code: { optimize: false } },
  });
  private readonly document: Schema;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: Schema) {
    this.document = document;
    // Each schema is registered separately. As a part of the document it would be compiled again for every schema that refers to it.
    const { schemas = {} } = (document.components ?? {}) as { schemas?: Record<string, unknown> };
    for (const [name, schema] of Object.entries(schemas))
      this.ajv.addSchema(JSON.parse(withOwnReferences(schema)) as Schema, `document:/${name}`);
  }

  /** Resolves a reference to its part of the document; returns any other value unchanged. */
  part(value: unknown): Schema {
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return value as Schema;
    const found = $ref
      .slice(2)
      .split("/")
      .reduce((at: unknown, name) => (at as Schema)[name], this.document);
    return this.part(found);
  }

  /** Lists all errors of a value. */
  problems(schema: unknown, value: unknown): string[] {
    const text = withOwnReferences(schema);
    const validate = this.compiled.get(text) ?? this.ajv.compile(JSON.parse(text) as Schema);
    this.compiled.set(text, validate);
    const wrong = validate(value)
      ? []
      : (validate.errors ?? []).map(
          (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
        );
    return [...wrong, ...this.strays(schema, value, "")];
  }

  /** Lists members that the schema doesn't mention. A response must not have any. */
  private strays(schema: unknown, value: unknown, at: string): string[] {
    const shapes = this.shapes(schema);
    if (Array.isArray(value))
      return value.flatMap((entry, index) =>
        shapes
          .filter((shape) => shape.items !== undefined)
          .flatMap((shape) => this.strays(shape.items, entry, `${at}/${index}`)),
      );
    if (typeof value !== "object" || value === null) return [];
    const objects = shapes.filter(
      (shape) => shape.properties !== undefined || shape.additionalProperties !== undefined,
    );
    const open = objects.length === 0 || objects.some((shape) => shape.additionalProperties !== undefined);
    return Object.entries(value).flatMap(([name, member]) => {
      const known = objects
        .map((shape) => (shape.properties as Schema | undefined)?.[name])
        .filter((property) => property !== undefined);
      if (known.length === 0) return open ? [] : [`${at}/${name} is not in the document`];
      return known.flatMap((property) => this.strays(property, member, `${at}/${name}`));
    });
  }

  /** Lists a schema and all schemas that it combines. */
  private shapes(schema: unknown): Schema[] {
    const shape = this.part(schema);
    const parts = [...((shape.allOf as unknown[]) ?? []), ...((shape.anyOf as unknown[]) ?? [])];
    return [shape, ...parts.flatMap((part) => this.shapes(part))];
  }
}
