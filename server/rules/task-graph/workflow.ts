import { commitChange, lockActiveValues, prepareChange } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { addJob } from "../../queue/jobs.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { addNotes } from "../communication/notes.ts";
import { copyFromTemplate, countTemplateUse, sameNamedFields } from "../shared/template-values.ts";
import { updateRecordsLinkedToContainer } from "../work-item/linked-work.ts";
import { setResolutionDuration } from "../work-item/resolution-duration.ts";
import { withdrawRequestsOfWorkflow } from "./generated-request.ts";
import { checkManualCompletion, copyManagerToTasks } from "./manager-actions.ts";
import { applyWorkflowTemplate, isLargeTemplate, linkCiToTasks } from "./workflow-from-template.ts";
import { workflowGraph as progress } from "./workflow-graph.ts";

// WS1 to WS6, WF1 to WF15

const copyTemplateValues = copyFromTemplate("workflow_templates", sameNamedFields("prevent_request_completion"));
const countTemplate = countTemplateUse("workflow_templates");

const selectMayManage = statement(
  "SELECT 1 FROM permissions WHERE account_id = $1 AND person_id = $2 AND role IN ('workflow_manager', 'account_administrator')",
);

/** Everybody may manage a workflow of their own; it is given to those alone who manage workflows. */
async function checkManager({ tx, by, after, changed, cause, problem }: Change): Promise<void> {
  if (cause !== null || !changed.has("manager") || after.manager === null || after.manager === by.person) return;
  if ((await tx.query(selectMayManage, [by.account, after.manager as number])).length === 0)
    problem("manager", "is not valid");
}

const checkManualStatus = checkManualCompletion(progress);

const copyManager = copyManagerToTasks("task", "workflow");
const selectTaskAssignedSince = statement("SELECT 1 FROM tasks WHERE workflow_id = $1 AND assigned_at >= $2 LIMIT 1");

const hasStartCome = ({ by, after }: Change): boolean =>
  after.start_at === null || Date.parse(String(after.start_at)) <= by.now.getTime();

export const applyTemplateJob = "apply workflow template";
/** `ci`: the item whose recurrence made the workflow */
type TemplateApplication = { workflow: number; account: string; ci?: number };

export const scheduleTemplateApplication = (tx: Transaction, runAt: Date, payload: TemplateApplication): void =>
  addJob(tx, { kind: applyTemplateJob, key: `workflow ${payload.workflow}`, account: payload.account, payload, runAt });

/** WF1: the tasks come with the workflow, or soon after it. */
async function createTasksFromTemplate(change: Change): Promise<void> {
  const { tx, by, id, account, after } = change;
  if (after.status === "being_created") return scheduleTemplateApplication(tx, by.now, { workflow: id, account });
  const apply = async () => {
    await applyWorkflowTemplate(change);
    if (after.status === "completed") await progress.cancelOpenTasks(change, id);
  };
  if (hasStartCome(change) && after.status !== "completed") await progress.start(change, id, apply);
  else await progress.updateAround(change, id, apply);
}

async function afterSave(change: Change): Promise<void> {
  const { id, before, after, cause, changed } = change;
  countTemplate(change);
  await copyManager(change);
  await addNotes(change);
  if (before === null || (before.status === "being_created" && after.status !== "being_created"))
    await createTasksFromTemplate(change);
  else if (cause === null && before.status !== after.status)
    await progress.updateAround(change, id, async () => {
      if (after.status === "completed") await progress.cancelOpenTasks(change, id);
    });
  // WF4: what waits no longer begins.
  else if (changed.has("start_at"))
    await (hasStartCome(change) && after.status === "registered" ? progress.start : progress.updateAround)(change, id);
  await withdrawRequestsOfWorkflow(change);
  await updateRecordsLinkedToContainer(change);
}

export const workflowRules: TypeRules = {
  compute: { nothing: () => null },
  async beforeSave(change) {
    const { before, after } = change;
    await copyTemplateValues(change);
    await checkManager(change);
    await checkManualStatus(change);
    if (before === null) Object.assign(after, { planned_effort: 0, actual_effort: 0 }); // until there are tasks
    if (before === null && typeof after.template === "number" && (await isLargeTemplate(change)))
      after.status = "being_created";
  },
  guards: {
    "it has not started before": async ({ tx, id, after }) =>
      (await tx.query(selectTaskAssignedSince, [id, after.start_at as string])).length === 0,
  },
  effects: {
    "tell how long it took": setResolutionDuration("created_at", "completed_at"),
    "start the first tasks": (change) => change.runAfterSave(() => progress.start(change, change.id)),
  },
  afterSave: afterSave,
};

/** What the job of a large template does. */
export async function runTemplateApplication(
  engine: Engine,
  { workflow: id, account, ci }: TemplateApplication,
): Promise<void> {
  const type = engine.types.get("workflow");
  await engine.database.transaction(async (tx) => {
    const before = await lockActiveValues(engine, tx, type, id, account);
    if (before === null || before.status !== "being_created") return;
    const by = await loadServiceCaller(tx, account, engine.clock.now());
    const change = prepareChange(engine, tx, by, type, { id, account, before }, { status: "registered" });
    await commitChange(engine, type, change);
    if (ci !== undefined) linkCiToTasks(tx, account, id, ci);
  });
}
