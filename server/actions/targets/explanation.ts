import type { Moment } from "../../business-time/moment.ts";
import type { SlaTimes } from "../../business-time/sla-times.ts";
import type { AffectedSlaRow } from "../../rules/sla/affected-sla-rows.ts";
import type { CoverageReason } from "./coverage-reason.ts";
import type { RequestHistory, StopReason } from "./request-history.ts";

export type Named = { id: number; name: string };
/** `used` and `allowed` are minutes within the hours; `allowed` counts business days as the minutes in them. */
export type ExplainedTarget = {
  target_at: Moment | null;
  maximum: number | null;
  maximum_in_days: number | null;
  allowed: number | null;
  used: number;
  actual_at: Moment | null;
  met: boolean | null;
};
export type Explanation = {
  row: AffectedSlaRow;
  sla: Named;
  service_instance: Named;
  offering: Named | null;
  kind: string | null;
  hours: Named | null;
  time_zone: string;
  person: Named | null;
  /** `everybody`: an incident of high or top impact; `supplier`: the service supports the one that the SLA is about */
  coverage: string | "everybody" | "supplier";
  via: CoverageReason | null;
  changes: RequestHistory["changes"];
  stopped: readonly { from: Moment; to: Moment | null; minutes: number; reason: StopReason }[];
  response: ExplainedTarget;
  resolution: ExplainedTarget;
  next_target_at: SlaTimes["next_target_at"];
  /** its target is the one that the request shows */
  decides: boolean;
};
