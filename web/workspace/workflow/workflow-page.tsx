import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconChartBar from "@tabler/icons-react/dist/esm/icons/IconChartBar.mjs";
import IconLayoutRows from "@tabler/icons-react/dist/esm/icons/IconLayoutRows.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconSitemap from "@tabler/icons-react/dist/esm/icons/IconSitemap.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useMemo, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { task as taskType } from "../../../records/work/task.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { useLiveState } from "../../live/live-state.ts";
import { usePresence } from "../../live/presence.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { useDocumentTitle } from "../../parts/document-title.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { sortSteps } from "../../parts/graph/graph.ts";
import { Icon, type IconComponent } from "../../parts/icon.tsx";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { currentTime } from "../../parts/now.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { useLiveGraph, useRefreshGraph, useTaskGraph } from "../../queries/task-graph.ts";
import { CompleteDialog } from "../request/complete-dialog.tsx";
import { getPageParts, textOf } from "../request/page-parts.ts";
import { useNotes, usePageRecord, useRefreshRecord } from "../request/queries.ts";
import { RequestBar } from "../request/request-bar.tsx";
import { CollisionGuard } from "../request/save/collision-dialog.tsx";
import { useSave } from "../request/save/use-save.ts";
import { SideContent } from "../request/side/side-content.tsx";
import { StateBars } from "../request/state-bars.tsx";
import { Timeline } from "../request/timeline/timeline.tsx";
import { usePutBack } from "../request/timeline/use-put-back.ts";
import { useLock } from "../request/use-lock.ts";
import { usePageActions } from "../request/use-page-actions.ts";
import type { NewTaskPlace } from "./add-task-dialog.tsx";
import { ApprovalBar } from "./approval-bar.tsx";
import { TaskList } from "./task-list.tsx";
import { TaskPeek } from "./task-peek.tsx";
import { useLinks } from "./use-links.ts";
import { usePlanEdit } from "./use-plan-edit.ts";
import { useWorkflowActions } from "./use-workflow-actions.ts";
import { WorkflowHead } from "./workflow-head.tsx";
import "../../styles/request.css";
import "../../styles/request-tools.css";
import "../../styles/workflow.css";
import { formatTotal } from "../../parts/lists/total.ts";

const PlanView = lazyPart(async () => (await import("./plan-view.tsx")).default);
const AddTaskDialog = lazyDialog(async () => (await import("./add-task-dialog.tsx")).default);
const LinkTaskDialog = lazyDialog(async () => (await import("./link-dialog.tsx")).default);
const NotesTab = lazyPart(async () => (await import("./notes-tab.tsx")).default);

// The page of a workflow: what is stuck?

const tabNames = ["both", "graph", "gantt", "list", "notes", "history"] as const;
type Tab = (typeof tabNames)[number];
const tabIcons: Partial<Record<Tab, IconComponent>> = {
  both: IconLayoutRows,
  graph: IconSitemap,
  gantt: IconChartBar,
  list: IconList,
};

export function WorkflowScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = usePageRecord(type, id);
  // What the page draws is loaded beside its record, not after it.
  useTaskGraph("workflow", id);
  useEffect(() => void PlanView.preload().catch(() => undefined), []);
  if (data !== undefined)
    return (
      <CollisionGuard type={type}>
        <WorkflowPage type={type} row={data.row} />
      </CollisionGuard>
    );
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}

/** The tab is part of the address, so that a link leads to it. */
function useTab(isPhone: boolean): [Tab, (tab: Tab) => void] {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const first: Tab = isPhone ? "list" : "both";
  const set = (wanted: Tab) => {
    const change = (was: object) => ({ ...was, tab: wanted === first ? undefined : wanted });
    void navigate({ to: ".", search: change as never, replace: true });
  };
  return [tabNames.find((each) => each === tab) ?? first, set];
}

type OpenDialog = { is: "add"; place: NewTaskPlace } | { is: "link"; from: number } | { is: "complete" };

function WorkflowPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, api, who, may, isAdministrator } = useCurrentAccount();
  const id = row.id;
  const parts = getPageParts(type.name, row);
  const locked = useLock(type, row);
  const isPhone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const [tab, setTab] = useTab(isPhone === true);
  const [selected, setSelected] = useState<number | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [editing, setEditing] = useState<string | null>(null);
  const [linking, setLinking] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const { data: graph, error, refetch } = useTaskGraph("workflow", id);
  useLiveGraph("workflow", id, graph);
  const refreshGraph = useRefreshGraph("workflow", id);
  const refresh = useRefreshRecord(type, String(id));
  const save = useSave(type, String(id));
  const notes = useNotes(type, String(id));
  const plan = usePlanEdit("workflow", id, graph);
  const { link, unlink } = useLinks(id, graph);
  const people = usePresence(type.name, id, false).filter(({ id: other }) => other !== who.person.id);
  useDocumentTitle(`${id} ${textOf(row, "subject")}`, collectionLabel(type), account.name);
  const order = useMemo(
    () =>
      graph === undefined
        ? []
        : sortSteps(
            graph.tasks.map((task) => task.id),
            graph.edges,
          ),
    [graph],
  );
  const isOpen = row.status !== "completed" && row.archived !== true && row.trashed !== true;
  const [mayChange, mayAdd] = [isOpen && may("update", taskType), isOpen && may("create", taskType)];
  const open = (task: number) => navigateTo(paths.record(account.id, taskType, task));
  const commands = {
    open,
    add: (place: NewTaskPlace) => setDialog({ is: "add", place }),
    changeDates: (task: number) => {
      const found = graph?.tasks.find((each) => each.id === task);
      if (found?.starts_at == null) return;
      if (tab !== "both" && tab !== "gantt") setTab("both");
      const [start, end] = [Date.parse(found.starts_at), Date.parse(found.ends_at ?? found.starts_at)];
      plan.change({ id: task, what: "move", start, end });
    },
    link: (from: number) => setDialog({ is: "link", from }),
    closePeek: () => setSelected(null),
  };
  useFocusEdited(plan.edit?.id ?? null);
  const pageActions = usePageActions({
    type,
    row,
    parts,
    locked,
    hasDrawer: true,
    commands: {
      edit: (field) => {
        setDrawer(true);
        setEditing(field);
      },
      write: () => setTab("notes"),
      complete: () => setDialog({ is: "complete" }),
      wait: () => undefined,
      link: () => setDrawer(true),
      toggleWhy: () => undefined,
      toggleSide: () => setDrawer((was) => !was),
      tellAll: () => undefined,
    },
  });
  const { add, ofTask } = useWorkflowActions({
    graph,
    selected,
    mayChange,
    mayAdd,
    isEditing: plan.edit !== null,
    commands,
  });
  const start: Action = {
    id: "workflow.start",
    group: "record",
    icon: IconPlayerPlay,
    name: t("workflow.start"),
    when: locked === null && row.status === "registered" && order.length > 0,
    run: () =>
      save({ start_at: new Date(currentTime()).toISOString().replace(/\.\d+/, "") }, { message: t("workflow.started") })
        .then(() => refreshGraph())
        .catch(showError),
  };
  useActions([start]);
  const putBack = usePutBack(type, row, locked);
  const asked = graph?.tasks.find((task) => task.approval_asked);
  const chosen = graph?.tasks.find((task) => task.id === selected);
  const restore = async () => {
    try {
      await api.act(`/${type.collection}/${id}/restore`);
      await refresh();
      showMessage(t("record.done"));
    } catch (refused) {
      showError(refused);
    }
  };
  const linkTasks = async (from: number, to: number) => {
    const refused = await link(from, to);
    if (refused !== null) showError(new ApiError(422, "", [["predecessors", refused]]));
  };
  const live = useLiveState();
  const isPlan = tab === "both" || tab === "graph" || tab === "gantt";
  return (
    <div className="page workflow-page" data-phone={isPhone || undefined} data-live={live}>
      <RequestBar
        type={type}
        row={row}
        people={people}
        actions={pageActions}
        onSide={() => setDrawer(true)}
        completes={false}
        extra={
          <>
            <ActionButton action={start} />
            <ActionButton action={{ ...add, name: t("workflow.add") }} bare={isPhone === true} />
          </>
        }
      />
      <StateBars type={type} row={row} onRestore={isAdministrator ? () => void restore() : undefined} />
      <WorkflowHead type={type} row={row} graph={graph} onShowLinked={() => setDrawer(true)} />
      <div className="workflow-tabs">
        <div role="tablist" aria-label={t("workflow.views")} className="tabs">
          {tabNames.map((each) => {
            const icon = tabIcons[each];
            return (
              <button
                key={each}
                type="button"
                role="tab"
                className="tab"
                aria-selected={tab === each}
                onClick={() => setTab(each)}
              >
                {icon !== undefined && <Icon of={icon} />} {t(`workflow.tab.${each}`)}
                {each === "notes" && notes.data !== undefined && notes.data.total > 0 && (
                  <span className="tab-count numbers">{formatTotal(notes.data)}</span>
                )}
              </button>
            );
          })}
        </div>
        {asked !== undefined && (
          <ApprovalBar key={asked.id} workflow={id} task={asked} onSelect={() => setSelected(asked.id)} />
        )}
      </div>
      <div className="workflow-body">
        {error !== null && <ErrorPanel error={error} retry={() => void refetch()} />}
        {graph === undefined && error === null && <SkeletonRows rows={8} />}
        {graph !== undefined && graph.tasks.length === 0 && (isPlan || tab === "list") && (
          <EmptyState title={t(row.status === "being_created" ? "workflow.beingCreated" : "workflow.empty")}>
            <ActionButton action={add} />
          </EmptyState>
        )}
        {graph !== undefined && graph.tasks.length > 0 && (isPlan || tab === "list") && (
          <>
            {isPlan ? (
              <Suspense fallback={<SkeletonRows rows={8} />}>
                <PlanView
                  graph={graph}
                  order={order}
                  shows={tab}
                  mayChange={mayChange}
                  mayAdd={mayAdd}
                  selected={selected}
                  onSelect={setSelected}
                  onOpen={open}
                  onInsert={({ from, to }) => commands.add({ after: [from], before: [to] })}
                  onLink={(from, to) => void linkTasks(from, to)}
                  plan={plan}
                />
              </Suspense>
            ) : (
              <TaskList graph={graph} order={order} selected={selected} onSelect={setSelected} />
            )}
            {chosen !== undefined && isPlan && (
              <TaskPeek
                task={chosen}
                graph={graph}
                order={order}
                actions={ofTask}
                onSelect={setSelected}
                onUnlink={mayChange ? unlink : null}
                onClose={() => setSelected(null)}
              />
            )}
          </>
        )}
        {tab === "notes" && (
          <Suspense fallback={<SkeletonRows rows={5} />}>
            <NotesTab
              type={type}
              row={row}
              parts={parts}
              locked={locked}
              onComplete={() => setDialog({ is: "complete" })}
            />
          </Suspense>
        )}
        {tab === "history" && (
          <div className="workflow-notes">
            <div className="request-scroll">
              <Timeline type={type} row={row} parts={parts} only="changes" putBack={putBack} />
            </div>
          </div>
        )}
      </div>
      <Drawer.Root opened={drawer} onClose={() => setDrawer(false)} position="right" size={372}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t("request.details")}>
          <Drawer.Header role="presentation">
            <Drawer.Title fw={650}>{t("request.details")}</Drawer.Title>
            <Drawer.CloseButton aria-label={t("app.close")} />
          </Drawer.Header>
          <Drawer.Body>
            <SideContent
              type={type}
              row={row}
              parts={parts}
              locked={locked}
              editing={editing}
              onEditing={setEditing}
              linking={linking}
              onLinking={setLinking}
              onTellAll={null}
              why={false}
              onWhy={() => undefined}
            />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {dialog?.is === "add" && graph !== undefined && (
        <AddTaskDialog
          workflow={id}
          graph={graph}
          order={order}
          place={dialog.place}
          onDone={(created) => {
            setDialog(null);
            setSelected(created);
            void refreshGraph();
            showMessage(t("workflow.added"));
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.is === "link" && graph !== undefined && (
        <LinkTaskDialog
          graph={graph}
          order={order}
          from={dialog.from}
          onLink={(to) => link(dialog.from, to)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.is === "complete" && (
        <CompleteDialog
          type={type}
          row={row}
          parts={parts}
          onComplete={(changes) => save(changes, { message: t("request.completed") })}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}

/** The bar whose dates are being changed has the keys. */
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
