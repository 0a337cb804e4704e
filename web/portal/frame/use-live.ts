import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { LiveConnection } from "../../live/connection.ts";
import { onLiveEvent } from "../../live/events.ts";
import { requestKey } from "../queries.ts";

const pollingAfter = 30_000; // milliseconds without a stream
const pollingEvery = 30_000;

export type LiveState = "connecting" | "live" | "polling";

/** Holds the stream and loads anew what changed. "polling": there has been no connection for a while. */
export function useLive(): LiveState {
  const { who, account } = useCurrentAccount();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  const person = who.person.id;
  const since = who.stream_position;
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let polling: ReturnType<typeof setInterval> | undefined;
    const renewAll = () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === account.id });
    const renew = (...keys: unknown[][]) => {
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    };
    const stop = () => {
      clearTimeout(waiting);
      clearInterval(polling);
      waiting = undefined;
    };
    const poll = () => {
      setState("polling");
      polling = setInterval(renewAll, pollingEvery);
    };
    const connection = new LiveConnection(person, account.id, since, (connected) => {
      if (connected) {
        stop();
        setState("live");
      } else waiting ??= setTimeout(poll, pollingAfter);
    });
    waiting = setTimeout(poll, pollingAfter);
    const listening = [
      onLiveEvent("change", ({ type, id }) => {
        const lists = [
          [account.id, "home"],
          [account.id, "requests"],
        ];
        if (type === "request") renew(requestKey(account.id, id), ...lists);
        else if (type === "task") renew([account.id, "approvals"], [account.id, "home"]);
      }),
      onLiveEvent("broadcast", () => renew([account.id, "home"])),
      onLiveEvent("notification", () => renew([account.id, "home"], [account.id, "approvals"])),
      onLiveEvent("reset", renewAll),
    ];
    return () => {
      stop();
      for (const end of listening) end();
      connection.close();
    };
  }, [person, account.id, since, queries]);
  return state;
}
