import IconChartBar from "@tabler/icons-react/dist/esm/icons/IconChartBar.mjs";
import IconLayoutRows from "@tabler/icons-react/dist/esm/icons/IconLayoutRows.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconSitemap from "@tabler/icons-react/dist/esm/icons/IconSitemap.mjs";
import { Suspense, useEffect, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { task as taskType } from "../../../records/work/task.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError, type Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { useNotes } from "../../queries/record-page.ts";
import { type TaskGraph, useTaskGraph } from "../../queries/task-graph.ts";
import { LoadedWorkItem } from "../work-item/frame/loaded-work-item.tsx";
import { NotesAndHistory } from "../work-item/frame/notes-and-history.tsx";
import { PageTabs } from "../work-item/frame/page-tabs.tsx";
import { useWorkItem, type WorkItem } from "../work-item/frame/use-work-item.ts";
import { WorkItemFrame } from "../work-item/frame/work-item-frame.tsx";
import { ApprovalBar } from "./approval-bar.tsx";
import { AddTask, NoTasks } from "./plan-parts.tsx";
import { TaskList } from "./task-list.tsx";
import { TaskPeek } from "./task-peek.tsx";
import { useLinks } from "./use-links.ts";
import { type Plan, usePlan } from "./use-plan.ts";
import { useWorkflowActions } from "./use-workflow-actions.ts";
import { WorkflowHead } from "./workflow-head.tsx";
import "../../styles/workflow.css";

const PlanView = lazyPart(async () => (await import("./plan-view.tsx")).default);
const LinkTaskDialog = lazyDialog(async () => (await import("./link-dialog.tsx")).default);

// The page of a workflow, with its progress and blocked tasks.

const tabIcons = { both: IconLayoutRows, graph: IconSitemap, gantt: IconChartBar, list: IconList };

export function WorkflowScreen({ type, id }: { type: RecordType; id: string }) {
  // The code and data of the page are loaded in parallel with its record, not after it.
  useTaskGraph("workflow", id);
  useEffect(() => void PlanView.preload().catch(() => undefined), []);
  return (
    <LoadedWorkItem type={type} id={id}>
      {(row) => <WorkflowPage type={type} row={row} />}
    </LoadedWorkItem>
  );
}

function WorkflowPage({ type, row }: { type: RecordType; row: Row }) {
  const { account } = useCurrentAccount();
  const page = useWorkItem({ type, row });
  const plan = usePlan({ container: "workflow", row, taskType });
  const [linkedFrom, setLinkedFrom] = useState<number | null>(null);
  const open = (task: number) => navigateTo(paths.record(account.id, taskType, task));
  const { add, start, ofTask } = useWorkflowActions({ page, plan, onOpen: open, onLink: setLinkedFrom });
  const links = useLinks(row.id, plan.graph);
  const notes = useNotes(type, String(row.id));
  const showDetails = () => page.side.setDrawerOpen(true);
  const taskToApprove = plan.graph?.tasks.find((task) => task.approval_asked);
  const isPlan = page.tab === "both" || page.tab === "graph" || page.tab === "gantt";
  const empty = t(row.status === "being_created" ? "workflow.beingCreated" : "workflow.empty");
  const buttons = (
    <>
      <ActionButton action={start} />
      <ActionButton action={{ ...add, name: t("workflow.add") }} bare={page.isPhone} />
    </>
  );
  return (
    <WorkItemFrame page={page} className="workflow-page" buttons={buttons}>
      <WorkflowHead type={type} row={row} graph={plan.graph} onShowLinked={showDetails} />
      <PageTabs page={page} icons={tabIcons} counts={{ notes: notes.data }}>
        {taskToApprove !== undefined && (
          <ApprovalBar
            key={taskToApprove.id}
            workflow={row.id}
            task={taskToApprove}
            onSelect={() => plan.setSelected(taskToApprove.id)}
          />
        )}
      </PageTabs>
      <div className="workflow-body">
        <NoTasks plan={plan} showsTasks={isPlan || page.tab === "list"} empty={empty} add={add} />
        {plan.graph !== undefined && plan.graph.tasks.length > 0 && (
          <Tasks page={page} plan={plan} graph={plan.graph} links={links} actions={ofTask} onOpen={open} />
        )}
        <NotesAndHistory page={page} />
      </div>
      <AddTask plan={plan} />
      {linkedFrom !== null && plan.graph !== undefined && (
        <LinkTaskDialog
          graph={plan.graph}
          order={plan.order}
          from={linkedFrom}
          onLink={(to) => links.link(linkedFrom, to)}
          onClose={() => setLinkedFrom(null)}
        />
      )}
    </WorkItemFrame>
  );
}

type TasksProps = {
  page: WorkItem;
  plan: Plan;
  graph: TaskGraph;
  links: ReturnType<typeof useLinks>;
  actions: readonly Action[];
  onOpen(task: number): void;
};

/** The tasks as graph, bars or list, depending on the tab, and the selected one. */
function Tasks({ page: { tab }, plan, graph, links, actions, onOpen }: TasksProps) {
  const { order, selected, setSelected, selectedTask, mayChange, mayAdd } = plan;
  if (tab === "list") return <TaskList graph={graph} order={order} selected={selected} onSelect={setSelected} />;
  if (tab !== "both" && tab !== "graph" && tab !== "gantt") return null;
  const link = async (from: number, to: number) => {
    const refused = await links.link(from, to);
    if (refused !== null) showError(new ApiError(422, "", [["predecessors", refused]]));
  };
  return (
    <>
      <Suspense fallback={<SkeletonRows rows={8} />}>
        <PlanView
          {...{ graph, order, mayChange, mayAdd, selected, onOpen }}
          shows={tab}
          onSelect={setSelected}
          onInsert={({ from, to }) => plan.setNewPlace({ after: [from], before: [to] })}
          onLink={(from, to) => void link(from, to)}
          plan={plan.edit}
        />
      </Suspense>
      {selectedTask !== undefined && (
        <TaskPeek
          {...{ graph, order, actions }}
          task={selectedTask}
          onSelect={setSelected}
          onUnlink={mayChange ? links.unlink : null}
          onClose={() => setSelected(null)}
        />
      )}
    </>
  );
}
