import { task as taskType } from "../../../records/work/task.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { indexNeighbors } from "../../base/graph.ts";
import { paths } from "../../base/paths.ts";
import { Link } from "../../elements/link.tsx";
import { currentLocale, t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { putIntoTableRow, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { PersonName } from "../../parts/people/person-name.tsx";
import { StatusChip } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import type { GraphTask, TaskGraph } from "../../queries/task-graph.ts";
import { PlanDate } from "./plan-date.tsx";
import { nameKind } from "./task-look.ts";

type Props = { graph: TaskGraph; order: readonly number[]; selected: number | null; onSelect(id: number): void };

/** The steps in order, with their neighbors: the graph in a form to be read line by line. */
export function TaskList({ graph, order, selected, onSelect }: Props) {
  const { account } = useCurrentAccount();
  const byId = new Map(graph.tasks.map((task) => [task.id, task]));
  const neighbors = indexNeighbors(graph.edges);
  const steps = (ids: readonly number[]) =>
    new Intl.ListFormat(currentLocale(), { style: "narrow" }).format(ids.map((id) => String(order.indexOf(id) + 1)));
  return (
    <div className="task-list">
      <table className="task-table">
        <thead>
          <tr>
            <th scope="col" className="numbers">
              {t("workflow.step")}
            </th>
            <th scope="col">{t("workflow.task")}</th>
            <th scope="col" className="wide-only">
              {fieldLabel("status")}
            </th>
            <th scope="col" className="wide-only">
              {fieldLabel("category")}
            </th>
            <th scope="col" className="wide-only">
              {t("workflow.who")}
            </th>
            <th scope="col" className="wide-only">
              {t("workflow.after")}
            </th>
            <th scope="col" className="wide-only">
              {t("workflow.before")}
            </th>
            <th scope="col">{t("workflow.ends")}</th>
          </tr>
        </thead>
        <tbody>
          {order.map((id, at) => {
            const task = byId.get(id);
            if (task === undefined) return null;
            const { before, after, onFailure } = neighbors(id);
            return (
              <RowBoundary key={id} row={task} frame={putIntoTableRow(8)}>
                {() => (
                  <tr
                    data-selected={selected === id || undefined}
                    data-conditional={task.conditional || undefined}
                    onFocus={() => onSelect(id)}
                  >
                    <td className="numbers">{at + 1}</td>
                    <th scope="row">
                      <Link to={paths.record(account.id, taskType, id)}>{task.subject}</Link>{" "}
                      <span className="quiet numbers task-id">{formatWorkId("task", id)}</span>
                      <div className="task-state">
                        <StatusChip type="task" status={task.status} />
                      </div>
                      {onFailure.length > 0 && (
                        <div className="quiet small">{t("workflow.failsTo", { steps: steps(onFailure) })}</div>
                      )}
                    </th>
                    <td className="wide-only">
                      <StatusChip type="task" status={task.status} />
                    </td>
                    <td className="wide-only">{nameKind(task)}</td>
                    <td className="wide-only">
                      <Owner task={task} />
                    </td>
                    <td className="wide-only numbers">{steps(before)}</td>
                    <td className="wide-only numbers">{steps(after)}</td>
                    <td className="numbers">
                      <PlanDate at={task.ends_at} />
                    </td>
                  </tr>
                )}
              </RowBoundary>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Owner({ task }: { task: GraphTask }) {
  const [person] = task.assignees;
  if (task.approvals !== null)
    return t("workflow.approvals", { given: task.approvals.given, count: task.approvals.needed });
  if (task.category === "automation") return t("workflow.automatic");
  return person === undefined ? (task.team?.name ?? "") : <PersonName person={person} />;
}
