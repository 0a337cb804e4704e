import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useCurrentAccount } from "../current-account.ts";
import { useLiveEvent, useTopics } from "../live/use-topics.ts";
import type { GraphEdge } from "../parts/graph/graph.ts";
import type { Reference } from "./reference.ts";

// GET /workflows/:id/graph and /projects/:id/graph: tasks, what follows what, dates, and what decides the end.

/** A moment of the answer in milliseconds. */
export const parseMoment = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export type GraphContainer = "workflow" | "project";
export type GraphTask = {
  id: number;
  subject: string;
  category: string;
  status: string;
  impact: string | null;
  team: Reference | null;
  assignees: readonly Reference[];
  phase: number | null;
  failure_task: number | null;
  planned_duration: number | null;
  planned_effort: number | null;
  start_at: string | null;
  approvals: { given: number; needed: number } | null;
  approval_asked: boolean;
  starts_at: string | null;
  ends_at: string | null;
  conditional: boolean;
};
export type TaskGraph = {
  tasks: readonly GraphTask[];
  edges: readonly GraphEdge[];
  critical: readonly number[];
  slack: Readonly<Record<string, number>>;
  phases: readonly { id: number; name: string; status: string; position: number | null }[];
  ends_at: string | null;
  /** when the service instances that the tasks have an impact on may be worked on */
  maintenance_windows: readonly { name: string; starts_at: string; ends_at: string; tasks: readonly number[] }[];
  move: { task: number; start_at: string; planned_duration: number | null } | null;
};

export const graphPath = (container: GraphContainer, id: number | string): string => `/${container}s/${id}/graph`;

const graphKey = (account: string, container: GraphContainer, id: number | string) =>
  [account, "record", container, String(id), "graph"] as const;

export function useTaskGraph(container: GraphContainer, id: number | string | null, enabled = true) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: graphKey(account.id, container, id ?? ""),
    queryFn: () => api.get<TaskGraph>(graphPath(container, id ?? "")),
    enabled: enabled && id !== null,
    retry: false,
  });
}

export function useRefreshGraph(container: GraphContainer, id: number | string) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: graphKey(account.id, container, id) });
}

const pause = 150; // milliseconds: what one change causes arrives together

/** Loads the graph anew when one of its tasks changes. */
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
    // A vote does not say which task it is about; only open approvals can have got one.
    const isVote =
      change.type === voteType &&
      graph?.tasks.some(({ approvals, status }) => approvals !== null && status === "assigned");
    if (id === null || change.kind === "note" || !(isTask || isVote === true)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void refresh(), pause);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
