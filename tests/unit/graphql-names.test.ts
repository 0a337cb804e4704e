import { validateSchema } from "graphql";
import { expect, test } from "vitest";
import { register } from "../../records/index.ts";
import { Rules } from "../../server/engine/rules.ts";
import { Types } from "../../server/engine/types.ts";
import { buildGraphqlSchema } from "../../server/graphql/schema/build-schema.ts";
import { typeRules } from "../../server/rules/index.ts";
import { findDifferences, knownDifferences } from "../support/graphql-names/compare.ts";

const schema = buildGraphqlSchema({ types: new Types(register, new Rules(typeRules)) });

test("the schema is valid, and every type, field and input has a description", () => {
  expect(validateSchema(schema)).toEqual([]);
  const silent = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith("__")) return [];
    const fields = "getFields" in type ? Object.values(type.getFields()) : [];
    return [
      ...(type.description == null && !/(Filter|Input)$/.test(type.name) ? [type.name] : []),
      ...fields.filter((field) => field.description == null).map((field) => `${type.name}.${field.name}`),
    ];
  });
  expect(silent).toEqual([]);
});

test("names differ from those of the public interface only where that is known", () => {
  expect(findDifferences(schema)).toEqual(knownDifferences);
});
