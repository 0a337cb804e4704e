import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../../records/vocabulary/index.ts";
import { Invalid, type Problem } from "../../base/errors.ts";
import {
  type Batch,
  type Row,
  type Value as SqlValue,
  type Statement,
  statement,
  type Transaction,
} from "../../storage/database.ts";
import { isInverseReference, linkColumns, overlayTable, referencesTable } from "../../storage/schema/derive.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";
import { buildReferenceClause } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { Value } from "../kinds/kind.ts";
import { completeRecurrence, type Recurrence } from "../kinds/recurrence.ts";
import { buildSharedRows, exceptViewers } from "../overlays.ts";
import type { Change, Values } from "../rules.ts";
import { allOf } from "../sql/clauses.ts";
import { runStateMachine } from "../state-machine.ts";
import type { Type } from "../types.ts";
import { linkAttachments } from "./attachments.ts";

// The steps that creating and updating share: check references, derive values, run the lifecycle and the rules, and
// store what came out.

/** Whether a field means the same with either value: 87.5 is 87.50, and the order of members does not matter. */
export function sameValue(field: Field | undefined, one: Value | undefined, other: Value | undefined): boolean {
  if (one === other || (one == null && other == null)) return true;
  if (one == null || other == null) return false;
  const same = field === undefined ? undefined : getKind(field).isSame;
  if (same !== undefined) return same(one, other);
  return typeof one === "object" && typeof other === "object" && isDeepStrictEqual(one, other);
}

/** Old and new values of what changed, by field, references by id, as the audit trail keeps them. */
export function diffValues(type: Type, before: Values | null, after: Values): Record<string, readonly [Value, Value]> {
  const changes: Record<string, readonly [Value, Value]> = {};
  for (const [name, field] of type.fieldEntries) {
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
          ? [stripCredentials(old), stripCredentials(now)]
          : field.kind === "decimal"
            ? [toNumber(old), toNumber(now)]
            : [old, now];
  }
  return changes;
}

