import { inactiveStatuses } from "../../../records/configuration/ci.ts";
import { toTimestamp } from "../../base/clock.ts";
import { BadRequest, Forbidden, Invalid } from "../../base/errors.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { type ActiveTime, getActiveTime } from "../../business-time/active-time.ts";
import { minute, parseDayNumber } from "../../business-time/moment.ts";
import type { Caller } from "../../engine/caller.ts";
import { commitChange, createUnchecked, prepareChange } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { parseCalendar, selectCalendar } from "../../rules/time/calendar.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";
import { listFreePeriods, type Period, type Terms } from "./free-times.ts";
import { listRecords, type PortalRecord } from "./list-records.ts";

// Rooms, vehicles and other items that people reserve for themselves: D-362. An offering is for those whom its service
// instance covers; they see when its items are free, not who has them.

type Offering = Terms & {
  id: number;
  name: string;
  service_instance: number;
  calendar: number;
  time_zone: string;
  max_duration: number;
};
const selectOfferings = jsonStatement<Offering>(
  `SELECT id, name, service_instance_id AS service_instance, calendar_id AS calendar, time_zone, min_duration, max_duration, step_duration,
  preparation_duration, min_advance_duration, max_advance_duration
FROM reservation_offerings WHERE account_id = $1 AND NOT disabled AND coalesce(id = $2, true) ORDER BY name, id LIMIT 100`,
);
type Item = { offering: number; id: number; name: string; location: string | null };
const selectItems = jsonStatement<Item>(
  `SELECT l.reservation_offering_id AS offering, c.id, c.name, c.location FROM reservation_offering_cis l JOIN cis c ON c.id = l.ci_id
WHERE l.reservation_offering_id = ANY($1::integer[]) AND c.account_id = $2 AND c.life_cycle = 'active'
AND c.status <> ALL($3::text[]) ORDER BY c.name, c.id`,
);

const loadItems = (engine: Engine, by: Caller, offerings: readonly number[]): Promise<Item[]> =>
  queryRows(engine.database, selectItems, [offerings, by.account, inactiveStatuses]);

/** Only offerings of service instances that the caller may read, which for requesters means: that cover them. */
async function loadOfferings(engine: Engine, by: Caller, id: number | null = null): Promise<Offering[]> {
  const offerings = await queryRows(engine.database, selectOfferings, [by.account, id]);
  if (offerings.length === 0) return [];
  const wanted = [...new Set(offerings.map(({ service_instance }) => service_instance))];
  const { records } = await listRecords(engine, by, "service_instance", {
    fields: ["id"],
    filters: [{ name: "id", value: wanted.join() }],
    perPage: 100,
  });
  const covered = new Set(records.map((record) => record.id));
  return offerings.filter(({ service_instance }) => covered.has(service_instance));
}

export const countReservationOffers = async (engine: Engine, by: Caller): Promise<number> =>
  (await loadOfferings(engine, by)).length;

export type ReservationOffers = {
  offers: readonly (Pick<Offering, "id" | "name" | "time_zone" | "min_duration" | "max_duration" | "step_duration"> & {
    items: readonly Omit<Item, "offering">[];
  })[];
  own: readonly PortalRecord[];
};

export async function loadReservationOffers(engine: Engine, by: Caller): Promise<ReservationOffers> {
  const offerings = await loadOfferings(engine, by);
  const [items, own] = await Promise.all([
    loadItems(
      engine,
      by,
      offerings.map(({ id }) => id),
    ),
    listRecords(engine, by, "reservation", {
      fields: ["name", "ci", "person", "start_at", "end_at", "status"],
      views: ["open"],
      perPage: 50,
    }),
  ]);
  return {
    offers: offerings.map(({ id, name, time_zone, min_duration, max_duration, step_duration }) => ({
      ...{ id, name, time_zone, min_duration, max_duration, step_duration },
      items: items.filter(({ offering }) => offering === id).map(({ offering: _, ...item }) => item),
    })),
    // Whoever may read all reservations sees here those of their own.
    own: own.records.filter(({ person }) => (person as { id: number } | null)?.id === by.person),
  };
}

type Taken = { ci: number; from: number; until: number };
const selectTaken = jsonStatement<Taken>(
  `SELECT ci_id AS ci, extract(epoch FROM coalesce(preparation_start_at, start_at))::float8 AS from, extract(epoch FROM end_at)::float8 AS until
FROM reservations WHERE account_id = $1 AND ci_id = ANY($2::integer[]) AND status NOT IN ('canceled', 'ended')
AND coalesce(preparation_start_at, start_at) < $4 AND end_at > $3`,
);

export type FreeTimes = {
  items: readonly { id: number; name: string; free: readonly { from: string; until: string }[] }[];
};

async function requireOffering(engine: Engine, by: Caller, id: number): Promise<Offering> {
  const [offering] = await loadOfferings(engine, by, id);
  if (offering === undefined) throw new Forbidden();
  return offering;
}

