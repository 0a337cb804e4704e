import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { LiveConnection } from "../../live/connection.ts";
import { onConnectivityChange, useIsConnected } from "../../live/connectivity.ts";
import { onLiveEvent } from "../../live/events.ts";
import { useCountsOfAccount } from "../../live/inbox-counts.ts";
import { setLiveState } from "../../live/live-state.ts";
import { invalidateAccount, invalidateChange } from "../../live/refetch.ts";
import { flushWrites, useWaitingWrites } from "../../live/write-queue.ts";
import { OfflineBar } from "../../parts/states/bars.tsx";
import { accountQueries } from "../../queries/account.ts";

const pollingAfter = 30_000; // milliseconds without a stream
const pollingEvery = 20_000;

/** Wraps all pages of an account: holds the stream, reloads changed data, and shows when there is no connection. */
export function Live({ children }: { children: ReactNode }) {
  const { who, account } = useCurrentAccount();
  const queries = useQueryClient();
  const person = who.person.id;
  const since = who.stream_position;
  const roles = account.roles.join();
  useCountsOfAccount();
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let polling: ReturnType<typeof setInterval> | undefined;
    const stop = () => {
      clearTimeout(waiting);
      clearInterval(polling);
      waiting = undefined;
    };
    const poll = () => {
      setLiveState("polling");
      polling = setInterval(() => invalidateAccount(queries, account.id), pollingEvery);
    };
    const connection = new LiveConnection(person, account.id, since, (connected) => {
      if (connected) {
        stop();
        setLiveState("live");
        void flushWrites(person);
      } else waiting ??= setTimeout(poll, pollingAfter);
    });
    waiting = setTimeout(poll, pollingAfter);
    const stopListening = [
      onLiveEvent("change", (change) => invalidateChange(queries, account.id, person, change)),
      onLiveEvent("reset", () => invalidateAccount(queries, account.id)),
      onLiveEvent("access", (now) => {
        if (now.roles.join() !== roles) void queries.invalidateQueries({ queryKey: accountQueries.who().queryKey });
      }),
      onConnectivityChange((connected) => connected && void flushWrites(person)),
    ];
    void flushWrites(person);
    return () => {
      stop();
      setLiveState("connecting");
      for (const end of stopListening) end();
      connection.close();
    };
  }, [person, account.id, since, roles, queries]);
  return (
    <>
      <ConnectionBar />
      {children}
    </>
  );
}

function ConnectionBar() {
  const isConnected = useIsConnected();
  const waiting = useWaitingWrites();
  return !isConnected || waiting.isOffline ? <OfflineBar waiting={waiting.count} /> : null;
}
