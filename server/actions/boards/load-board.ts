import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { board } from "../../../records/answers/boards.ts";
import { buildReference, jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { mayReadAllRows } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type CardList, loadCards } from "./cards.ts";
import { loadSprints, type Sprint } from "./sprint-figures.ts";

// The whole picture of a board in one call: columns, cards in their order, and the sprint that it works on.

type Board = AnswerOf<typeof board>;
type BoardRow = Omit<Board, "workspace" | "sprint" | "next_sprint" | "columns">;
type BoardColumn = Omit<Board["columns"][number], "items">;
export type Workspace = NonNullable<Board["workspace"]>;

const selectBoard = jsonStatement<BoardRow>(
  `SELECT b.id, b.name, b.disabled, ${buildReference("people", "b.manager_id")} AS manager,
  ${buildReference("request_templates", "b.request_template_id", "subject")} AS request_template,
  ${buildReference("service_instances", "b.service_instance_id")} AS service_instance
FROM agile_boards b WHERE b.id = $1 AND b.account_id = $2`,
);
const selectColumns = jsonStatement<BoardColumn>(
  `SELECT c.id, c.name, c.position, c.action_type, ${buildReference("teams", "c.team_id")} AS team,
  ${buildReference("people", "c.member_id")} AS member, coalesce(c.clear_member, false) AS clear_member, c.dialog_type, c.remove_after, c.wip_limit, c.deleted
FROM agile_board_columns c WHERE c.agile_board_id = $1 AND c.account_id = $2 ORDER BY c.position, c.id`,
);

/** The workspace that a board or a backlog belongs to; the first where there are several. */
const buildSelectWorkspace = (column: string) =>
  jsonStatement<Workspace>(
    `SELECT w.id, w.name, ${buildReference("agile_boards", "w.agile_board_id")} AS board, ${buildReference("teams", "w.team_id")} AS team, w.sprint_length,
  (SELECT json_build_object('id', x.id, 'name', x.name, 'count', (SELECT count(*) FROM product_backlog_items i WHERE i.product_backlog_id = x.id AND i.account_id = w.account_id))
    FROM product_backlogs x WHERE x.id = w.product_backlog_id) AS backlog
FROM scrum_workspaces w WHERE w.${column} = $1 AND w.account_id = $2 AND NOT w.disabled ORDER BY w.id LIMIT 1`,
  );
const selectWorkspaceOf = {
  agile_board: buildSelectWorkspace("agile_board_id"),
  product_backlog: buildSelectWorkspace("product_backlog_id"),
};

/** With its sprints; null for those who may not read them. */
export async function loadWorkspace(
  engine: Engine,
  by: Caller,
  owner: keyof typeof selectWorkspaceOf,
  id: number,
): Promise<{ workspace: Workspace; sprints: Sprint[] } | null> {
  const needed = ["scrum_workspace", "sprint", "product_backlog", "agile_board"];
  if (!needed.every((name) => mayReadAllRows(engine.types.get(name), by))) return null;
  const workspace = await queryFirst(engine.database, selectWorkspaceOf[owner], [id, by.account]);
  return workspace === null ? null : { workspace, sprints: await loadSprints(engine, by, workspace.id) };
}

const cardsOfBoard = (board: number, account: string): CardList => ({
  name: "board#cards",
  id: board,
  account,
  column: "a.agile_board_column_id",
  position: "a.agile_board_column_position",
  types: ["request", "problem", "task", "project_task"],
  where: (id, of) =>
    `a.agile_board_column_id IN (SELECT c.id FROM agile_board_columns c WHERE c.agile_board_id = ${id} AND c.account_id = ${of})`,
});

/** The rights on the board were checked. */
export async function loadBoard(engine: Engine, by: Caller, id: number, account: string): Promise<Board | null> {
  const [found, columns, cards, work] = await Promise.all([
    queryFirst(engine.database, selectBoard, [id, account]),
    queryRows(engine.database, selectColumns, [id, account]),
    loadCards(engine, by, cardsOfBoard(id, account)),
    loadWorkspace(engine, by, "agile_board", id),
  ]);
  if (found === null) return null;
  const next = work?.sprints.find(({ status }) => status === "registered");
  return {
    ...found,
    workspace: work?.workspace ?? null,
    sprint: work?.sprints.find(({ status }) => status === "active") ?? null,
    next_sprint: next === undefined ? null : { id: next.id, number: next.number, name: next.name },
    columns: columns
      .map((column) => ({ ...column, items: cards.filter((card) => card.column === column.id) }))
      .filter(({ deleted, items }) => !deleted || items.length > 0),
  };
}
