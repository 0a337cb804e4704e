import { Invalid } from "../base/errors.ts";
import { mayCreate } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireRecord } from "../engine/find.ts";
import { linkIn, unlinkIn } from "../engine/links.ts";
import { nodeId } from "../engine/output.ts";
import { removeIn } from "../engine/remove.ts";
import type { Type } from "../engine/types.ts";
import { updateIn } from "../engine/update.ts";
import { createWithin } from "../engine/within.ts";
import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { FileStore } from "../storage/files/index.ts";
import { quoted } from "../storage/schema/model.ts";
import { copyOfFile } from "./attachments.ts";
import { inputOf } from "./input.ts";
import { shiftMoment } from "./language/dates.ts";
import { jsonOf, textOf } from "./language/operators.ts";
import { Failure } from "./language/problem.ts";
import type { Step } from "./language/program.ts";
import type { Run } from "./language/run.ts";
import { Day, Duration, isBlank, isList, kindOf, Moment, Reference, type Value } from "./language/values.ts";
import { subjectOf } from "./vocabulary.ts";
import type { Webhooks } from "./webhooks.ts";
import type { RecordWorld } from "./world.ts";

// What the actions of a rule do, in the name of the person it acts for: reference, automation.md sections 8 and 9.

export type Stage = {
  engine: Engine;
  tx: Transaction;
  by: Caller;
  world: RecordWorld;
  run: Run;
  rule: { id: number; name: string; appInstance: number | null };
  /** who caused the save */
  person: number | null;
  domain: string;
  webhooks: Webhooks;
  files: FileStore;
  /** what was done, in words */
  done: string[];
  /** rules to be started later, once this run is over */
  delayed: { rule: string; at: Date }[];
  /** tasks that `new` made of templates the workflow's template does not have */
  strangers: Set<number>;
  /** evaluates, reading what is missing on the way */
  evaluate<T>(work: () => T): Promise<T>;
};

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

function targetsOf(value: Value): Reference[] {
  const list = isList(value) ? value : [value];
  return list
    .filter((item) => !isBlank(item))
    .map((item) => {
      if (item instanceof Reference) return item;
      throw new Failure("evaluation", `${kindOf(item)} cannot be updated`);
    });
}

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
  const field = engine.types.named((save.targets[0] as Reference).type).members.get(name)?.field;
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
    const type = engine.types.named(target.type);
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
    await updateIn(engine, tx, by, type, Number(target.id), { members, strict: true });
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

// ---- relations

async function relate(stage: Stage, step: Extract<Step, { kind: "add" | "remove" }>): Promise<void> {
  const { run, engine, tx, by } = stage;
  const targets = targetsOf(await stage.evaluate(() => step.target(run)));
  const items = targetsOf(await stage.evaluate(() => step.value(run)));
  if (targets.length === 0 || items.length === 0)
    stage.done.push(`${step.kind} ${step.field}: no record, nothing done`);
  for (const target of targets) {
    const type = engine.types.named(target.type);
    for (const item of items) {
      run.checkTime();
      const [id, other] = [Number(target.id), Number(item.id)];
      const link = Object.hasOwn(type.links, step.field) ? type.links[step.field] : undefined;
      if (link !== undefined) {
        if (link.to !== item.type) throw new Failure("evaluation", `${item.type} cannot be in ${step.field}`);
        if (stage.strangers.has(id) || stage.strangers.has(other))
          throw new Failure("validation", "must be linked to the same workflow");
        if (step.kind === "add") await linkIn(engine, tx, by, type, id, step.field, other);
        else await unlinkIn(engine, tx, by, type, id, step.field, other);
      } else await relateChild(stage, type, id, step, item);
      stage.done.push(
        `${type.name} ${id}: ${step.kind} ${item.type} ${other} ${step.kind === "add" ? "to" : "from"} ${step.field}`,
      );
    }
  }
  stage.world.forget();
}

/** Approvals and watches are records of their own that name a person. */
async function relateChild(
  stage: Stage,
  type: Type,
  id: number,
  step: Extract<Step, { kind: "add" | "remove" }>,
  item: Reference,
) {
  const { engine, tx, by } = stage;
  const child = Object.hasOwn(type.children, step.field) ? type.children[step.field] : undefined;
  const subject = child === undefined ? null : subjectOf(engine.types, child.of);
  if (child === undefined || subject === null || subject.to !== item.type)
    throw new Failure("evaluation", `${item.type} cannot be in ${step.field} of ${type.name}`);
  const owned = engine.types.named(child.of);
  const owner = child.by ?? type.name;
  const [ownerColumn, column] = [owned.columns.get(owner) ?? `${owner}_id`, owned.columns.get(subject.field) as string];
  const account = await requireRecord(engine, by, type, id, "update", tx);
  const [there] = await tx.query(
    statement(`SELECT id FROM ${owned.table} WHERE ${quoted(ownerColumn)} = $1 AND ${quoted(column)} = $2`),
    [id, Number(item.id)],
  );
  if (step.kind === "add" && there === undefined)
    await createWithin(
      engine,
      tx,
      by,
      owned,
      { [subject.field]: Number(item.id) },
      { fixed: { [owner]: id }, account },
    );
  if (step.kind === "remove" && there !== undefined)
    await removeIn(engine, tx, by, owned, Number(there[0]), {
      rights: "of the parent",
      clause: {
        key: `${ownerColumn} here`,
        sql: (alias, next) => `${alias}.${quoted(ownerColumn)} = ${next()}`,
        values: [id],
      },
    });
}

