import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../records/vocabulary/index.ts";
import { Invalid, type Problem } from "../base/errors.ts";
import {
  type Row,
  type Value as SqlValue,
  type Statement,
  statement,
  type Together,
  type Transaction,
} from "../storage/database.ts";
import { isOtherEnd, linkColumns, referencesTable, sideTable } from "../storage/schema/derive.ts";
import { quoted } from "../storage/schema/model.ts";
import { rowsToReferTo } from "./access.ts";
import { linkAttachments } from "./attachments.ts";
import type { Caller } from "./caller.ts";
import { allOf } from "./clauses.ts";
import type { Engine } from "./engine.ts";
import { kindOf } from "./kinds/index.ts";
import type { Value } from "./kinds/kind.ts";
import { completed, type Recurrence } from "./kinds/recurrence.ts";
import { throughLifecycle } from "./lifecycle.ts";
import type { Change, Values } from "./rules.ts";
import { atWork, sightOf } from "./sides.ts";
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

/** Old and new values of what changed, by field, references by id, as the audit trail keeps them. */
export function changesOf(type: Type, before: Values | null, after: Values): Record<string, readonly [Value, Value]> {
  const changes: Record<string, readonly [Value, Value]> = {};
  for (const [name, field] of type.entries) {
    if (
      name === "id" ||
      name === "created_at" ||
      name === "updated_at" ||
      field.internal ||
      field.transient ||
      (field.access === "writeonly" && field.kind !== "references")
    )
      continue;
    const [old, now] = [before?.[name] ?? null, after[name] ?? null];
    if (!sameValue(field, old, now))
      changes[name] =
        field.kind === "string" && field.format === "uri"
          ? [bare(old), bare(now)]
          : field.kind === "decimal"
            ? [asNumber(old), asNumber(now)]
            : [old, now];
  }
  return changes;
}

