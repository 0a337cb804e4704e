import { formatFieldMessage } from "../../../records/languages/index.ts";
import { Invalid } from "../../base/errors.ts";
import { createUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Values } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { translateDatabaseError } from "../../engine/write/save.ts";
import { triggerNotification } from "../../mail/notification-outbox.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { processOccurrence, type RecurrenceOwner } from "../time/recurrence.ts";
import { scheduleTemplateApplication } from "./workflow.ts";
import { linkCiToTasks } from "./workflow-from-template.ts";

// What a recurrence does when its moment has come: a workflow from the template. RC21 to RC29.

const selectManagerOfTemplate = statement("SELECT workflow_manager_id FROM workflow_templates WHERE id = $1");
const selectWorkflowStatus = statement("SELECT status FROM workflows WHERE id = $1");

/** RC22: the manager of the item, else that of the template. */
async function loadTemplateAndManager(tx: Transaction, { type, id }: RecurrenceOwner, owner: Values) {
  const template = type === "workflow_template" ? id : (owner.workflow_template as number | null);
  const own = owner.workflow_manager as number | null;
  if (own !== null || template === null) return { template, manager: own };
  const [row] = await tx.query(selectManagerOfTemplate, [template]);
  return { template, manager: row?.[0] == null ? null : Number(row[0]) };
}

async function createWorkflow(engine: Engine, tx: Transaction, due: RecurrenceOwner, owner: Values): Promise<number> {
  const { template, manager } = await loadTemplateAndManager(tx, due, owner);
  // Nobody is there who could be the manager instead.
  if (manager === null) throw new Invalid([["manager", "can't be blank"]]);
  const { account } = due;
  const by = await loadServiceCaller(tx, account, engine.clock.now());
  const type = engine.types.get("workflow");
  const workflow = await createUnchecked(engine, tx, by, type, { template, manager }, { account });
  if (due.type === "ci") {
    linkCiToTasks(tx, account, workflow, due.id);
    const [row] = await tx.query(selectWorkflowStatus, [workflow]);
    if (row?.[0] === "being_created") scheduleTemplateApplication(tx, by.now, { workflow, account, ci: due.id });
  }
  return workflow;
}

/** The job. What a workflow lacks is written down, its manager told, and the schedule goes on. */
export async function runOccurrence(engine: Engine, due: RecurrenceOwner): Promise<void> {
  const { database } = engine;
  try {
    await database.transaction((tx) =>
      processOccurrence(engine, tx, due, async (owner) => ({
        last_occurrence_object_id: await createWorkflow(engine, tx, due, owner),
        last_occurrence_errors: null,
      })),
    );
  } catch (error) {
    const refused = translateDatabaseError(engine.types.get("workflow"), error);
    if (!(refused instanceof Invalid)) throw error;
    await database.transaction((tx) =>
      processOccurrence(engine, tx, due, async (owner) => ({
        last_occurrence_object_id: null,
        last_occurrence_errors: await notifyManager(engine, tx, due, owner, refused),
      })),
    );
  }
}

async function notifyManager(
  engine: Engine,
  tx: Transaction,
  due: RecurrenceOwner,
  owner: Values,
  { problems }: Invalid,
): Promise<string> {
  const now = engine.clock.now();
  const { language } = await loadServiceCaller(tx, due.account, now);
  const errors = problems.map((problem) => formatFieldMessage(language, problem)).join("; ");
  const { manager } = await loadTemplateAndManager(tx, due, owner);
  const people = manager === null ? [] : [manager];
  const happened = {
    type: due.type,
    id: due.id,
    account: due.account,
    by: null,
    values: owner,
    people,
    facts: { errors },
  };
  triggerNotification(tx, `${due.type}/recurrence_failed`, happened, now);
  return errors;
}
