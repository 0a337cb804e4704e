import type { PortalRequest, PortalRequests } from "../../../records/answers/portal.ts";
import { BadRequest } from "../../base/errors.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { allOf, type Clause } from "../../engine/sql/clauses.ts";
import { isWatchedByMe } from "../../rules/request/conditions.ts";
import { listRecords } from "./list-records.ts";

// The requests of a requester, each with the people whose approval it waits for.

/** The fields in a row of the portal's lists. */
export const requestRowFields = [
  ...["subject", "status", "category", "completion_reason", "requested_by", "requested_for", "team", "member"],
  ...["service_instance", "requester_resolution_target_at", "waiting_until", "completed_at", "satisfaction"],
  ...["created_at", "updated_at"],
];
export type RequestRow = Omit<PortalRequest, "approvers">;
const pageSize = 50;

type Selection = { views: readonly string[]; sort: string; scope?: (by: Caller) => Clause };

const isSharedWithMe = (by: Caller): Clause =>
  allOf([
    isWatchedByMe(by),
    {
      key: "of others",
      sql: (alias, next) => {
        const me = next();
        return `${alias}.requested_by_id IS DISTINCT FROM ${me} AND ${alias}.requested_for_id IS DISTINCT FROM ${me}`;
      },
      values: [by.person],
    },
  ]);

const selections = {
  open: { views: ["open", "requested_by_or_for_me"], sort: "-updated_at" },
  solved: { views: ["completed", "requested_by_or_for_me"], sort: "-completed_at" },
  /** of others, with the caller among the watchers */
  shared: { views: [], sort: "-updated_at", scope: isSharedWithMe },
  /** everything the caller may read: own, shared, and for a key contact those of the organization */
  all: { views: ["open"], sort: "-updated_at" },
} as const satisfies Record<string, Selection>;
export type RequestSelection = keyof typeof selections;

const isSelection = (name: string): name is RequestSelection => Object.hasOwn(selections, name);

export function parseSelection(name = "open"): RequestSelection {
  if (!isSelection(name)) throw new BadRequest("Parameter 'show' must be open, solved, shared or all");
  return name;
}

export async function listOwnRequests(
  engine: Engine,
  by: Caller,
  selection: RequestSelection,
  { perPage = pageSize, status }: { perPage?: number; status?: string } = {},
): Promise<PortalRequests> {
  const { views, sort, scope }: Selection = selections[selection];
  const filters = status === undefined ? [] : [{ name: "status", value: status }];
  const { records, total, isTotalOld } = await listRecords<RequestRow>(engine, by, "request", {
    fields: requestRowFields,
    views,
    sort,
    filters,
    perPage,
    ...(scope === undefined ? {} : { scope: { clause: scope(by), rights: "own" } }),
  });
  return { items: await addApprovers(engine, by, records), total, is_total_old: isTotalOld };
}

type Approver = { request: number; name: string };
const selectApprovers = jsonStatement<Approver>(
  `SELECT DISTINCT r.id AS request, p.name FROM requests r
JOIN tasks t ON t.workflow_id = r.workflow_id AND t.account_id = r.account_id AND t.category = 'approval' AND t.status = 'assigned'
JOIN task_approvals a ON a.task_id = t.id AND a.account_id = r.account_id AND a.status = 'assigned' JOIN people p ON p.id = a.approver_id
WHERE r.id = ANY($1::integer[]) AND r.account_id = $2 ORDER BY p.name`,
);

export async function addApprovers(
  engine: Engine,
  by: Caller,
  requests: readonly RequestRow[],
): Promise<PortalRequest[]> {
  const pending = requests.filter(({ status }) => status === "workflow_pending").map(({ id }) => id);
  const rows = pending.length === 0 ? [] : await queryRows(engine.database, selectApprovers, [pending, by.account]);
  return requests.map((request) => ({
    ...request,
    approvers: rows.filter((row) => row.request === request.id).map(({ name }) => name),
  }));
}