export async function loadFreeTimes(engine: Engine, by: Caller, id: number, date: string | null): Promise<FreeTimes> {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(date ?? "") || Number.isNaN(Date.parse(date as string)))
    throw new BadRequest("Parameter 'date' must be a date, such as 2025-03-31");
  const offering = await requireOffering(engine, by, id);
  const dayNumber = parseDayNumber(date as string);
  const hours = await loadHours(engine, offering);
  const items = await loadItems(engine, by, [id]);
  const free = await findFree(engine, by, { offering, hours, dayNumber, items: items.map((item) => item.id) });
  const toText = (moment: number) => toTimestamp(new Date(moment));
  return {
    items: items.map((item) => ({
      id: item.id,
      name: item.name,
      free: (free.get(item.id) ?? []).map(({ from, until }) => ({ from: toText(from), until: toText(until) })),
    })),
  };
}

async function loadHours({ database }: Engine, { calendar, time_zone }: Offering): Promise<ActiveTime> {
  const [row] = await database.read(selectCalendar, [calendar]);
  return getActiveTime(parseCalendar(row), toIanaZone(time_zone));
}

type Search = { offering: Offering; hours: ActiveTime; dayNumber: number; items: readonly number[] };

async function findFree(engine: Engine, by: Caller, search: Search): Promise<Map<number, Period[]>> {
  const { offering, hours, dayNumber, items } = search;
  // What ends shortly before the day needs its item to be prepared during it.
  const margin = (offering.preparation_duration ?? 0) * minute;
  const taken = await queryRows(engine.database, selectTaken, [
    by.account,
    items,
    toTimestamp(new Date(hours.zone.startOfDay(dayNumber) - margin)),
    toTimestamp(new Date(hours.zone.startOfDay(dayNumber + 1))),
  ]);
  return new Map(
    items.map((item) => {
      const busy = taken
        .filter(({ ci }) => ci === item)
        .map(({ from, until }) => ({ from: from * 1000, until: until * 1000 }));
      return [item, listFreePeriods(hours, dayNumber, busy, { now: by.now.getTime(), terms: offering })];
    }),
  );
}

export type Reserved = { id: number; status: string };
type Wanted = Readonly<Record<string, unknown>>;

/** Reserves an item for the caller, in a time that is free. Of two at the same moment, the engine refuses the second. */
export async function reserve(engine: Engine, by: Caller, body: Wanted): Promise<Reserved> {
  const { offering, ci, start, end, name } = parseWanted(body);
  const offered = await requireOffering(engine, by, offering);
  const items = await loadItems(engine, by, [offering]);
  if (!items.some(({ id }) => id === ci)) throw new Invalid([["ci", "is not valid"]]);
  const minutes = (end - start) / minute;
  if (minutes < offered.min_duration || minutes > offered.max_duration) throw new Invalid([["end_at", "is not valid"]]);
  const hours = await loadHours(engine, offered);
  const dayNumber = hours.zone.dayAt(start);
  const free = (await findFree(engine, by, { offering: offered, hours, dayNumber, items: [ci] })).get(ci) ?? [];
  if (!free.some(({ from, until }) => from <= start && end <= until)) throw new Invalid([["start_at", "is not valid"]]);
  const type = engine.types.get("reservation");
  return engine.database.transaction(async (tx) => {
    const values = {
      name,
      ci,
      person: by.person,
      start_at: toTimestamp(new Date(start)),
      end_at: toTimestamp(new Date(end)),
      reservation_offering: offering,
    };
    // Fixed: an item of the offering can be reserved by people who may not read it.
    const id = await createUnchecked({ engine, tx, by, type }, {}, { fixed: values, account: by.account });
    const saved = await lockActiveValues(engine, tx, type, id, by.account);
    return { id, status: String(saved?.status) };
  }, by.zone);
}

function parseWanted(body: Wanted) {
  const isId = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31;
  const moment = (value: unknown): number =>
    typeof value === "string" && /^[12]\d{3}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)
      ? Date.parse(value)
      : Number.NaN;
  const { offering, ci } = body;
  const [start, end] = [moment(body.start_at), moment(body.end_at)];
  const name = typeof body.name === "string" ? body.name.trim() : "";
  const problems: [string, string][] = [];
  if (!isId(offering)) problems.push(["offering", "is not valid"]);
  if (!isId(ci)) problems.push(["ci", "is not valid"]);
  if (Number.isNaN(start)) problems.push(["start_at", "is not valid"]);
  if (Number.isNaN(end) || end <= start) problems.push(["end_at", "is not valid"]);
  if (name === "") problems.push(["name", "can't be blank"]);
  else if (name.length > 128 || !isStorable(name)) problems.push(["name", "is not valid"]);
  if (problems.length > 0) throw new Invalid(problems);
  return { offering: offering as number, ci: ci as number, start, end, name };
}

/** An own reservation that is no longer needed; the item is free again. */
export async function cancelReservation(engine: Engine, by: Caller, id: number): Promise<undefined> {
  const type = engine.types.get("reservation");
  await engine.database.transaction(async (tx) => {
    const before = await lockActiveValues(engine, tx, type, id, by.account);
    if (before === null || before.person !== by.person) throw new Forbidden();
    if (before.status === "ended" || before.status === "canceled") return;
    const place = { id, account: by.account, before };
    await commitChange(prepareChange({ engine, tx, by, type }, place, { status: "canceled" }));
  }, by.zone);
}
