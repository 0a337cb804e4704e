import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { recordsApi } from "../../api/index.ts";
import { LiveConnection } from "../../live/connection.ts";
import { onLiveEvent } from "../../live/events.ts";
import { portalApprovalQueries, portalHomeQueries } from "../../queries/portal/requests.ts";

const pollingAfter = 30_000; // milliseconds without a stream
const pollingEvery = 30_000;

export type LiveState = "connecting" | "live" | "polling";

/** Holds the stream and reloads what changed. "polling": there has been no connection for a while. */
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
    const api = recordsApi(account.id);
    const home = portalHomeQueries.home(api).queryKey;
    const approvals = portalApprovalQueries.list(api).queryKey;
    const renew = (...keys: readonly (readonly unknown[])[]) => {
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
      onLiveEvent(
        "change",
        (change) =>
          void queries.invalidateQueries({
            predicate: ({ queryKey, meta }) => queryKey[0] === account.id && meta?.changedBy?.(change) === true,
          }),
      ),
      onLiveEvent("broadcast", () => renew(home)),
      onLiveEvent("notification", () => renew(home, approvals)),
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
