import { statement } from "../../server/database/database.ts";
import { agreements } from "../data/agreements.ts";
import { people } from "../data/people.ts";
import { placeDemoOrder } from "./orders.ts";
import { addMinutes, type Fields, nextWorkingMoment, type Timeline } from "./timeline.ts";
import { type TodayRequest, type TodayStep, todayRequests, todayWorkflows } from "./today-table.ts";
import { notifyInPage, type PersonAtWork, pinViews, rememberAsSeen, storeNotifications } from "./today-traces.ts";

// The work of today of the people whom one can be at sign-in. Months of random work leave each of them one or two open
// records; a desk is only seen as it is with a morning's worth of them, at different points and with targets ahead.

const account = "quillhaven-it";

/** Plans what lies on the desks of the people at sign-in. */
export function planToday(time: Timeline): void {
  for (const [index, one] of todayRequests.entries()) planRequest(time, one, `today ${index}`);
  for (const one of todayWorkflows) planWorkflow(time, one);
  time.plan(time.now, "what was seen", async () => {
    for (const person of ["soren", "ines"] as const) await rememberAsSeen(time, person, unreadIds(time, person));
    storeNotifications(time);
    await pinViews(time);
  });
}

/** ids of planned requests, known when they are registered */
const ids = new WeakMap<Timeline, Map<TodayRequest, number>>();
const idsOf = (time: Timeline): Map<TodayRequest, number> => {
  const known = ids.get(time) ?? new Map<TodayRequest, number>();
  ids.set(time, known);
  return known;
};

const unreadIds = (time: Timeline, person: PersonAtWork): number[] =>
  [...idsOf(time)].filter(([{ unread, holder }]) => unread === true && holder === person).map(([, id]) => id);

function planRequest(time: Timeline, one: TodayRequest, lane: string): void {
  const created = findCreation(time.now, one);
  const description = `request "${one.subject}"`;
  const { subject, category, impact, note, requester, registeredBy = requester } = one;
  const fields: Fields = {
    subject,
    category,
    ...(impact === undefined ? {} : { impact }),
    service_instance: time.getId("service_instance", one.instance),
    ...(registeredBy === requester ? {} : { requested_for: time.getId("person", requester) }),
    note,
  };
  time.plan(
    created,
    description,
    async () => {
      const request = await time.create({ who: registeredBy, at: created, account }, "request", fields);
      idsOf(time).set(one, request);
      for (const name of one.watchers ?? []) {
        const watch = { person: time.getId("person", name) };
        await time.create({ who: name, at: created, account }, "watch", watch, { request });
      }
    },
    lane,
  );
  for (const [index, at] of spreadSteps(created, time.now, one.steps.length).entries()) {
    const step = one.steps[index] as TodayStep;
    time.plan(at, description, () => takeStep(time, one, step, at), lane);
  }
}

/** minutes after the beginning: a new request is opened soon */
const firstSteps = [5, 12];

/** The first steps follow soon, the others evenly until now, while the desk is open. */
function spreadSteps(created: Date, now: Date, count: number): Date[] {
  const span = (now.getTime() - created.getTime()) / 60_000;
  const moments: Date[] = [];
  for (let index = 0; index < count; index++) {
    const even = (span * (index + 1)) / (count + 1);
    const soon = firstSteps[index];
    const wanted = addMinutes(created, soon === undefined ? even : Math.min(soon, even));
    // There is no work at night, unless everything has happened tonight.
    const open = span < 12 * 60 ? wanted : toOpen(wanted, desk, -1);
    const earliest = addMinutes(moments.at(-1) ?? created, 1);
    moments.push(open < earliest ? earliest : open);
  }
  return moments;
}

async function takeStep(time: Timeline, one: TodayRequest, step: TodayStep, at: Date): Promise<void> {
  const request = idsOf(time).get(one);
  if (request === undefined) return;
  const { by, set = {}, note, internal, tells } = step;
  const actor = { who: by, at, account };
  const fields: Record<string, unknown> = { ...set };
  if (typeof set.team === "string") fields.team = time.getId("team", set.team);
  if (typeof set.member === "string") fields.member = time.getId("person", set.member);
  if (typeof set.waiting_days === "number") {
    delete fields.waiting_days;
    fields.waiting_until = nextWorkingMoment(addMinutes(time.now, set.waiting_days * 1440)).toISOString();
  }
  if (Object.keys(fields).length > 0) await time.update(actor, "request", request, fields);
  const text = note ?? internal;
  const written =
    text === undefined
      ? null
      : await time.create(
          actor,
          "note",
          { text: nameMentioned(time, text), ...(internal === undefined ? {} : { internal: true }) },
          { request },
        );
  if (tells !== undefined && one.holder !== null)
    notifyInPage(time, { person: one.holder, kind: tells, type: "request", record: request, note: written, by, at });
}

