import { Invalid } from "../base/errors.ts";
import { updateInTransaction } from "../engine/update.ts";
import { copyOfFile } from "./attachments.ts";
import { inputOf } from "./input.ts";
import { shiftMoment, startOf } from "./language/dates.ts";
import { textOf } from "./language/operators.ts";
import { Failure } from "./language/problem.ts";
import type { Step } from "./language/program.ts";
import { Day, Duration, isBlank, isList, kindOf, Moment, type Reference, type Value } from "./language/values.ts";
import { callWebhook, sendEmail } from "./messages.ts";
import { relate } from "./relations.ts";
import { type Stage, targetsOf } from "./stage.ts";

// What the actions of a rule do, in the name of the person it acts for: reference, automation.md sections 8 and 9.

/** Fields of the same records that are set one after the other are one save; a note right behind belongs to it. */
type Save = {
  targets: readonly Reference[];
  members: Record<string, unknown>;
  hasNote: boolean;
  /** files of the note */
  files: readonly Value[];
};

export async function perform(stage: Stage, steps: readonly Step[]): Promise<void> {
  let pending: Save | null = null;
  const flush = async () => {
    const save = pending;
    pending = null;
    if (save !== null) await carryOutSave(stage, save);
  };
  for (const step of steps) {
    stage.run.checkTime();
    if (step.kind !== "set" && step.kind !== "note") {
      await flush();
      await performOther(stage, step);
      continue;
    }
    const targets = targetsOf(await stage.evaluate(() => step.target(stage.run)));
    const goesOn: boolean =
      pending !== null && !(pending as Save).hasNote && sameTargets((pending as Save).targets, targets);
    if (!goesOn) {
      await flush();
      pending = { targets, members: {}, hasNote: false, files: [] };
    }
    if (targets.length === 0)
      stage.done.push(`${step.kind === "set" ? `set ${step.field.join(".")}` : "add note"}: no record, nothing done`);
    else await addTo(stage, pending as unknown as Save, step);
  }
  await flush();
}

const sameTargets = (one: readonly Reference[], other: readonly Reference[]): boolean =>
  one.length === other.length && one.every(({ type, id }, i) => other[i]?.type === type && other[i]?.id === id);

async function addTo(stage: Stage, save: Save, step: Extract<Step, { kind: "set" | "note" }>): Promise<void> {
  const { run, engine } = stage;
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
  const value = await stage.evaluate(() => inputOf(run, step.value(run), member === undefined ? field : undefined));
  if (member === undefined) members[name] = value;
  else members[name] = { ...(members[name] as object | undefined), [member]: value };
}

async function carryOutSave(stage: Stage, { targets, members: given, files }: Save): Promise<void> {
  const { engine, tx, by } = stage;
  const members = { ...given };
  if (Object.keys(members).length === 0) return;
  for (const target of targets) {
    stage.run.checkTime();
    const type = engine.types.get(target.type);
    for (const name of Object.keys(members))
      if (!type.members.has(name))
        throw new Failure("evaluation", `${type.name} has no field '${name}' that can be set`);
    await refuseVote(stage, target, members);
    if (files.length > 0) {
      const name = "internal_note" in members ? "internal_note_attachments" : "note_attachments";
      const copies = [];
      for (const file of files) copies.push({ key: await copyOfFile(engine.database, stage.files, tx, by, file) });
      members[name] = copies;
    }
    await updateInTransaction(engine, tx, by, type, Number(target.id), { members, strict: true });
    stage.done.push(`${type.name} ${target.id}: ${told(members)}`);
  }
  stage.world.forget(targets);
}

const told = (members: Record<string, unknown>): string =>
  Object.entries(members)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(", ");

/** Approvals are given by people: lifecycles.md AP4. */
async function refuseVote(stage: Stage, target: Reference, { status }: Record<string, unknown>): Promise<void> {
  if (status !== "approved" && status !== "rejected") return;
  if (target.type !== "task" && target.type !== "project_task") return;
  const category = await stage.evaluate(() => textOf(stage.run, stage.world.field(target, "category") ?? null));
  if (category === "approval") throw new Invalid([["status", "is not valid"]]);
}

async function performOther(stage: Stage, step: Exclude<Step, { kind: "set" | "note" }>): Promise<void> {
  switch (step.kind) {
    case "add":
    case "remove":
      return relate(stage, step);
    case "webhook":
      return callWebhook(stage, step);
    case "email":
      return sendEmail(stage, step);
    case "start":
      return startLater(stage, step);
  }
}

async function startLater(stage: Stage, step: Extract<Step, { kind: "start" }>): Promise<void> {
  const { run, by, world } = stage;
  const after = await stage.evaluate(() => step.after(run));
  const moment =
    after instanceof Duration
      ? shiftMoment(new Moment(by.now.getTime()), after, world.zone)
      : after instanceof Moment
        ? after
        : after instanceof Day
          ? startOf(after, world.zone)
          : null;
  if (moment === null) throw new Failure("evaluation", `after needs a duration or a date-time, not ${kindOf(after)}`);
  const at = new Date(Math.max(moment.milliseconds, by.now.getTime()));
  stage.delayed.push({ rule: step.rule, at });
  stage.done.push(`start '${step.rule}' at ${at.toISOString()}`);
}
