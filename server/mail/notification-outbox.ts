import { register } from "../../records/index.ts";
import { getMailTexts, notifications } from "../../records/notifications/index.ts";
import type { Notification, Recipient } from "../../records/vocabulary/notifications.ts";
import { type Statement, statement, type Transaction } from "../storage/database.ts";

// What people have to be told of is kept by the transaction that did it, as one row, and becomes mails afterwards
// (server/notifications). Here is only what is known at that moment: which rows of the table are meant, and where the
// way to their people begins.

type FieldValues = Readonly<Record<string, unknown>>;

/** A row of the table that something happened for. */
export type PendingNotification = {
  row: string;
  type: string;
  id: number;
  account: string;
  /** who did it; null: nobody */
  by: number | null;
  /** further people who know already */
  besides?: readonly number[];
  /** ids of the people, or of the records that the ways to them begin with */
  at?: Readonly<Record<string, number>>;
  before?: Readonly<Record<string, number>>;
  about?: Readonly<Record<string, number>>;
  people?: readonly number[];
  /** what the text tells beside the record's own values */
  facts?: FieldValues;
  /** values that may have changed again until it is told */
  asLeft?: FieldValues;
  /** the moment it waited for */
  due?: string;
};

export type NotificationInput = Omit<PendingNotification, "row" | "at" | "before" | "about"> & {
  values: FieldValues;
  previousValues?: FieldValues;
  /** false: these values alone are meant, the rest belongs to another account */
  includesField?: (field: string) => boolean;
};

/** The rows by a name of their own: the trigger, numbered where several rows have it. */
export const notificationsByName: ReadonlyMap<string, Notification> = new Map(
  notifications.map((row, index) => {
    const before = notifications.slice(0, index).filter(({ trigger }) => trigger === row.trigger).length;
    return [before === 0 ? row.trigger : `${row.trigger} ${before + 1}`, row] as const;
  }),
);
/** the words that the text of a row wants to be filled in */
export const placeholdersByName: ReadonlyMap<string, readonly string[]> = new Map(
  [...notificationsByName].map(([name, row]) => {
    const { title, text } = getMailTexts("en").notifications[getTextName(row)] ?? { title: "", text: "" };
    return [name, [...`${title} ${text}`.matchAll(/\{(\w+)\}/g)].map(([, word]) => word as string)];
  }),
);
export const rankByName: ReadonlyMap<string, number> = new Map(
  [...notificationsByName.keys()].map((name, index) => [name, index]),
);

/** The name of its text. */
export function getTextName({ text, trigger }: Notification): string {
  return text ?? (trigger.split("/")[1] as string);
}

const firstSegment = (path: string): string => path.split(".")[0] as string;

/** What is to be told of a row; null when that is nobody, as far as can be seen without looking anything up. */
export function buildPendingNotification(row: string, happened: NotificationInput): PendingNotification | null {
  const { to, subjectPaths: about, embeddedFields: says } = notificationsByName.get(row) as Notification;
  const { values, previousValues: earlier = {}, includesField: counts = () => true, ...told } = happened;
  const knows = new Set([told.by, ...(told.besides ?? [])]);
  const begin = (paths: readonly string[], from: FieldValues) => {
    const found: Record<string, number> = {};
    for (const path of paths) {
      const id = from[firstSegment(path)];
      if (typeof id === "number" && counts(firstSegment(path)) && !(path === firstSegment(path) && knows.has(id)))
        found[path] = id;
    }
    return found;
  };
  const at = begin(pickPaths(to, "at"), values);
  const before = begin(pickPaths(to, "before"), earlier);
  const isSure = Object.keys(at).length + Object.keys(before).length > 0 || (told.people?.length ?? 0) > 0;
  if (!isSure && !to.some((each) => mayReachOthers(each, counts))) return null;
  const saying = Object.fromEntries((says ?? []).map((name) => [name, values[name] ?? earlier[name] ?? null]));
  return {
    ...told,
    row,
    at,
    before,
    ...(says === undefined ? {} : { facts: { ...told.facts, ...saying } }),
    ...(about === undefined ? {} : { about: pickAboutIds(about, { ...earlier, ...values }) }),
  };
}

