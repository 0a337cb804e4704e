import { type Batch, statement } from "../../storage/database.ts";
import { buildReferenceClause } from "../access.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { NewReferences } from "../kinds/kind.ts";
import { buildSharedRows, exceptViewers, pickRows } from "../overlays.ts";
import type { Change } from "../rules.ts";
import { allOf } from "../sql/clauses.ts";
import { value } from "../sql/query.ts";
import type { Type } from "../types.ts";

function collectNewReferences(type: Type, { before, after, changed }: Change): (NewReferences & { name: string })[] {
  return [...changed].flatMap((name) => {
    const [field, value] = [type.fields[name], after[name]];
    if (field === undefined || value == null) return [];
    const references = getKind(field).newReferences?.(field, before?.[name], value) ?? null;
    return references === null ? [] : [{ name, ...references }];
  });
}

/** Every reference that changes must name a record that the caller can see and that is enabled. */
export async function checkReferences(engine: Engine, type: Type, change: Change): Promise<void> {
  const uses = collectNewReferences(type, change);
  const found = new Map<string, Map<string, boolean>>();
  await Promise.all(
    [...new Set(uses.flatMap((use) => use.targets))].map(async (name) => {
      const ids = uses.flatMap((use) => (use.targets.includes(name) ? use.ids : []));
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
  { tx, by }: Change,
  target: Type,
  ids: readonly number[],
): Promise<Map<string, boolean>> {
  const visible = buildReferenceClause(target, by, engine.rules);
  const shared = buildSharedRows(target, by);
  const usable = shared === null ? visible : allOf([visible, exceptViewers]);
  const query = engine.statements.prepare(
    `${target.name}#references`,
    { ids: value(ids), usable, rows: pickRows(target, shared) },
    (sql) => {
      const disabled = "disabled" in target.fields ? "a.disabled" : "false";
      const active = target.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
      const among = `ANY(${sql.ids}::${target.routes.singleton ? "text" : "integer"}[])`;
      return `SELECT a.id, ${disabled} FROM ${sql.rows} WHERE a.id = ${among} AND ${sql.usable}${active}`;
    },
    batchByIds,
  );
  const rows = await tx.query(query.statement, query.values);
  return new Map(rows.map((row) => [String(row[0]), row[1] === "t"]));
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
