import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { explainedTarget, explainedTargets } from "../../../records/answers/targets.ts";
import type { Moment } from "../../business-time/moment.ts";
import type { SlaTimes } from "../../business-time/sla-times.ts";
import type { AffectedSlaRow } from "../../rules/sla/affected-sla-rows.ts";
import type { CoverageReason } from "./coverage-reason.ts";
import type { RequestHistory, StopReason } from "./request-history.ts";

type Answered = AnswerOf<typeof explainedTargets>;
/** `used` and `allowed` are minutes within the hours; `allowed` counts business days as the minutes in them. */
export type ExplainedTarget = Omit<AnswerOf<typeof explainedTarget>, "target_at" | "actual_at"> & {
  target_at: Moment | null;
  actual_at: Moment | null;
};
/** An answer before its moments are written. */
export type Explanation = Pick<
  Answered,
  "sla" | "service_instance" | "offering" | "kind" | "hours" | "time_zone" | "decides"
> & {
  row: AffectedSlaRow;
  person: Answered["because"]["person"];
  /** `everybody`: an incident of high or top impact; `supplier`: the service supports the one that the SLA is about */
  coverage: string;
  via: CoverageReason | null;
  changes: RequestHistory["changes"];
  stopped: readonly { from: Moment; to: Moment | null; minutes: number; reason: StopReason }[];
  response: ExplainedTarget;
  resolution: ExplainedTarget;
  next_target_at: SlaTimes["next_target_at"];
};
