import type { ActiveTime } from "./active-time.ts";
import type { Moment } from "./moment.ts";

// The periods in which the clock of an affected SLA is stopped. SLA31 to SLA43.

export type Accountability = "provider" | "supplier" | "sla_not_affected";

/** `to` is null while the clock is stopped. Periods are ascending and never overlap. */
export type StoppedPeriod = { from: Moment; to: Moment | null; provider_not_accountable: boolean };

/** The reasons that stop the clock, without completion: that counts as a stop only once the request is reopened. */
type StopReasons = {
  status: string;
  accountability: Accountability;
  provider_not_accountable: boolean;
  /** an active task of the workflow of the request says that the provider is not accountable */
  task_not_accountable: boolean;
  /** another provider, of whom this one is not the customer, works on it and neither waits for the customer nor is done */
  passed_on: boolean;
};

/** One reason is enough; several simultaneous ones are one stop. */
export const isStopped = (reasons: StopReasons): boolean =>
  reasons.accountability === "sla_not_affected" ||
  reasons.status === "waiting_for_customer" ||
  reasons.provider_not_accountable ||
  reasons.task_not_accountable ||
  reasons.passed_on;

export const isNotAccountable = (reasons: StopReasons): boolean =>
  reasons.provider_not_accountable || reasons.task_not_accountable;

/** Updates the periods: a stop begins, ends or continues. */
export function updateStoppedPeriods(
  periods: readonly StoppedPeriod[],
  at: Moment,
  stopped: boolean,
  provider_not_accountable: boolean,
): StoppedPeriod[] {
  const last = periods.at(-1);
  if (last === undefined || last.to !== null)
    return stopped ? [...periods, { from: at, to: null, provider_not_accountable }] : [...periods];
  const blameless = last.provider_not_accountable || (stopped && provider_not_accountable);
  const now = { from: last.from, to: stopped ? null : at, provider_not_accountable: blameless };
  return stopped ? [...periods.slice(0, -1), now] : mergePeriods([...periods.slice(0, -1), now]);
}

/** The request was completed: a stop that still lasts ends. */
export const closeStoppedPeriods = (periods: readonly StoppedPeriod[], completed_at: Moment): StoppedPeriod[] =>
  updateStoppedPeriods(periods, completed_at, false, false);

/** A completed request was reopened: the time in between is a stop, which continues if there is another reason. */
export const reopenStoppedPeriods = (
  periods: readonly StoppedPeriod[],
  completed_at: Moment,
  at: Moment,
  stillStopped: boolean,
  provider_not_accountable = false,
): StoppedPeriod[] =>
  updateStoppedPeriods(
    mergePeriods([...periods, { from: completed_at, to: at, provider_not_accountable }]),
    at,
    stillStopped,
    provider_not_accountable,
  );

/**
 * Ended periods as they count: overlapping and adjacent ones are merged. A stop that still lasts stays separate, so
 * that the targets keep their values from its beginning.
 */
export function mergePeriods(periods: readonly StoppedPeriod[]): StoppedPeriod[] {
  const list: StoppedPeriod[] = [];
  for (const period of [...periods].sort((one, other) => one.from - other.from)) {
    const last = list.at(-1);
    if (last === undefined || (last.to !== null && period.from > last.to)) list.push({ ...period });
    else {
      last.to = last.to === null || period.to === null ? null : Math.max(last.to, period.to);
      last.provider_not_accountable ||= period.provider_not_accountable;
    }
  }
  return list;
}

/** Minutes of ended stops within support hours. */
export const countStoppedMinutes = (hours: ActiveTime, periods: readonly StoppedPeriod[]): number =>
  periods.reduce((sum, { from, to }) => sum + (to === null ? 0 : hours.minutesBetween(from, to)), 0);

/** The parts of the periods before a moment. */
export const clipPeriods = (periods: readonly StoppedPeriod[], moment: Moment): StoppedPeriod[] =>
  periods
    .filter(({ from }) => from < moment)
    .map((period) => ({ ...period, to: Math.min(period.to ?? moment, moment) }));
