import { getActiveTime } from "../server/business-time/active-time.ts";
import { weekdays } from "../server/business-time/calendar.ts";
import { parseMoment } from "../server/business-time/moment.ts";
import { computeSlaTimes, type SlaFacts } from "../server/business-time/sla-times.ts";
import { createRandom } from "./load-generator.ts";

// How many targets the SLA clock works out in a second of one core: each is the whole clock of an affected SLA (response
// and resolution target, a stop, durations, the next target) on office hours with holidays, over changes of the clocks.
// Time is processor time, so that what else runs on the machine does not count.

const budget = 100_000;

export function measureBusinessTime(): string {
  const calendar = {
    hours: weekdays.slice(1, 6).flatMap((weekday) => [
      { weekday, time_from: "08:00", time_until: "12:00" },
      { weekday, time_from: "13:00", time_until: "17:00" },
    ]),
    holidays: [2025, 2026, 2027].flatMap((year) => [
      { start_at: `${year}-12-25T00:00:00`, end_at: `${year}-12-27T00:00:00` },
      { start_at: `${year}-12-31T12:00:00`, end_at: `${year + 1}-01-02T00:00:00` },
    ]),
  };
  const hours = ["Europe/Amsterdam", "America/New_York", "Australia/Sydney", "Asia/Kolkata"].map((zone) =>
    getActiveTime(calendar, zone),
  );
  const random = createRandom(1);
  const facts = Array.from({ length: 10_000 }, (): SlaFacts => {
    const started_at = parseMoment("2025-01-01T00:00:00Z") + Math.floor(random() * 3 * 365 * 1440) * 60_000;
    const from = started_at + Math.floor(random() * 3000) * 60_000;
    const isInDays = random() < 0.3;
    return {
      accountability: "provider",
      started_at,
      support_hours: hours[Math.floor(random() * hours.length)] as SlaFacts["support_hours"],
      service_hours: null,
      maximum_response_duration: 60,
      maximum_response_duration_in_days: null,
      maximum_resolution_duration: isInDays ? null : 60 + Math.floor(random() * 5000),
      maximum_resolution_duration_in_days: isInDays ? 1 + Math.floor(random() * 10) : null,
      stopped_periods: [{ from, to: from + Math.floor(random() * 3000) * 60_000, provider_not_accountable: false }],
      actual_response_at: null,
      actual_resolution_at: null,
      desired_completion_at: null,
      downtime_start_at: null,
      downtime_end_at: null,
    };
  });
  const perSecond = (rounds: number): number => {
    const begun = process.cpuUsage();
    for (let round = 0; round < rounds; round++) for (const sla of facts) computeSlaTimes(sla);
    const { user, system } = process.cpuUsage(begun);
    return (rounds * facts.length * 1_000_000) / (user + system);
  };
  perSecond(10); // warms up
  const clocks = perSecond(100);
  return `SLA clock: ${Math.round(clocks * 2)} targets a second on one core (budget ${budget}), two for each affected SLA`;
}
