import { toTimestamp } from "../../base/clock.ts";
import { Conflict, Invalid, NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { createUnchecked, updateUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Values } from "../../engine/rules.ts";

// Starting and completing a sprint by hand. The rights on the sprint were checked; people who plan a sprint may move its items.

type SprintPlace = { id: number; account: string };
type Sprint = {
  id: number;
  number: number;
  name: string | null;
  status: string;
  start_at: string | null;
  end_at: string | null;
  workspace: number;
  backlog: number;
  sprint_length: number;
};
type Item = {
  id: number;
  estimate: number | null;
  type: "request" | "problem" | "task" | "project_task";
  record: number;
};

const columns = `s.id, s.number, s.name, s.status, s.start_at, s.end_at, s.scrum_workspace_id AS workspace,
  w.product_backlog_id AS backlog, w.sprint_length FROM sprints s JOIN scrum_workspaces w ON w.id = s.scrum_workspace_id`;
/** If two sprints of a workspace are started at the same time, the second start waits here for the first. */
const lockWorkspace = statement(
  "SELECT w.id FROM scrum_workspaces w JOIN sprints s ON s.scrum_workspace_id = w.id WHERE s.id = $1 AND s.account_id = $2 FOR NO KEY UPDATE OF w",
);
const selectSprint = jsonStatement<Sprint>(`SELECT ${columns} WHERE s.id = $1 AND s.account_id = $2`);
const selectActive = jsonStatement<Sprint>(
  `SELECT ${columns} WHERE s.scrum_workspace_id = $1 AND s.account_id = $2 AND s.status = 'active' LIMIT 1`,
);
const selectUnfinished = jsonStatement<Item>(
  `SELECT i.id, i.estimate, CASE WHEN i.request_id IS NOT NULL THEN 'request' WHEN i.problem_id IS NOT NULL THEN 'problem'
  WHEN i.task_id IS NOT NULL THEN 'task' ELSE 'project_task' END AS type,
  coalesce(i.request_id, i.problem_id, i.task_id, i.project_task_id) AS record
FROM sprint_backlog_items i WHERE i.sprint_id = $1 AND i.account_id = $2 AND i.done IS NOT TRUE ORDER BY i.position, i.id`,
);
const buildSelectBacklogItem = (type: string) =>
  statement(
    `SELECT id FROM product_backlog_items WHERE product_backlog_id = $1 AND ${type}_id = $2 AND account_id = $3`,
  );
const selectBacklogItem = { request: buildSelectBacklogItem("request"), problem: buildSelectBacklogItem("problem") };

const nameSprint = ({ number, name }: Sprint): string =>
  name === null ? `Sprint ${number}` : `Sprint ${number}, ${name}`;

async function lockSprint(tx: Transaction, { id, account }: SprintPlace): Promise<Sprint> {
  await tx.query(lockWorkspace, [id, account]);
  const sprint = await queryFirst(tx, selectSprint, [id, account]);
  if (sprint === null) throw new NotFound();
  return sprint;
}

/** AB12: refused while another sprint of the workspace is active. */
export async function startSprint(engine: Engine, by: Caller, place: SprintPlace): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const sprint = await lockSprint(tx, place);
    if (sprint.status === "active") return;
    if (sprint.status === "completed") throw new Conflict(`${nameSprint(sprint)} is completed`);
    const active = await queryFirst(tx, selectActive, [sprint.workspace, place.account]);
    if (active !== null) throw new Conflict(`${nameSprint(active)} is active: complete it first`);
    const start = by.now.getTime();
    const isOver = sprint.end_at === null || Date.parse(sprint.end_at) <= start;
    const end = new Date(start + sprint.sprint_length * 7 * 86_400_000);
    await update(engine, tx, by, "sprint", sprint.id, place.account, {
      start_at: toTimestamp(by.now),
      ...(isOver ? { end_at: toTimestamp(end) } : {}),
    });
  }, by.zone);
}

/** The destination of unfinished items. Tasks have no backlog: they stay on the board. */
export type Unfinished = { to: "backlog" } | { to: "sprint"; sprint: number };

export function parseUnfinished(members: Readonly<Record<string, unknown>>): Unfinished {
  const { unfinished = "backlog", sprint_id } = members;
  if (unfinished === "backlog") return { to: "backlog" };
  if (unfinished !== "sprint") throw new Invalid([["unfinished", "is not valid"]]);
  if (typeof sprint_id !== "number" || !Number.isInteger(sprint_id)) throw new Invalid([["sprint", "can't be blank"]]);
  return { to: "sprint", sprint: sprint_id };
}

/** AB12 */
export async function completeSprint(
  engine: Engine,
  by: Caller,
  place: SprintPlace,
  unfinished: Unfinished,
): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const sprint = await lockSprint(tx, place);
    if (sprint.status === "completed") return;
    if (sprint.status === "registered") throw new Conflict(`${nameSprint(sprint)} has not started`);
    const items = await queryRows(tx, selectUnfinished, [sprint.id, place.account]);
    await update(engine, tx, by, "sprint", sprint.id, place.account, { end_at: toTimestamp(by.now) });
    if (unfinished.to === "sprint")
      await moveToSprint(engine, tx, by, { sprint, items, ...place, next: unfinished.sprint });
    else await moveToBacklog(engine, tx, by, { sprint, items, ...place });
  }, by.zone);
}

type Leftover = SprintPlace & { sprint: Sprint; items: readonly Item[] };

async function moveToSprint(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { sprint, items, account, next }: Leftover & { next: number },
): Promise<void> {
  const target = await queryFirst(tx, selectSprint, [next, account]);
  if (target === null || target.workspace !== sprint.workspace || target.status !== "registered")
    throw new Invalid([["sprint", "is not valid"]]);
  const operation = { engine, tx, by, type: engine.types.get("sprint_backlog_item") };
  for (const { estimate, type, record } of items)
    await createUnchecked(operation, { estimate, [type]: record }, { fixed: { sprint: next }, account });
}

/** On top of the backlog, in the order of the sprint. */
async function moveToBacklog(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { sprint, items, account }: Leftover,
): Promise<void> {
  for (const { type, record, estimate } of [...items].reverse()) {
    if (type !== "request" && type !== "problem") continue;
    const values = { agile_board: null, product_backlog: sprint.backlog, product_backlog_position: 1 };
    await update(engine, tx, by, type, record, account, values);
    const [row] = await tx.query(selectBacklogItem[type], [sprint.backlog, record, account]);
    if (row !== undefined) await update(engine, tx, by, "product_backlog_item", Number(row[0]), account, { estimate });
  }
}

const update = (
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: string,
  id: number,
  account: string,
  values: Values,
): Promise<boolean> => updateUnchecked({ engine, tx, by, type: engine.types.get(type) }, id, values, { account });