const templateOfWorkflow = statement(
  `SELECT t.id FROM task_templates t JOIN task_template_relations r ON r.task_template_id = t.id
JOIN workflows w ON w.template_id = r.workflow_template_id
WHERE w.id = $1 AND t.subject = $2 AND t.account_id = $3 AND NOT t.disabled ORDER BY t.id LIMIT 1`,
);
const anyTemplate = statement(
  "SELECT id FROM task_templates WHERE subject = $1 AND account_id = $2 AND NOT disabled ORDER BY id LIMIT 1",
);

/** The task that `new` asks for, in the workflow of the record. */
export async function makeTask(stage: Stage, workflow: number | null, subject: string): Promise<Reference | null> {
  const { engine, tx, by } = stage;
  if (workflow === null) throw new Failure("evaluation", "the record has no workflow to create a task in");
  const [own] = await tx.query(templateOfWorkflow, [workflow, subject, by.account]);
  const [other] = own === undefined ? await tx.query(anyTemplate, [subject, by.account]) : [];
  const template = own ?? other;
  if (template === undefined) throw new Failure("evaluation", `there is no task template '${subject.slice(0, 100)}'`);
  const type = engine.types.named("task");
  const needed = mayCreate(type, by) ? "link to" : "update";
  const account = await requireRecord(engine, by, engine.types.named("workflow"), workflow, needed, tx);
  const id = await createWithin(
    engine,
    tx,
    by,
    type,
    { template: Number(template[0]) },
    { fixed: { workflow }, account },
  );
  if (own === undefined) stage.strangers.add(id);
  stage.done.push(`task ${id} created from '${subject}'`);
  return new Reference("task", id);
}

// ---- messages

async function callWebhook(stage: Stage, step: Extract<Step, { kind: "webhook" }>): Promise<void> {
  const { tx, by, rule, run, webhooks, person } = stage;
  const webhook = await webhooks.named(tx, by.account, step.name, rule.appInstance);
  if (webhooks.exist() && webhook === null)
    throw new Failure("evaluation", `there is no verified webhook '${step.name}'`);
  const payload: Record<string, unknown> = {};
  for (const { name, value } of step.payload)
    payload[name] = await stage.evaluate(() => jsonOf(run, value(run), (of) => referenceJson(stage, of)));
  webhooks.call(tx, webhook, { account: by.account, rule: rule.id, person, payload }, by.now);
  stage.done.push(`call webhook '${step.name}' with ${JSON.stringify(payload)}`);
}

function referenceJson({ engine, world, domain }: Stage, of: Reference): unknown {
  const type = engine.types.named(of.type);
  const display = type.display === "subject" ? "subject" : "name";
  return { id: of.id, nodeID: nodeId(domain, type.nodeType, of.id), [display]: world.display(of) };
}

async function sendEmail(stage: Stage, step: Extract<Step, { kind: "email" }>): Promise<void> {
  const { run, tx, by } = stage;
  const recipients = new Set(await stage.evaluate(() => addressesOf(run, step.to(run))));
  if (recipients.size > 500) throw new Failure("limit", "a mail goes to more than 500 people");
  const [subject, body] = await stage.evaluate(() => [textOf(run, step.subject(run)), textOf(run, step.body(run))]);
  const line = subject.replace(/\s+/g, " ").trim().slice(0, 255);
  for (const recipient of recipients)
    addJob(tx, await storeMail(tx, by.now, { account: by.account, recipient, subject: line, body }));
  stage.done.push(`send email '${line}' to ${[...recipients].join(", ") || "nobody"}`);
}

function addressesOf(run: Run, value: Value): string[] {
  if (isBlank(value)) return [];
  if (isList(value)) return value.flatMap((item) => addressesOf(run, item));
  if (value instanceof Reference) {
    if (value.type === "team") return addressesOf(run, run.world.field(value, "members") ?? null);
    if (value.type === "person") return addressesOf(run, run.world.field(value, "primary_email") ?? null);
    throw new Failure("evaluation", `${value.type} has no e-mail address`);
  }
  const list = textOf(run, value)
    .split(",")
    .map((part) => part.trim());
  for (const address of list)
    if (!/^[^\s@,;<>"]{1,200}@[^\s@,;<>"]{1,200}$/.test(address))
      throw new Failure("evaluation", `'${address.slice(0, 100)}' is no e-mail address`);
  return list;
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
          ? new Moment(Date.parse(after.text))
          : null;
  if (moment === null) throw new Failure("evaluation", `after needs a duration or a date-time, not ${kindOf(after)}`);
  const at = new Date(Math.max(moment.milliseconds, by.now.getTime()));
  stage.delayed.push({ rule: step.rule, at });
  stage.done.push(`start '${step.rule}' at ${at.toISOString()}`);
}
