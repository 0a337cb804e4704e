import type { OfferedTemplate, Reserved } from "../../../records/answers/portal-offers.ts";
import { toTimestamp } from "../../base/clock.ts";
import { Forbidden, Invalid, NotFound } from "../../base/errors.ts";
import type { Period } from "../../business-time/active-time.ts";
import { type Moment, minute } from "../../business-time/moment.ts";
import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { applyChange, createUnchecked, prepareChange } from "../../engine/change.ts";
import { createInTransaction } from "../../engine/create.ts";
import type { Engine } from "../../engine/engine.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { isPeriodFree } from "./free-times.ts";
import { listOccurrences, parseWanted, type Wanted } from "./reservation-input.ts";
import {
  loadBusy,
  loadHours,
  loadItems,
  loadOfferedTemplates,
  type Offering,
  requireOffering,
} from "./reservations.ts";

// Reserving for oneself: D-362. A reservation may end on another day and be repeated where its offering allows it, and is
// made with a request where the offering names templates: D-399.

const selectStatus = jsonStatement<Pick<Reserved, "status">>(
  "SELECT status FROM reservations WHERE id = $1 AND account_id = $2",
);

/** Reserves an item for the caller, in times that are free. Of two at the same moment, the engine refuses the second. */
export async function reserve(engine: Engine, by: Caller, body: Readonly<Record<string, unknown>>): Promise<Reserved> {
  const wanted = parseWanted(body);
  const offering = await requireOffering(engine, by, wanted.offering);
  const items = await loadItems(engine, by, [offering.id]);
  if (!items.some(({ id }) => id === wanted.ci)) throw new Invalid([["ci", "is not valid"]]);
  const template = await pickTemplate(engine, by, offering, wanted.template);
  const periods = await findPeriods(engine, by, offering, wanted);
  return engine.database.transaction(async (tx) => {
    const ids: number[] = [];
    for (const period of periods) ids.push(await createReservation(engine, tx, by, wanted, period));
    const [id = 0] = ids;
    const request = template === null ? null : await createRequest(engine, tx, by, { wanted, offering, template, ids });
    const saved = await queryFirst(tx, selectStatus, [id, by.account]);
    if (saved === null) throw new NotFound(); // created above
    return { id, status: saved.status, count: ids.length, request };
  }, by.zone);
}

/** If the offering has templates, one of them is used: the only one, or the chosen one. */
async function pickTemplate(
  engine: Engine,
  by: Caller,
  { id }: Offering,
  wanted: number | null,
): Promise<OfferedTemplate | null> {
  const templates = (await loadOfferedTemplates(engine, by, [id])).get(id) ?? [];
  if (wanted === null) {
    if (templates.length > 1) throw new Invalid([["template", "can't be blank"]]);
    return templates[0] ?? null;
  }
  const found = templates.find((template) => template.id === wanted);
  if (found === undefined) throw new Invalid([["template", "is not valid"]]);
  return found;
}

/** The requested periods, all of them free; 422 names the first that is not. */
async function findPeriods(engine: Engine, by: Caller, offering: Offering, wanted: Wanted): Promise<Period[]> {
  const { ci, start, end, repeat } = wanted;
  const minutes = (end - start) / minute;
  if (minutes < offering.min_duration || minutes > offering.max_duration)
    throw new Invalid([["end_at", "is not valid"]]);
  if (repeat !== null && !offering.allow_repeat) throw new Invalid([["repeat", "is not valid"]]);
  const hours = await loadHours(engine, offering);
  const { zone } = hours;
  if (!offering.multi_day && zone.dayAt(start) !== zone.dayAt(end - 1)) throw new Invalid([["end_at", "is not valid"]]);
  const periods =
    repeat === null ? [{ from: start, until: end }] : listOccurrences(zone, { from: start, until: end }, repeat);
  const until = periods.at(-1)?.until ?? end;
  const busy = (await loadBusy(engine, by, offering, { items: [ci], from: start, until })).get(ci) ?? [];
  const terms = { now: by.now.getTime(), terms: offering, isMultiDay: offering.multi_day };
  const taken = periods.find((period) => !isPeriodFree(hours, period, busy, terms));
  if (taken === undefined) return periods;
  if (periods.length === 1) throw new Invalid([["start_at", "is not valid"]]);
  throw new Invalid([["repeat", "is not free on {date}", { date: toDate(zone.wallAt(taken.from)) }]]);
}

const toDate = (wall: Moment): string => new Date(wall).toISOString().slice(0, 10);

function createReservation(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { name, ci, offering }: Wanted,
  { from, until }: Period,
): Promise<number> {
  const values = {
    name,
    ci,
    person: by.person,
    start_at: toTimestamp(new Date(from)),
    end_at: toTimestamp(new Date(until)),
    reservation_offering: offering,
  };
  // Fixed: an item of the offering can be reserved by people who may not read it.
  const type = engine.types.get("reservation");
  return createUnchecked({ engine, tx, by, type }, {}, { fixed: values, account: by.account });
}

type RequestOptions = { wanted: Wanted; offering: Offering; template: OfferedTemplate; ids: readonly number[] };

/**
 * The request waits for the first reservation if that is confirmed already. A reservation that a person has to confirm is
 * work, so its request is assigned.
 */
async function createRequest(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { wanted, offering, template, ids }: RequestOptions,
): Promise<number> {
  const type = engine.types.get("request");
  const [first = 0] = ids;
  const saved = await lockActiveValues(engine, tx, engine.types.get("reservation"), first, by.account);
  const members = {
    template_id: template.id,
    subject: wanted.name,
    requested_by_id: by.person,
    requested_for_id: by.person,
    service_instance_id: offering.service_instance,
    reservation_id: first,
    ...(template.category === null ? { category: "reservation" } : {}),
    ...(saved?.status === "confirmed" ? { status: "reservation_pending" } : {}),
    ...(wanted.note === "" ? {} : { note: wanted.note }),
    ...(wanted.customFields === null ? {} : { custom_fields: wanted.customFields }),
  };
  const { id } = await createInTransaction({ engine, tx, by, type }, { members }, { fixed: {}, account: by.account });
  const reservation = engine.types.get("reservation");
  for (const each of ids) {
    const before = await lockActiveValues(engine, tx, reservation, each, by.account);
    if (before === null) continue; // created above
    const place = { id: each, account: by.account, before };
    await applyChange(prepareChange({ engine, tx, by, type: reservation }, place, { request: id }));
  }
  return id;
}

/** An own reservation that is no longer needed; the item is free again. */
export async function cancelReservation(engine: Engine, by: Caller, id: number): Promise<undefined> {
  const type = engine.types.get("reservation");
  await engine.database.transaction(async (tx) => {
    const before = await lockActiveValues(engine, tx, type, id, by.account);
    if (before === null || before.person !== by.person) throw new Forbidden();
    if (before.status === "ended" || before.status === "canceled") return;
    const place = { id, account: by.account, before };
    await applyChange(prepareChange({ engine, tx, by, type }, place, { status: "canceled" }));
  }, by.zone);
}
