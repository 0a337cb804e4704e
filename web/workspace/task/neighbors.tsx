import { task as taskType } from "../../../records/work/task.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { indexNeighbors, sortSteps } from "../../base/graph.ts";
import { paths } from "../../base/paths.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { StatusIcon } from "../../parts/work/status.tsx";
import { type GraphTask, useLiveGraph, useTaskGraph } from "../../queries/task-graph.ts";
import { getReference, readText } from "../work-item/page-parts.ts";
import type { PanelProps } from "../work-item/panels/panel-props.ts";
import "../../styles/workflow.css";

/** The previous and next tasks, and the task that runs on failure. */
export default function TaskNeighbors({ row }: PanelProps) {
  const workflow = getReference(row, "workflow");
  const { data } = useTaskGraph("workflow", workflow?.id ?? null);
  useLiveGraph("workflow", workflow?.id ?? null, data);
  if (data === undefined) return null;
  const { before, after, onFailure } = indexNeighbors(data.edges)(row.id);
  const order = sortSteps(
    data.tasks.map(({ id }) => id),
    data.edges,
  );
  const pick = (ids: readonly number[]) =>
    order.filter((id) => ids.includes(id)).flatMap((id) => data.tasks.find((task) => task.id === id) ?? []);
  const own = { id: row.id, subject: readText(row, "subject"), status: readText(row, "status") };
  if (before.length + after.length + onFailure.length === 0) return null;
  return (
    <section className="neighbours" aria-labelledby="neighbours-title">
      <h2 id="neighbours-title">{t("task.neighbours")}</h2>
      <ol className="plain-list">
        {pick(before).map((task) => (
          <Step key={task.id} task={task} />
        ))}
        <Step task={own} isHere />
        {pick(after).map((task) => (
          <Step key={task.id} task={task} />
        ))}
      </ol>
      {pick(onFailure).map((task) => (
        <div key={task.id} className="on-failure">
          <span className="quiet small">{t(row.category === "approval" ? "task.onRejection" : "task.onFailure")}</span>
          <Step task={task} isLoose />
        </div>
      ))}
    </section>
  );
}

type StepProps = { task: Pick<GraphTask, "id" | "subject" | "status">; isHere?: boolean; isLoose?: boolean };

function Step({ task, isHere = false, isLoose = false }: StepProps) {
  const { account } = useCurrentAccount();
  const content = (
    <>
      <StatusIcon type="task" status={task.status} size={14} />
      {isHere ? (
        <b>{task.subject}</b>
      ) : (
        <Link to={paths.record(account.id, taskType, task.id)} className="truncate">
          {task.subject}
        </Link>
      )}
    </>
  );
  return isLoose ? (
    <span className="step">{content}</span>
  ) : (
    <li className="step" aria-current={isHere ? "step" : undefined}>
      {content}
    </li>
  );
}
