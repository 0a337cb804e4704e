import { type Batch, statement } from "../../storage/database.ts";
import { buildReferenceClause } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { NewReferences } from "../kinds/kind.ts";
import { buildSharedRows, exceptViewers, pickRows } from "../overlays.ts";
import type { Change } from "../rules.ts";
import { allOf } from "../sql/clauses.ts";
import { type Query, value } from "../sql/query.ts";
import type { Type } from "../types.ts";

/** What decides which references are new; a save that has no id yet has it, too. */
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

/** Sends what `checkReferences` will ask for. */
export function readReferencesAhead(engine: Engine, type: Type, change: ReferenceChange): void {
  for (const [name, ids] of collectTargets(collectNewReferences(type, change))) {
    const { statement, values } = buildUsableRecordsQuery(engine, change, engine.types.get(name), ids);
    change.tx.readAhead(statement, values);
  }
}

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

/** Which of these records the caller may refer to, and whether they are disabled. */
async function loadUsableRecords(
  engine: Engine,
  change: Change,
  target: Type,
  ids: readonly number[],
): Promise<Map<string, boolean>> {
  const { statement, values } = buildUsableRecordsQuery(engine, change, target, ids);
  const rows = await change.tx.query(statement, values);
  return new Map(rows.map((row) => [String(row[0]), row[1] === "t"]));
}

/** A save asks twice for each type: ahead, and when it checks. */
const knownQueries = new WeakMap<Caller, Map<Type, Query>>();

function buildUsableRecordsQuery(
  engine: Engine,
  { by }: Pick<Change, "by">,
  target: Type,
  ids: readonly number[],
): Query {
  const known = knownQueries.get(by) ?? new Map<Type, Query>();
  const query = known.get(target) ?? prepareUsableRecordsQuery(engine, by, target);
  // One without a name may get it with its next use.
  if (query.statement.name !== "") knownQueries.set(by, known.set(target, query));
  return { statement: query.statement, values: [ids, ...query.values.slice(1)] };
}

function prepareUsableRecordsQuery(engine: Engine, by: Caller, target: Type): Query {
  const visible = buildReferenceClause(target, by, engine.rules);
  const shared = buildSharedRows(target, by);
  const usable = shared === null ? visible : allOf([visible, exceptViewers]);
  return engine.statements.prepare(
    `${target.name}#references`,
    { ids: value([]), usable, rows: pickRows(target, shared) },
    (sql) => {
      const disabled = "disabled" in target.fields ? "a.disabled" : "false";
      const active = target.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
      const among = `ANY(${sql.ids}::${target.routes.singleton ? "text" : "integer"}[])`;
      return `SELECT a.id, ${disabled} FROM ${sql.rows} WHERE a.id = ${among} AND ${sql.usable}${active}`;
    },
    batchByIds,
  );
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
