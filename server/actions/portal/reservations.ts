import type { FreeTimes, OfferedTemplate, ReservationOffers } from "../../../records/answers/portal-offers.ts";
import { inactiveStatuses } from "../../../records/configuration/ci.ts";
import { toTimestamp } from "../../base/clock.ts";
import { BadRequest, Forbidden } from "../../base/errors.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { type ActiveTime, getActiveTime, type Period } from "../../business-time/active-time.ts";
import { type Moment, minute, parseDayNumber } from "../../business-time/moment.ts";
import { jsonStatement, parseText, queryRows } from "../../database/rows.ts";
import { hasAnyGrant } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { buildWhere } from "../../engine/list.ts";
import { value } from "../../engine/sql/query.ts";
import { parseCalendar, selectCalendar } from "../../rules/time/calendar.ts";
import { listFreePeriods, type Terms } from "./free-times.ts";
import { listRecords } from "./list-records.ts";

// Rooms, vehicles and other items that people reserve for themselves: D-362, D-399. An offering is for those whom its
// service instance covers; they see when its items are free, not who has them.

export type Offering = Terms & {
  id: number;
  name: string;
  service_instance: number;
  calendar: number;
  time_zone: string;
  max_duration: number;
  /** it may end on another day than it begins */
  multi_day: boolean;
  allow_repeat: boolean;
};
type Item = { offering: number; id: number; name: string; label: string | null; location: string | null };
const selectItems = jsonStatement<Item>(
  `SELECT l.reservation_offering_id AS offering, c.id, c.name, c.label, c.location FROM reservation_offering_cis l JOIN cis c ON c.id = l.ci_id
WHERE l.reservation_offering_id = ANY($1::integer[]) AND c.account_id = $2 AND c.life_cycle = 'active'
AND c.status <> ALL($3::text[]) ORDER BY c.name, c.id`,
);

export const loadItems = (engine: Engine, by: Caller, offerings: readonly number[]): Promise<Item[]> =>
  queryRows(engine.database, selectItems, [offerings, by.account, inactiveStatuses]);

const mostOfferings = 100;

/**
 * Only offerings of service instances that the caller may read, which for requesters means: that cover them. The statement
 * says so, hence the limit counts what is for the caller.
 */
async function loadOfferings(engine: Engine, by: Caller, id: number | null = null): Promise<Offering[]> {
  const type = engine.types.get("service_instance");
  if (!hasAnyGrant(type, "read", by)) return [];
  const parts = {
    account: value(by.account),
    id: id === null ? null : value(id),
    readable: buildWhere(engine, by, type, { views: [], filters: [] }),
  };
  const query = engine.statements.prepare("reservation offerings", parts, (sql) => {
    const isWanted = sql.id === null ? "" : ` AND o.id = ${sql.id}`;
    return `WITH x AS (SELECT o.id, o.name, o.service_instance_id AS service_instance, o.calendar_id AS calendar, o.time_zone, o.min_duration, o.max_duration,
  o.step_duration, o.preparation_duration, o.min_advance_duration, o.max_advance_duration, coalesce(o.multi_day, false) AS multi_day,
  coalesce(o.allow_repeat, false) AS allow_repeat
FROM reservation_offerings o JOIN ${type.table} a ON a.id = o.service_instance_id
WHERE o.account_id = ${sql.account}${isWanted} AND NOT o.disabled AND ${sql.readable} ORDER BY o.name, o.id LIMIT ${mostOfferings})
SELECT coalesce(json_agg(x), '[]') FROM x`;
  });
  const [row] = await engine.database.read(query.statement, query.values);
  return JSON.parse(parseText(row?.[0]));
}

export const countReservationOffers = async (engine: Engine, by: Caller): Promise<number> =>
  (await loadOfferings(engine, by)).length;

type OfferedWith = { offering: number; template: number };
const selectTemplates = jsonStatement<OfferedWith>(
  `SELECT l.reservation_offering_id AS offering, l.request_template_id AS template FROM reservation_offering_request_templates l
JOIN request_templates t ON t.id = l.request_template_id WHERE l.reservation_offering_id = ANY($1::integer[]) AND t.account_id = $2`,
);

/** D-399: the request templates that reservations of an offering are made with, as far as the caller may use them. */
export async function loadOfferedTemplates(
  engine: Engine,
  by: Caller,
  offerings: readonly number[],
): Promise<Map<number, OfferedTemplate[]>> {
  const links = await queryRows(engine.database, selectTemplates, [offerings, by.account]);
  if (links.length === 0) return new Map();
  const { records } = await listRecords<OfferedTemplate>(engine, by, "request_template", {
    fields: ["localized_subject", "subject", "category"],
    views: ["enabled"],
    filters: [{ name: "id", value: [...new Set(links.map(({ template }) => template))].slice(0, 100).join() }],
    sort: "subject",
    perPage: 100,
  });
  return new Map(
    offerings.map((offering) => {
      const ids = new Set(links.filter((link) => link.offering === offering).map(({ template }) => template));
      return [offering, records.filter(({ id }) => ids.has(id))];
    }),
  );
}