/** An address without the user name and password in it. */
const stripCredentials = (value: Value): Value =>
  typeof value === "string" ? value.replace(/^(\w+:\/\/)[^/?#]*@/, "$1") : value;

const toNumber = (value: Value): Value => (value === null ? null : Number(value));

const jsonKinds: ReadonlySet<Field["kind"]> = new Set(["customFields", "hash", "recurrence"]);

/** A value as a parameter of SQL. */
export const toSqlValue = (field: Field, value: Value | undefined): SqlValue => {
  if (value === undefined || value === null) return null;
  return jsonKinds.has(field.kind) ? JSON.stringify(value) : (value as SqlValue);
};

/** Brings a change to the state that will be stored, or throws every problem found on the way. */
export async function completeAndValidate(
  engine: Engine,
  type: Type,
  change: Change,
  problems: Problem[],
): Promise<void> {
  const { before, after } = change;
  for (const [name, field] of type.fieldEntries) {
    if (field.derived !== undefined && "slugOf" in field.derived) after[name] = slugify(after[field.derived.slugOf]);
  }
  completeRecurrences(type, change);
  // What a rule refers to was chosen by the service: it need not be visible to the caller, nor enabled.
  const references = change.cause === null ? checkReferences(engine, type, change) : null;
  await Promise.all([references, linkAttachments(type, change)]);
  const rules = engine.rules.forType(type.name);
  await rules.beforeSave?.(change);
  for (const [name, field] of type.fieldEntries) {
    if (field.derived !== undefined && "rule" in field.derived)
      after[name] = (await rules.derive?.[field.derived.rule]?.(change)) ?? null;
  }
  await runStateMachine(type, change, engine.rules);
  for (const [name, field] of type.fieldEntries) {
    const value = after[name];
    if (field.access !== "required" || (field.requiredFrom === "callers" && change.cause !== null)) continue;
    if (!(value == null || (typeof value === "string" && value.trim() === ""))) continue;
    // An update may leave a value alone; it may not take it away. One problem per cause is enough.
    if ((before === null || change.changed.has(name)) && !problems.some(([at]) => at === name))
      problems.push([name, "can't be blank"]);
  }
  if (problems.length > 0) throw new Invalid(sortProblems(type, problems));
}

/** Problems in the order of the declaration, as a form shows them. */
function sortProblems(type: Type, problems: readonly Problem[]): Problem[] {
  const names = Object.keys(type.fields);
  const rank = (name: string) => (names.indexOf(name) + names.length + 1) % (names.length + 1);
  return [...problems].sort((one, other) => rank(one[0]) - rank(other[0]));
}

/** Lower case, blanks to underscores; " - " between words becomes one underscore. */
export const slugify = (value: Value | undefined): Value =>
  typeof value === "string" ? value.toLowerCase().replaceAll(" - ", "_").replaceAll(" ", "_") : null;

/** What goes together in a recurrence is known once the stored and the given members are. */
function completeRecurrences(type: Type, change: Change): void {
  for (const name of type.recurrenceFields) {
    const [field, given] = [type.fields[name], change.after[name]];
    if (field?.kind !== "recurrence" || given == null || !change.changed.has(name)) continue;
    const zone = change.by.accountRecord.time_zone;
    const { value, problems } = completeRecurrence(field, given as Record<string, unknown>, zone);
    change.after[name] = value;
    for (const { message, values } of problems) change.problem(name, message, values);
  }
}

/** A field and the ids it newly names, the types they may belong to, and how their faults are told. */
type ReferenceUse = {
  name: string;
  ids: readonly number[];
  targets: readonly string[];
  missing: string;
  disabled: string;
};

function collectReferenceUses(type: Type, { before, after, changed }: Change): ReferenceUse[] {
  const uses: ReferenceUse[] = [];
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
  const uses = collectReferenceUses(type, change);
  const found = new Map<string, Map<string, boolean>>();
  await Promise.all(
    [...new Set(uses.flatMap((use) => use.targets))].map(async (targetName) => {
      const target = engine.types.get(targetName);
      const visible = buildReferenceClause(target, change.by, engine.rules);
      const sight = buildSharedRows(target, change.by);
      const usable = sight === null ? visible : allOf([visible, exceptViewers]);
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
        groupKey: ([, ...rest]) => JSON.stringify(rest),
        mergeValues: (calls) => [
          [...new Set(calls.flatMap(([ids]) => ids as number[]))],
          ...(calls[0]?.slice(1) ?? []),
        ],
        distribute: (all, calls) => {
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
      text === null || text === undefined ? (field.kind === "references" ? [] : null) : getKind(field).parse(text);
  }
  return values;
}

const comparedFields = new WeakMap<Type, readonly string[]>();

/** Fields whose values a change can compare: those with a column, and lists of references. */
export function storedFields(type: Type): readonly string[] {
  let found = comparedFields.get(type);
  if (found === undefined) {
    const isCompared = (name: string, field: Field) =>
      type.columns.has(name) || (field.kind === "references" && !field.transient && !isInverseReference(type, name));
    found = type.fieldEntries.filter(([name, field]) => name !== "id" && isCompared(name, field)).map(([name]) => name);
    comparedFields.set(type, found);
  }
  return found;
}

export function storedColumn(type: Type, name: string, types: Engine["types"]): string {
  const field = type.fields[name] as Field;
  if (field.kind === "references") {
    const [one, other] = linkColumns(type.name, types.get(field.to).name);
    return `(SELECT json_agg(l.${other}) FROM ${quoteIdentifier(referencesTable(type.name, name))} l WHERE l.${one} = a.id)`;
  }
  const column = `a.${quoteIdentifier(type.columns.get(name) ?? name)}`;
  return field.kind === "strings" ? `to_json(${column})` : column;
}

/** The next id of a type; some types share the ids of another one. */
export function nextIdStatement({ statements, types }: Engine, type: Type): Statement {
  const { collection } = type.sharesIdsWith === null ? type : types.get(type.sharesIdsWith);
  const next = `SELECT nextval('${quoteIdentifier(`${collection}_id_seq`)}')`;
  const together = (): Batch => ({
    statement: statement(`${next} FROM generate_series(1, $1::integer)`),
    groupKey: () => "",
    mergeValues: (calls) => [calls.length],
    distribute: (all) => all.map((row) => [row]),
  });
  return statements.get(`${type.name}#id`, () => next, together);
}

/** Writes the row of a new record. */
export function insertRow(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  after: Values,
): void {
  const columns = type.storedColumns;
  const names = () => ["id", "account_id", ...columns.map(([, column]) => column)];
  const listed = () => names().map(quoteIdentifier).join(", ");
  const into = () => `INSERT INTO ${type.ownTable} (${listed()})`;
  const build = () =>
    `${into()} VALUES (${names()
      .map((_, index) => `$${index + 1}`)
      .join(", ")})`;
  const together = () => buildBatchWrite(type, names(), (rows) => `${into()} SELECT ${listed()} FROM ${rows}`);
  const values = columns.map(([name]) => toSqlValue(type.fields[name] as Field, after[name]));
  tx.send(engine.statements.get(`${type.name}#insert`, build, together), [id, account, ...values]);
}

/** Rows of a table as one text, in which a value that is JSON itself is no text, and what is not there is null. */
function rowsAsJson(type: Type, names: readonly string[]): (calls: readonly (readonly SqlValue[])[]) => string {
  const kinds = new Map([...type.columns].map(([name, column]) => [column, (type.fields[name] as Field).kind]));
  const isJson = names.map((name) => jsonKinds.has(kinds.get(name) as Field["kind"]));
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

function buildBatchWrite(type: Type, names: readonly string[], sql: (rows: string) => string): Batch {
  const asJson = rowsAsJson(type, names);
  return {
    statement: statement(sql(`json_populate_recordset(NULL::${type.ownTable}, $1::json)`)),
    groupKey: () => "",
    mergeValues: (calls) => [asJson(calls)],
    distribute: () => [],
  };
}

/** Writes the columns that differ. `side`: another account whose own values some of them are. */
export function writeChangedColumns(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  before: Values,
  after: Values,
  side: string | null = null,
): void {
  const columns = type.storedColumns.filter(
    ([name]) => type.bidirectional !== null || !sameValue(type.fields[name], before[name], after[name]),
  );
  const write = (table: string, key: string, owner: string, some: Type["storedColumns"]) => {
    if (some.length === 0) return;
    const build = () => {
      const set = some.map(([, column], index) => `${quoteIdentifier(column)} = $${index + 3}`);
      return `UPDATE ${table} SET ${set.join(", ")} WHERE ${key} = $1 AND account_id = $2`;
    };
    const together = () => {
      const set = some.map(([, column]) => `${quoteIdentifier(column)} = g.${quoteIdentifier(column)}`).join(", ");
      const names = ["id", "account_id", ...some.map(([, column]) => column)];
      const where = "a.id = g.id AND a.account_id = g.account_id";
      return buildBatchWrite(type, names, (rows) => `UPDATE ${table} a SET ${set} FROM ${rows} g WHERE ${where}`);
    };
    const word = `${table}#update#${some.map(([name]) => name).join(",")}`;
    const built = engine.statements.get(word, build, table === type.ownTable ? together : undefined);
    tx.send(built, [id, owner, ...some.map(([name]) => toSqlValue(type.fields[name] as Field, after[name]))]);
  };
  const isTheirs = ([name]: readonly [string, string]) => side !== null && type.perAccount.includes(name);
  write(
    type.ownTable,
    "id",
    account,
    columns.filter((column) => !isTheirs(column)),
  );
  if (side !== null) write(overlayTable(type), `${type.name}_id`, side, columns.filter(isTheirs));
  writeReferences(engine, tx, type, id, account, before, after);
}

/** Lists of references live in a table of their own. */
export function writeReferences(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  before: Values | null,
  after: Values,
): void {
  for (const [name, field] of type.fieldEntries) {
    if (field.kind !== "references" || isInverseReference(type, name)) continue;
    if (field.transient || sameValue(field, before?.[name] ?? [], after[name] ?? [])) continue;
    const table = quoteIdentifier(referencesTable(type.name, name));
    const [one, other] = linkColumns(type.name, engine.types.get(field.to).name);
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
export async function loadSavedJson(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
): Promise<string> {
  const sight = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, type.detailFields, sight !== null);
  const built = engine.statements.get(`${type.name}#saved${sight?.key ?? ""}`, () => {
    let used = 1;
    const from = sight?.all.sql(() => `$${++used}`) ?? type.table;
    return `SELECT ${shape.columns.join(", ")} FROM ${from} a ${shape.joins.join(" ")} WHERE a.id = $1`;
  });
  const rows = await tx.query(built, [id, ...(sight?.all.values ?? [])]);
  return shape.write(rows[0] as Row, 0, by);
}

/** A record as JSON, and what is shown this once beside it. */
export const appendMembers = (json: string, revealed: Values): string =>
  Object.keys(revealed).length === 0 ? json : `${json.slice(0, -1)},${JSON.stringify(revealed).slice(1)}`;

/** What the database refuses although the checks passed: a value taken by somebody else at the same moment. */
export function translateDatabaseError(type: Type, error: unknown): unknown {
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