const pickAboutIds = (paths: readonly string[], from: FieldValues): Record<string, number> =>
  Object.fromEntries(
    paths.flatMap((path): [string, number][] => {
      const id = from[firstSegment(path)];
      return typeof id === "number" ? [[path, id]] : [];
    }),
  );

const pickPaths = (to: readonly Recipient[], which: "at" | "before"): string[] =>
  to.flatMap((each) => (which in each ? [(each as Record<string, string>)[which] as string] : []));

/** Whether somebody may be meant who is found out later; what another account has of a record is for its own people. */
const mayReachOthers = (to: Recipient, counts: (field: string) => boolean): boolean =>
  "mentioned" in to || ("role" in to && counts("role")) || ("in" in to && counts(to.in));

const pendingByTransaction = new WeakMap<Transaction, PendingNotification[]>();

const insertInto = "INSERT INTO notices (account_id, told, due_at, created_at)";
const insert = statement(`${insertInto} VALUES ($1, $2, $3, $4)`);
const collections = new Map(register.map(({ name, collection }) => [name, collection]));

/** Keeps what a transaction has to tell: one statement for all of it, right before the commit. */
export function queueNotification(tx: Transaction, told: PendingNotification, now: Date): void {
  const list = pendingByTransaction.get(tx);
  if (list !== undefined) return void list.push(told);
  const fresh = [told];
  pendingByTransaction.set(tx, fresh);
  tx.beforeCommit(({ send }) => {
    const found = buildConditionalInsert(fresh);
    if (found === null) send(insert, buildRow(fresh, now, now));
    else send(found.statement, [...buildRow(fresh, now, now), ...found.ids]);
  });
}

const statements = new Map<string, Statement>();

/** Most records have no watchers: where others alone could be told, the row is kept only if there are some. */
function buildConditionalInsert(list: readonly PendingNotification[]): { statement: Statement; ids: number[] } | null {
  const found = new Map<string, number>();
  for (const { row, id, at = {}, before = {} } of list) {
    const { to } = notificationsByName.get(row) as Notification;
    if (!to.every((each) => "in" in each) || Object.keys(at).length + Object.keys(before).length > 0) return null;
    for (const each of to) if ("in" in each) found.set(`${id} ${collections.get(each.in)}.${each.by}`, id);
  }
  const places = [...found.keys()].map((key) => key.split(" ")[1] as string);
  const key = places.join(" ");
  const known = statements.get(key) ?? statement(buildConditionalInsertSql(places));
  if (statements.size < 20) statements.set(key, known);
  return { statement: known, ids: [...found.values()] };
}

const buildConditionalInsertSql = (places: readonly string[]): string => {
  const exists = places.map((place, index) => {
    const [collection, field] = place.split(".");
    return `EXISTS (SELECT 1 FROM ${collection} WHERE ${field}_id = $${index + 5})`;
  });
  return `${insertInto} SELECT $1, $2::jsonb, $3::timestamptz, $4::timestamptz WHERE ${exists.join(" OR ")}`;
};

/** The same for a moment to come; it is told if the record then still is as the row says. */
export function scheduleNotification(tx: Transaction, told: PendingNotification, dueAt: Date, now: Date): void {
  tx.send(insert, buildRow([{ ...told, due: dueAt.toISOString() }], dueAt, now));
}

const buildRow = (told: readonly PendingNotification[], dueAt: Date, now: Date) => [
  (told[0] as PendingNotification).account,
  JSON.stringify(told),
  (dueAt > now ? dueAt : now).toISOString(),
  now.toISOString(),
];

/** What no change of a record shows: a rule says that it has come to this. */
export function triggerNotification(tx: Transaction, trigger: string, happened: NotificationInput, now: Date): void {
  const told = tx.suppressMail ? null : buildPendingNotification(trigger, happened);
  if (told !== null) queueNotification(tx, told, now);
}
