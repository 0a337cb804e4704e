import type { ActiveTime } from "./active-time.ts";
import type { Moment } from "./moment.ts";

// Which targets an affected SLA has, and when they are. SLA11 to SLA28.

export const impacts = ["low", "medium", "high", "top"] as const;
export type Impact = (typeof impacts)[number];
/** What an offering has targets for: the impact of an incident, or a category. */
export type TargetKind = Impact | "rfc" | "rfi" | "case";

/** Minutes or business days, under the names of the wire. `Hours` is whatever stands for a calendar: its id, its rows. */
export type Offering<Hours> = { time_zone: string | null; service_hours: Hours | null } & {
  [K in TargetKind as `response_target_${K}`]: number | null;
} & { [K in TargetKind as `response_target_${K}_in_days`]: number | null } & {
  [K in TargetKind as `resolution_target_${K}`]: number | null;
} & { [K in TargetKind as `resolution_target_${K}_in_days`]: number | null } & {
  [K in TargetKind as `support_hours_${K}`]: Hours | null;
};

/** A request template that an offering has targets of its own for. */
export type StandardServiceRequest<Hours> = {
  response_target: number | null;
  response_target_in_days: number | null;
  resolution_target: number | null;
  resolution_target_in_days: number | null;
  support_hours: Hours | null;
};

/** What is copied to the affected SLA when it is created, and again when impact, category or template change. */
export type Maximums<Hours> = {
  maximum_response_duration: number | null;
  maximum_response_duration_in_days: number | null;
  maximum_resolution_duration: number | null;
  maximum_resolution_duration_in_days: number | null;
  support_hours: Hours | null;
  service_hours: Hours | null;
  time_zone: string | null;
};

type RequestClassification = { category: string; impact: Impact | null };

/** Requests that get affected SLAs: incidents, RFCs, RFIs, and whatever has a standard service request of the offering. */
export const isTracked = (category: string, standard: object | null): boolean =>
  standard !== null || ["incident", "rfc", "rfi"].includes(category);

export function getTargetKind({ category, impact }: RequestClassification): TargetKind | null {
  if (category === "rfc" || category === "rfi" || category === "case") return category;
  return category === "incident" ? impact : null;
}

/** The targets that apply, or null when the offering has none for such a request. */
export function pickMaximums<Hours>(
  request: RequestClassification,
  offering: Offering<Hours>,
  standard: StandardServiceRequest<Hours> | null = null,
): Maximums<Hours> | null {
  const chosen = standard ?? pickTargets(offering, getTargetKind(request));
  if (chosen === null) return null;
  return {
    maximum_response_duration: chosen.response_target,
    maximum_response_duration_in_days: chosen.response_target_in_days,
    maximum_resolution_duration: chosen.resolution_target,
    maximum_resolution_duration_in_days: chosen.resolution_target_in_days,
    support_hours: chosen.support_hours,
    service_hours: request.impact === "top" ? offering.service_hours : null,
    time_zone: offering.time_zone,
  };
}

function pickTargets<Hours>(offering: Offering<Hours>, kind: TargetKind | null): StandardServiceRequest<Hours> | null {
  if (kind === null) return null;
  return {
    response_target: offering[`response_target_${kind}`],
    response_target_in_days: offering[`response_target_${kind}_in_days`],
    resolution_target: offering[`resolution_target_${kind}`],
    resolution_target_in_days: offering[`resolution_target_${kind}_in_days`],
    support_hours: offering[`support_hours_${kind}`],
  };
}

/** How long something may take. When both are filled the minutes count; no business days at all is no target. */
export type Maximum = { minutes: number | null; days: number | null };

const hasDays = (days: number | null): days is number => days !== null && days > 0;

/** When a maximum that began to run at a moment is used up, if it stood still for so many minutes. */
export function computeTarget(
  hours: ActiveTime,
  start: Moment,
  { minutes, days }: Maximum,
  stopped: number,
): Moment | null {
  if (minutes !== null) return hours.addMinutes(start, minutes + stopped);
  if (!hasDays(days)) return null;
  const unstopped = hours.addBusinessDays(start, days);
  return unstopped === null || stopped === 0 ? unstopped : hours.addMinutes(unstopped, stopped);
}

/** When a share of a maximum is used up: business days count as the minutes that they hold from the start on. */
export function computeShareOfTarget(
  hours: ActiveTime,
  start: Moment,
  { minutes, days }: Maximum,
  stopped: number,
  percentage: number,
): Moment | null {
  const whole = minutes ?? countMinutesOfDays(hours, start, days);
  return whole === null ? null : hours.addMinutes(start, Math.round((whole * percentage) / 100) + stopped);
}

function countMinutesOfDays(hours: ActiveTime, start: Moment, days: number | null): number | null {
  const end = hasDays(days) ? hours.addBusinessDays(start, days) : null;
  return end === null ? null : hours.minutesBetween(start, end);
}

/** The impact on a service above the one that is hit; null where it stays as it is. */
export function getImpactAbove(below: Impact, relation: "down" | "degraded" | null): Impact | null {
  if (relation === null || below === "high" || below === "low") return null;
  if (relation === "down") return below;
  return below === "top" ? "high" : "low";
}
