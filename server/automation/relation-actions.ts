import { statement } from "../database/database.ts";
import { mayCreate } from "../engine/access.ts";
import { createUnchecked } from "../engine/change.ts";
import { deleteInTransaction } from "../engine/delete.ts";
import { requireRecord } from "../engine/find.ts";
import { linkInTransaction, unlinkInTransaction } from "../engine/links.ts";
import type { Type } from "../engine/types.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { type ActionContext, toReferences } from "./action-context.ts";
import { Failure } from "./language/errors.ts";
import type { CompiledAction } from "./language/program.ts";
import { Reference } from "./language/values.ts";
import { findSubjectReference } from "./rule-schema.ts";

// Adds to and removes from relations, and creates tasks for `new`: AC5, AC12.

export async function runRelationAction(
  context: ActionContext,
  step: Extract<CompiledAction, { kind: "add" | "remove" }>,
): Promise<void> {
  const { evaluation: run, engine, tx, by } = context;
  const targets = toReferences(await context.evaluate(() => step.target(run)));
  const items = toReferences(await context.evaluate(() => step.value(run)));
  if (targets.length === 0 || items.length === 0)
    context.actionLog.push(`${step.kind} ${step.field}: no record, nothing done`);
  for (const target of targets) {
    const type = engine.types.get(target.type);
    for (const item of items) {
      run.checkTime();
      const [id, other] = [Number(target.id), Number(item.id)];
      const link = Object.hasOwn(type.links, step.field) ? type.links[step.field] : undefined;
      if (link !== undefined) {
        if (link.to !== item.type) throw new Failure("evaluation", `${item.type} cannot be in ${step.field}`);
        if (context.tasksFromForeignTemplates.has(id) || context.tasksFromForeignTemplates.has(other))
          throw new Failure("validation", "must be linked to the same workflow");
        if (step.kind === "add") await linkInTransaction({ engine, tx, by, type }, id, step.field, other);
        else await unlinkInTransaction({ engine, tx, by, type }, id, step.field, other);
      } else await changeChildRelation(context, type, id, step, item);
      context.actionLog.push(
        `${type.name} ${id}: ${step.kind} ${item.type} ${other} ${step.kind === "add" ? "to" : "from"} ${step.field}`,
      );
    }
  }
  context.evaluationContext.invalidate();
}

/** Approvals and watches are child records that refer to a person. */
async function changeChildRelation(
  context: ActionContext,
  type: Type,
  id: number,
  step: Extract<CompiledAction, { kind: "add" | "remove" }>,
  item: Reference,
) {
  const { engine, tx, by } = context;
  const child = Object.hasOwn(type.children, step.field) ? type.children[step.field] : undefined;
  const subject = child === undefined ? null : findSubjectReference(engine.types, child.of);
  if (child === undefined || subject === null || subject.to !== item.type)
    throw new Failure("evaluation", `${item.type} cannot be in ${step.field} of ${type.name}`);
  const owned = engine.types.get(child.of);
  const owner = child.by ?? type.name;
  const [ownerColumn, column] = [owned.columns.get(owner) ?? `${owner}_id`, owned.columns.get(subject.field) as string];
  const account = await requireRecord(engine, by, type, id, "update", tx);
  const [existing] = await tx.query(
    statement(
      `SELECT id FROM ${owned.table} WHERE ${quoteIdentifier(ownerColumn)} = $1 AND ${quoteIdentifier(column)} = $2 AND account_id = $3`,
    ),
    [id, Number(item.id), account],
  );
  if (step.kind === "add" && existing === undefined)
    await createUnchecked(
      { engine, tx, by, type: owned },
      { [subject.field]: Number(item.id) },
      { fixed: { [owner]: id }, account },
    );
  if (step.kind === "remove" && existing !== undefined)
    await deleteInTransaction({ engine, tx, by, type: owned }, Number(existing[0]), {
      scope: {
        rights: "of the parent",
        clause: {
          key: `${ownerColumn} here`,
          sql: (alias, next) => `${alias}.${quoteIdentifier(ownerColumn)} = ${next()}`,
          values: [id],
        },
      },
    });
}

const selectWorkflowTaskTemplate = statement(
  `SELECT t.id FROM task_templates t JOIN task_template_relations r ON r.task_template_id = t.id
JOIN workflows w ON w.template_id = r.workflow_template_id AND w.account_id = $3
WHERE w.id = $1 AND t.subject = $2 AND t.account_id = $3 AND NOT t.disabled ORDER BY t.id LIMIT 1`,
);
const selectTaskTemplate = statement(
  "SELECT id FROM task_templates WHERE subject = $1 AND account_id = $2 AND NOT disabled ORDER BY id LIMIT 1",
);

/** Creates the task of a `new` call in the workflow of the record. */
export async function createTaskFromTemplate(
  context: ActionContext,
  workflow: number | null,
  subject: string,
): Promise<Reference | null> {
  const { engine, tx, by } = context;
  if (workflow === null) throw new Failure("evaluation", "the record has no workflow to create a task in");
  const [own] = await tx.query(selectWorkflowTaskTemplate, [workflow, subject, by.account]);
  const [other] = own === undefined ? await tx.query(selectTaskTemplate, [subject, by.account]) : [];
  const template = own ?? other;
  if (template === undefined) throw new Failure("evaluation", `there is no task template '${subject.slice(0, 100)}'`);
  const type = engine.types.get("task");
  const needed = mayCreate(type, by) ? "link to" : "update";
  const account = await requireRecord(engine, by, engine.types.get("workflow"), workflow, needed, tx);
  const id = await createUnchecked(
    { engine, tx, by, type },
    { template: Number(template[0]) },
    { fixed: { workflow }, account },
  );
  if (own === undefined) context.tasksFromForeignTemplates.add(id);
  context.actionLog.push(`task ${id} created from '${subject}'`);
  return new Reference("task", id);
}
