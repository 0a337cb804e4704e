import type { InboxCounts } from "../api/index.ts";

// The stream's events, and the listeners of this tab.

export type Change = {
  type: string;
  id: number;
  revision?: number;
  kind: "create" | "update" | "note" | "delete";
  note?: number;
  fields: readonly string[];
  by: number | null;
  at: string;
};
export type PresentPerson = { id: number; name: string; doing: "viewing" | "writing" };

export type LiveEvents = {
  change: Change;
  inbox: { counts: InboxCounts };
  presence: { type: string; id: number; people: readonly PresentPerson[] };
  broadcast: { id: number };
  job: { token: string; done: number; total: number };
  notification: { unread: number };
  /** the person's roles, when the stream opens and when they change */
  access: { roles: readonly string[] };
  /** events may have been missed: everything shown is reloaded */
  reset: Record<string, never>;
};
export type LiveEventName = keyof LiveEvents;
export const liveEventNames: readonly LiveEventName[] = [
  "change",
  "inbox",
  "presence",
  "broadcast",
  "job",
  "notification",
  "access",
  "reset",
];

type Listener<Name extends LiveEventName> = (data: LiveEvents[Name]) => void;
const listeners = new Map<LiveEventName, Set<Listener<never>>>();

export function onLiveEvent<Name extends LiveEventName>(name: Name, listener: Listener<Name>): () => void {
  // The map relates a name to listeners for its data, which its type can't express.
  const set = listeners.get(name) ?? new Set();
  listeners.set(name, set.add(listener as Listener<never>));
  return () => void set.delete(listener as Listener<never>);
}

export function emitLiveEvent(name: LiveEventName, data: unknown): void {
  // The server sends the data that LiveEvents declares for the name.
  for (const listener of listeners.get(name) ?? []) (listener as (data: unknown) => void)(data);
}
