import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import type { Ref } from "react";
import { formatAhead } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { GanttChart } from "../../parts/gantt/gantt-chart.tsx";
import type { GanttHandle, GanttItem, GanttMark, GanttScale } from "../../parts/gantt/item.ts";
import { useNow } from "../../parts/now.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { StatusChip, StatusIcon } from "../../parts/work/status.tsx";
import type { TaskGraph } from "../../queries/task-graph.ts";
import { PlanBar } from "../workflow/plan-bar.tsx";
import type { PlanEdit } from "../workflow/use-plan-edit.ts";
import {
  buildRows,
  countDone,
  groupByPhase,
  listMissed,
  type Milestone,
  phaseRow,
  type Workload,
} from "./project-figures.ts";
import type { Baseline } from "./use-baseline.ts";
import { useFolded } from "./use-folded.ts";
import { WorkloadTable } from "./workload-table.tsx";

type Props = {
  project: number;
  graph: TaskGraph;
  plan: PlanEdit;
  milestones: readonly Milestone[];
  baseline: Baseline | null;
  /** non-working periods */
  closed: readonly GanttMark[];
  scale: GanttScale;
  chart: Ref<GanttHandle>;
  mayChange: boolean;
  selected: number | null;
  workload: Workload | undefined;
  hasWorkload: boolean;
  onSelect(id: number): void;
  onOpen(id: number): void;
};

const day = 86_400_000;

/** Phases, tasks and milestones on the time axis, and below it the workload of the people. */
export default function PlanTab(props: Props) {
  const { project, graph, plan, milestones, baseline, scale, mayChange } = props;
  const [folded, toggle] = useFolded(project);
  const phases = groupByPhase(graph);
  const byId = new Map(graph.tasks.map((task) => [task.id, task]));
  const phaseOf = (row: number) => phases.find(({ id }) => id !== 0 && phaseRow(id) === row);
  const select = (id: number) => (phaseOf(id) === undefined ? props.onSelect(id) : undefined);
  const lead = ({ id, kind }: GanttItem) => {
    const phase = phaseOf(id);
    if (phase !== undefined) {
      const isFolded = folded.has(phase.id);
      return (
        <button
          type="button"
          className="fold"
          aria-expanded={!isFolded}
          aria-label={t("projects.fold", { phase: phase.name })}
          onClick={() => toggle(phase.id)}
        >
          <Icon of={isFolded ? IconChevronRight : IconChevronDown} size={14} />
        </button>
      );
    }
    if (kind === "milestone") return <span className="milestone-mark" aria-hidden="true" />;
    return <StatusIcon type="project_task" status={byId.get(id)?.status ?? ""} size={14} silent />;
  };
  const trail = ({ id }: GanttItem) => {
    const phase = phaseOf(id);
    if (phase !== undefined)
      return (
        <>
          <StatusChip type="project_phase" status={phase.status} />
          <span className="quiet numbers">
            {countDone(phase)}/{phase.tasks.length}
          </span>
        </>
      );
    const task = byId.get(id);
    const planned = baseline?.tasks[id];
    const late =
      planned === undefined || task?.ends_at == null ? 0 : Math.round((Date.parse(task.ends_at) - planned[1]) / day);
    return (
      <>
        {late !== 0 && (
          <span className="numbers baseline-days" data-late={late > 0 || undefined}>
            {t("projects.days", { count: late, sign: late > 0 ? "+" : "−", days: Math.abs(late) })}
          </span>
        )}
        {task?.assignees[0] !== undefined && <Avatar person={task.assignees[0]} />}
      </>
    );
  };
  return (
    <div className="page-body project-plan">
      <GanttChart
        label={t("projects.plan")}
        head={t("projects.phaseAndTask")}
        handle={props.chart}
        rowHeight={29}
        marks={props.closed}
        items={buildRows(graph, phases, folded, { mayChange, baseline })}
        scale={scale}
        selected={props.selected}
        onSelect={select}
        onOpen={(id) => {
          const phase = phaseOf(id);
          if (phase === undefined) props.onOpen(id);
          else toggle(phase.id);
        }}
        edit={plan.edit}
        shifted={plan.shifted}
        onEdit={plan.change}
        onSave={() => void plan.save()}
        onCancel={plan.cancel}
        lead={lead}
        trail={trail}
        foot={(axis) => props.hasWorkload && <WorkloadTable workload={props.workload} axis={axis} />}
      />
      {/* Below the chart, so that the chart stays under the pointer. */}
      <div className="plan-foot">
        <MilestoneWarning {...{ graph, plan, milestones }} />
        <PlanBar graph={graph} plan={plan} />
      </div>
    </div>
  );
}

/** Warns of milestones that a move would push past their deadline; those without one, past their planned day. */
function MilestoneWarning({ graph, plan, milestones }: Pick<Props, "graph" | "plan" | "milestones">) {
  const now = useNow();
  const missed = plan.edit === null ? [] : listMissed(milestones, graph, plan.shifted);
  if (missed.length === 0) return null;
  return (
    <ul className="milestone-warning" role="alert">
      {missed.map(({ id, subject, end, limit, isDeadline }) => {
        const [at, before] = [formatAhead(end, now), formatAhead(limit, now)];
        return (
          <li key={id}>
            <Icon of={IconAlertTriangle} size={14} />
            <span>
              {isDeadline
                ? t("projects.missed", { subject, end: at, deadline: before })
                : t("projects.later", { subject, end: at, was: before })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
