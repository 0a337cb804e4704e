import type { Moment } from "../../business-time/moment.ts";
import { computeResponseMoment } from "../../business-time/sla-times.ts";
import {
  closeStoppedPeriods,
  isNotAccountable,
  isStopped,
  reopenStoppedPeriods,
  updateStoppedPeriods,
} from "../../business-time/stopped-periods.ts";
import type { AffectedSlaRow } from "./affected-sla-rows.ts";
import type { RequestFacts } from "./request-facts.ts";

/** Stops, starts or ends the clock of an affected SLA by the values of the request, and notes the response. */
export function advanceClock(request: RequestFacts, row: AffectedSlaRow, now: Moment): AffectedSlaRow {
  const { accountability } = row;
  const reasons = {
    status: request.status,
    accountability,
    provider_not_accountable: request.notAccountable,
    task_not_accountable: request.taskNotAccountable,
    passed_on: false, // the SLA of a provider who passed the request on is not affected any more
  };
  const notAccountable = isNotAccountable(reasons);
  const next: AffectedSlaRow = {
    ...row,
    actual_response_at: computeResponseMoment(
      {
        first_line_team: row.first_line_team_id,
        support_team: row.support_team_id,
        service_instance: row.service_instance_id,
        started_at: row.started_at,
        actual_response_at: row.actual_response_at,
      },
      request,
      now,
    ),
    downtime_start_at: request.downtime_start_at,
    downtime_end_at: request.downtime_end_at,
    desired_completion_at: request.desired_completion_at,
    provider_not_accountable: notAccountable,
  };
  if (request.status === "completed" && accountability !== "sla_not_affected") {
    if (row.actual_resolution_at !== null) return next;
    return { ...next, actual_resolution_at: now, stopped_periods: closeStoppedPeriods(row.stopped_periods, now) };
  }
  const stopped = isStopped(reasons);
  return {
    ...next,
    actual_resolution_at: null,
    stopped_periods:
      row.actual_resolution_at === null
        ? updateStoppedPeriods(row.stopped_periods, now, stopped, notAccountable)
        : reopenStoppedPeriods(row.stopped_periods, row.actual_resolution_at, now, stopped, notAccountable),
  };
}
