import { toIanaZone } from "../../server/base/time-zones.ts";
import { type ActiveTime, getActiveTime } from "../../server/business-time/active-time.ts";
import type { Hours } from "../../server/business-time/calendar.ts";
import { agreements } from "../data/agreements.ts";
import { calendarTables } from "../data/calendars.ts";
import type { Row } from "../data/table.ts";
import type { SeededRandom } from "../loader/seeded-random.ts";
import { addMinutes, nextWorkingMoment } from "./timeline.ts";

// How fast people work: most requests are completed within the target of their service, in its support hours.

const findRows = (tables: typeof agreements, type: string) => tables.find((table) => table.type === type)?.rows ?? {};
const offerings = findRows(agreements, "service_offering");
const calendars = findRows(calendarTables, "calendar");

/** Without a target, as fast as the simplest requests. */
const untracked = { respond: 240, resolve: 2400 };

/** How many of a hundred miss their target. The portal had a bad quarter. */
const lateShares: Readonly<Record<string, number>> = {
  portal: 23,
  erp: 7,
  "network-asia": 6,
  printing: 8,
  security: 1,
};
const usualLateShare = 3;
/** How many of a hundred late ones take weeks. */
const longShare = 45;

export class Paces {
  private readonly chance: SeededRandom;
  /** by service and kind: adds up to the next late request, so that small groups have their share, too */
  private readonly lateness = new Map<string, number>();

  constructor(chance: SeededRandom) {
    this.chance = chance;
  }

  /** `kind`: an impact, or a category other than incident */
  begin(service: string, kind: string, createdAt: Date): Pace {
    const offering = offerings[service] ?? {};
    const respond = Number(offering[`response_target_${kind}`] ?? untracked.respond);
    const resolve = Number(offering[`resolution_target_${kind}`] ?? untracked.resolve);
    const { chance } = this;
    const isLate = this.isLate(service, kind);
    const share = isLate ? chance.between(110, 260) : chance.between(12, 88);
    const weeks = isLate && chance.withProbability(longShare / 100) ? chance.between(2, 28) : 0;
    return new Pace(chance, findHours(offering, kind), createdAt, {
      respond,
      resolve: (resolve * share) / 100,
      days: weeks,
    });
  }

  private isLate(service: string, kind: string): boolean {
    const key = `${service} ${kind}`;
    const sum = (this.lateness.get(key) ?? 45) + (lateShares[service] ?? usualLateShare);
    this.lateness.set(key, sum % 100);
    return sum >= 100;
  }
}

/** The support hours of a kind of request; holidays are left out: they only make a target later. */
function findHours(offering: Row, kind: string): ActiveTime {
  const calendar = calendars[String(offering[`support_hours_${kind}`])]?.calendar_hours;
  const zone = toIanaZone(String(offering.time_zone ?? "Amsterdam"));
  return getActiveTime(calendar === undefined ? null : { hours: calendar as unknown as Hours[], holidays: [] }, zone);
}

/** The moments of the steps of one request. */
class Pace {
  private readonly chance: SeededRandom;
  private readonly hours: ActiveTime;
  private readonly plan: { respond: number; resolve: number; days: number };
  /** the minutes of support hours since `from` are counted */
  private from: Date;
  private spent = 0;
  private used = 0;

  constructor(chance: SeededRandom, hours: ActiveTime, from: Date, plan: Pace["plan"]) {
    this.chance = chance;
    this.hours = hours;
    this.from = from;
    this.plan = plan;
  }

  /** The first time that a person opens it. */
  respond(): Date {
    const { respond, resolve } = this.plan;
    return this.spend((Math.min(respond, resolve / 2) * this.chance.between(10, 92)) / 100);
  }

  /** The next step, after some of the time that is left. */
  advance(): Date {
    return this.spend(((this.plan.resolve - this.spent) * this.chance.between(5, 40)) / 100);
  }

  /** The request waits until then, and its clock is stopped. */
  pause(until: Date): void {
    this.from = until;
    this.used = 0;
  }

  finish(): Date {
    const at = this.spend(this.plan.resolve - this.spent);
    return this.plan.days === 0 ? at : nextWorkingMoment(addMinutes(at, this.plan.days * 1440));
  }

  private spend(minutes: number): Date {
    this.spent += minutes;
    this.used += minutes;
    const at = this.hours.addMinutes(this.from.getTime(), Math.max(1, Math.floor(this.used)));
    return at === null ? addMinutes(this.from, this.used) : new Date(at);
  }
}
