import type { ActiveTime } from "./active-time.ts";
import type { Moment } from "./moment.ts";

// Selects the targets of an affected SLA and computes their moments. SLA11 to SLA28.

export const impacts = ["low", "medium", "high", "top"] as const;
export type Impact = (typeof impacts)[number];
/** The key of an offering's targets: the impact of an incident, or a category. */
export type TargetKind = Impact | "rfc" | "rfi" | "case";

/** Minutes or business days, named as in the API. `Hours` represents a calendar: its id or its rows. */
export type Offering<Hours> = { time_zone: string | null; service_hours: Hours | null } & {
  [K in TargetKind as `response_target_${K}`]: number | null;
} & { [K in TargetKind as `response_target_${K}_in_days`]: number | null } & {
  [K in TargetKind as `resolution_target_${K}`]: number | null;
} & { [K in TargetKind as `resolution_target_${K}_in_days`]: number | null } & {
  [K in TargetKind as `support_hours_${K}`]: Hours | null;
};

/** A request template for which an offering has targets of its own. */
export type StandardServiceRequest<Hours> = {
  response_target: number | null;
  response_target_in_days: number | null;
  resolution_target: number | null;
  resolution_target_in_days: number | null;
  support_hours: Hours | null;
};

/** Copied to the affected SLA when it is created, and again when impact, category or template change. */
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

/** Requests with affected SLAs: incidents, RFCs, RFIs, and those with a standard service request of the offering. */
export const isTracked = (category: string, standard: object | null): boolean =>
  standard !== null || ["incident", "rfc", "rfi"].includes(category);

export function getTargetKind({ category, impact }: RequestClassification): TargetKind | null {
  if (category === "rfc" || category === "rfi" || category === "case") return category;
  return category === "incident" ? impact : null;
}

/** The applicable targets; null: the offering has none for such a request. */
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

/** A maximum duration. Minutes take precedence over business days; zero business days are no target. */
export type Maximum = { minutes: number | null; days: number | null };

const hasDays = (days: number | null): days is number => days !== null && days > 0;

/** The moment at which a maximum is used up, given its start and the minutes for which the clock was stopped. */
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

/** The moment at which a share of a maximum is used up: business days count as the minutes that they contain. */
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

/** The impact on a service above the affected one; null: unchanged. */
export function getImpactAbove(below: Impact, relation: "down" | "degraded" | null): Impact | null {
  if (relation === null || below === "high" || below === "low") return null;
  if (relation === "down") return below;
  return below === "top" ? "high" : "low";
}
