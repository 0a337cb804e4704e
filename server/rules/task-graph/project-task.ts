import { type EnumerationValue, enumerations } from "../../../records/enumerations/index.ts";
import { projectTask } from "../../../records/work/project-task.ts";
import { statement } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import { ofReachableAccounts } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { lockBoardFirst, placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
import { addNotes } from "../communication/notes.ts";
import { copyFromTemplate, countTemplateUse, sameNamedFields } from "../shared/template-values.ts";
import { addTimeEntry } from "../time/time-spent.ts";
import { setResolutionDurationOfTask, settleTaskTimes } from "../work-item/resolution-duration.ts";
import { checkWaitingUntil } from "../work-item/waiting-until.ts";
import { checkManagerOnlyStatus } from "./manager-actions.ts";
import { createPredecessorRules } from "./predecessors.ts";
import { projectGraph as graph } from "./project-graph.ts";
import {
  activeStatuses,
  assignments,
  settleStatusByOwnAssignment,
  updateAssignments,
} from "./project-task-assignments.ts";
import { checkStatusOfCategory, withoutApprovalStatuses } from "./status-by-category.ts";

// PS1 to PS14, PT1 to PT10, PJ1

type ProjectTaskChange = Change<typeof projectTask>;
type TaskStatus = EnumerationValue<"project_task.status">;

const predecessorRules = createPredecessorRules("project_task", "project", graph.afterReorder);

// PT8: the template is of one type or the other. The two types share one sequence of ids, so a lookup in the table of
// the other type finds nothing. A task template has no category that a project task could take.
const templateFields = {
  ...sameNamedFields("subject", "planned_duration", "planned_effort", "required_approvals", "work_hours_are_24x7"),
  ...sameNamedFields("instructions", "note"),
  ...{ team: "team_id", supplier: "supplier_id", skill_pool: "skill_pool_id" },
};

// biome-ignore format: a table keeps its columns
const statusesByCategory: Record<EnumerationValue<"project_task.category">, readonly TaskStatus[]> = {
  activity:  withoutApprovalStatuses(enumerations["project_task.status"]),
  approval:  ["registered", "assigned", "rejected", "approved", "canceled"],
  milestone: ["registered", "assigned", "completed", "canceled"],
};

const isAssignedToMe = (by: Caller, further: string): Clause => {
  const ofAccounts = ofReachableAccounts(by);
  return {
    key: `assigned to me${further} ${ofAccounts.key}`,
    sql: (alias, next) =>
      `${alias}.id = ANY (ARRAY(SELECT s.project_task_id FROM project_task_assignments s WHERE s.assignee_id = ${next()}${further} AND ${ofAccounts.sql("s", next)}))`,
    values: [by.person, ...ofAccounts.values],
  };
};
const activeList = activeStatuses.map((status) => `'${status}'`).join(", ");

const selectProjectManager = statement("SELECT manager_id FROM projects WHERE id = $1 AND account_id = $2");
const selectOpenProject = statement(
  "SELECT 1 FROM projects WHERE id = $1 AND account_id = $2 AND status <> 'completed'",
);

/** A project that gets another manager updates its tasks itself. */
async function pickManager({ tx, account, before, after }: ProjectTaskChange): Promise<number | null> {
  if (before !== null) return before.manager;
  if (after.project === null) return null;
  return parseNumberOrNull((await tx.query(selectProjectManager, [after.project, account]))[0]?.[0]);
}

async function mayStart(change: ProjectTaskChange): Promise<boolean> {
  const open = await change.tx.query(selectOpenProject, [change.after.project, change.account]);
  return open.length > 0 && (await graph.mayTaskStart(change));
}

/** The status that follows from the assignments may be another one than `waiting_for`. */
function clearWaitingUntil({ after }: ProjectTaskChange): void {
  if (after.status !== "waiting_for") after.waiting_until = null;
}

const afterSaveWithinGraph = steps<typeof projectTask>(
  (change) => graph.assignAfterStartChange(change, () => mayStart(change)),
  addNotes,
  addTimeEntry,
  syncBoard,
  assignments.updateWithTask,
  updateAssignments,
);

export const projectTaskRules = rulesFor(projectTask, {
  beforePurge: removeFromBoardAndSprints("project_task"),
  async lockFirst(tx, target) {
    await graph.lockFirstForTask(tx, target);
    await lockBoardFirst("project_task")(tx, target);
  },
  conditions: {
    "assigned to me": (by) => isAssignedToMe(by, ""),
    "assigned to me and open": (by) => isAssignedToMe(by, ` AND status IN (${activeList})`),
  },
  derive: { "manager of its project": pickManager },
  beforeSave: steps(
    copyFromTemplate("task_templates", { ...templateFields, ...sameNamedFields("urgent") }),
    copyFromTemplate("project_task_templates", { ...templateFields, ...sameNamedFields("category") }),
    (change) => placeOnBoard(change, { completedStatus: "completed" }),
    (change) => checkStatusOfCategory(change, statusesByCategory),
    assignments.applyRequiredApprovals,
    assignments.checkVote,
    checkManagerOnlyStatus("project_manager"),
    checkWaitingUntil, // before the next step: it checks what the caller wants for the own assignment
    settleStatusByOwnAssignment,
    clearWaitingUntil,
    predecessorRules.beforeSave,
    settleTaskTimes,
  ),
  guards: {
    "nothing else holds it back": mayStart,
    "it is a milestone that is reached": async (change) =>
      change.after.category === "milestone" && (await mayStart(change)) && (await graph.isMilestoneReached(change)),
  },
  effects: { "set the resolution duration": setResolutionDurationOfTask },
  afterSave: steps(
    predecessorRules.afterSave, // first: the graph reads the stored predecessors
    countTemplateUse("task_templates"),
    countTemplateUse("project_task_templates"),
    (change) => graph.afterSaveTask(change, change.after.project, () => afterSaveWithinGraph(change)),
  ),
  afterLinkChange: predecessorRules.afterLinkChange,
});
