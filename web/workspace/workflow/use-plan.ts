import { useEffect, useMemo, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { sortSteps } from "../../base/graph.ts";
import { type GraphContainer, useLiveGraph, useRefreshGraph, useTaskGraph } from "../../queries/task-graph.ts";
import type { NewTaskPlace } from "./add-task-dialog.tsx";
import { usePlanEdit } from "./use-plan-edit.ts";

type Options = {
  container: GraphContainer;
  row: Row;
  /** the type of the tasks */
  taskType: RecordType;
};

/** The tasks of a workflow or a project: their order, the selected one, and dates being changed. */
export function usePlan({ container, row, taskType }: Options) {
  const { may } = useCurrentAccount();
  const { data: graph, error, refetch } = useTaskGraph(container, row.id);
  useLiveGraph(container, row.id, graph);
  const refresh = useRefreshGraph(container, row.id);
  const edit = usePlanEdit(container, row.id, graph);
  const [selected, setSelected] = useState<number | null>(null);
  const [newPlace, setNewPlace] = useState<NewTaskPlace | null>(null);
  const order = useMemo(() => {
    const ids = (graph?.tasks ?? []).map((task) => task.id);
    return sortSteps(ids, graph?.edges ?? []);
  }, [graph]);
  useFocusEdited(edit.edit?.id ?? null);
  const isOpen = row.status !== "completed" && row.archived !== true && row.trashed !== true;
  /** Starts moving a task by keys. */
  const startMoving = (id: number) => {
    const found = graph?.tasks.find((each) => each.id === id);
    if (found?.starts_at == null) return;
    const [start, end] = [Date.parse(found.starts_at), Date.parse(found.ends_at ?? found.starts_at)];
    edit.change({ id, what: "move", start, end });
  };
  return {
    ...{ container, id: row.id, taskType, graph, error, refetch, refresh, order, edit, startMoving },
    ...{ selected, setSelected, newPlace, setNewPlace },
    selectedTask: graph?.tasks.find((task) => task.id === selected),
    isOpen,
    mayChange: isOpen && may("update", taskType),
    mayAdd: isOpen && may("create", taskType),
  };
}

export type Plan = ReturnType<typeof usePlan>;

/** The bar whose dates are being changed has the keyboard focus. */
function useFocusEdited(id: number | null): void {
  useEffect(() => {
    if (id === null) return;
    let tries = 60;
    const focus = () => {
      const bar = document.querySelector<HTMLElement>(`[data-bar="${id}"]`);
      if (bar !== null) bar.focus();
      else if (tries-- > 0) requestAnimationFrame(focus);
    };
    focus();
  }, [id]);
}
