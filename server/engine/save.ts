import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../records/vocabulary/index.ts";
import { Invalid, type Problem } from "../base/errors.ts";
import { type Row, type Value as SqlValue, statement, type Transaction } from "../storage/database.ts";
import { linkColumns, referencesTable } from "../storage/schema/derive.ts";
import { quoted } from "../storage/schema/model.ts";
import { readableAcross } from "./access.ts";
import { linkAttachments } from "./attachments.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { Input } from "./input.ts";
import { kindOf } from "./kinds/index.ts";
import type { Value } from "./kinds/kind.ts";
import { throughLifecycle } from "./lifecycle.ts";
import type { Change, Values } from "./rules.ts";
import type { Type } from "./types.ts";

// The steps that creating and updating share: check references, derive values, run the lifecycle and the rules, and
// store what came out.

/** Whether a field means the same with either value: 87.5 is 87.50, and the order of members does not matter. */
export function sameValue(field: Field | undefined, one: Value | undefined, other: Value | undefined): boolean {
  if (one === other || (one == null && other == null)) return true;
  if (one == null || other == null) return false;
  const same = field === undefined ? undefined : kindOf(field).same;
  if (same !== undefined) return same(one, other);
  return typeof one === "object" && typeof other === "object" && isDeepStrictEqual(one, other);
}

/** A value as a parameter of SQL. */
export const toSql = (field: Field, value: Value | undefined): SqlValue => {
  if (value === undefined || value === null) return null;
  return field.kind === "customFields" || field.kind === "hash" ? JSON.stringify(value) : (value as SqlValue);
};

/** Brings a change to the state that will be stored, or throws every problem found on the way. */
export async function settle(
  engine: Engine,
  type: Type,
  change: Change,
  input: Input,
  problems: Problem[],
): Promise<void> {
  const { before, after } = change;
  for (const [name, field] of Object.entries(type.fields)) {
    if (field.derived !== undefined && "slugOf" in field.derived) after[name] = slug(after[field.derived.slugOf]);
  }
  await Promise.all([checkReferences(engine, type, change), linkAttachments(type, change, input)]);
  const rules = engine.rules.of(type.name);
  await rules.check?.(change);
  for (const [name, field] of Object.entries(type.fields)) {
    if (field.derived !== undefined && "rule" in field.derived)
      after[name] = (await rules.derive?.[field.derived.rule]?.(change)) ?? null;
  }
  await throughLifecycle(type, change, engine.rules);
  for (const [name, field] of Object.entries(type.fields)) {
    const value = after[name];
    if (field.access !== "required" || !(value == null || (typeof value === "string" && value.trim() === ""))) continue;
    // An update may leave a value alone; it may not take it away. One problem per cause is enough.
    if ((before === null || change.changed.has(name)) && !problems.some(([at]) => at === name))
      problems.push([name, "can't be blank"]);
  }
  if (problems.length > 0) throw new Invalid(inOrder(type, problems));
}

/** Problems in the order of the declaration, as a form shows them. */
function inOrder(type: Type, problems: readonly Problem[]): Problem[] {
  const names = Object.keys(type.fields);
  const rank = (name: string) => (names.indexOf(name) + names.length + 1) % (names.length + 1);
  return [...problems].sort((one, other) => rank(one[0]) - rank(other[0]));
}

/** Lower case, blanks to underscores; " - " between words becomes one underscore. */
export const slug = (value: Value | undefined): Value =>
  typeof value === "string" ? value.toLowerCase().replaceAll(" - ", "_").replaceAll(" ", "_") : null;

/** Every reference that changes must exist where the caller can see it, and be enabled. One statement per type. */
async function checkReferences(engine: Engine, type: Type, change: Change): Promise<void> {
  const wanted = new Map<string, { name: string; ids: readonly number[] }[]>();
  for (const name of change.changed) {
    const field = type.fields[name];
    const value = change.after[name];
    if (field === undefined || value == null) continue;
    if (field.kind !== "reference" && field.kind !== "references") continue;
    const before = new Set([change.before?.[name] ?? []].flat());
    const ids = [value].flat().filter((id) => !before.has(id)) as number[];
    if (ids.length > 0) wanted.set(field.to, [...(wanted.get(field.to) ?? []), { name, ids }]);
  }
  await Promise.all(
    [...wanted].map(async ([targetName, uses]) => {
      const target = engine.types.named(targetName);
      const visible = readableAcross(target, change.by, engine.rules);
      const built = engine.statements.get(`${target.name}#references#${visible.key}`, () => {
        let used = 1;
        const disabled = "disabled" in target.fields ? "a.disabled" : "false";
        const active = target.archivable === null ? "" : " AND a.life_cycle = 'active'";
        return `SELECT a.id, ${disabled} FROM ${target.table} a WHERE a.id = ANY($1::integer[]) AND ${visible.sql("a", () => `$${++used}`)}${active}`;
      });
      const rows = await change.tx.query(built, [uses.flatMap((use) => use.ids), ...visible.values]);
      const found = new Map(rows.map((row) => [Number(row[0]), row[1] === "t"]));
      for (const use of uses) {
        if (use.ids.some((id) => !found.has(id))) change.problem(use.name, "is not valid");
        else if (use.ids.some((id) => found.get(id))) change.problem(use.name, "is disabled");
      }
    }),
  );
}

