import { useEffect, useLayoutEffect, useRef } from "react";
import { type LiveEventName, type LiveEvents, onLiveEvent } from "./events.ts";
import { addTopics } from "./topics.ts";

/** Subscribes to topics while the component is mounted: "inbox", "record/request/48213", "list/request". */
export function useTopics(topics: readonly string[]): void {
  const joined = topics.join();
  useEffect(() => (joined === "" ? undefined : addTopics(joined.split(","))), [joined]);
}

/** Calls the listener for every event of a kind; it may be a new function on every render. */
export function useLiveEvent<Name extends LiveEventName>(name: Name, listener: (data: LiveEvents[Name]) => void): void {
  const latest = useRef(listener);
  useLayoutEffect(() => {
    latest.current = listener;
  });
  useEffect(() => onLiveEvent(name, (data) => latest.current(data)), [name]);
}
