import { workflow } from "../../../records/work/workflow.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { applyChange, prepareChange } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { addJob } from "../../queue/jobs.ts";
import { addNotes } from "../communication/notes.ts";
import { copyFromTemplate, countTemplateUse, sameNamedFields } from "../shared/template-values.ts";
import { updateRecordsLinkedToContainer } from "../work-item/linked-work.ts";
import { setResolutionDuration } from "../work-item/resolution-duration.ts";
import { withdrawRequestsOfWorkflow } from "./generated-request.ts";
import { checkManualCompletion, copyManagerToTasks } from "./manager-actions.ts";
import { applyWorkflowTemplate, isLargeTemplate, linkCiToTasks } from "./workflow-from-template.ts";
import { workflowGraph as graph } from "./workflow-graph.ts";

// WS1 to WS6, WF1 to WF15

type WorkflowChange = Change<typeof workflow>;

const selectMayManage = statement(
  "SELECT 1 FROM permissions WHERE account_id = $1 AND person_id = $2 AND role IN ('workflow_manager', 'account_administrator')",
);

/** Callers may make themselves the manager; any other manager needs the role. */
async function checkManager({ tx, by, after, changed, cause, problem }: WorkflowChange): Promise<void> {
  if (cause !== null || !changed.has("manager") || after.manager === null || after.manager === by.person) return;
  if ((await tx.query(selectMayManage, [by.account, after.manager])).length === 0) problem("manager", "is not valid");
}

/** The graph calculates the efforts once there are tasks. */
function initializeEffort({ before, after }: WorkflowChange): void {
  if (before === null) Object.assign(after, { planned_effort: 0, actual_effort: 0 });
}

async function deferLargeTemplate(change: WorkflowChange): Promise<void> {
  const { before, after, isDryRun } = change;
  if (isDryRun) return;
  if (before === null && after.template !== null && (await isLargeTemplate(change))) after.status = "being_created";
}

const hasStartCome = ({ by, after }: WorkflowChange): boolean =>
  after.start_at === null || Date.parse(after.start_at) <= by.now.getTime();

export const applyTemplateJob = "apply workflow template";
/** `ci`: the configuration item whose recurrence created the workflow */
type TemplateApplication = { workflow: number; account: string; ci?: number };

export const scheduleTemplateApplication = (tx: Transaction, runAt: Date, payload: TemplateApplication): void =>
  addJob(tx, { kind: applyTemplateJob, key: `workflow ${payload.workflow}`, account: payload.account, payload, runAt });

/** WF1: creates the tasks with the workflow; those of a large template follow by a job. */
async function createTasksFromTemplate(change: WorkflowChange): Promise<void> {
  const { tx, by, id, account, after } = change;
  if (after.status === "being_created") return scheduleTemplateApplication(tx, by.now, { workflow: id, account });
  const apply = async () => {
    await applyWorkflowTemplate(change);
    if (after.status === "completed") await graph.cancelOpenTasks(change, id);
  };
  if (hasStartCome(change) && after.status !== "completed") await graph.start(change, id, apply);
  else await graph.updateAround(change, id, apply);
}

async function updateTasks(change: WorkflowChange): Promise<void> {
  const { id, before, after, cause, changed } = change;
  if (before === null || (before.status === "being_created" && after.status !== "being_created"))
    await createTasksFromTemplate(change);
  // A status without a cause was set by the manager; every other one follows from the tasks.
  else if (cause === null && before.status !== after.status)
    await graph.updateAround(change, id, async () => {
      if (after.status === "completed") await graph.cancelOpenTasks(change, id);
    });
  // WF4: a start that was removed or moved to the past starts the workflow.
  else if (changed.has("start_at"))
    await (hasStartCome(change) && after.status === "registered" ? graph.start : graph.updateAround)(change, id);
}

const selectTaskAssignedSince = statement(
  "SELECT 1 FROM tasks WHERE workflow_id = $1 AND account_id = $3 AND assigned_at >= $2 LIMIT 1",
);

export const workflowRules = rulesFor(workflow, {
  compute: { nothing: () => null },
  beforeSave: steps(
    copyFromTemplate("workflow_templates", sameNamedFields("prevent_request_completion")),
    checkManager,
    checkManualCompletion(graph),
    initializeEffort,
    deferLargeTemplate,
  ),
  guards: {
    "it has not started before": async ({ tx, id, account, after }) =>
      (await tx.query(selectTaskAssignedSince, [id, after.start_at, account])).length === 0,
  },
  effects: {
    "set the resolution duration": setResolutionDuration("created_at", "completed_at"),
    "start the first tasks": (change) => change.runAfterSave(() => graph.start(change, change.id)),
  },
  afterSave: steps(
    countTemplateUse("workflow_templates"),
    copyManagerToTasks("task", "workflow"),
    addNotes,
    updateTasks,
    withdrawRequestsOfWorkflow, // after the tasks: canceled tasks withdraw their requests themselves
    updateRecordsLinkedToContainer,
  ),
});

/** The job: leaving `being_created` makes updateTasks create the tasks. */
export async function runTemplateApplication(
  engine: Engine,
  { workflow: id, account, ci }: TemplateApplication,
): Promise<void> {
  const type = engine.types.get("workflow");
  await engine.database.transaction(async (tx) => {
    const before = await lockActiveValues(engine, tx, type, id, account);
    if (before === null || before.status !== "being_created") return;
    const by = await loadServiceCaller(tx, account, engine.clock.now());
    const change = prepareChange({ engine, tx, by, type }, { id, account, before }, { status: "registered" });
    await applyChange(change);
    if (ci !== undefined) linkCiToTasks(tx, account, id, ci);
  });
}
