import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { putIntoTableRow, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { PersonName } from "../../parts/people/person-name.tsx";
import { StatusChip } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import type { TaskGraph } from "../../queries/task-graph.ts";
import { PlanDate } from "../workflow/plan-date.tsx";
import { AddPhase, PhaseName } from "./phases/phase-name.tsx";
import type { EditablePhase, PhaseCommands } from "./phases/use-phases.ts";
import { countDone, groupByPhase } from "./project-figures.ts";

const tasks = { collection: "project_tasks" };

type Props = {
  graph: TaskGraph;
  phases: readonly EditablePhase[];
  /** null: read-only */
  commands: PhaseCommands | null;
};

/** All tasks by phase, with assignee, start and end. The name and the order of phases can be changed here. */
export function PhaseList({ graph, phases, commands }: Props) {
  const { account } = useCurrentAccount();
  const nameOf = (id: number) => {
    const at = phases.findIndex((each) => each.id === id);
    const phase = phases[at];
    return phase === undefined ? (
      t("projects.noPhase")
    ) : (
      <PhaseName phase={phase} place={at + 1} count={phases.length} commands={commands} />
    );
  };
  return (
    <div className="page-body phase-list">
      {groupByPhase(graph).map((phase) => (
        <section key={phase.id} aria-label={phase.name === "" ? t("projects.noPhase") : phase.name}>
          <h2>
            {nameOf(phase.id)} {phase.status !== "" && <StatusChip type="project_phase" status={phase.status} />}{" "}
            <span className="quiet numbers">
              {countDone(phase)}/{phase.tasks.length}
            </span>
          </h2>
          {phase.tasks.length === 0 && <p className="quiet phase-empty">{t("projects.empty")}</p>}
          <table className="task-table" hidden={phase.tasks.length === 0}>
            <thead>
              <tr>
                <th scope="col">{t("projects.task")}</th>
                <th scope="col">{fieldLabel("status")}</th>
                <th scope="col">{t("projects.who")}</th>
                <th scope="col">{t("projects.from")}</th>
                <th scope="col">{t("projects.until")}</th>
              </tr>
            </thead>
            <tbody>
              {phase.tasks.map((task) => (
                <RowBoundary key={task.id} row={task} frame={putIntoTableRow(5)}>
                  {() => (
                    <tr>
                      <th scope="row">
                        <Link to={paths.record(account.id, tasks, task.id)}>{task.subject}</Link>{" "}
                        <span className="quiet numbers">{formatWorkId("project_task", task.id)}</span>
                      </th>
                      <td>
                        <StatusChip type="project_task" status={task.status} />
                      </td>
                      <td>
                        {task.assignees.map((person) => (
                          <PersonName key={person.id} person={person} />
                        ))}
                      </td>
                      <td className="numbers">
                        <PlanDate at={task.starts_at} />
                      </td>
                      <td className="numbers">
                        <PlanDate at={task.ends_at} />
                      </td>
                    </tr>
                  )}
                </RowBoundary>
              ))}
            </tbody>
          </table>
        </section>
      ))}
      {commands !== null && <AddPhase commands={commands} />}
    </div>
  );
}
