import { buildSchema, printSchema, validateSchema } from "graphql";
import { expect, test } from "vitest";
import { register } from "../../records/index.ts";
import { Rules } from "../../server/engine/rules.ts";
import { Types } from "../../server/engine/types.ts";
import { buildGraphqlSchema, printGraphqlSchema } from "../../server/graphql/schema/build-schema.ts";
import { typeRules } from "../../server/rules/index.ts";
import { findDifferences, knownDifferences } from "../support/graphql-names/compare.ts";

// Building the schema from its text fails if the text is invalid.
const types = new Types(register, new Rules(typeRules));
const text = await printGraphqlSchema(await buildGraphqlSchema({ types }));
const schema = buildSchema(text);

test("the schema is valid, and every type, field and input has a description", () => {
  const silent = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith("__")) return [];
    const fields = "getFields" in type ? Object.values(type.getFields()) : [];
    return [
      ...(type.description == null && !/(Filter|Input)$/.test(type.name) ? [type.name] : []),
      ...fields.filter((field) => field.description == null).map((field) => `${type.name}.${field.name}`),
    ];
  });
  expect(silent).toEqual([]);
  expect(validateSchema(schema)).toEqual([]);
});

test("its text, printed type by type, equals the library's", () => {
  expect(text).toBe(`${printSchema(schema)}\n`);
});

test("names differ from the public interface only in the known cases", () => {
  expect(findDifferences(schema)).toEqual(knownDifferences);
});
