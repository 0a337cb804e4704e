import { useCurrentAccount } from "../../api/current-account.ts";
import { findPath } from "../../base/graph.ts";
import { errorText } from "../../elements/error-text.ts";
import { showUndo } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { type TaskGraph, useRefreshGraph } from "../../queries/task-graph.ts";
import { nameCircle } from "./task-look.ts";

/** Links two tasks, and unlinks them. */
export function useLinks(workflow: number, graph: TaskGraph | undefined) {
  const { api } = useCurrentAccount();
  const refresh = useRefreshGraph("workflow", workflow);
  const path = (from: number, to: number) => `/tasks/${to}/predecessors/${from}`;
  const subject = (id: number) => graph?.tasks.find((task) => task.id === id)?.subject ?? "";
  /** Returns the reason why it is impossible; null: done. */
  const link = async (from: number, to: number): Promise<string | null> => {
    if (graph === undefined) return null;
    const circle = findPath(graph.edges, to, from);
    if (circle !== null) return t("workflow.circle", { path: nameCircle(graph, circle) });
    try {
      await api.act(path(from, to));
      await refresh();
      showUndo(t("workflow.linked", { from: subject(from), to: subject(to) }), async () => {
        await api.remove(path(from, to));
        await refresh();
      });
      return null;
    } catch (error) {
      return errorText(error);
    }
  };
  const unlink = async (from: number, to: number): Promise<void> => {
    await api.remove(path(from, to));
    await refresh();
    showUndo(t("workflow.unlinked", { from: subject(from), to: subject(to) }), async () => {
      await api.act(path(from, to));
      await refresh();
    });
  };
  return { link, unlink };
}
