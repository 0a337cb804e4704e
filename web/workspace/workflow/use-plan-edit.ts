import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { showError, showUndo } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import type { GanttEdit, Span } from "../../parts/gantt/item.ts";
import {
  type GraphContainer,
  graphOperation,
  parseMoment,
  type TaskGraph,
  useRefreshGraph,
} from "../../queries/task-graph.ts";
import { workflowQueries } from "../../queries/work/workflows.ts";

// A bar being moved: the server calculates the consequences for all other tasks, and one save stores the move.

const write = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, "");

const buildQuery = ({ id, start, end, what }: GanttEdit) => ({
  move: String(id),
  start_at: write(start),
  ...(what === "resize" ? { end_at: write(end) } : {}),
});

/** The tasks that would run at another time. */
function listShifted(graph: TaskGraph | undefined, preview: TaskGraph | undefined): ReadonlyMap<number, Span> {
  const before = new Map(graph?.tasks.map((task) => [task.id, task]));
  return new Map(
    (preview?.tasks ?? []).flatMap((task) => {
      const was = before.get(task.id);
      const [start, end] = [parseMoment(task.starts_at), parseMoment(task.ends_at)];
      if (was === undefined || start === null || end === null) return [];
      const isSame = was.starts_at === task.starts_at && was.ends_at === task.ends_at;
      return isSame ? [] : [[task.id, { start, end }] as const];
    }),
  );
}

export function usePlanEdit(container: GraphContainer, id: number, graph: TaskGraph | undefined) {
  const { api } = useCurrentAccount();
  const [edit, setEdit] = useState<GanttEdit | null>(null);
  const [isSaving, setSaving] = useState(false);
  // Keys can be pressed faster than the page renders: the latest edit is saved, not the rendered one.
  const latest = useRef<GanttEdit | null>(null);
  const refresh = useRefreshGraph(container, id);
  const change = useCallback((wanted: GanttEdit | null) => {
    latest.current = wanted;
    setEdit(wanted);
  }, []);
  const [settled] = useDebouncedValue(edit, 90);
  const query = edit === null || settled === null ? null : buildQuery(settled);
  const preview = useQuery({
    ...workflowQueries.planPreview(api, container, id, query),
    placeholderData: keepPreviousData,
  });
  const cancel = useCallback(() => change(null), [change]);
  const save = async () => {
    const wanted = latest.current;
    const before = graph?.tasks.find((task) => task.id === wanted?.id);
    if (wanted === null || before === undefined || isSaving) return;
    setSaving(true);
    const path = `/${container === "workflow" ? "tasks" : "project_tasks"}/${wanted.id}`;
    try {
      const { move } = await api.call(graphOperation(container), { id, ...buildQuery(wanted) });
      if (move === null) return;
      await api.change(path, {
        start_at: move.start_at,
        ...(move.planned_duration === null ? {} : { planned_duration: move.planned_duration }),
      });
      await refresh();
      change(null);
      showUndo(t("workflow.moved", { subject: before.subject }), async () => {
        await api.change(path, { start_at: before.start_at, planned_duration: before.planned_duration });
        await refresh();
      });
    } catch (error) {
      showError(error);
    } finally {
      setSaving(false);
    }
  };
  const shown = edit === null || query === null ? undefined : preview.data;
  // The same spans on every render: a row that didn't move isn't re-rendered.
  const shifted = useMemo(() => listShifted(graph, shown), [graph, shown]);
  return {
    edit,
    change,
    cancel,
    save,
    isSaving,
    shifted,
    preview: shown,
    problem: edit === null ? null : preview.error,
  };
}

export type PlanEdit = ReturnType<typeof usePlanEdit>;
