import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { graphTask, taskGraph } from "../../records/answers/planning.ts";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Api } from "../api/index.ts";
import { useLiveEvent, useTopics } from "../live/use-topics.ts";
import { changesOfRecord } from "./change-rules.ts";
import { recordQueries } from "./records.ts";

// GET /workflows/:id/graph and /projects/:id/graph: tasks, their order, dates, and the critical path.

/** Parses a moment of the response into milliseconds. */
export const parseMoment = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export type GraphContainer = "workflow" | "project";
export type GraphTask = AnswerOf<typeof graphTask>;
export type TaskGraph = AnswerOf<typeof taskGraph>;

export const graphOperation = <C extends GraphContainer>(container: C) => `GET /${container}s/:id/graph` as const;
export const graphPath = (container: GraphContainer, id: number | string): string => `/${container}s/${id}/graph`;

export const taskGraphQueries = {
  graph: (api: Api, container: GraphContainer, id: number | string) =>
    queryOptions({
      queryKey: [...recordQueries.all(api, container, id), "graph"],
      queryFn: () => api.call(graphOperation(container), { id }),
      retry: false,
      meta: { changedBy: changesOfRecord(container, id) },
    }),
};

export function useTaskGraph(container: GraphContainer, id: number | string | null, enabled = true) {
  const { api } = useCurrentAccount();
  return useQuery({ ...taskGraphQueries.graph(api, container, id ?? ""), enabled: enabled && id !== null });
}

export function useRefreshGraph(container: GraphContainer, id: number | string) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: taskGraphQueries.graph(api, container, id).queryKey });
}

const pause = 150; // milliseconds: the events caused by one change arrive together

/** Reloads the graph when one of its tasks changes. */
export function useLiveGraph(
  container: GraphContainer,
  id: number | string | null,
  graph: TaskGraph | undefined,
): void {
  const taskType = container === "workflow" ? "task" : "project_task";
  const refresh = useRefreshGraph(container, id ?? "");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const voteType = container === "workflow" ? "task_approval" : "project_task_assignment";
  useTopics(id === null ? [] : [`list/${taskType}`, `list/${voteType}`]);
  useLiveEvent("change", (change) => {
    const isTask =
      change.type === taskType &&
      (change.kind === "create" || graph?.tasks.some((task) => task.id === change.id) === true);
    // A vote doesn't contain its task; it can only belong to an open approval.
    const isVote =
      change.type === voteType &&
      graph?.tasks.some(({ approvals, status }) => approvals !== null && status === "assigned");
    if (id === null || change.kind === "note" || !(isTask || isVote === true)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void refresh(), pause);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
