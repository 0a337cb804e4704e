import { useEffect, useRef, useSyncExternalStore } from "react";
import { useCurrentAccount } from "../api/current-account.ts";
import { liveApi } from "../api/index.ts";
import { onLiveEvent, type PresentPerson } from "./events.ts";
import { useTopics } from "./use-topics.ts";

// The other people on a record. A person views it after two seconds, and writes while a composer has changed within
// ten.

const viewingAfter = 2000; // milliseconds
const heartbeat = 20_000;
type Doing = PresentPerson["doing"];
const nobody: readonly PresentPerson[] = [];

let byRecord: ReadonlyMap<string, readonly PresentPerson[]> = new Map();
const listeners = new Set<() => void>();

function replace(next: typeof byRecord): void {
  byRecord = next;
  for (const listener of listeners) listener();
}
onLiveEvent("presence", ({ type, id, people }) => {
  const next = new Map(byRecord);
  if (people.length === 0) next.delete(`${type}/${id}`);
  else next.set(`${type}/${id}`, people);
  replace(next);
});
onLiveEvent("reset", () => replace(new Map()));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The others on a record; the caller must be subscribed to its topic. */
export const usePeopleOn = (type: string, id: number): readonly PresentPerson[] =>
  useSyncExternalStore(subscribe, () => byRecord.get(`${type}/${id}`) ?? nobody);

/** Reports that the person is on the record, and returns the others. */
export function usePresence(type: string, id: number, isWriting = false): readonly PresentPerson[] {
  const { account } = useCurrentAccount();
  const hasRole = account.roles.length > 0;
  const doing = useRef<Doing>("viewing");
  const told = useRef<Doing | null>(null);
  const tellNow = useRef<(() => void) | null>(null);
  useTopics([`record/${type}/${id}`]);
  useEffect(() => {
    if (!hasRole) return;
    const report = (what: Doing | "gone") =>
      void liveApi(account.id)
        .reportPresence(type, id, what)
        .catch(() => {}); // the next heartbeat follows
    const tell = () => {
      if (document.visibilityState === "hidden") return;
      told.current = doing.current;
      report(doing.current);
    };
    const leave = () => {
      if (told.current !== null) report("gone");
      told.current = null;
    };
    tellNow.current = tell;
    const first = setTimeout(tell, viewingAfter);
    const next = setInterval(tell, heartbeat);
    addEventListener("pagehide", leave);
    return () => {
      clearTimeout(first);
      clearInterval(next);
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [account.id, type, id, hasRole]);
  // Starting to write is reported immediately; a person who stops writing is viewing again.
  useEffect(() => {
    doing.current = isWriting ? "writing" : "viewing";
    if (isWriting || told.current === "writing") tellNow.current?.();
  }, [isWriting]);
  return usePeopleOn(type, id);
}