/** The row that will be changed, locked, as values. */
export function readRow(type: Type, row: Row, at: number): Values {
  const values: Values = {};
  let index = at;
  for (const name of storedFields(type)) {
    const text = row[index++];
    const field = type.fields[name] as Field;
    values[name] =
      text === null || text === undefined ? (field.kind === "references" ? [] : null) : kindOf(field).parse(text);
  }
  return values;
}

/** Fields whose values a change can compare: those with a column, and lists of references. */
export const storedFields = (type: Type): string[] =>
  Object.entries(type.fields)
    .filter(
      ([name, field]) => name !== "id" && (type.columns.has(name) || (field.kind === "references" && !field.passing)),
    )
    .map(([name]) => name);

export function storedColumn(type: Type, name: string, types: Engine["types"]): string {
  const field = type.fields[name] as Field;
  if (field.kind === "references") {
    const [one, other] = linkColumns(type.name, types.named(field.to).name);
    return `(SELECT json_agg(l.${other}) FROM ${quoted(referencesTable(type.name, name))} l WHERE l.${one} = a.id)`;
  }
  const column = `a.${quoted(type.columns.get(name) ?? name)}`;
  return field.kind === "strings" ? `to_json(${column})` : column;
}

/** Lists of references live in a table of their own. */
export function storeReferences(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  before: Values | null,
  after: Values,
): void {
  for (const [name, field] of Object.entries(type.fields)) {
    if (field.kind !== "references" || field.passing || sameValue(field, before?.[name] ?? [], after[name] ?? []))
      continue;
    const table = quoted(referencesTable(type.name, name));
    const [one, other] = linkColumns(type.name, engine.types.named(field.to).name);
    const ids = (after[name] ?? []) as readonly number[];
    tx.send(
      statement(`DELETE FROM ${table} WHERE account_id = $1 AND ${one} = $2 AND ${other} <> ALL ($3::integer[])`),
      [account, id, ids],
    );
    tx.send(
      statement(
        `INSERT INTO ${table} (account_id, ${one}, ${other}) SELECT $1, $2, unnest($3::integer[]) ON CONFLICT DO NOTHING`,
      ),
      [account, id, ids],
    );
  }
}

/** The record as JSON, read in the same transaction that wrote it. */
export async function shownAfter(engine: Engine, tx: Transaction, by: Caller, type: Type, id: number): Promise<string> {
  const shape = engine.output.shape(type);
  const built = engine.statements.get(
    `${type.name}#saved`,
    () => `SELECT ${shape.columns.join(", ")} FROM ${type.table} a ${shape.joins.join(" ")} WHERE a.id = $1`,
  );
  const rows = await tx.query(built, [id]);
  return shape.write(rows[0] as Row, 0, by);
}

/** What the database refuses although the checks passed: a value taken by somebody else at the same moment. */
export function asProblem(type: Type, error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === "23505") {
    const fields = type.unique.find((list) =>
      constraint?.startsWith(`${type.collection}_unique_${list.join("_")}`.slice(0, 50)),
    );
    if (fields !== undefined) return new Invalid([[fields.at(-1) as string, "has already been taken"]]);
  }
  if (code === "23503") {
    const name = Object.keys(type.fields).find((field) => constraint?.includes(`_${type.columns.get(field)}_fkey`));
    return new Invalid([[name ?? "base", "is not valid"]]);
  }
  if (code === "54000") return new Invalid([["base", "is not valid"]]); // too long for an index
  if (code?.startsWith("22") || code?.startsWith("23")) return new Invalid([["base", "is not valid"]]);
  return error;
}
