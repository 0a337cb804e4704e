import IconRobot from "@tabler/icons-react/dist/esm/icons/IconRobot.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import { isFinished } from "../../../records/work/task-states.ts";
import { daysAway } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { currentTime } from "../../parts/now.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { SlaChip } from "../../parts/work/sla-chip.tsx";
import { StatusIcon } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import type { GraphTask } from "../../queries/task-graph.ts";
import { nameKind } from "./task-look.ts";

/** The content of a node: kind, id, subject, assignee, and the target when it is near. */
export function TaskNode({ task }: { task: GraphTask }) {
  const isNear =
    task.ends_at !== null &&
    !isFinished(task.status) &&
    task.status !== "registered" &&
    daysAway(Date.parse(task.ends_at), currentTime()) <= 0;
  return (
    <>
      <span className="graph-node-line">
        <StatusIcon type="task" status={task.status} size={13} silent />
        <span className="truncate">{nameKind(task)}</span>
        <span className="numbers graph-node-end">{formatWorkId("task", task.id)}</span>
      </span>
      <span className="graph-node-name">{task.subject}</span>
      <span className="graph-node-line">
        <Who task={task} />
        {isNear && (
          <span className="graph-node-end">
            <SlaChip target={task.ends_at} status={task.status} />
          </span>
        )}
      </span>
    </>
  );
}

function Who({ task }: { task: GraphTask }) {
  const [person] = task.assignees;
  if (task.approvals !== null)
    return (
      <>
        <Icon of={IconRubberStamp} size={13} />
        <span>{t("workflow.given", { given: task.approvals.given, needed: task.approvals.needed })}</span>
      </>
    );
  if (task.category === "automation")
    return (
      <>
        <Icon of={IconRobot} size={13} />
        <span className="truncate">{t("workflow.automatic")}</span>
      </>
    );
  return person === undefined ? (
    <span className="truncate">{task.team?.name ?? ""}</span>
  ) : (
    <>
      <Avatar person={person} size={20} silent />
      <span className="truncate">{person.name?.split(" ")[0]}</span>
    </>
  );
}

/** The end of a row: the assignee, or the number of approvals. */
export function TaskOwner({ task }: { task: GraphTask }) {
  const [person] = task.assignees;
  if (task.approvals !== null)
    return <span>{t("workflow.given", { given: task.approvals.given, needed: task.approvals.needed })}</span>;
  if (task.category === "automation") return <Icon of={IconRobot} size={14} />;
  return person === undefined ? <span className="truncate">{task.team?.name ?? ""}</span> : <Avatar person={person} />;
}
