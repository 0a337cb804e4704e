import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import type { Plan } from "./use-plan.ts";

// Shared parts of the plans of workflows and projects.

const AddTaskDialog = lazyDialog(async () => (await import("./add-task-dialog.tsx")).default);

type Props = {
  plan: Plan;
  /** the tab shows the tasks */
  showsTasks: boolean;
  empty: string;
  add: Action;
};

/** The reason why there are no tasks to see: they couldn't be loaded, are still loading, or there are none. */
export function NoTasks({ plan, showsTasks, empty, add }: Props) {
  const { graph, error, refetch } = plan;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (!showsTasks || (graph !== undefined && graph.tasks.length > 0)) return null;
  if (graph === undefined) return <SkeletonRows rows={8} />;
  return (
    <EmptyState title={empty}>
      <ActionButton action={add} />
    </EmptyState>
  );
}

/** Asks for a new task, once its place is chosen. */
export function AddTask({ plan }: { plan: Plan }) {
  const { container, id, graph, order, newPlace, setNewPlace } = plan;
  if (newPlace === null || graph === undefined) return null;
  const close = () => setNewPlace(null);
  return (
    <AddTaskDialog
      {...{ container, graph, order }}
      workflow={id}
      place={newPlace}
      onDone={(created) => {
        close();
        plan.setSelected(created);
        void plan.refresh();
        showMessage(t("workflow.added"));
      }}
      onClose={close}
    />
  );
}
