import type { ActiveTime } from "./active-time.ts";
import type { Moment } from "./moment.ts";
import { type Maximum, shareAt, targetAt } from "./sla-targets.ts";
import { type Accountability, before, type StoppedPeriod, stoppedMinutes } from "./stopped-clock.ts";

// The clock of one affected SLA: from what is stored to what follows from it. Reference: sla-clock.md sections 4, 6, 7.

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

export type SlaClock = {
  stopped_clock_at: Moment | null;
  stopped_clock_duration: number;
  provider_was_not_accountable: boolean;
  response_target_at: Moment | null;
  resolution_target_at: Moment | null;
  next_target_at: Target;
  actual_response_duration: number | null;
  actual_resolution_duration: number | null;
  downtime_duration: number | null;
  /** null while nothing has happened yet, or where there is no target to meet */
  response_met: boolean | null;
  resolution_met: boolean | null;
};

const responseMaximum = (sla: SlaFacts): Maximum => ({
  minutes: sla.maximum_response_duration,
  days: sla.maximum_response_duration_in_days,
});
const resolutionMaximum = (sla: SlaFacts): Maximum => ({
  minutes: sla.maximum_resolution_duration,
  days: sla.maximum_resolution_duration_in_days,
});

/** Everything that follows from the facts. While the clock is stopped the targets are what they were before. */
export function clockOf(sla: SlaFacts): SlaClock {
  const { support_hours: hours, started_at, actual_response_at, actual_resolution_at } = sla;
  const stopped = stoppedMinutes(hours, sla.stopped_periods);
  const targets = {
    response_target_at: targetAt(hours, started_at, responseMaximum(sla), stoppedBeforeResponse(sla)),
    resolution_target_at: targetAt(hours, started_at, resolutionMaximum(sla), stopped),
  };
  return {
    ...targets,
    stopped_clock_at: stoppedSince(sla),
    stopped_clock_duration: stopped,
    provider_was_not_accountable: sla.stopped_periods.some((period) => period.provider_not_accountable),
    next_target_at: nextTargetOfSla(sla, targets),
    // A stop that still lasts stood in the way of the response as well.
    actual_response_duration: passed(sla, actual_response_at, (at) =>
      stoppedMinutes(hours, before(sla.stopped_periods, at)),
    ),
    actual_resolution_duration: passed(sla, actual_resolution_at, () => stopped),
    downtime_duration: downtime(sla),
    response_met: met(actual_response_at, targets.response_target_at),
    resolution_met: met(actual_resolution_at, later(targets.resolution_target_at, sla.desired_completion_at)),
  };
}

const isOver = (period: StoppedPeriod): boolean => period.to !== null;
const stoppedSince = (sla: SlaFacts): Moment | null =>
  sla.stopped_periods.find((period) => !isOver(period))?.from ?? null;

/** After a response, stops no longer move its target. */
function stoppedBeforeResponse({ support_hours, stopped_periods, actual_response_at }: SlaFacts): number {
  const over = stopped_periods.filter(isOver);
  return stoppedMinutes(support_hours, actual_response_at === null ? over : before(over, actual_response_at));
}

const passed = (sla: SlaFacts, at: Moment | null, stopped: (at: Moment) => number): number | null =>
  at === null ? null : Math.max(0, sla.support_hours.minutesBetween(sla.started_at, at) - stopped(at));

function downtime({ service_hours, downtime_start_at, downtime_end_at }: SlaFacts): number | null {
  if (service_hours === null || downtime_start_at === null || downtime_end_at === null) return null;
  return service_hours.minutesBetween(downtime_start_at, downtime_end_at);
}

const met = (actual: Moment | null, target: Moment | null): boolean | null =>
  actual === null || target === null ? null : actual <= target;

/** A desired completion replaces a target when it is later; it never makes one. */
const later = (target: Moment | null, desired: Moment | null): Moment | null =>
  target !== null && desired !== null && desired > target ? desired : target;

function nextTargetOfSla(
  sla: SlaFacts,
  { response_target_at, resolution_target_at }: Pick<SlaClock, "response_target_at" | "resolution_target_at">,
): Target {
  if (sla.accountability === "sla_not_affected" || sla.actual_resolution_at !== null) return null;
  if (stoppedSince(sla) !== null) return "clock_stopped";
  if (response_target_at !== null && sla.actual_response_at === null) return response_target_at;
  return later(resolution_target_at, sla.desired_completion_at) ?? "best_effort";
}

/** When the rule of a notification scheme is due; null when it is not: no target, a stopped clock, nothing to wait for. */
export function notificationAt(sla: SlaFacts, target: "response" | "resolution", percentage: number): Moment | null {
  const done = target === "response" ? sla.actual_response_at : sla.actual_resolution_at;
  if (sla.accountability === "sla_not_affected" || done !== null || sla.actual_resolution_at !== null) return null;
  if (stoppedSince(sla) !== null) return null;
  const maximum = target === "response" ? responseMaximum(sla) : resolutionMaximum(sla);
  const stopped =
    target === "response" ? stoppedBeforeResponse(sla) : stoppedMinutes(sla.support_hours, sla.stopped_periods);
  return shareAt(sla.support_hours, sla.started_at, maximum, stopped, percentage);
}

const responding = new Set([
  "in_progress",
  "waiting_for",
  "waiting_for_customer",
  "reservation_pending",
  "workflow_pending",
  "project_pending",
  "completed",
]);

type Handled = { status: string; team: number | null; service_instance: number | null };
type Handlers = { first_line_team: number | null; support_team: number | null; service_instance: number };

/** Whether a request saved like this has been responded to, as far as an affected SLA is concerned. */
const isResponse = (request: Handled, sla: Handlers): boolean =>
  responding.has(request.status) ||
  (request.team !== null && request.team !== sla.first_line_team && request.team !== sla.support_team) ||
  request.service_instance !== sla.service_instance;

/** Set once: the first save that was a response, never before the clock started. */
export const responseAt = (
  sla: Handlers & { started_at: Moment; actual_response_at: Moment | null },
  request: Handled,
  savedAt: Moment,
): Moment | null => sla.actual_response_at ?? (isResponse(request, sla) ? Math.max(savedAt, sla.started_at) : null);
