import type { ActiveTime } from "./active-time.ts";
import { type Moment, minute } from "./moment.ts";
import type { SlaTimes, Target } from "./sla-times.ts";
import type { Accountability } from "./stopped-periods.ts";

// The targets that a request shows, derived from its affected SLAs, and what is planned by them. SLA50 to SLA59, SLA61,
// SLA62, FU1, FU2.

type RequestSla = Pick<SlaTimes, "response_target_at" | "resolution_target_at"> & {
  accountability: Accountability;
  actual_response_at: Moment | null;
  first_line_team: number | null;
  support_team: number | null;
  /** whether the SLA covers the person the request is for */
  covers_requested_for: boolean;
};

type RequestTargets = {
  response_target_at: Moment | null;
  resolution_target_at: Moment | null;
  requester_resolution_target_at: Moment | null;
};

const pickEarliest = (moments: readonly (Moment | null)[]): Moment | null =>
  moments.reduce((found, moment) => (moment !== null && (found === null || moment < found) ? moment : found), null);

/** The most stringent targets: for the team of the request, and for the requester. */
export function computeRequestTargets(
  request: { team: number | null; team_of_template: number | null },
  slas: readonly RequestSla[],
): RequestTargets {
  const affected = slas.filter(({ accountability }) => accountability !== "sla_not_affected");
  const { team } = request;
  const ofTeam = affected.filter(
    (sla) => team !== null && [sla.first_line_team, sla.support_team, request.team_of_template].includes(team),
  );
  const unanswered = ofTeam.filter((sla) => sla.actual_response_at === null);
  const forRequester = affected.filter((sla) => sla.covers_requested_for);
  return {
    response_target_at: pickEarliest(unanswered.map((sla) => sla.response_target_at)),
    resolution_target_at: pickEarliest(ofTeam.map((sla) => sla.resolution_target_at)),
    requester_resolution_target_at: pickEarliest(forRequester.map((sla) => sla.resolution_target_at)),
  };
}

export function pickNextRequestTarget(
  request: { status: string; desired_completion_at: Moment | null },
  { response_target_at, resolution_target_at }: Pick<RequestTargets, "response_target_at" | "resolution_target_at">,
  slas: readonly { accountability: Accountability }[],
): Target {
  const { status, desired_completion_at: desired } = request;
  if (status === "completed") return null;
  if (response_target_at !== null && (desired === null || response_target_at < desired)) return response_target_at;
  if (desired !== null) return desired;
  if (status === "waiting_for_customer")
    return slas.some(({ accountability }) => accountability !== "sla_not_affected") ? "clock_stopped" : "best_effort";
  return resolution_target_at ?? "best_effort";
}

const rankTarget = (target: Target): number =>
  typeof target === "number" ? 0 : target === "clock_stopped" ? 1 : target === "best_effort" ? 2 : 3;

/** Ascending: moments, then stopped clocks, best effort, none. */
export const compareTargets = (one: Target, other: Target): number =>
  typeof one === "number" && typeof other === "number" ? one - other : rankTarget(one) - rankTarget(other);

export function getTargetColour(target: Target, now: Moment): "red" | "orange" | "yellow" | "green" {
  if (typeof target !== "number" || target - now >= 60 * minute) return "green";
  if (target < now) return "red";
  return target - now < 20 * minute ? "orange" : "yellow";
}

/** The hours for waiting for the customer: those of the SLA with the earliest resolution target. */
export function pickFollowUpSla<Sla extends { resolution_target_at: Moment | null; accountability: Accountability }>(
  slas: readonly Sla[],
): Sla | null {
  const affected = slas.filter(({ accountability }) => accountability !== "sla_not_affected");
  const order = (sla: Sla) => sla.resolution_target_at ?? Number.POSITIVE_INFINITY;
  return affected.reduce<Sla | null>((found, sla) => (found === null || order(sla) < order(found) ? sla : found), null);
}

/** When the rules of a waiting-for-customer follow-up are due, each after its number of business days, in order. */
export const computeFollowUps = (hours: ActiveTime, enteredAt: Moment, businessDays: readonly number[]): Moment[] =>
  businessDays
    .map((days) => hours.addBusinessDays(enteredAt, days))
    .filter((moment) => moment !== null)
    .sort((one, other) => one - other);

/** The target of a task, in the work hours of its team. */
export function computeCompletionTarget(
  workHours: ActiveTime,
  task: { assigned_at: Moment | null; start_at: Moment | null; planned_duration: number | null },
): Moment | null {
  if (task.assigned_at === null || task.planned_duration === null) return null;
  return workHours.addMinutes(Math.max(task.assigned_at, task.start_at ?? task.assigned_at), task.planned_duration);
}
