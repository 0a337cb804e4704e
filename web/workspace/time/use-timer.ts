import { useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { keptApi } from "../../api/index.ts";
import { currentTime } from "../../parts/now.ts";
import { changeKept, useKept } from "../../queries/kept/kept-items.ts";
import type { Subject } from "../../queries/time.ts";

// The running timer is stored on the server, so it survives a reload and is the same on every device.

const [kind, key] = ["preference", "timer"];

export type Timer = { subject: Subject; started_at: string };

export function useTimer() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const { data } = useKept<Timer>(kind);
  const kept = data?.find((item) => item.key === key && item.owner === "me")?.value;
  const timer = kept !== undefined && typeof kept.started_at === "string" && kept.subject != null ? kept : null;
  const write = (value: Timer | null): void =>
    changeKept<Timer>(queries, account.id, kind, (items) => [
      ...items.filter((item) => item.key !== key),
      ...(value === null ? [] : [{ key, owner: "me", value, updated_at: value.started_at }]),
    ]);
  return {
    timer,
    async start(subject: Subject): Promise<void> {
      const value = { subject, started_at: new Date(currentTime()).toISOString() };
      write(value);
      await keptApi(account.id).put(kind, key, value);
    },
    async clear(): Promise<void> {
      write(null);
      await keptApi(account.id).remove(kind, key);
    },
  };
}