export async function loadReservationOffers(engine: Engine, by: Caller): Promise<ReservationOffers> {
  const offerings = await loadOfferings(engine, by);
  const ids = offerings.map(({ id }) => id);
  const [items, templates, own] = await Promise.all([
    loadItems(engine, by, ids),
    loadOfferedTemplates(engine, by, ids),
    listRecords<ReservationOffers["own"][number]>(engine, by, "reservation", {
      fields: ["name", "ci", "person", "start_at", "end_at", "status"],
      views: ["open"],
      perPage: 50,
    }),
  ]);
  return {
    offers: offerings.map(({ id, name, time_zone, min_duration, max_duration, step_duration, ...terms }) => ({
      ...{ id, name, time_zone, min_duration, max_duration, step_duration },
      ...{ multi_day: terms.multi_day, allow_repeat: terms.allow_repeat },
      templates: templates.get(id) ?? [],
      items: items.filter(({ offering }) => offering === id).map(({ offering: _, ...item }) => item),
    })),
    // Callers who may read all reservations see only their own here.
    own: own.records.filter(({ person }) => person.id === by.person),
  };
}

type Taken = { ci: number; from: number; until: number }; // seconds
const selectTaken = jsonStatement<Taken>(
  `SELECT ci_id AS ci, extract(epoch FROM coalesce(preparation_start_at, start_at))::float8 AS from, extract(epoch FROM end_at)::float8 AS until
FROM reservations WHERE account_id = $1 AND ci_id = ANY($2::integer[]) AND status NOT IN ('canceled', 'ended')
AND coalesce(preparation_start_at, start_at) < $4 AND end_at > $3`,
);

export async function requireOffering(engine: Engine, by: Caller, id: number): Promise<Offering> {
  const [offering] = await loadOfferings(engine, by, id);
  if (offering === undefined) throw new Forbidden();
  return offering;
}

export async function loadFreeTimes(engine: Engine, by: Caller, id: number, date: string): Promise<FreeTimes> {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
    throw new BadRequest("Parameter 'date' must be a date, such as 2025-03-31");
  const offering = await requireOffering(engine, by, id);
  const dayNumber = parseDayNumber(date);
  const hours = await loadHours(engine, offering);
  const items = await loadItems(engine, by, [id]);
  const [start, end] = [hours.zone.startOfDay(dayNumber), hours.zone.startOfDay(dayNumber + 1)];
  const ids = items.map((item) => item.id);
  const busy = await loadBusy(engine, by, offering, {
    items: ids,
    from: start,
    until: end + offering.max_duration * minute,
  });
  const toText = (moment: Moment) => toTimestamp(new Date(moment));
  return {
    items: items.map((item) => {
      const taken = busy.get(item.id) ?? [];
      const findNext = (after: Moment) =>
        Math.min(...taken.filter(({ from }) => from >= after).map(({ from }) => from), Number.POSITIVE_INFINITY);
      const free = listFreePeriods(hours, dayNumber, taken, {
        ...{ now: by.now.getTime(), terms: offering, isMultiDay: offering.multi_day },
      }).map(({ from, until }) => {
        const next = findNext(until);
        return {
          from: toText(from),
          until: toText(until),
          taken_at: next === Number.POSITIVE_INFINITY ? null : toText(next),
        };
      });
      return { id: item.id, name: item.name, free };
    }),
  };
}

export async function loadHours({ database }: Engine, { calendar, time_zone }: Offering): Promise<ActiveTime> {
  const [row] = await database.read(selectCalendar, [calendar]);
  return getActiveTime(parseCalendar(row), toIanaZone(time_zone));
}

type Range = { items: readonly number[]; from: Moment; until: Moment };

/** Other reservations of each item in a period. */
export async function loadBusy(
  engine: Engine,
  by: Caller,
  offering: Offering,
  { items, from, until }: Range,
): Promise<Map<number, Period[]>> {
  // A reservation that ends shortly before needs its item to be prepared.
  const margin = (offering.preparation_duration ?? 0) * minute;
  const taken = await queryRows(engine.database, selectTaken, [
    by.account,
    items,
    toTimestamp(new Date(from - margin)),
    toTimestamp(new Date(until)),
  ]);
  const toPeriod = (row: Taken): Period => ({ from: row.from * 1000, until: row.until * 1000 });
  return new Map(items.map((item) => [item, taken.filter(({ ci }) => ci === item).map(toPeriod)]));
}