/** An address without the user name and password in it. */
const bare = (value: Value): Value => (typeof value === "string" ? value.replace(/^(\w+:\/\/)[^/?#]*@/, "$1") : value);

const asNumber = (value: Value): Value => (value === null ? null : Number(value));

const inJson: ReadonlySet<Field["kind"]> = new Set(["customFields", "hash", "recurrence"]);

/** A value as a parameter of SQL. */
export const toSql = (field: Field, value: Value | undefined): SqlValue => {
  if (value === undefined || value === null) return null;
  return inJson.has(field.kind) ? JSON.stringify(value) : (value as SqlValue);
};

/** Brings a change to the state that will be stored, or throws every problem found on the way. */
export async function settle(engine: Engine, type: Type, change: Change, problems: Problem[]): Promise<void> {
  const { before, after } = change;
  for (const [name, field] of type.entries) {
    if (field.derived !== undefined && "slugOf" in field.derived) after[name] = slug(after[field.derived.slugOf]);
  }
  completeRecurrences(type, change);
  // What a rule refers to was chosen by the service: it need not be visible to the caller, nor enabled.
  const references = change.cause === null ? checkReferences(engine, type, change) : null;
  await Promise.all([references, linkAttachments(type, change)]);
  const rules = engine.rules.of(type.name);
  await rules.check?.(change);
  for (const [name, field] of type.entries) {
    if (field.derived !== undefined && "rule" in field.derived)
      after[name] = (await rules.derive?.[field.derived.rule]?.(change)) ?? null;
  }
  await throughLifecycle(type, change, engine.rules);
  for (const [name, field] of type.entries) {
    const value = after[name];
    if (field.access !== "required" || (field.requiredFrom === "callers" && change.cause !== null)) continue;
    if (!(value == null || (typeof value === "string" && value.trim() === ""))) continue;
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

/** What goes together in a recurrence is known once the stored and the given members are. */
function completeRecurrences(type: Type, change: Change): void {
  for (const name of type.recurrences) {
    const [field, given] = [type.fields[name], change.after[name]];
    if (field?.kind !== "recurrence" || given == null || !change.changed.has(name)) continue;
    const zone = change.by.accountRecord.time_zone;
    const { value, problems } = completed(field, given as Record<string, unknown>, zone);
    change.after[name] = value;
    for (const { message, values } of problems) change.problem(name, message, values);
  }
}

/** A field and the ids it newly names, the types they may belong to, and how their faults are told. */
type Use = { name: string; ids: readonly number[]; targets: readonly string[]; missing: string; disabled: string };

function usesOf(type: Type, { before, after, changed }: Change): Use[] {
  const uses: Use[] = [];
  const plain = { missing: "is not valid", disabled: "is not valid" };
  for (const name of changed) {
    const [field, value] = [type.fields[name], after[name]];
    if (field === undefined || value == null) continue;
    if (field.kind === "recurrence") {
      const [old, now] = [before?.[name], value].map((rule) => (rule as Recurrence | null | undefined)?.calendar_id);
      if (now != null && now !== old)
        uses.push({
          name,
          ids: [now],
          targets: ["calendar"],
          missing: "calendar is not valid",
          disabled: "calendar is disabled",
        });
    }
    if (field.kind !== "reference" && field.kind !== "references" && field.kind !== "code") continue;
    const known = new Set([before?.[name] ?? []].flat());
    const ids = [value].flat().filter((id) => !known.has(id)) as number[];
    if (ids.length === 0) continue;
    const targets = field.kind === "reference" && field.or !== undefined ? [field.to, field.or] : [field.to];
    uses.push({ name, ids, targets, ...plain, ...(field.kind === "code" ? { missing: notListed } : {}) });
  }
  return uses;
}

const notListed = "is not included in the list";

/** Every reference that changes must exist where the caller can see it, and be enabled. One statement per type. */
async function checkReferences(engine: Engine, type: Type, change: Change): Promise<void> {
  const uses = usesOf(type, change);
  const found = new Map<string, Map<string, boolean>>();
  await Promise.all(
    [...new Set(uses.flatMap((use) => use.targets))].map(async (targetName) => {
      const target = engine.types.named(targetName);
      const visible = rowsToReferTo(target, change.by, engine.rules);
      const sight = sightOf(target, change.by);
      const usable = sight === null ? visible : allOf([visible, atWork]);
      const key = `${target.name}#references${sight?.key ?? ""}#${usable.key}`;
      const build = () => {
        let used = 1;
        const next = () => `$${++used}`;
        const seen = usable.sql("a", next);
        const from = sight?.all.sql(next) ?? target.table;
        const disabled = "disabled" in target.fields ? "a.disabled" : "false";
        const active = target.archivable === null ? "" : " AND a.life_cycle = 'active'";
        return `SELECT a.id, ${disabled} FROM ${from} a WHERE a.id = ANY($1::${target.singleton ? "text" : "integer"}[]) AND ${seen}${active}`;
      };
      const built = engine.statements.get(key, build, () => ({
        statement: statement(build()),
        alike: ([, ...rest]) => JSON.stringify(rest),
        values: (calls) => [[...new Set(calls.flatMap(([ids]) => ids as number[]))], ...(calls[0]?.slice(1) ?? [])],
        share: (all, calls) => {
          const byId = new Map(all.map((row) => [row[0], row]));
          return calls.map(([ids]) =>
            (ids as number[]).map((id) => byId.get(String(id))).filter((row) => row !== undefined),
          );
        },
      }));
      const ids = uses.flatMap((use) => (use.targets.includes(targetName) ? use.ids : []));
      const rows = await change.tx.query(built, [ids, ...usable.values, ...(sight?.all.values ?? [])]);
      found.set(targetName, new Map(rows.map((row) => [String(row[0]), row[1] === "t"])));
    }),
  );
  for (const { name, ids, targets, missing, disabled } of uses) {
    const states = ids.map((id) =>
      targets.map((target) => found.get(target)?.get(String(id))).find((it) => it !== undefined),
    );
    if (states.includes(undefined)) change.problem(name, missing);
    else if (states.includes(true)) change.problem(name, disabled);
  }
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

const compared = new WeakMap<Type, readonly string[]>();

/** Fields whose values a change can compare: those with a column, and lists of references. */
export function storedFields(type: Type): readonly string[] {
  let found = compared.get(type);
  if (found === undefined) {
    const isCompared = (name: string, field: Field) =>
      type.columns.has(name) || (field.kind === "references" && !field.transient && !isOtherEnd(type, name));
    found = type.entries.filter(([name, field]) => name !== "id" && isCompared(name, field)).map(([name]) => name);
    compared.set(type, found);
  }
  return found;
}

export function storedColumn(type: Type, name: string, types: Engine["types"]): string {
  const field = type.fields[name] as Field;
  if (field.kind === "references") {
    const [one, other] = linkColumns(type.name, types.named(field.to).name);
    return `(SELECT json_agg(l.${other}) FROM ${quoted(referencesTable(type.name, name))} l WHERE l.${one} = a.id)`;
  }
  const column = `a.${quoted(type.columns.get(name) ?? name)}`;
  return field.kind === "strings" ? `to_json(${column})` : column;
}

/** The next id of a type; some types share the ids of another one. */
export function nextId({ statements, types }: Engine, type: Type): Statement {
  const { collection } = type.sharesIdsWith === null ? type : types.named(type.sharesIdsWith);
  const next = `SELECT nextval('${quoted(`${collection}_id_seq`)}')`;
  const together = (): Together => ({
    statement: statement(`${next} FROM generate_series(1, $1::integer)`),
    alike: () => "",
    values: (calls) => [calls.length],
    share: (all) => all.map((row) => [row]),
  });
  return statements.get(`${type.name}#id`, () => next, together);
}

/** Writes the row of a new record. */
export function insert(engine: Engine, tx: Transaction, type: Type, id: number, account: string, after: Values): void {
  const columns = type.stored;
  const names = () => ["id", "account_id", ...columns.map(([, column]) => column)];
  const listed = () => names().map(quoted).join(", ");
  const into = () => `INSERT INTO ${type.ownTable} (${listed()})`;
  const build = () =>
    `${into()} VALUES (${names()
      .map((_, index) => `$${index + 1}`)
      .join(", ")})`;
  const together = () => writeTogether(type, names(), (rows) => `${into()} SELECT ${listed()} FROM ${rows}`);
  const values = columns.map(([name]) => toSql(type.fields[name] as Field, after[name]));
  tx.send(engine.statements.get(`${type.name}#insert`, build, together), [id, account, ...values]);
}

/** Rows of a table as one text, in which a value that is JSON itself is no text, and what is not there is null. */
function rowsAsJson(type: Type, names: readonly string[]): (calls: readonly (readonly SqlValue[])[]) => string {
  const kinds = new Map([...type.columns].map(([name, column]) => [column, (type.fields[name] as Field).kind]));
  const isJson = names.map((name) => inJson.has(kinds.get(name) as Field["kind"]));
  const members = names.map((name) => `${JSON.stringify(name)}:`);
  const object = (values: readonly SqlValue[]) => {
    let text = "";
    for (const [at, value] of values.entries())
      if (value !== null)
        text += `${text === "" ? "" : ","}${members[at]}${isJson[at] ? value : JSON.stringify(value)}`;
    return `{${text}}`;
  };
  return (calls) => `[${calls.map(object).join(",")}]`;
}

function writeTogether(type: Type, names: readonly string[], sql: (rows: string) => string): Together {
  const asJson = rowsAsJson(type, names);
  return {
    statement: statement(sql(`json_populate_recordset(NULL::${type.ownTable}, $1::json)`)),
    alike: () => "",
    values: (calls) => [asJson(calls)],
    share: () => [],
  };
}

/** Writes the columns that differ. `side`: another account whose own values some of them are. */
export function store(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  before: Values,
  after: Values,
  side: string | null = null,
): void {
  const columns = type.stored.filter(
    ([name]) => type.bidirectional !== null || !sameValue(type.fields[name], before[name], after[name]),
  );
  const write = (table: string, key: string, owner: string, some: Type["stored"]) => {
    if (some.length === 0) return;
    const build = () => {
      const set = some.map(([, column], index) => `${quoted(column)} = $${index + 3}`);
      return `UPDATE ${table} SET ${set.join(", ")} WHERE ${key} = $1 AND account_id = $2`;
    };
    const together = () => {
      const set = some.map(([, column]) => `${quoted(column)} = g.${quoted(column)}`).join(", ");
      const names = ["id", "account_id", ...some.map(([, column]) => column)];
      const where = "a.id = g.id AND a.account_id = g.account_id";
      return writeTogether(type, names, (rows) => `UPDATE ${table} a SET ${set} FROM ${rows} g WHERE ${where}`);
    };
    const word = `${table}#update#${some.map(([name]) => name).join(",")}`;
    const built = engine.statements.get(word, build, table === type.ownTable ? together : undefined);
    tx.send(built, [id, owner, ...some.map(([name]) => toSql(type.fields[name] as Field, after[name]))]);
  };
  const isTheirs = ([name]: readonly [string, string]) => side !== null && type.perAccount.includes(name);
  write(
    type.ownTable,
    "id",
    account,
    columns.filter((column) => !isTheirs(column)),
  );
  if (side !== null) write(sideTable(type), `${type.name}_id`, side, columns.filter(isTheirs));
  storeReferences(engine, tx, type, id, account, before, after);
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
  for (const [name, field] of type.entries) {
    if (field.kind !== "references" || isOtherEnd(type, name)) continue;
    if (field.transient || sameValue(field, before?.[name] ?? [], after[name] ?? [])) continue;
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
  const sight = sightOf(type, by);
  const shape = engine.output.shape(type, type.whole, sight !== null);
  const built = engine.statements.get(`${type.name}#saved${sight?.key ?? ""}`, () => {
    let used = 1;
    const from = sight?.all.sql(() => `$${++used}`) ?? type.table;
    return `SELECT ${shape.columns.join(", ")} FROM ${from} a ${shape.joins.join(" ")} WHERE a.id = $1`;
  });
  const rows = await tx.query(built, [id, ...(sight?.all.values ?? [])]);
  return shape.write(rows[0] as Row, 0, by);
}

/** A record as JSON, and what is shown this once beside it. */
export const withMembers = (json: string, revealed: Values): string =>
  Object.keys(revealed).length === 0 ? json : `${json.slice(0, -1)},${JSON.stringify(revealed).slice(1)}`;

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
