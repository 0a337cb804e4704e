import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import type { FieldName } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";
import { parseMomentOrNull } from "./affected-sla-rows.ts";
import type { Impact } from "./agreement-cache.ts";

type RequestChange = Change<typeof request>;
type RequestField = FieldName<typeof request>;

/** A change of these decides which SLAs are affected, and which targets apply. */
export const fieldsDecidingSlas: readonly RequestField[] = [
  ...(["service_instance", "requested_for", "category", "impact", "template"] as const),
];
/** A change of these stops, starts or ends the clock. */
export const fieldsDecidingClock: readonly RequestField[] = [
  ...(["status", "team", "provider_not_accountable", "desired_completion_at"] as const),
  ...(["downtime_start_at", "downtime_end_at", "workflow"] as const),
];

export const hasChanged = ({ before, after }: RequestChange, names: readonly RequestField[]): boolean =>
  before === null || names.some((name) => before[name] !== after[name]);

/** A request as the SLA clock sees it. */
export type RequestFacts = {
  isNew: boolean;
  status: string;
  /** null when the request is new */
  oldStatus: string | null;
  category: EnumerationValue<"request.category">;
  impact: Impact | null;
  template: number | null;
  service_instance: number | null;
  team: number | null;
  created_at: Moment;
  notAccountable: boolean;
  taskNotAccountable: boolean;
  desired_completion_at: Moment | null;
  downtime_start_at: Moment | null;
  downtime_end_at: Moment | null;
};

const selectUnaccountableTask = statement(
  `SELECT 1 FROM tasks WHERE workflow_id = $1 AND account_id = $2 AND provider_not_accountable
AND status NOT IN ('registered', 'failed', 'rejected', 'completed', 'approved', 'canceled') LIMIT 1`,
);

export async function loadRequestFacts({ tx, account, before, after }: RequestChange): Promise<RequestFacts> {
  const { workflow } = after;
  return {
    isNew: before === null,
    status: after.status ?? "", // the engine refuses a save without a status later
    oldStatus: before?.status ?? null,
    category: after.category,
    impact: after.impact,
    template: after.template,
    service_instance: after.service_instance,
    team: after.team,
    created_at: parseMoment(after.created_at),
    notAccountable: after.provider_not_accountable === true,
    taskNotAccountable: workflow !== null && (await tx.query(selectUnaccountableTask, [workflow, account])).length > 0,
    desired_completion_at: parseMomentOrNull(after.desired_completion_at),
    downtime_start_at: parseMomentOrNull(after.downtime_start_at),
    downtime_end_at: parseMomentOrNull(after.downtime_end_at),
  };
}
