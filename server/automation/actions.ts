import { Invalid } from "../base/errors.ts";
import { updateInTransaction } from "../engine/update.ts";
import { type ActionContext, toReferences } from "./action-context.ts";
import { copyAttachment } from "./copy-attachment.ts";
import { shiftMoment, startOfDay } from "./language/dates.ts";
import { Failure } from "./language/errors.ts";
import { toText } from "./language/operators.ts";
import type { CompiledAction } from "./language/program.ts";
import {
  Day,
  Duration,
  describeValueKind,
  isBlank,
  isList,
  Moment,
  type Reference,
  type Value,
} from "./language/values.ts";
import { runEmailAction, runWebhookAction } from "./message-actions.ts";
import { runRelationAction } from "./relation-actions.ts";
import { toInputValue } from "./value-to-input.ts";

// Executes the actions of a rule with the permissions of its person: AC1 to AC12.

/** Consecutive `set` actions on the same records are one save; a note that follows belongs to it. */
type PendingSave = {
  targets: readonly Reference[];
  members: Record<string, unknown>;
  hasNote: boolean;
  /** files of the note */
  files: readonly Value[];
};

export async function runActions(context: ActionContext, steps: readonly CompiledAction[]): Promise<void> {
  let pending: PendingSave | null = null;
  const flush = async () => {
    const save = pending;
    pending = null;
    if (save !== null) await applySave(context, save);
  };
  for (const step of steps) {
    context.evaluation.checkTime();
    if (step.kind !== "set" && step.kind !== "note") {
      await flush();
      await runOtherAction(context, step);
      continue;
    }
    const targets = toReferences(await context.evaluate(() => step.target(context.evaluation)));
    const isSameSave: boolean =
      pending !== null &&
      !(pending as PendingSave).hasNote &&
      hasSameTargets((pending as PendingSave).targets, targets);
    if (!isSameSave) {
      await flush();
      pending = { targets, members: {}, hasNote: false, files: [] };
    }
    if (targets.length === 0)
      context.actionLog.push(
        `${step.kind === "set" ? `set ${step.field.join(".")}` : "add note"}: no record, nothing done`,
      );
    else await addToSave(context, pending as unknown as PendingSave, step);
  }
  await flush();
}

const hasSameTargets = (one: readonly Reference[], other: readonly Reference[]): boolean =>
  one.length === other.length && one.every(({ type, id }, i) => other[i]?.type === type && other[i]?.id === id);

async function addToSave(
  context: ActionContext,
  save: PendingSave,
  step: Extract<CompiledAction, { kind: "set" | "note" }>,
): Promise<void> {
  const { evaluation: run, engine } = context;
  const { members } = save;
  if (step.kind === "note") {
    const name = step.internal ? "internal_note" : "note";
    members[name] = await context.evaluate(() => step.text(run));
    save.hasNote = true;
    const files =
      step.attachments === null
        ? null
        : await context.evaluate(() => (step.attachments as NonNullable<typeof step.attachments>)(run));
    save.files = isBlank(files) ? [] : isList(files) ? files : [files];
    return;
  }
  const [name, member] = step.field as [string, string | undefined];
  const field = engine.types.get((save.targets[0] as Reference).type).members.get(name)?.field;
  const value = await context.evaluate(() =>
    toInputValue(run, step.value(run), member === undefined ? field : undefined),
  );
  if (member === undefined) members[name] = value;
  else members[name] = { ...(members[name] as object | undefined), [member]: value };
}

async function applySave(context: ActionContext, { targets, members: given, files }: PendingSave): Promise<void> {
  const { engine, tx, by } = context;
  const members = { ...given };
  if (Object.keys(members).length === 0) return;
  for (const target of targets) {
    context.evaluation.checkTime();
    const type = engine.types.get(target.type);
    if (await context.saveInstead?.(context, target, members)) {
      context.actionLog.push(`${type.name} ${target.id}: ${describeMembers(members)}`);
      continue;
    }
    for (const name of Object.keys(members))
      if (!type.members.has(name))
        throw new Failure("evaluation", `${type.name} has no field '${name}' that can be set`);
    await refuseApproval(context, target, members);
    if (files.length > 0) {
      const name = "internal_note" in members ? "internal_note_attachments" : "note_attachments";
      const copies = [];
      for (const file of files)
        copies.push({ key: await copyAttachment(engine.database, context.files, tx, by, file) });
      members[name] = copies;
    }
    await updateInTransaction({ engine, tx, by, type }, Number(target.id), { members, strict: true });
    context.actionLog.push(`${type.name} ${target.id}: ${describeMembers(members)}`);
    for (const [name, internal] of noteMembers)
      if (typeof members[name] === "string")
        context.effects.push({
          ...{ kind: "note", record_type: type.name, record_id: target.id, internal },
          text: members[name],
        });
  }
  context.evaluationContext.invalidate(targets);
}

const noteMembers = [
  ["note", false],
  ["internal_note", true],
] as const;

const describeMembers = (members: Record<string, unknown>): string =>
  Object.entries(members)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(", ");

/** AP4: only people give approvals. */
async function refuseApproval(
  context: ActionContext,
  target: Reference,
  { status }: Record<string, unknown>,
): Promise<void> {
  if (status !== "approved" && status !== "rejected") return;
  if (target.type !== "task" && target.type !== "project_task") return;
  const category = await context.evaluate(() =>
    toText(context.evaluation, context.evaluationContext.field(target, "category") ?? null),
  );
  if (category === "approval") throw new Invalid([["status", "is not valid"]]);
}

async function runOtherAction(
  context: ActionContext,
  step: Exclude<CompiledAction, { kind: "set" | "note" }>,
): Promise<void> {
  switch (step.kind) {
    case "add":
    case "remove":
      return runRelationAction(context, step);
    case "webhook":
      return runWebhookAction(context, step);
    case "email":
      return runEmailAction(context, step);
    case "start":
      return scheduleRule(context, step);
  }
}

async function scheduleRule(context: ActionContext, step: Extract<CompiledAction, { kind: "start" }>): Promise<void> {
  const { evaluation: run, by, evaluationContext } = context;
  const after = await context.evaluate(() => step.after(run));
  const moment =
    after instanceof Duration
      ? shiftMoment(new Moment(by.now.getTime()), after, evaluationContext.zone)
      : after instanceof Moment
        ? after
        : after instanceof Day
          ? startOfDay(after, evaluationContext.zone)
          : null;
  if (moment === null)
    throw new Failure("evaluation", `after needs a duration or a date-time, not ${describeValueKind(after)}`);
  const at = new Date(Math.max(moment.milliseconds, by.now.getTime()));
  context.delayedRules.push({ rule: step.rule, at });
  context.actionLog.push(`start '${step.rule}' at ${at.toISOString()}`);
  context.effects.push({ kind: "start", rule: step.rule, at: at.toISOString() });
}
