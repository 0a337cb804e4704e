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
const noPeople: readonly PresentPerson[] = [];

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
  useSyncExternalStore(subscribe, () => byRecord.get(`${type}/${id}`) ?? noPeople);

/** Reports that the person is on the record, and returns the others. */
export function usePresence(type: string, id: number, isWriting = false): readonly PresentPerson[] {
  const { account } = useCurrentAccount();
  const hasRole = account.roles.length > 0;
  const doing = useRef<Doing>("viewing");
  const reported = useRef<Doing | null>(null);
  const reportNow = useRef<(() => void) | null>(null);
  useTopics([`record/${type}/${id}`]);
  useEffect(() => {
    if (!hasRole) return;
    const report = (what: Doing | "gone") =>
      void liveApi(account.id)
        .reportPresence(type, id, what)
        .catch(() => {}); // the next heartbeat follows
    const reportDoing = () => {
      if (document.visibilityState === "hidden") return;
      reported.current = doing.current;
      report(doing.current);
    };
    const leave = () => {
      if (reported.current !== null) report("gone");
      reported.current = null;
    };
    reportNow.current = reportDoing;
    const first = setTimeout(reportDoing, viewingAfter);
    const next = setInterval(reportDoing, heartbeat);
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
    if (isWriting || reported.current === "writing") reportNow.current?.();
  }, [isWriting]);
  return usePeopleOn(type, id);
}
