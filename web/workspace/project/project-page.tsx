import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconLayoutKanban from "@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconStackBack from "@tabler/icons-react/dist/esm/icons/IconStackBack.mjs";
import IconTimeline from "@tabler/icons-react/dist/esm/icons/IconTimeline.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { projectTask as taskType } from "../../../records/work/project-task.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo, navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { partLabel } from "../../languages/page-labels.ts";
import { usePresence } from "../../live/presence.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { useDocumentTitle } from "../../parts/document-title.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ChartTools } from "../../parts/gantt/chart-tools.tsx";
import type { GanttHandle, GanttScale } from "../../parts/gantt/item.ts";
import { sortSteps } from "../../parts/graph/graph.ts";
import { Icon, type IconComponent } from "../../parts/icon.tsx";
import { LinkedRecords } from "../../parts/records/linked-records.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { useLiveGraph, useRefreshGraph, useTaskGraph } from "../../queries/task-graph.ts";
import { findType } from "../../record-types.ts";
import { CompleteDialog } from "../request/complete-dialog.tsx";
import { getPageParts, referenceOf, textOf } from "../request/page-parts.ts";
import { useNotes, usePageRecord, useSubList } from "../request/queries.ts";
import { RequestBar } from "../request/request-bar.tsx";
import { CollisionGuard } from "../request/save/collision-dialog.tsx";
import { useSave } from "../request/save/use-save.ts";
import { SideContent } from "../request/side/side-content.tsx";
import { StateBars } from "../request/state-bars.tsx";
import { Timeline } from "../request/timeline/timeline.tsx";
import { useLock } from "../request/use-lock.ts";
import { usePageActions } from "../request/use-page-actions.ts";
import { usePlanEdit } from "../workflow/use-plan-edit.ts";
import { PhaseList } from "./phase-list.tsx";
import { useProjectPhases } from "./phases/use-project-phases.ts";
import { countLateDays, useMilestones, useWorkload } from "./project-figures.ts";
import { ProjectHead } from "./project-head.tsx";
import { useBaseline } from "./use-baseline.ts";
import { useClosedPeriods } from "./use-closed-periods.ts";
import "../../styles/request.css";
import "../../styles/request-tools.css";
import "../../styles/workflow.css";
import "../../styles/projects.css";
import "../../styles/areas/project-template.css";
import { formatTotal, type Total } from "../../parts/lists/total.ts";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";

const PlanTab = lazyPart(async () => (await import("./plan-tab.tsx")).default);
const NotesTab = lazyPart(async () => (await import("../workflow/notes-tab.tsx")).default);
const AddTaskDialog = lazyDialog(async () => (await import("../workflow/add-task-dialog.tsx")).default);

// The page of a project: does it come in time, and who has too much to do?

const tabNames = ["plan", "tasks", "risks", "linked", "notes", "history"] as const;
type Tab = (typeof tabNames)[number];
const tabIcons: Partial<Record<Tab, IconComponent>> = { plan: IconTimeline, tasks: IconList };

export function ProjectScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = usePageRecord(type, id);
  if (data !== undefined)
    return (
      <CollisionGuard type={type}>
        <ProjectPage type={type} row={data.row} />
      </CollisionGuard>
    );
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}

function ProjectPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, who, may } = useCurrentAccount();
  const id = row.id;
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { tab?: string };
  const isPhone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false }) === true;
  const first: Tab = isPhone ? "tasks" : "plan";
  const tab = tabNames.find((each) => each === search.tab) ?? first;
  const setTab = (wanted: Tab) =>
    void navigate({ to: ".", search: (wanted === first ? {} : { tab: wanted }) as never, replace: true });
  const parts = getPageParts(type.name, row);
  const locked = useLock(type, row);
  const [selected, setSelected] = useState<number | null>(null);
  const [scale, setScale] = useState<GanttScale>("weeks");
  const chart = useRef<GanttHandle>(null);
  const closed = useClosedPeriods(row);
  const [showsBaseline, setShowsBaseline] = useState(false);
  const [editing, setEditing] = useState<string | null>(null);
  const [linking, setLinking] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [dialog, setDialog] = useState<"add" | "complete" | null>(null);
  const { data: graph, error, refetch } = useTaskGraph("project", id);
  useLiveGraph("project", id, graph);
  const refreshGraph = useRefreshGraph("project", id);
  const save = useSave(type, String(id));
  const notes = useNotes(type, String(id));
  const risks = useSubList(type, String(id), "risks", { fields: "id", per_page: "1" });
  const plan = usePlanEdit("project", id, graph);
  const milestones = useMilestones(id);
  const workload = useWorkload(id, graph);
  const { phases, commands } = useProjectPhases(id, graph, refreshGraph);
  const { baseline, keep } = useBaseline(id);
  const people = usePresence(type.name, id, false).filter(({ id: other }) => other !== who.person.id);
  useDocumentTitle(`${id} ${textOf(row, "subject")}`, collectionLabel(type), account.name);
  const isOpen = row.status !== "completed" && row.archived !== true && row.trashed !== true;
  const [mayChange, mayAdd] = [isOpen && may("update", taskType), isOpen && may("create", taskType)];
  // Specialists change the projects that they manage; whoever may create projects changes all.
  const isManager = referenceOf(row, "manager")?.id === who.person.id;
  const mayPlan = isOpen && locked === null && (isManager || may("create", type));
  const order =
    graph === undefined
      ? []
      : sortSteps(
          graph.tasks.map((task) => task.id),
          graph.edges,
        );
  const pageActions = usePageActions({
    ...{ type, row, parts, locked },
    hasDrawer: true,
    commands: {
      edit: (field) => {
        setDrawer(true);
        setEditing(field);
      },
      write: () => setTab("notes"),
      complete: () => setDialog("complete"),
      wait: () => undefined,
      link: () => setDrawer(true),
      toggleWhy: () => undefined,
      toggleSide: () => setDrawer((was) => !was),
      tellAll: () => undefined,
    },
  });
  const add: Action = {
    id: "project.add",
    group: "record",
    keys: "n",
    icon: IconPlus,
    name: t("projects.add"),
    when: mayAdd && graph !== undefined,
    run: () => setDialog("add"),
  };
  const found = graph?.tasks.find((task) => task.id === selected);
  const toggleBaseline: Action = {
    id: "project.baseline",
    group: "record",
    keys: "b",
    icon: IconStackBack,
    name: t("projects.baseline"),
    when: graph !== undefined && tab === "plan",
    run: () => {
      // The first time it is what is planned now.
      if (baseline === null && graph !== undefined) {
        keep(graph);
        showMessage(t("projects.baselineKept"));
      }
      setShowsBaseline((was) => !was);
    },
  };
  useActions([
    add,
    toggleBaseline,
    {
      id: "project.keepBaseline",
      group: "record",
      name: t("projects.keepBaseline"),
      when: graph !== undefined && baseline !== null,
      run: () => {
        if (graph !== undefined) keep(graph);
        showMessage(t("projects.baselineKept"));
      },
    },
    {
      id: "project.dates",
      group: "record",
      keys: "d",
      name: t("workflow.dates"),
      when: mayChange && found?.starts_at != null && plan.edit === null,
      run: () => {
        if (found?.starts_at == null) return;
        const [start, end] = [Date.parse(found.starts_at), Date.parse(found.ends_at ?? found.starts_at)];
        plan.change({ id: found.id, what: "move", start, end });
        document.querySelector<HTMLElement>(`[data-bar="${found.id}"]`)?.focus();
      },
    },
  ]);
  const counts: Partial<Record<Tab, Total | undefined>> = {
    tasks: graph === undefined ? undefined : { total: graph.tasks.length, isTotalOld: false },
    risks: risks.data,
    notes: notes.data,
  };
  const { component: _, ...board } = linkTo(`${paths.list(account.id, taskType)}?project=${id}&layout=board`);
  const path = `/projects/${id}`;
  return (
    <div className="page workflow-page" data-phone={isPhone || undefined}>
      <RequestBar
        {...{ type, row, people }}
        actions={pageActions}
        onSide={() => setDrawer(true)}
        extra={<ActionButton action={add} bare={isPhone} />}
      />
      <StateBars type={type} row={row} onRestore={undefined} />
      <ProjectHead
        {...{ type, row }}
        endsAt={graph?.ends_at ?? (textOf(row, "completion_target_at") || null)}
        lateDays={countLateDays(milestones, graph?.ends_at ?? null)}
        spent={workload.data?.time_spent ?? null}
        money={workload.data?.money_spent ?? null}
      />
      <div className="workflow-tabs">
        <div role="tablist" aria-label={t("projects.views")} className="tabs">
          {tabNames.map((each) => {
            const icon = tabIcons[each];
            const count = counts[each];
            return (
              <button
                key={each}
                type="button"
                role="tab"
                className="tab"
                aria-selected={tab === each}
                onClick={() => setTab(each)}
              >
                {icon !== undefined && <Icon of={icon} />} {t(`projects.tab.${each}`)}
                {count !== undefined && count.total > 0 && (
                  <span className="tab-count numbers">{formatTotal(count)}</span>
                )}
              </button>
            );
          })}
        </div>
        <span className="project-tools">
          <a {...board} className="tab">
            <Icon of={IconLayoutKanban} /> {t("projects.board")}
          </a>
          {tab === "plan" && (
            <>
              <ChartTools scale={scale} onScale={setScale} onToday={() => chart.current?.showNow()} />
              <ActionButton action={toggleBaseline} size="xs" />
            </>
          )}
        </span>
      </div>
      {error !== null && <ErrorPanel error={error} retry={() => void refetch()} />}
      {graph === undefined && error === null && (tab === "plan" || tab === "tasks") && <SkeletonRows rows={8} />}
      {graph !== undefined && graph.tasks.length === 0 && (tab === "plan" || tab === "tasks") && (
        <EmptyState title={t("projects.empty")}>
          <ActionButton action={add} />
        </EmptyState>
      )}
      {graph !== undefined && graph.tasks.length > 0 && tab === "plan" && (
        <Suspense fallback={<SkeletonRows rows={8} />}>
          <PlanTab
            {...{ graph, plan, milestones, closed, scale, chart, mayChange, selected }}
            project={id}
            baseline={showsBaseline ? baseline : null}
            workload={workload.data}
            hasWorkload={workload.error === null}
            onSelect={setSelected}
            onOpen={(task) => navigateTo(paths.record(account.id, taskType, task))}
          />
        </Suspense>
      )}
      {graph !== undefined && tab === "tasks" && (
        <PhaseList graph={graph} phases={phases} commands={mayPlan ? commands : null} />
      )}
      {tab === "risks" && (
        <div className="page-body project-lists">
          <LinkedRecords path={`${path}/risks`} to="risk" writable={locked === null} />
        </div>
      )}
      {tab === "linked" && (
        <div className="page-body project-lists">
          {(["workflows", "requests", "problems"] as const).map((name) => {
            const to = type.links[name]?.to ?? "";
            return (
              <section key={name} aria-label={partLabel(name, findType(to))}>
                <h2>{partLabel(name, findType(to))}</h2>
                <LinkedRecords path={`${path}/${name}`} to={to} writable={locked === null} />
              </section>
            );
          })}
        </div>
      )}
      {tab === "notes" && (
        <Suspense fallback={<SkeletonRows rows={5} />}>
          <NotesTab {...{ type, row, parts, locked }} onComplete={() => setDialog("complete")} />
        </Suspense>
      )}
      {tab === "history" && (
        <div className="workflow-notes">
          <div className="request-scroll">
            <Timeline type={type} row={row} parts={parts} only="changes" />
          </div>
        </div>
      )}
      <Drawer.Root opened={drawer} onClose={() => setDrawer(false)} position="right" size={372}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t("request.details")}>
          <Drawer.Header role="presentation">
            <Drawer.Title fw={650}>{t("request.details")}</Drawer.Title>
            <Drawer.CloseButton aria-label={t("app.close")} />
          </Drawer.Header>
          <Drawer.Body>
            <SideContent
              {...{ type, row, parts, locked, editing, linking }}
              onEditing={setEditing}
              onLinking={setLinking}
              onTellAll={null}
              why={false}
              onWhy={() => undefined}
            />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {dialog === "add" && graph !== undefined && (
        <AddTaskDialog
          container="project"
          workflow={id}
          {...{ graph, order }}
          place={{ after: selected === null ? [] : [selected], before: [] }}
          onDone={(created) => {
            setDialog(null);
            setSelected(created);
            void refreshGraph();
            showMessage(t("workflow.added"));
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "complete" && (
        <CompleteDialog
          {...{ type, row, parts }}
          onComplete={(changes) => save(changes, { message: t("request.completed") })}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
