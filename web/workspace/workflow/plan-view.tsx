import { type ReactNode, useMemo, useRef, useState } from "react";
import type { GraphEdge } from "../../base/graph.ts";
import { t } from "../../languages/index.ts";
import { ChartTools } from "../../parts/gantt/chart-tools.tsx";
import { GanttChart } from "../../parts/gantt/gantt-chart.tsx";
import type { GanttHandle, GanttScale } from "../../parts/gantt/item.ts";
import { GraphView } from "../../parts/graph/graph-view.tsx";
import { useNow } from "../../parts/now.ts";
import { formatDayAndClock } from "../../parts/precise-moments.ts";
import { StatusIcon } from "../../parts/work/status.tsx";
import type { GraphTask, TaskGraph } from "../../queries/task-graph.ts";
import { PlanBar } from "./plan-bar.tsx";
import { buildBars, buildNodes, buildWindowMarks } from "./task-look.ts";
import { TaskNode, TaskOwner } from "./task-node.tsx";
import type { PlanEdit } from "./use-plan-edit.ts";

type Props = {
  graph: TaskGraph;
  order: readonly number[];
  shows: "both" | "graph" | "gantt";
  mayChange: boolean;
  mayAdd: boolean;
  selected: number | null;
  onSelect(id: number): void;
  onOpen(id: number): void;
  onInsert(edge: GraphEdge): void;
  onLink(from: number, to: number): void;
  plan: PlanEdit;
};

/** The graph above, the bars below; both share the selection. */
export default function PlanView(props: Props) {
  const { graph, order, shows, mayChange, selected, onSelect, onOpen, plan } = props;
  const [scale, setScale] = useState<GanttScale>(() => pickScale(graph));
  const chart = useRef<GanttHandle>(null);
  const now = useNow();
  // Recalculated only with the graph: selecting or moving a task must not re-render the others.
  const drawn = useMemo(() => {
    const byId = new Map(graph.tasks.map((task) => [task.id, task]));
    const tasks = order.flatMap((id) => byId.get(id) ?? []);
    const withTask = (show: (task: GraphTask) => ReactNode) => (id: number) => {
      const task = byId.get(id);
      return task === undefined ? null : show(task);
    };
    return {
      nodes: buildNodes(tasks, graph),
      bars: buildBars(tasks, graph, mayChange),
      critical: new Set(graph.critical),
      windows: buildWindowMarks(graph),
      showNode: withTask((task) => <TaskNode task={task} />),
      leads: new Map(
        tasks.map(({ id, status }) => [id, <StatusIcon key={id} type="task" status={status} size={14} silent />]),
      ),
      trails: new Map(tasks.map((task) => [task.id, <TaskOwner key={task.id} task={task} />])),
    };
  }, [graph, order, mayChange]);
  return (
    <div className="plan-view" data-shows={shows}>
      {shows !== "gantt" && (
        <GraphView
          label={t("workflow.graph")}
          nodes={drawn.nodes}
          edges={graph.edges}
          critical={drawn.critical}
          selected={selected}
          onSelect={onSelect}
          onOpen={onOpen}
          onInsert={props.mayAdd ? props.onInsert : null}
          onLink={mayChange ? props.onLink : null}
          legend={
            <>
              {graph.ends_at !== null && graph.critical.length > 0 && (
                <span>
                  <span className="legend-line" />
                  {t("workflow.criticalEnds", { end: formatDayAndClock(Date.parse(graph.ends_at), now) })}
                </span>
              )}
              {graph.edges.some(({ kind }) => kind === "failure") && (
                <span>
                  <span className="legend-line" data-kind="failure" />
                  {t("workflow.onlyOnFailure")}
                </span>
              )}
            </>
          }
        >
          {drawn.showNode}
        </GraphView>
      )}
      {shows !== "graph" && (
        <GanttChart
          label={t("workflow.gantt")}
          head={
            <>
              <span className="gantt-corner-name">{t("workflow.task")}</span>
              <ChartTools scale={scale} onScale={setScale} onToday={() => chart.current?.showNow()} />
            </>
          }
          handle={chart}
          items={drawn.bars}
          marks={drawn.windows}
          scale={scale}
          selected={selected}
          onSelect={onSelect}
          onOpen={onOpen}
          edit={plan.edit}
          shifted={plan.shifted}
          onEdit={plan.change}
          onSave={() => void plan.save()}
          onCancel={plan.cancel}
          lead={({ id }) => drawn.leads.get(id)}
          trail={({ id }) => drawn.trails.get(id)}
        />
      )}
      {/* Below the chart, so that the chart stays under the pointer. */}
      <PlanBar graph={graph} plan={plan} />
    </div>
  );
}

/** Days if they fit, else weeks or months. */
function pickScale({ tasks }: TaskGraph): GanttScale {
  const moments = tasks.flatMap(({ starts_at, ends_at }) =>
    [starts_at, ends_at].flatMap((at) => (at === null ? [] : Date.parse(at))),
  );
  const days = moments.length === 0 ? 0 : (Math.max(...moments) - Math.min(...moments)) / 86_400_000;
  return days > 200 ? "months" : days > 45 ? "weeks" : "days";
}
