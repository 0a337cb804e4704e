import {
  type Batch,
  type IncludedRead,
  type Row,
  type Value as SqlValue,
  type Statement,
  statement,
} from "../../database/database.ts";
import { buildReferenceClause, mayReadAllRows } from "../access.ts";
import type { Account, Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { NewReferences } from "../kinds/kind.ts";
import { buildSharedRows, exceptViewers, pickRows } from "../overlays.ts";
import type { Change, ReferenceFacts } from "../rules.ts";
import { allOf, type Fragment } from "../sql/clauses.ts";
import { type Query, value } from "../sql/query.ts";
import type { Type } from "../types.ts";

/** The facts that decide which references are new; a save without an id yet also has them. */
type ReferenceChange = Pick<Change, "tx" | "by" | "before" | "after" | "changed">;

function collectNewReferences(
  type: Type,
  { before, after, changed }: ReferenceChange,
): (NewReferences & { name: string })[] {
  const found: (NewReferences & { name: string })[] = [];
  for (const name of changed) {
    const [field, value] = [type.fields[name], after[name]];
    if (field === undefined || value == null) continue;
    const references = getKind(field).newReferences?.(field, before?.[name], value) ?? null;
    if (references !== null) found.push({ name, ...references });
  }
  return found;
}

/**
 * Sends what `checkReferences` will ask for, and with it what hooks will ask about the same records. `nextId`: takes an id; it
 * is taken by one of these statements, if there is one that can (D-725).
 */
export function readReferencesAhead(
  engine: Engine,
  type: Type,
  change: ReferenceChange,
  { facts, nextId }: { facts: readonly ReferenceFacts[]; nextId: Statement | null },
): void {
  const { tx, by } = change;
  let takesId = nextId;
  const others = new Set(facts);
  for (const [name, ids] of collectTargets(collectNewReferences(type, change))) {
    const target = engine.types.get(name);
    const check = buildUsableRecordsQuery(engine, by, target, ids);
    const wanted = facts.find(({ of, id }) => of === name && ids.every((each) => each === id));
    // Rows that accounts share may have columns that mean something else.
    if (wanted === undefined || buildSharedRows(target, by) !== null) tx.readAhead(check.statement, check.values);
    else {
      others.delete(wanted);
      const included = listIncludedReads(wanted);
      if (takesId !== null) included.push({ statement: takesId, values: [], pick: pickLastColumn, once: true });
      const columns = takesId === null ? wanted.columns : addColumn(wanted.columns, takesId);
      takesId = null;
      const { statement, values } = buildUsableRecordsQuery(engine, by, target, wanted.id, columns);
      tx.readAhead(statement, values, [
        { ...check, pick: (rows) => rows.map((row) => row.slice(0, checkedColumns)) },
        ...included.map(includeIfUsable),
      ]);
    }
  }
  for (const wanted of others) {
    const parts = { id: value(wanted.id), columns: wanted.columns };
    const { table } = engine.types.get(wanted.of);
    const { statement, values } = engine.statements.prepare(
      `${wanted.of}#facts`,
      parts,
      ({ id, columns }) => `SELECT ${columns} FROM ${table} a WHERE a.id = ${id}`,
    );
    tx.readAhead(statement, values, listIncludedReads(wanted));
  }
}

const listIncludedReads = ({ asked, included }: ReferenceFacts): IncludedRead[] => [
  { ...asked, pick: (rows) => [...rows] },
  ...included,
];

/** The id of a record, and whether it is disabled; facts follow. */
const checkedColumns = 2;

/** A read of facts about the record that was checked. One that must not be referred to has no row. */
const includeIfUsable = ({ pick, ...read }: IncludedRead): IncludedRead => ({
  ...read,
  pick: (rows) => (rows.length === 0 ? null : pick(rows.map((row) => row.slice(checkedColumns)))),
});

/** Adds the only column of a statement that reads no table. */
const addColumn = (columns: Fragment, { text }: Statement): Fragment => {
  const column = text.slice("SELECT ".length);
  const { key, sql, values } = columns;
  return { key: `${key}, ${column}`, sql: (alias, next) => `${sql(alias, next)}, ${column}`, values };
};

const pickLastColumn = (rows: readonly Row[]): Row[] => rows.map((row) => row.slice(-1));

/** The ids by the name of the type that they may belong to. */
function collectTargets(uses: readonly NewReferences[]): Map<string, number[]> {
  const targets = new Map<string, number[]>();
  for (const use of uses)
    for (const name of use.targets) {
      const ids = targets.get(name);
      if (ids === undefined) targets.set(name, [...use.ids]);
      else ids.push(...use.ids);
    }
  return targets;
}

/** Every reference that changes must name a record that the caller can see and that is enabled. */
export async function checkReferences(engine: Engine, type: Type, change: Change): Promise<void> {
  const uses = collectNewReferences(type, change);
  const found = new Map<string, Map<string, boolean>>();
  await Promise.all(
    [...collectTargets(uses)].map(async ([name, ids]) => {
      found.set(name, await loadUsableRecords(engine, change, engine.types.get(name), ids));
    }),
  );
  for (const { name, ids, targets, missing, disabled } of uses) {
    const states = ids.map((id) =>
      targets.map((target) => found.get(target)?.get(String(id))).find((isDisabled) => isDisabled !== undefined),
    );
    if (states.includes(undefined)) change.problem(name, missing);
    else if (states.includes(true)) change.problem(name, disabled);
  }
}

/** The records among these that the caller may refer to, and whether they are disabled. */
async function loadUsableRecords(
  engine: Engine,
  change: Change,
  target: Type,
  ids: readonly number[],
): Promise<Map<string, boolean>> {
  const { statement, values } = buildUsableRecordsQuery(engine, change.by, target, ids);
  const rows = await change.tx.query(statement, values);
  return new Map(rows.map((row) => [String(row[0]), row[1] === "t"]));
}

/** `rest`: the values behind those of the ids and the columns */
type PreparedCheck = { statement: Statement; rest: readonly SqlValue[] };
type PreparedChecks = Map<Type, Map<string, PreparedCheck>>;

/** A save asks several times for each type, and every save of an account asks the same where all rows may be read. */
const preparedChecks = new WeakMap<Caller | Account, PreparedChecks>();

/**
 * `ids`: of records, or of the only one. PostgreSQL expects ten ids in a list of unknown length, and would replan
 * a statement with costly columns at every call. `columns`: further columns of the record to read.
 */
function buildUsableRecordsQuery(
  engine: Engine,
  by: Caller,
  target: Type,
  ids: readonly number[] | number,
  columns: Fragment | null = null,
): Query {
  const scope = dependsOnAccountAlone(target, by) ? by.accountRecord : by;
  const byType: PreparedChecks = preparedChecks.get(scope) ?? new Map();
  const byColumns: Map<string, PreparedCheck> = byType.get(target) ?? new Map();
  const key = columns?.key ?? "";
  const check = byColumns.get(key) ?? prepareUsableRecordsQuery(engine, by, target, columns);
  // One without a name may get it with its next use.
  if (check.statement.name !== "") preparedChecks.set(scope, byType.set(target, byColumns.set(key, check)));
  return { statement: check.statement, values: [ids, ...(columns?.values ?? []), ...check.rest] };
}

/** Whether all callers who may read all rows of the account may refer to the same ones. */
const dependsOnAccountAlone = (target: Type, by: Caller): boolean =>
  !by.isService && target.owners.length === 0 && target.sharing.acrossAccounts === null && mayReadAllRows(target, by);

function prepareUsableRecordsQuery(engine: Engine, by: Caller, target: Type, columns: Fragment | null): PreparedCheck {
  const visible = buildReferenceClause(target, by, engine.rules);
  const shared = buildSharedRows(target, by);
  const usable = shared === null ? visible : allOf([visible, exceptViewers]);
  const { statement, values } = engine.statements.prepare(
    `${target.name}#references`,
    { ids: value([]), columns, usable, rows: pickRows(target, shared) },
    (sql) => {
      const disabled = "disabled" in target.fields ? "a.disabled" : "false";
      const active = target.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
      const among = `ANY(${sql.ids}::${target.routes.singleton ? "text" : "integer"}[])`;
      const [selected, which] = sql.columns === null ? ["", among] : [`, ${sql.columns}`, sql.ids];
      return `SELECT a.id, ${disabled}${selected} FROM ${sql.rows} WHERE a.id = ${which} AND ${sql.usable}${active}`;
    },
    columns === null ? batchByIds : undefined,
  );
  return { statement, rest: values.slice(1 + (columns?.values.length ?? 0)) };
}

/** Several checks of the same type become one for all of their ids. */
const batchByIds = (text: string): Batch => ({
  statement: statement(text),
  groupKey: ([, ...rest]) => JSON.stringify(rest),
  mergeValues: (calls) => [[...new Set(calls.flatMap(([ids]) => ids as number[]))], ...(calls[0]?.slice(1) ?? [])],
  distribute: (rows, calls) => {
    const byId = new Map(rows.map((row) => [row[0], row]));
    return calls.map(([ids]) => (ids as number[]).map((id) => byId.get(String(id))).filter((row) => row !== undefined));
  },
});
