import type { ActiveTime } from "./active-time.ts";
import type { Moment } from "./moment.ts";
import { computeShareOfTarget, computeTarget, type Maximum } from "./sla-targets.ts";
import { type Accountability, clipPeriods, countStoppedMinutes, type StoppedPeriod } from "./stopped-periods.ts";

// The clock of one affected SLA: computes everything that follows from its stored facts. SLA26 to SLA28, SLA44 to
// SLA46, SLA50 to SLA59.

export type SlaFacts = {
  accountability: Accountability;
  started_at: Moment;
  /** the calendar of the chosen targets in the time zone of the offering; 24x7 when none is selected */
  support_hours: ActiveTime;
  /** those of the offering when impact is top, otherwise null */
  service_hours: ActiveTime | null;
  maximum_response_duration: number | null;
  maximum_response_duration_in_days: number | null;
  maximum_resolution_duration: number | null;
  maximum_resolution_duration_in_days: number | null;
  stopped_periods: readonly StoppedPeriod[];
  actual_response_at: Moment | null;
  actual_resolution_at: Moment | null;
  desired_completion_at: Moment | null;
  downtime_start_at: Moment | null;
  downtime_end_at: Moment | null;
};

export type Target = Moment | "clock_stopped" | "best_effort" | null;

export type SlaTimes = {
  stopped_clock_at: Moment | null;
  stopped_clock_duration: number;
  provider_was_not_accountable: boolean;
  response_target_at: Moment | null;
  resolution_target_at: Moment | null;
  next_target_at: Target;
  actual_response_duration: number | null;
  actual_resolution_duration: number | null;
  downtime_duration: number | null;
  /** null: not known yet, or there is no target to meet */
  response_met: boolean | null;
  resolution_met: boolean | null;
};

const getResponseMaximum = (sla: SlaFacts): Maximum => ({
  minutes: sla.maximum_response_duration,
  days: sla.maximum_response_duration_in_days,
});
const getResolutionMaximum = (sla: SlaFacts): Maximum => ({
  minutes: sla.maximum_resolution_duration,
  days: sla.maximum_resolution_duration_in_days,
});

/** Everything that follows from the facts. While the clock is stopped, targets keep the values from before. */
export function computeSlaTimes(sla: SlaFacts): SlaTimes {
  const { support_hours: hours, started_at, actual_response_at, actual_resolution_at } = sla;
  const stopped = countStoppedMinutes(hours, sla.stopped_periods);
  const targets = {
    response_target_at: computeTarget(hours, started_at, getResponseMaximum(sla), countStoppedBeforeResponse(sla)),
    resolution_target_at: computeTarget(hours, started_at, getResolutionMaximum(sla), stopped),
  };
  return {
    ...targets,
    stopped_clock_at: findStopStart(sla),
    stopped_clock_duration: stopped,
    provider_was_not_accountable: sla.stopped_periods.some((period) => period.provider_not_accountable),
    next_target_at: pickNextSlaTarget(sla, targets),
    // A stop that still lasts also delays the response.
    actual_response_duration: countPassedMinutes(sla, actual_response_at, (at) =>
      countStoppedMinutes(hours, clipPeriods(sla.stopped_periods, at)),
    ),
    actual_resolution_duration: countPassedMinutes(sla, actual_resolution_at, () => stopped),
    downtime_duration: countDowntime(sla),
    response_met: isMet(actual_response_at, targets.response_target_at),
    resolution_met: isMet(actual_resolution_at, pickLater(targets.resolution_target_at, sla.desired_completion_at)),
  };
}

const isOver = (period: StoppedPeriod): boolean => period.to !== null;
const findStopStart = (sla: SlaFacts): Moment | null =>
  sla.stopped_periods.find((period) => !isOver(period))?.from ?? null;

/** After a response, stops no longer move its target. */
function countStoppedBeforeResponse({ support_hours, stopped_periods, actual_response_at }: SlaFacts): number {
  const over = stopped_periods.filter(isOver);
  return countStoppedMinutes(support_hours, actual_response_at === null ? over : clipPeriods(over, actual_response_at));
}

const countPassedMinutes = (sla: SlaFacts, at: Moment | null, stopped: (at: Moment) => number): number | null =>
  at === null ? null : Math.max(0, sla.support_hours.minutesBetween(sla.started_at, at) - stopped(at));

function countDowntime({ service_hours, downtime_start_at, downtime_end_at }: SlaFacts): number | null {
  if (service_hours === null || downtime_start_at === null || downtime_end_at === null) return null;
  return service_hours.minutesBetween(downtime_start_at, downtime_end_at);
}

const isMet = (actual: Moment | null, target: Moment | null): boolean | null =>
  actual === null || target === null ? null : actual <= target;

/** A desired completion replaces a target if it is later; it never creates one. */
const pickLater = (target: Moment | null, desired: Moment | null): Moment | null =>
  target !== null && desired !== null && desired > target ? desired : target;

function pickNextSlaTarget(
  sla: SlaFacts,
  { response_target_at, resolution_target_at }: Pick<SlaTimes, "response_target_at" | "resolution_target_at">,
): Target {
  if (sla.accountability === "sla_not_affected" || sla.actual_resolution_at !== null) return null;
  if (findStopStart(sla) !== null) return "clock_stopped";
  if (response_target_at !== null && sla.actual_response_at === null) return response_target_at;
  return pickLater(resolution_target_at, sla.desired_completion_at) ?? "best_effort";
}

/** When the rule of a notification scheme is due; null: no target, a stopped clock, or nothing to wait for. */
export function computeNotificationMoment(
  sla: SlaFacts,
  target: "response" | "resolution",
  percentage: number,
): Moment | null {
  const done = target === "response" ? sla.actual_response_at : sla.actual_resolution_at;
  if (sla.accountability === "sla_not_affected" || done !== null || sla.actual_resolution_at !== null) return null;
  if (findStopStart(sla) !== null) return null;
  const maximum = target === "response" ? getResponseMaximum(sla) : getResolutionMaximum(sla);
  const stopped =
    target === "response"
      ? countStoppedBeforeResponse(sla)
      : countStoppedMinutes(sla.support_hours, sla.stopped_periods);
  return computeShareOfTarget(sla.support_hours, sla.started_at, maximum, stopped, percentage);
}

const respondingStatuses = new Set([
  "in_progress",
  "waiting_for",
  "waiting_for_customer",
  "reservation_pending",
  "workflow_pending",
  "project_pending",
  "completed",
]);

type RequestHandling = { status: string; team: number | null; service_instance: number | null };
type SlaHandling = { first_line_team: number | null; support_team: number | null; service_instance: number };

/** Whether a request saved with these values counts as responded to, for an affected SLA. */
const isResponse = (request: RequestHandling, sla: SlaHandling): boolean =>
  respondingStatuses.has(request.status) ||
  (request.team !== null && request.team !== sla.first_line_team && request.team !== sla.support_team) ||
  request.service_instance !== sla.service_instance;

/** Set once: the first save that was a response, never before the start of the clock. */
export const computeResponseMoment = (
  sla: SlaHandling & { started_at: Moment; actual_response_at: Moment | null },
  request: RequestHandling,
  savedAt: Moment,
): Moment | null => sla.actual_response_at ?? (isResponse(request, sla) ? Math.max(savedAt, sla.started_at) : null);
