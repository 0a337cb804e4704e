import { buildNodeId } from "../engine/read/serializer.ts";
import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import type { ActionContext } from "./action-context.ts";
import { Failure } from "./language/errors.ts";
import type { Evaluation } from "./language/evaluation.ts";
import { toJson, toText } from "./language/operators.ts";
import type { CompiledAction } from "./language/program.ts";
import { isBlank, isList, Reference, type Value } from "./language/values.ts";

// Webhook calls and emails of a rule, sent after the commit: AC8, AC9.

export async function runWebhookAction(
  context: ActionContext,
  step: Extract<CompiledAction, { kind: "webhook" }>,
): Promise<void> {
  const { tx, by, rule, evaluation: run, webhooks, person } = context;
  const webhook = await webhooks.findByName(tx, by.account, step.name, rule.appInstance);
  if (webhook === null) throw new Failure("evaluation", `there is no verified webhook '${step.name}'`);
  const payload: Record<string, unknown> = {};
  for (const { name, value } of step.payload)
    payload[name] = await context.evaluate(() =>
      toJson(run, value(run), (reference) => buildReferenceJson(context, reference)),
    );
  webhooks.call(tx, webhook, { account: by.account, rule: rule.id, person, payload }, by.now);
  context.actionLog.push(`call webhook '${step.name}' with ${JSON.stringify(payload)}`);
  context.effects.push({ kind: "webhook", name: step.name, payload });
}

function buildReferenceJson({ engine, evaluationContext, domain }: ActionContext, reference: Reference): unknown {
  const type = engine.types.get(reference.type);
  const display = type.display === "subject" ? "subject" : "name";
  const nodeID = buildNodeId(domain, type.nodeType, reference.id);
  return { id: reference.id, nodeID, [display]: evaluationContext.display(reference) };
}

export async function runEmailAction(
  context: ActionContext,
  step: Extract<CompiledAction, { kind: "email" }>,
): Promise<void> {
  const { evaluation: run, tx, by } = context;
  const recipients = new Set(await context.evaluate(() => collectAddresses(run, step.to(run))));
  if (recipients.size > 500) throw new Failure("limit", "a mail goes to more than 500 people");
  const [subject, body] = await context.evaluate(() => [toText(run, step.subject(run)), toText(run, step.body(run))]);
  const line = subject.replace(/\s+/g, " ").trim().slice(0, 255);
  for (const recipient of recipients)
    addJob(tx, await storeMail(tx, by.now, { account: by.account, recipient, subject: line, body }));
  context.actionLog.push(`send email '${line}' to ${[...recipients].join(", ") || "nobody"}`);
  context.effects.push({ kind: "email", to: [...recipients], subject: line, body });
}

function collectAddresses(run: Evaluation, value: Value): string[] {
  if (isBlank(value)) return [];
  if (isList(value)) return value.flatMap((item) => collectAddresses(run, item));
  if (value instanceof Reference) {
    if (value.type === "team") return collectAddresses(run, run.context.field(value, "members") ?? null);
    if (value.type === "person") return collectAddresses(run, run.context.field(value, "primary_email") ?? null);
    throw new Failure("evaluation", `${value.type} has no e-mail address`);
  }
  const list = toText(run, value)
    .split(",")
    .map((part) => part.trim());
  for (const address of list)
    if (!/^[^\s@,;<>"]{1,200}@[^\s@,;<>"]{1,200}$/.test(address))
      throw new Failure("evaluation", `'${address.slice(0, 100)}' is no e-mail address`);
  return list;
}
