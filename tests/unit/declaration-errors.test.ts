import { describe, expect, test } from "vitest";
import { register } from "../../records/index.ts";
import {
  codeRef,
  eitherRef,
  fallsBackTo,
  id,
  opt,
  type RecordType,
  record,
  ref,
  req,
  ro,
  rule,
  string,
  thisRecord,
  timestamps,
  where,
} from "../../records/vocabulary/index.ts";
import { Rules } from "../../server/engine/rules.ts";
import { Types } from "../../server/engine/types.ts";
import { typeRules } from "../../server/rules/index.ts";
import { specimenRules, specimens } from "../support/records/specimen.ts";

describe("inconsistent declarations are reported at startup", () => {
  const problems = (...types: RecordType[]) => {
    try {
      new Types([...register, ...specimens, ...types], new Rules({ ...typeRules, ...specimenRules }));
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const odd = (fields: RecordType["fields"], more: Partial<RecordType> = {}) => ({
    ...plain(fields),
    ...more,
  });
  const plain = (fields: RecordType["fields"]): RecordType =>
    record("odd", { collection: "odds", fields: { id, name: req(string(10)), ...fields, ...timestamps } });
  const { serialize, storage } = plain({});

  // biome-ignore format: a table keeps its columns
  test.each([
    ["a code of a type without one",    odd({ x: opt(codeRef("team")) }),                                        "names team.reference"],
    ["two types with separate ids",     odd({ x: opt(eitherRef("team", "kit")) }),                             "do not share their ids"],
    ["a fallback to nothing",           odd({ x: ro(string(), fallsBackTo("y")) }),                             "falls back to y"],
    ["a fallback that can be written",  odd({ x: opt(string(), fallsBackTo("name")) }),                         "cannot be written"],
    ["a circle of shown references",    odd({ x: opt(ref("odd")) }, { serialize: { ...serialize, referenceFields: ["x"] } }),                          "shows leads back"],
    ["this record in a view",           odd({ x: opt(ref("team")) }, { views: { v: where({ x: thisRecord }) } }), "names this record"],
    ["a list by an unknown field",      odd({}, { lists: { l: { of: "team", where: where({ nope: thisRecord }) } } }), 'names the field "nope"'],
    ["a list by an unknown rule",       odd({}, { lists: { l: { of: "team", where: rule("nope") } } }),         'names the rule "nope"'],
    ["ids of an unknown type",          odd({}, { storage: { ...storage, sharesIdsWith: "nope" } }),                                             'idsOf names the record type "nope"'],
  ])("%s", (_title, type, text) => {
    expect(problems(type)).toContain(text);
  });
  test("valid declarations report no problem", () => expect(problems()).toBe(""));
});
