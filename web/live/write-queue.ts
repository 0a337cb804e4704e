import { get, update } from "idb-keyval";
import { useSyncExternalStore } from "react";
import { ApiError, type RevisedRow, type Row, revisionsApi } from "../api/index.ts";

// Record changes are sent one after another, in the order in which they were made. Without a connection they wait, even
// across a reload. Each carries the revision that it was made for, so a change whose response was lost isn't made
// twice.

export type Write = {
  account: string;
  /** "/requests/48213" */
  path: string;
  body: Readonly<Record<string, unknown>>;
  /** the revision that the person saw; null: whatever it is now */
  revision: number | null;
  /** the changed fields' values that the person saw: if others changed those fields, the change is rejected as stale */
  base: Readonly<Record<string, unknown>>;
  /** the idempotency key: the server executes the change once; by default every change has its own */
  key?: string | undefined;
};

/** Another person changed the same fields meanwhile. */
export class StaleWrite extends Error {
  readonly record: Row;
  readonly revision: number | null;
  constructor({ row, revision }: RevisedRow) {
    super("stale write");
    this.record = row;
    this.revision = revision;
  }
}

type QueuedWrite = Write & { id: string; person: number };
type Waiter = { resolve(row: RevisedRow): void; reject(error: unknown): void };

const storageKey = "write-queue";
const retryDelay = 5000; // milliseconds

let queue: QueuedWrite[] = [];
let isOffline = false;
let isSending = false;
let isLoaded = false;
let retry: ReturnType<typeof setTimeout> | undefined;
/** changes queued by this page, not left behind by an earlier one */
const ownIds = new Set<string>();
const waiters = new Map<string, Waiter>();
/** the revisions created by our own changes, and the time until which changes are contained in their responses */
const newest = new Map<string, { revision: number; until: number }>();

let snapshot = { count: 0, isOffline: false };
const listeners = new Set<() => void>();
function publish(): void {
  snapshot = { count: queue.length, isOffline };
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useWaitingWrites = (): typeof snapshot => useSyncExternalStore(subscribe, () => snapshot);

/** Waiting changes are stored in the browser, together with those of other tabs. */
const changeKept = (change: (kept: QueuedWrite[]) => QueuedWrite[]): Promise<void> =>
  update<QueuedWrite[]>(storageKey, (kept = []) => change(kept)).catch(() => {}); // storage may be disabled

/** Resolves with the changed record, however long that takes; rejects when the server refuses. */
export function sendWrite(person: number, write: Write): Promise<RevisedRow> {
  const queued: QueuedWrite = { ...write, id: crypto.randomUUID(), person };
  ownIds.add(queued.id);
  queue = [...queue, queued];
  void changeKept((kept) => [...kept, queued]);
  publish();
  const result = new Promise<RevisedRow>((resolve, reject) => waiters.set(queued.id, { resolve, reject }));
  void flushWrites(person);
  return result;
}

/** Sends waiting changes, including those that an earlier page of this person left behind. */
export async function flushWrites(person: number): Promise<void> {
  if (!isLoaded) {
    isLoaded = true;
    const stored = (await get<QueuedWrite[]>(storageKey).catch(() => undefined)) ?? [];
    queue = [...stored.filter((write) => write.person === person && !ownIds.has(write.id)), ...queue];
    publish();
  }
  if (isSending) return;
  isSending = true;
  clearTimeout(retry);
  try {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const outcome = await attempt(next);
      if (outcome === "offline") {
        isOffline = true;
        releaseReaders();
        retry = setTimeout(() => void flushWrites(person), retryDelay);
        return;
      }
      isOffline = false;
      const isOther = ({ id }: QueuedWrite) => id !== next?.id;
      queue = queue.filter(isOther);
      answered++;
      await changeKept((kept) => kept.filter(isOther));
      publish();
      const waiter = waiters.get(next.id);
      waiters.delete(next.id);
      if ("error" in outcome) waiter?.reject(outcome.error);
      else waiter?.resolve(outcome);
    }
    isOffline = false;
  } finally {
    isSending = false;
    publish();
    releaseReaders();
  }
}

function releaseReaders(): void {
  const waiting = idle;
  idle = [];
  for (const resume of waiting) resume();
}

/** completed writes, successful or not */
let answered = 0;
const isWriting = (): boolean => queue.length > 0 && !isOffline;
let idle: (() => void)[] = [];

/**
 * Reads after all own changes: waits while one is running, and repeats a read that began before a change was complete.
 * Otherwise the old value would reappear for a moment.
 */
export async function readAfterWrites<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (;;) {
    if (isWriting()) await new Promise<void>((resolve) => idle.push(resolve));
    const before = answered;
    const loaded = await load();
    if (answered === before && !isWriting()) return loaded;
  }
}

const recordKey = ({ account, path }: Write): string => `${account}${path}`;

/**
 * Whether the response to an own change already contains this event: the tab that made the change has loaded the rest.
 */
export function isAnswered(record: string, event: { revision?: number; at: string }): boolean {
  const own = newest.get(record);
  return own !== undefined && Number(event.revision) <= own.revision && Date.parse(event.at) < own.until;
}

async function attempt(write: QueuedWrite): Promise<RevisedRow | { error: unknown } | "offline"> {
  const api = revisionsApi(write.account);
  const own = newest.get(recordKey(write))?.revision ?? 0;
  const revision = write.revision === null ? null : Math.max(write.revision, own);
  try {
    return remember(write, await api.change(write.path, write.body, revision, getKey(write)));
  } catch (error) {
    if (isUnreachable(error)) return "offline";
    if (!(error instanceof ApiError) || error.status !== 412) return { error };
  }
  try {
    return await resolveStale(write, await api.get(write.path));
  } catch (error) {
    return isUnreachable(error) ? "offline" : { error };
  }
}

const getKey = ({ key, id }: QueuedWrite): string => key ?? id;

const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && [0, 502, 503, 504].includes(error.status);

function remember(write: Write, answer: RevisedRow): RevisedRow {
  // A moment in the API has no fraction.
  const until = Date.parse(String(answer.row.updated_at)) + 1000;
  if (answer.revision !== null) newest.set(recordKey(write), { revision: answer.revision, until });
  return answer;
}

/** Sends the change again if no one else changed the same fields; a change that the server already has is done. */
async function resolveStale(write: QueuedWrite, current: RevisedRow): Promise<RevisedRow> {
  const names = Object.keys(write.body);
  if (names.every((name) => isSame(read(current.row, name), write.body[name]))) return remember(write, current);
  const collides = names.some((name) => name in write.base && !isSame(read(current.row, name), write.base[name]));
  if (collides) throw new StaleWrite(current);
  const api = revisionsApi(write.account);
  return remember(write, await api.change(write.path, write.body, current.revision, getKey(write)));
}

/** Calls name references "member_id", responses { member: { id } }. */
function read(row: Row, name: string): unknown {
  if (name in row) return row[name];
  const reference = row[name.replace(/_id$/, "")];
  return typeof reference === "object" && reference !== null && "id" in reference ? reference.id : null;
}
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
