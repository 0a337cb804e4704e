import { BadRequest } from "../../base/errors.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";
import { listRecords, type PortalRecord } from "./list-records.ts";

// The requests of a requester, each with the people whose approval it waits for.

/** What a row of the portal's lists shows. */
export const requestRowFields = [
  ...["subject", "status", "category", "completion_reason", "requested_by", "requested_for", "team", "member"],
  ...["service_instance", "requester_resolution_target_at", "waiting_until", "completed_at", "satisfaction"],
  ...["created_at", "updated_at"],
];
const pageSize = 50;

const selections = {
  open: { views: ["open", "requested_by_or_for_me"], sort: "-updated_at" },
  solved: { views: ["completed", "requested_by_or_for_me"], sort: "-completed_at" },
  /** everything the caller may read: own, followed, and for a key contact those of the organization */
  all: { views: ["open"], sort: "-updated_at" },
} as const;
export type RequestSelection = keyof typeof selections;

export function parseSelection(text: string | null): RequestSelection {
  const name = text ?? "open";
  if (!Object.hasOwn(selections, name)) throw new BadRequest("Parameter 'show' must be open, solved or all");
  return name as RequestSelection;
}

export type OwnRequests = {
  items: readonly PortalRecord[];
  total: number;
  /** the total was counted a short time ago: changes by others may be missing (D-785) */
  is_total_old: boolean;
};

export async function listOwnRequests(
  engine: Engine,
  by: Caller,
  selection: RequestSelection,
  { perPage = pageSize, status }: { perPage?: number; status?: string } = {},
): Promise<OwnRequests> {
  const { views, sort } = selections[selection];
  const filters = status === undefined ? [] : [{ name: "status", value: status }];
  const { records, total, isTotalOld } = await listRecords(engine, by, "request", {
    fields: requestRowFields,
    views,
    sort,
    filters,
    perPage,
  });
  return { items: await addApprovers(engine, by, records), total, is_total_old: isTotalOld };
}

type Row = { request: number; name: string };
const selectApprovers = jsonStatement<Row>(
  `SELECT DISTINCT r.id AS request, p.name FROM requests r
JOIN tasks t ON t.workflow_id = r.workflow_id AND t.account_id = r.account_id AND t.category = 'approval' AND t.status = 'assigned'
JOIN task_approvals a ON a.task_id = t.id AND a.account_id = r.account_id AND a.status = 'assigned' JOIN people p ON p.id = a.approver_id
WHERE r.id = ANY($1::integer[]) AND r.account_id = $2 ORDER BY p.name`,
);

export async function addApprovers(
  engine: Engine,
  by: Caller,
  requests: readonly PortalRecord[],
): Promise<PortalRecord[]> {
  const pending = requests.filter(({ status }) => status === "workflow_pending").map(({ id }) => id);
  const rows = pending.length === 0 ? [] : await queryRows(engine.database, selectApprovers, [pending, by.account]);
  return requests.map((request) => ({
    ...request,
    approvers: rows.filter((row) => row.request === request.id).map(({ name }) => name),
  }));
}
