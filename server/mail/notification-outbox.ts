import { register } from "../../records/index.ts";
import { getMailTexts, notifications } from "../../records/notifications/index.ts";
import type { Notification, Recipient } from "../../records/vocabulary/notifications.ts";
import { type Statement, statement, type Transaction } from "../database/database.ts";

// The notification outbox: a transaction stores its notifications as one row of `notification_outbox`, and server/notifications turns
// them into emails later. A row holds only what is known without further queries: the definitions that match, and the
// first reference of each path to a recipient.

type FieldValues = Readonly<Record<string, unknown>>;

/** A notification to be sent, as stored in `notification_outbox`. `row` is the name of its definition. */
export type PendingNotification = {
  row: string;
  type: string;
  id: number;
  account: string;
  /** the actor; null for changes by rules and timers */
  by: number | null;
  /** further people who are not notified */
  besides?: readonly number[];
  /** by path: the id of the person, or of the record that the path begins with */
  at?: Readonly<Record<string, number>>;
  before?: Readonly<Record<string, number>>;
  about?: Readonly<Record<string, number>>;
  people?: readonly number[];
  /** placeholder values that are no fields of the record */
  facts?: FieldValues;
  /** field values as of the change; they may change again before the mail is composed */
  asLeft?: FieldValues;
  /** the moment of a scheduled notification */
  due?: string;
};

export type NotificationInput = Omit<PendingNotification, "row" | "at" | "before" | "about"> & {
  values: FieldValues;
  previousValues?: FieldValues;
  /** false for fields that belong to another account */
  includesField?: (field: string) => boolean;
};

/** Definitions by name: the trigger, numbered where several definitions have the same one. */
export const notificationsByName: ReadonlyMap<string, Notification> = new Map(
  notifications.map((row, index) => {
    const before = notifications.slice(0, index).filter(({ trigger }) => trigger === row.trigger).length;
    return [before === 0 ? row.trigger : `${row.trigger} ${before + 1}`, row] as const;
  }),
);
/** Names of the placeholders in the text of a definition. */
export const placeholdersByName: ReadonlyMap<string, readonly string[]> = new Map(
  [...notificationsByName].map(([name, row]) => {
    const { title, text } = getMailTexts("en").notifications[getTextName(row)] ?? { title: "", text: "" };
    return [name, [...`${title} ${text}`.matchAll(/\{(\w+)\}/g)].map(([, word]) => word as string)];
  }),
);
export const rankByName: ReadonlyMap<string, number> = new Map(
  [...notificationsByName.keys()].map((name, index) => [name, index]),
);

/** The key of its wording in the mail texts. */
export function getTextName({ text, trigger }: Notification): string {
  return text ?? (trigger.split("/")[1] as string);
}

const firstSegment = (path: string): string => path.split(".")[0] as string;

type StartPath = { path: string; first: string };
const listPaths = (to: readonly Recipient[], member: "at" | "before"): StartPath[] =>
  to.flatMap((recipient) => {
    const path = (recipient as Partial<Record<string, string>>)[member];
    return path === undefined ? [] : [{ path, first: firstSegment(path) }];
  });
/** The paths to recipients of each definition, by the values that they begin with. */
const pathsByName = new Map(
  [...notificationsByName].map(([name, { to }]) => [
    name,
    { at: listPaths(to, "at"), before: listPaths(to, "before") },
  ]),
);

/** Null: the notification has no recipients, as far as is known without a query. */
export function buildPendingNotification(row: string, input: NotificationInput): PendingNotification | null {
  const { to, subjectPaths, embeddedFields } = notificationsByName.get(row) as Notification;
  const { values, previousValues = {}, includesField = () => true, ...base } = input;
  const excluded = new Set([base.by, ...(base.besides ?? [])]);
  const pickStartIds = (paths: readonly StartPath[], from: FieldValues) => {
    const ids: Record<string, number> = {};
    for (const { path, first } of paths) {
      const id = from[first];
      if (typeof id === "number" && includesField(first) && !(path === first && excluded.has(id))) ids[path] = id;
    }
    return ids;
  };
  const paths = pathsByName.get(row) as { at: StartPath[]; before: StartPath[] };
  const at = pickStartIds(paths.at, values);
  const before = pickStartIds(paths.before, previousValues);
  const hasRecipients = Object.keys(at).length + Object.keys(before).length > 0 || (base.people?.length ?? 0) > 0;
  if (!hasRecipients && !to.some((recipient) => mayReachOthers(recipient, includesField))) return null;
  const pickEmbedded = (fields: readonly string[]) =>
    Object.fromEntries(fields.map((name) => [name, values[name] ?? previousValues[name] ?? null]));
  return {
    ...base,
    row,
    at,
    before,
    ...(embeddedFields === undefined ? {} : { facts: { ...base.facts, ...pickEmbedded(embeddedFields) } }),
    ...(subjectPaths === undefined ? {} : { about: pickAboutIds(subjectPaths, { ...previousValues, ...values }) }),
  };
}