/** Writes "@soren" as a mention. */
const nameMentioned = (time: Timeline, text: string): string =>
  text.replace(/@(\w+)/g, (whole, name: string) => {
    const row = people.map(({ rows }) => rows[name]).find((found) => found !== undefined);
    return row === undefined ? whole : `<@${time.getId("person", name)}|${String(row.name)}>`;
  });

const activeTasks = statement("SELECT id FROM tasks WHERE workflow_id = $1 AND status = 'assigned' ORDER BY id");

function planWorkflow(
  time: Timeline,
  { template, manager, subject, task, duration, due, approved, taken, order }: (typeof todayWorkflows)[number],
): void {
  const at = countBack(toOpen(addMinutes(time.now, due), office, 1), duration, office);
  let request: number | undefined;
  if (order !== undefined) {
    const ordered = addMinutes(at, -20);
    time.plan(ordered, `order for "${subject}"`, async () => {
      request = await placeDemoOrder(time, order, { at: ordered, account });
    });
  }
  time.plan(at, `workflow "${subject}"`, async () => {
    const fields = { template: time.getId("workflow_template", template), subject };
    const id = await time.create({ who: manager, at, account }, "workflow", fields);
    if (order !== undefined && request !== undefined) {
      const dealtWith = { workflow: id, member: time.getId("person", order.member) };
      await time.update({ who: manager, at, account }, "request", request, dealtWith);
    }
    const [found] = await time.loader.tx.query(activeTasks, [id]);
    if (found === undefined) return;
    const first = Number(found[0]);
    await time.update({ who: manager, at, account }, "task", first, { subject: task.subject });
    if (approved !== undefined) {
      const { by: who, note, checked } = approved;
      await time.update({ who, at, account }, "task", first, { status: "approved", note, checked_items: checked });
    }
    if (taken !== undefined) {
      const member = time.getId("person", task.who);
      await time.update({ who: task.who, at, account }, "task", first, { member, status: taken });
    } else
      notifyInPage(time, {
        person: task.who,
        kind: "approval",
        type: "task",
        record: first,
        note: null,
        by: manager,
        at,
      });
  });
}

// ── when something was registered, so that its target is where the table wants it ──

/** Amsterdam, near enough: an hour ahead of UTC in winter. */
type Hours = Readonly<Record<number, readonly [from: number, until: number]>> | null;
const onWorkdays = (from: number, until: number): Exclude<Hours, null> =>
  Object.fromEntries([1, 2, 3, 4, 5].map((day) => [day, [from, until]]));
const desk: Hours = { ...onWorkdays(6, 22), 6: [9, 13] };
const office: Hours = onWorkdays(8, 18);
const around: Hours = null;

const offset = (at: Date): number => {
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Amsterdam", hour: "2-digit", hourCycle: "h23" });
  return (Number(hour.format(at)) - at.getUTCHours() + 24) % 24;
};

function isOpen(at: number, hours: Exclude<Hours, null>, ahead: number): boolean {
  const local = new Date(at + ahead * 3_600_000);
  const [from, until] = hours[local.getUTCDay()] ?? [0, 0];
  return local.getUTCHours() >= from && local.getUTCHours() < until;
}

/** The moment itself, or the nearest one within the hours, later or earlier. */
function toOpen(moment: Date, hours: Hours, direction: 1 | -1): Date {
  const ahead = offset(moment);
  let at = moment.getTime();
  while (hours !== null && !isOpen(at, hours, ahead)) at += direction * 60_000;
  return new Date(at);
}

/** The moment so many minutes of the hours earlier. */
function countBack(moment: Date, minutes: number, hours: Hours): Date {
  if (hours === null) return addMinutes(moment, -minutes);
  const ahead = offset(moment);
  let at = moment.getTime();
  for (let left = minutes; left > 0; ) {
    at -= 60_000;
    if (isOpen(at, hours, ahead)) left--;
  }
  return new Date(at);
}

const offerings = agreements.find(({ type }) => type === "service_offering")?.rows ?? {};

function findCreation(now: Date, one: TodayRequest): Date {
  if (one.target === null) return toOpen(addMinutes(now, -(one.daysAgo ?? 1) * 1440), desk, -1);
  const [kind, ahead] = one.target;
  const service = one.instance.startsWith("network") ? "network" : one.instance;
  const allowed = Number(offerings[service]?.[`${kind}_target_${one.impact ?? one.category}`]);
  const hours = one.impact === "top" ? around : desk;
  const target = toOpen(addMinutes(now, ahead), hours, ahead < 0 ? -1 : 1);
  const created = countBack(target, allowed, hours);
  const latest = addMinutes(now, -one.steps.length - 3);
  return created < latest ? created : latest;
}
