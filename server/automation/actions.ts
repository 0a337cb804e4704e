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

// What the actions of a rule do, in the name of the person it acts for: AC1 to AC12.

/** Fields of the same records that are set one after the other are one save; a note right behind belongs to it. */
type PendingSave = {
  targets: readonly Reference[];
  members: Record<string, unknown>;
  hasNote: boolean;
  /** files of the note */
  files: readonly Value[];
};

export async function runActions(stage: ActionContext, steps: readonly CompiledAction[]): Promise<void> {
  let pending: PendingSave | null = null;
  const flush = async () => {
    const save = pending;
    pending = null;
    if (save !== null) await applySave(stage, save);
  };
  for (const step of steps) {
    stage.evaluation.checkTime();
    if (step.kind !== "set" && step.kind !== "note") {
      await flush();
      await runOtherAction(stage, step);
      continue;
    }
    const targets = toReferences(await stage.evaluate(() => step.target(stage.evaluation)));
    const goesOn: boolean =
      pending !== null &&
      !(pending as PendingSave).hasNote &&
      hasSameTargets((pending as PendingSave).targets, targets);
    if (!goesOn) {
      await flush();
      pending = { targets, members: {}, hasNote: false, files: [] };
    }
    if (targets.length === 0)
      stage.actionLog.push(
        `${step.kind === "set" ? `set ${step.field.join(".")}` : "add note"}: no record, nothing done`,
      );
    else await addToSave(stage, pending as unknown as PendingSave, step);
  }
  await flush();
}

const hasSameTargets = (one: readonly Reference[], other: readonly Reference[]): boolean =>
  one.length === other.length && one.every(({ type, id }, i) => other[i]?.type === type && other[i]?.id === id);

async function addToSave(
  stage: ActionContext,
  save: PendingSave,
  step: Extract<CompiledAction, { kind: "set" | "note" }>,
): Promise<void> {
  const { evaluation: run, engine } = stage;
  const { members } = save;
  if (step.kind === "note") {
    const name = step.internal ? "internal_note" : "note";
    members[name] = await stage.evaluate(() => step.text(run));
    save.hasNote = true;
    const files =
      step.attachments === null
        ? null
        : await stage.evaluate(() => (step.attachments as NonNullable<typeof step.attachments>)(run));
    save.files = isBlank(files) ? [] : isList(files) ? files : [files];
    return;
  }
  const [name, member] = step.field as [string, string | undefined];
  const field = engine.types.get((save.targets[0] as Reference).type).members.get(name)?.field;
  const value = await stage.evaluate(() =>
    toInputValue(run, step.value(run), member === undefined ? field : undefined),
  );
  if (member === undefined) members[name] = value;
  else members[name] = { ...(members[name] as object | undefined), [member]: value };
}

async function applySave(stage: ActionContext, { targets, members: given, files }: PendingSave): Promise<void> {
  const { engine, tx, by } = stage;
  const members = { ...given };
  if (Object.keys(members).length === 0) return;
  for (const target of targets) {
    stage.evaluation.checkTime();
    const type = engine.types.get(target.type);
    for (const name of Object.keys(members))
      if (!type.members.has(name))
        throw new Failure("evaluation", `${type.name} has no field '${name}' that can be set`);
    await refuseApproval(stage, target, members);
    if (files.length > 0) {
      const name = "internal_note" in members ? "internal_note_attachments" : "note_attachments";
      const copies = [];
      for (const file of files) copies.push({ key: await copyAttachment(engine.database, stage.files, tx, by, file) });
      members[name] = copies;
    }
    await updateInTransaction({ engine, tx, by, type }, Number(target.id), { members, strict: true });
    stage.actionLog.push(`${type.name} ${target.id}: ${describeMembers(members)}`);
  }
  stage.evaluationContext.invalidate(targets);
}

const describeMembers = (members: Record<string, unknown>): string =>
  Object.entries(members)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(", ");

/** Approvals are given by people: AP4. */
async function refuseApproval(
  stage: ActionContext,
  target: Reference,
  { status }: Record<string, unknown>,
): Promise<void> {
  if (status !== "approved" && status !== "rejected") return;
  if (target.type !== "task" && target.type !== "project_task") return;
  const category = await stage.evaluate(() =>
    toText(stage.evaluation, stage.evaluationContext.field(target, "category") ?? null),
  );
  if (category === "approval") throw new Invalid([["status", "is not valid"]]);
}

async function runOtherAction(
  stage: ActionContext,
  step: Exclude<CompiledAction, { kind: "set" | "note" }>,
): Promise<void> {
  switch (step.kind) {
    case "add":
    case "remove":
      return runRelationAction(stage, step);
    case "webhook":
      return runWebhookAction(stage, step);
    case "email":
      return runEmailAction(stage, step);
    case "start":
      return scheduleRule(stage, step);
  }
}

async function scheduleRule(stage: ActionContext, step: Extract<CompiledAction, { kind: "start" }>): Promise<void> {
  const { evaluation: run, by, evaluationContext: world } = stage;
  const after = await stage.evaluate(() => step.after(run));
  const moment =
    after instanceof Duration
      ? shiftMoment(new Moment(by.now.getTime()), after, world.zone)
      : after instanceof Moment
        ? after
        : after instanceof Day
          ? startOfDay(after, world.zone)
          : null;
  if (moment === null)
    throw new Failure("evaluation", `after needs a duration or a date-time, not ${describeValueKind(after)}`);
  const at = new Date(Math.max(moment.milliseconds, by.now.getTime()));
  stage.delayedRules.push({ rule: step.rule, at });
  stage.actionLog.push(`start '${step.rule}' at ${at.toISOString()}`);
}
