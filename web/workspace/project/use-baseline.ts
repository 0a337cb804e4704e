import { useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { keptApi } from "../../api/index.ts";
import { showError } from "../../elements/toast.tsx";
import { changeKept, useKept } from "../../queries/kept/kept-items.ts";
import type { TaskGraph } from "../../queries/task-graph.ts";

/** A snapshot of the dates of all tasks, for later comparison: start and end in milliseconds. */
export type Baseline = { at: string; tasks: Readonly<Record<string, readonly [start: number, end: number]>> };

const kind = "view";

/** Each person has their own (D-422). */
export function useBaseline(project: number) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const key = `baseline-project-${project}`;
  const kept = useKept<Baseline>(kind);
  const found = (kept.data ?? []).find((item) => item.key === key && item.owner === "me")?.value ?? null;
  const keep = (graph: TaskGraph): void => {
    const value: Baseline = {
      at: new Date().toISOString(),
      tasks: Object.fromEntries(
        graph.tasks.flatMap(({ id, starts_at, ends_at }) =>
          starts_at === null ? [] : [[String(id), [Date.parse(starts_at), Date.parse(ends_at ?? starts_at)] as const]],
        ),
      ),
    };
    changeKept<Baseline>(queries, account.id, kind, (items) => [
      ...items.filter((item) => item.key !== key),
      { key, owner: "me", value, updated_at: value.at },
    ]);
    keptApi(account.id).put(kind, key, value).catch(showError);
  };
  return { baseline: found, keep };
}
