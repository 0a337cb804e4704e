import { formatFieldMessage } from "../../../records/languages/index.ts";
import { Invalid } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import { createUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Values } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { translateDatabaseError } from "../../engine/write/database-errors.ts";
import { triggerNotification } from "../../mail/notification-outbox.ts";
import { getNumberOrNull } from "../shared/get-number.ts";
import { processOccurrence, type RecurrenceOwner } from "../time/recurrence.ts";
import { scheduleTemplateApplication } from "./workflow.ts";
import { linkCiToTasks } from "./workflow-from-template.ts";

// Creates the workflow of a recurrence that is due, from its template: RC21 to RC29.

const selectManagerOfTemplate = statement("SELECT workflow_manager_id FROM workflow_templates WHERE id = $1");
const selectWorkflowStatus = statement("SELECT status FROM workflows WHERE id = $1 AND account_id = $2");

/** RC22: the manager that the configuration item names, else that of the template. */
async function loadTemplateAndManager(tx: Transaction, { type, id }: RecurrenceOwner, values: Values) {
  const template = type === "workflow_template" ? id : getNumberOrNull(values, "workflow_template");
  const manager = getNumberOrNull(values, "workflow_manager");
  if (manager !== null || template === null) return { template, manager };
  const [row] = await tx.query(selectManagerOfTemplate, [template]);
  return { template, manager: parseNumberOrNull(row?.[0]) };
}

async function createWorkflow(
  engine: Engine,
  tx: Transaction,
  owner: RecurrenceOwner,
  values: Values,
): Promise<number> {
  const { template, manager } = await loadTemplateAndManager(tx, owner, values);
  // The default of the field is the caller, and a job has none.
  if (manager === null) throw new Invalid([["manager", "can't be blank"]]);
  const { account } = owner;
  const by = await loadServiceCaller(tx, account, engine.clock.now());
  const type = engine.types.get("workflow");
  const workflow = await createUnchecked({ engine, tx, by, type }, { template, manager }, { account });
  if (owner.type === "ci") {
    linkCiToTasks(tx, account, workflow, owner.id);
    const [row] = await tx.query(selectWorkflowStatus, [workflow, account]);
    if (row?.[0] === "being_created") scheduleTemplateApplication(tx, by.now, { workflow, account, ci: owner.id });
  }
  return workflow;
}

/** The job. A workflow that cannot be created is reported to its manager, and the schedule continues. */
export async function runOccurrence(engine: Engine, owner: RecurrenceOwner): Promise<void> {
  const { database } = engine;
  try {
    await database.transaction((tx) =>
      processOccurrence(engine, tx, owner, async (values) => ({
        last_occurrence_object_id: await createWorkflow(engine, tx, owner, values),
        last_occurrence_errors: null,
      })),
    );
  } catch (error) {
    const refusal = translateDatabaseError(engine.types.get("workflow"), error);
    if (!(refusal instanceof Invalid)) throw error;
    await database.transaction((tx) =>
      processOccurrence(engine, tx, owner, async (values) => ({
        last_occurrence_object_id: null,
        last_occurrence_errors: await notifyManager(engine, tx, owner, values, refusal),
      })),
    );
  }
}

/** Returns the errors as text, in the language of the account. */
async function notifyManager(
  engine: Engine,
  tx: Transaction,
  owner: RecurrenceOwner,
  values: Values,
  { problems }: Invalid,
): Promise<string> {
  const { type, id, account } = owner;
  const now = engine.clock.now();
  const { language } = await loadServiceCaller(tx, account, now);
  const errors = problems.map((problem) => formatFieldMessage(language, problem)).join("; ");
  const { manager } = await loadTemplateAndManager(tx, owner, values);
  const people = manager === null ? [] : [manager];
  triggerNotification(
    tx,
    `${type}/recurrence_failed`,
    { type, id, account, by: null, values, people, facts: { errors } },
    now,
  );
  return errors;
}
