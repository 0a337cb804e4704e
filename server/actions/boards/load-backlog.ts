import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { backlog } from "../../../records/answers/boards.ts";
import { buildReference, jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type CardList, loadCards } from "./cards.ts";
import { loadWorkspace } from "./load-board.ts";

// The whole picture of a product backlog in one call: its items in their order, and the latest sprints of its workspace.

type Backlog = AnswerOf<typeof backlog>;
type BacklogRow = Omit<Backlog, "workspace" | "sprints" | "items">;

const selectBacklog = jsonStatement<BacklogRow>(
  `SELECT b.id, b.name, b.disabled, b.product_goal AS goal, ${buildReference("people", "b.product_owner_id")} AS product_owner,
  ${buildReference("request_templates", "b.request_template_id", "subject")} AS request_template,
  ${buildReference("service_instances", "b.service_instance_id")} AS service_instance
FROM product_backlogs b WHERE b.id = $1 AND b.account_id = $2`,
);

const cardsOfBacklog = (backlog: number, account: string): CardList => ({
  name: "backlog#cards",
  id: backlog,
  account,
  column: "NULL::integer",
  position: "a.product_backlog_position",
  types: ["request", "problem"],
  where: (id, of) =>
    `a.product_backlog_id IN (SELECT b.id FROM product_backlogs b WHERE b.id = ${id} AND b.account_id = ${of})`,
});

/** The rights on the backlog were checked. */
export async function loadBacklog(engine: Engine, by: Caller, id: number, account: string): Promise<Backlog | null> {
  const [found, items, work] = await Promise.all([
    queryFirst(engine.database, selectBacklog, [id, account]),
    loadCards(engine, by, cardsOfBacklog(id, account)),
    loadWorkspace(engine, by, "product_backlog", id),
  ]);
  return found === null ? null : { ...found, workspace: work?.workspace ?? null, sprints: work?.sprints ?? [], items };
}