const pickAboutIds = (paths: readonly string[], from: FieldValues): Record<string, number> =>
  Object.fromEntries(
    paths.flatMap((path): [string, number][] => {
      const id = from[firstSegment(path)];
      return typeof id === "number" ? [[path, id]] : [];
    }),
  );

/** Whether a query may find recipients later. */
const mayReachOthers = (to: Recipient, includesField: (field: string) => boolean): boolean =>
  "mentioned" in to || ("role" in to && includesField("role")) || ("in" in to && includesField(to.in));

const pendingByTransaction = new WeakMap<Transaction, PendingNotification[]>();

const insertInto = "INSERT INTO notification_outbox (account_id, notifications, due_at, created_at)";
const insert = statement(`${insertInto} VALUES ($1, $2, $3, $4)`);
const collections = new Map(register.map(({ name, collection }) => [name, collection]));

/** Stores all notifications of a transaction with one statement right before the commit. */
export function queueNotification(tx: Transaction, pending: PendingNotification, now: Date): void {
  const queued = pendingByTransaction.get(tx);
  if (queued !== undefined) return void queued.push(pending);
  const list = [pending];
  pendingByTransaction.set(tx, list);
  tx.beforeCommit(({ send }) => {
    const conditional = buildConditionalInsert(list);
    if (conditional === null) send(insert, buildRow(list, now, now));
    else send(conditional.statement, [...buildRow(list, now, now), ...conditional.ids]);
  });
}

const statements = new Map<string, Statement>();

/** Most records have no watchers: where only watchers could be notified, the row is inserted only if there are any. */
function buildConditionalInsert(list: readonly PendingNotification[]): { statement: Statement; ids: number[] } | null {
  const idsByColumn = new Map<string, number>();
  for (const { row, id, at = {}, before = {} } of list) {
    const { to } = notificationsByName.get(row) as Notification;
    if (!to.every((recipient) => "in" in recipient)) return null;
    if (Object.keys(at).length + Object.keys(before).length > 0) return null;
    for (const recipient of to)
      if ("in" in recipient) idsByColumn.set(`${id} ${collections.get(recipient.in)}.${recipient.by}`, id);
  }
  const columns = [...idsByColumn.keys()].map((key) => key.split(" ")[1] as string);
  const key = columns.join(" ");
  const cached = statements.get(key) ?? statement(buildConditionalInsertSql(columns));
  if (statements.size < 20) statements.set(key, cached);
  return { statement: cached, ids: [...idsByColumn.values()] };
}

const buildConditionalInsertSql = (columns: readonly string[]): string => {
  const exists = columns.map((column, index) => {
    const [collection, field] = column.split(".");
    return `EXISTS (SELECT 1 FROM ${collection} WHERE ${field}_id = $${index + 5})`;
  });
  return `${insertInto} SELECT $1, $2::jsonb, $3::timestamptz, $4::timestamptz WHERE ${exists.join(" OR ")}`;
};

/** For a future moment; it is sent if the record still meets the conditions of the definition then. */
export function scheduleNotification(tx: Transaction, pending: PendingNotification, dueAt: Date, now: Date): void {
  tx.send(insert, buildRow([{ ...pending, due: dueAt.toISOString() }], dueAt, now));
}

const buildRow = (list: readonly PendingNotification[], dueAt: Date, now: Date) => [
  (list[0] as PendingNotification).account,
  JSON.stringify(list),
  (dueAt > now ? dueAt : now).toISOString(),
  now.toISOString(),
];

/** For events that no change of a field shows; hooks call it. */
export function triggerNotification(tx: Transaction, trigger: string, input: NotificationInput, now: Date): void {
  const pending = tx.suppressMail ? null : buildPendingNotification(trigger, input);
  if (pending !== null) queueNotification(tx, pending, now);
}
