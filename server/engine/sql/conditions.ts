import type { Condition, FieldTest } from "../../../records/vocabulary/index.ts";
import type { Value as SqlValue } from "../../database/database.ts";
import { buildLiteralList, quoteIdentifier } from "../../schema/tables/model.ts";
import type { Caller } from "../caller.ts";
import type { Rules } from "../rules.ts";
import type { Type } from "../types.ts";
import { allOf, anyOf, type Clause, never } from "./clauses.ts";

/** A condition of the vocabulary as SQL for a caller; `here` is the record that a list belongs to. */
export function conditionClause(type: Type, condition: Condition, by: Caller, rules: Rules, here?: number): Clause {
  if ("any" in condition) return anyOf(condition.any.map((part) => conditionClause(type, part, by, rules, here)));
  if ("rule" in condition) {
    const rule = rules.forType(type.name).conditions?.[condition.rule];
    if (rule === undefined) throw new Error(`${type.name} has no rule "${condition.rule}"`);
    return rule(by, here);
  }
  return allOf(Object.entries(condition.fields).map(([name, test]) => testClause(type, name, test, by, here)));
}

function testClause(type: Type, name: string, test: FieldTest, by: Caller, here?: number): Clause {
  const column = name === "account" ? type.accountColumn : (type.columns.get(name) ?? name);
  const columnOf = (alias: string) => `${alias}.${quoteIdentifier(column)}`;
  const equal = (value: SqlValue): Clause => ({
    key: `${column}=`,
    sql: (alias, next) => `${columnOf(alias)} = ${next()}`,
    values: [value],
  });
  if (test === null) return { key: `${column} null`, sql: (alias) => `${columnOf(alias)} IS NULL`, values: [] };
  if (test === "present")
    return { key: `${column} present`, sql: (alias) => `${columnOf(alias)} IS NOT NULL`, values: [] };
  if (typeof test === "boolean")
    return {
      key: `${column} ${test}`,
      sql: (alias) => (test ? columnOf(alias) : `NOT ${columnOf(alias)}`),
      values: [],
    };
  if (typeof test !== "object") return equal(test);
  if ("word" in test) {
    if (test.word === "me") return equal(by.person);
    if (test.word === "my organization") return by.me.organization === null ? never : equal(by.me.organization);
    if (test.word === "my site") return by.me.site === null ? never : equal(by.me.site);
    if (test.word === "this record") return here === undefined ? never : equal(here);
    if (test.word === "this account") return equal(by.account);
    return by.accountRecord.directory === null ? never : equal(by.accountRecord.directory);
  }
  const among = "not" in test ? `NOT IN ${buildLiteralList(test.not)}` : `IN ${buildLiteralList(test.oneOf)}`;
  return { key: `${column} ${among}`, sql: (alias) => `${columnOf(alias)} ${among}`, values: [] };
}
