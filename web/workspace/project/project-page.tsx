import IconLayoutKanban from "@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconTimeline from "@tabler/icons-react/dist/esm/icons/IconTimeline.mjs";
import { type RefObject, Suspense, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { projectTask as taskType } from "../../../records/work/project-task.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo, navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { Icon } from "../../elements/icon.tsx";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { t } from "../../languages/index.ts";
import { partLabel } from "../../languages/page-labels.ts";
import { ChartTools } from "../../parts/gantt/chart-tools.tsx";
import type { GanttHandle, GanttScale } from "../../parts/gantt/item.ts";
import { LinkedRecords } from "../../parts/records/linked-records.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { useNotes, useSubList } from "../../queries/record-page.ts";
import type { Total } from "../../queries/total.ts";
import { LoadedWorkItem } from "../work-item/frame/loaded-work-item.tsx";
import { NotesAndHistory } from "../work-item/frame/notes-and-history.tsx";
import { PageTabs } from "../work-item/frame/page-tabs.tsx";
import { useWorkItem, type WorkItem } from "../work-item/frame/use-work-item.ts";
import { WorkItemFrame } from "../work-item/frame/work-item-frame.tsx";
import { getReference, readText, type TabName } from "../work-item/page-parts.ts";
import { AddTask, NoTasks } from "../workflow/plan-parts.tsx";
import { type Plan, usePlan } from "../workflow/use-plan.ts";
import { PhaseList } from "./phase-list.tsx";
import { useProjectPhases } from "./phases/use-project-phases.ts";
import { countLateDays, type Milestone, useMilestones, useWorkload } from "./project-figures.ts";
import { ProjectHead } from "./project-head.tsx";
import type { Baseline } from "./use-baseline.ts";
import { useClosedPeriods } from "./use-closed-periods.ts";
import { useProjectActions } from "./use-project-actions.ts";
import "../../styles/workflow.css";
import "../../styles/projects.css";
import "../../styles/areas/project-template.css";

const PlanTab = lazyPart(async () => (await import("./plan-tab.tsx")).default);

// The page of a project, with its schedule and the workload of its people.

const tabIcons = { plan: IconTimeline, tasks: IconList };

export function ProjectScreen({ type, id }: { type: RecordType; id: string }) {
  return (
    <LoadedWorkItem type={type} id={id}>
      {(row) => <ProjectPage type={type} row={row} />}
    </LoadedWorkItem>
  );
}

/** The counts of the tabs' lists. */
function useTabCounts({ type, row }: WorkItem, { graph }: Plan): Partial<Record<TabName, Total | undefined>> {
  const notes = useNotes(type, String(row.id));
  const risks = useSubList(type, String(row.id), "risks", { fields: "id", per_page: "1" });
  const tasks = graph === undefined ? undefined : { total: graph.tasks.length, isTotalOld: false };
  return { tasks, risks: risks.data, notes: notes.data };
}

function ProjectPage({ type, row }: { type: RecordType; row: Row }) {
  const page = useWorkItem({ type, row });
  const plan = usePlan({ container: "project", row, taskType });
  const [scale, setScale] = useState<GanttScale>("weeks");
  const chart = useRef<GanttHandle>(null);
  const milestones = useMilestones(row.id);
  const workload = useWorkload(row.id, plan.graph);
  const { add, toggleBaseline, baseline } = useProjectActions(page, plan);
  const counts = useTabCounts(page, plan);
  const endsAt = plan.graph?.ends_at ?? null;
  return (
    <WorkItemFrame page={page} className="workflow-page" buttons={<ActionButton action={add} bare={page.isPhone} />}>
      <ProjectHead
        {...{ type, row }}
        endsAt={endsAt ?? (readText(row, "completion_target_at") || null)}
        lateDays={countLateDays(milestones, endsAt)}
        spent={workload.data?.time_spent ?? null}
        money={workload.data?.money_spent ?? null}
      />
      <PageTabs page={page} icons={tabIcons} counts={counts}>
        <span className="project-tools">
          <BoardLink project={row.id} />
          {page.tab === "plan" && (
            <>
              <ChartTools scale={scale} onScale={setScale} onToday={() => chart.current?.showNow()} />
              <ActionButton action={toggleBaseline} size="xs" />
            </>
          )}
        </span>
      </PageTabs>
      <TaskTabs {...{ page, plan, add, milestones, workload, baseline, scale, chart }} />
      <LinkedTabs page={page} />
      <NotesAndHistory page={page} />
      <AddTask plan={plan} />
    </WorkItemFrame>
  );
}

/** The tasks of the project on a board. */
function BoardLink({ project }: { project: number }) {
  const { account } = useCurrentAccount();
  const { component: _, ...link } = linkTo(`${paths.list(account.id, taskType)}?project=${project}&layout=board`);
  return (
    <a {...link} className="tab">
      <Icon of={IconLayoutKanban} /> {t("projects.board")}
    </a>
  );
}

type TaskProps = {
  page: WorkItem;
  plan: Plan;
  add: Action;
  milestones: readonly Milestone[];
  workload: ReturnType<typeof useWorkload>;
  baseline: Baseline | null;
  scale: GanttScale;
  chart: RefObject<GanttHandle | null>;
};

/** The tabs for tasks: on a time axis, or by phase. */
function TaskTabs({ page, plan, add, milestones, workload, baseline, scale, chart }: TaskProps) {
  const { account, who, may } = useCurrentAccount();
  const { type, row, tab, locked } = page;
  const { graph, mayChange, selected } = plan;
  const closed = useClosedPeriods(row);
  const { phases, commands } = useProjectPhases(row.id, graph, plan.refresh);
  // Specialists can change the projects they manage; people who may create projects can change all.
  const isManager = getReference(row, "manager")?.id === who.person.id;
  const mayPlan = plan.isOpen && locked === null && (isManager || may("create", type));
  return (
    <>
      <NoTasks plan={plan} showsTasks={tab === "plan" || tab === "tasks"} empty={t("projects.empty")} add={add} />
      {graph !== undefined && graph.tasks.length > 0 && tab === "plan" && (
        <Suspense fallback={<SkeletonRows rows={8} />}>
          <PlanTab
            {...{ graph, milestones, closed, scale, chart, mayChange, selected, baseline }}
            project={row.id}
            plan={plan.edit}
            workload={workload.data}
            hasWorkload={workload.error === null}
            onSelect={plan.setSelected}
            onOpen={(task) => navigateTo(paths.record(account.id, taskType, task))}
          />
        </Suspense>
      )}
      {graph !== undefined && tab === "tasks" && (
        <PhaseList graph={graph} phases={phases} commands={mayPlan ? commands : null} />
      )}
    </>
  );
}

/** The tabs for records of the project. */
function LinkedTabs({ page: { type, row, tab, locked } }: { page: WorkItem }) {
  const path = `/projects/${row.id}`;
  if (tab === "risks")
    return (
      <div className="page-body project-lists">
        <LinkedRecords path={`${path}/risks`} to="risk" writable={locked === null} />
      </div>
    );
  if (tab !== "linked") return null;
  return (
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
  );
}
