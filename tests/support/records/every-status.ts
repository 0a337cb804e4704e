import { enumerations } from "../../../records/enumerations/index.ts";
import { register } from "../../../records/index.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { people } from "../seed.ts";
import type { World } from "../world.ts";
import { RequestBodies } from "./request-bodies.ts";
import { serviceDeskTeam, workflowHelpers } from "./workflows-and-projects.ts";

// A record of every type in every declared status, for pages that must be able to show all of them.

/** The types with their own list. */
export const listedTypes: readonly RecordType[] = register.filter(
  (type) => type.ownedBy.length === 0 && !type.routes.singleton && !type.routes.onlyThroughLinks,
);

const lists: Readonly<Record<string, readonly string[]>> = enumerations;

/** Every declared value of the status; empty if the type has no status. */
export function listDeclaredStatuses({ fields }: Pick<RecordType, "fields">): readonly string[] {
  const status = fields.status;
  return status?.kind === "enum" ? (status.values ?? lists[status.enumeration] ?? []) : [];
}

/** A word in the subject of every record that has one, for searching. */
export const searchWord = "okapi";

/**
 * Creates, for every type: a record with all fields set, one with the required fields for every status, and a disabled
 * one. The service writes journals itself. SQL sets the status, because rules would require more on the way there.
 */
export async function makeRecordsInEveryStatus({ service, as, sql }: World): Promise<void> {
  const { types } = service.engine;
  const bodies = new RequestBodies(as("administrator"), types);
  for (const { name, storage, fields, collection } of listedTypes) {
    if (storage.journal) continue;
    const type = types.get(name);
    const make = async (status: string, change: string, value: unknown) => {
      const { id } = await bodies.make(type, "subject" in fields ? { subject: `${searchWord} ${status}` } : {});
      await sql(`UPDATE ${collection} SET ${change} = $2 WHERE id = $1`, [id, value]);
    };
    await bodies.rich(type);
    for (const status of listDeclaredStatuses(type)) await make(status, "status", status);
    if ("disabled" in fields) await make("disabled", "disabled", true);
  }
}

/** Assigns all requests, tasks, problems, project tasks, reservations and orders to one member and one requester. */
export async function giveWorkToPeople({ sql }: World): Promise<void> {
  const [member, requester] = [people.specialist.id, people.requester.id];
  for (const collection of ["requests", "problems", "tasks"])
    await sql(`UPDATE ${collection} SET team_id = $1, member_id = $2`, [serviceDeskTeam, member]);
  await sql("UPDATE project_tasks SET team_id = $1", [serviceDeskTeam]);
  for (const collection of ["requests", "shop_order_lines"])
    await sql(`UPDATE ${collection} SET requested_by_id = $1, requested_for_id = $1`, [requester]);
  await sql("UPDATE reservations SET person_id = $1", [requester]);
}

/** Puts all possible work on a new board, and all possible work on a new backlog. */
export async function putWorkOnBoard({ as, sql }: World): Promise<{ board: number; backlog: number }> {
  const admin = as("administrator");
  const board = (await admin.post("/agile_boards", { name: "Board", manager_id: people.manager.id })).body.id;
  const column = (await admin.post(`/agile_boards/${board}/agile_board_columns`, { name: "All" })).body.id;
  const backlog = (await admin.post("/product_backlogs", { name: "Backlog" })).body.id;
  for (const collection of ["requests", "problems", "tasks", "project_tasks"])
    await sql(
      `UPDATE ${collection} SET agile_board_id = $1, agile_board_column_id = $2, agile_board_column_position = id`,
      [board, column],
    );
  for (const [collection, name] of [
    ["requests", "request"],
    ["problems", "problem"],
  ]) {
    await sql(`UPDATE ${collection} SET product_backlog_id = $1, product_backlog_position = id`, [backlog]);
    await sql(
      `INSERT INTO product_backlog_items (account_id, product_backlog_id, ${name}_id, position, created_at, updated_at)
SELECT account_id, $1, id, id, created_at, created_at FROM ${collection}`,
      [backlog],
    );
  }
  return { board, backlog };
}

/** Creates an approval of the requester in every task status. */
export async function makeApprovalsInEveryStatus({ as, sql }: World): Promise<void> {
  const admin = as("administrator");
  const make = workflowHelpers(admin);
  const workflow = await make.workflow();
  for (const status of enumerations["task.status"]) {
    const task = await make.task(workflow, { category: "approval", subject: `Approve ${status}` });
    await admin.post(`/tasks/${task.id}/approvals`, { approver_id: people.requester.id });
    await sql("UPDATE tasks SET status = $2 WHERE id = $1", [task.id, status]);
    const vote = lists["task_approval.status"]?.includes(status) ? status : "assigned";
    await sql("UPDATE task_approvals SET status = $2 WHERE task_id = $1", [task.id, vote]);
  }
}
