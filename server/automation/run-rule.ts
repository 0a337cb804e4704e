import { formatFieldMessage } from "../../records/languages/index.ts";
import { Forbidden, Invalid, NotFound, TimedOut, Unavailable } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Values } from "../engine/rules.ts";
import { loadActiveValues } from "../engine/write/lock.ts";
import type { FileStore } from "../files/index.ts";
import type { ActionContext, RuleEffect } from "./action-context.ts";
import { runActions } from "./actions.ts";
import { RecordEvaluationContext } from "./evaluation-context.ts";
import { Failure } from "./language/errors.ts";
import { Evaluation, MissingData } from "./language/evaluation.ts";
import { toText } from "./language/operators.ts";
import { type Program, ProgramProblem, type RuleTexts } from "./language/program.ts";
import { Bag, isTrue, Reference, type Value } from "./language/values.ts";
import { getProgram } from "./program-cache.ts";
import { createTaskFromTemplate } from "./relation-actions.ts";
import { loadRuleCaller } from "./rule-caller.ts";
import type { RuleJobPayload } from "./rule-job-payload.ts";
import { type RunLogEntry, truncate } from "./run-log.ts";
import type { WebhookCaller } from "./webhook-caller.ts";

// Runs one rule for one record in a transaction: X1 to X21.

/** Extra context of rules about some types; these rules have the rights of an administrator. */
export type RunExtension = {
  names: Readonly<Record<string, Value>>;
  saveInstead: NonNullable<ActionContext["saveInstead"]>;
};

export type Automation = { engine: Engine; log: Log; domain: string; webhooks: WebhookCaller; files: FileStore };

/** `isLinked`: the rule belongs to one record, not to all of a type */
export type RuleRow = {
  id: number;
  name: string;
  disabled: boolean;
  appInstance: number | null;
  isLinked: boolean;
} & RuleTexts;

/** The log entry of a run and its effects. */
export type RuleRunResult = {
  line: RunLogEntry;
  delayed: readonly { rule: number; at: Date }[];
  /** whether the rule changed its own record */
  changedRecord: boolean;
  /** the receiver may answer later */
  calledWebhook: boolean;
};

/** A failed run: its effects are rolled back, its log entry is kept. */
export class RuleRunFailure extends Error {
  readonly line: RunLogEntry;
  constructor(line: RunLogEntry) {
    super(line.error?.message);
    this.line = line;
  }
}

const selectRules = statement(
  "SELECT id, name, disabled, app_instance_id, condition, expressions, actions, generic IS NULL FROM automation_rules WHERE id = ANY($1::integer[]) AND account_id = $2",
);

/** By id, without deleted rules. */
export async function loadRules(
  tx: Transaction,
  { rules, account }: Pick<RuleJobPayload, "rules" | "account">,
): Promise<ReadonlyMap<number, RuleRow>> {
  const rows = await tx.query(selectRules, [rules.map(({ id }) => id), account]);
  return new Map(
    rows.map((row) => [
      Number(row[0]),
      {
        id: Number(row[0]),
        name: row[1] as string,
        disabled: row[2] === "t",
        appInstance: row[3] == null ? null : Number(row[3]),
        condition: row[4] ?? null,
        expressions: row[5] ?? null,
        actions: row[6] ?? null,
        isLinked: row[7] === "t",
      },
    ]),
  );
}

const noEffects: Omit<RuleRunResult, "line"> = { delayed: [], changedRecord: false, calledWebhook: false };

/** Throws a RuleRunFailure, or an error that is not the rule's fault. */
export async function runRule(
  automation: Automation,
  tx: Transaction,
  start: RuleJobPayload,
  rule: RuleRow,
  now: Date,
  extension?: RunExtension,
): Promise<RuleRunResult> {
  const { engine } = automation;
  const startTime = Date.now();
  const trigger = start.rules[start.next]?.trigger ?? "";
  const { account, type: typeName, id, chain } = start;
  const line: RunLogEntry = {
    ...{ account, rule: { id: rule.id, name: rule.name }, type: typeName, id, trigger, chain, startedAt: now },
    ...{ milliseconds: 0, person: null, outcome: "done", expressions: [], condition: null, actions: [], error: null },
    effects: [],
  };
  const finish = (members: Partial<RunLogEntry>): RunLogEntry =>
    Object.assign(line, { milliseconds: Date.now() - startTime }, members);
  const type = engine.types.get(typeName);
  const values = start.gone ?? (await loadActiveValues(engine, tx, type, id, account));
  if (values === null)
    return {
      line: finish({ outcome: "dropped", error: { kind: "evaluation", message: "the record is gone" } }),
      ...noEffects,
    };
  const actionLog: string[] = [];
  const effects: RuleEffect[] = [];
  let [program, run]: [Program | null, Evaluation | null] = [null, null];
  const expressions = () => (run === null || program === null ? [] : formatExpressions(run, program));
  try {
    program = getProgram(engine.types, rule, typeName);
    const by = await loadRuleCaller(tx, {
      account,
      type: typeName,
      values,
      rule: line.rule,
      ofApp: rule.appInstance !== null || extension !== undefined,
      now,
    });
    line.person = by.person;
    const input = { by, start, rule, program, values, actionLog, effects };
    const actionContext = buildActionContext(automation, tx, input, extension);
    run = actionContext.evaluation;
    if (start.gone !== undefined)
      actionContext.evaluationContext.setRecord(actionContext.evaluationContext.self as Reference, start.gone);
    else if (
      !(await actionContext.evaluate(() =>
        actionContext.evaluationContext.hasRecord(actionContext.evaluationContext.self as Reference),
      ))
    )
      throw new Failure("permission", `${by.me.name} may not read the record`);
    const { condition } = program;
    const met = condition === null ? true : await actionContext.evaluate(() => condition(actionContext.evaluation));
    line.condition = String(isTrue(met));
    if (!isTrue(met)) {
      await loadDisplayNames(actionContext);
      return { line: finish({ outcome: "not met", expressions: expressions() }), ...noEffects };
    }
    await runActions(actionContext, program.actions);
    const delayed = [];
    for (const { rule: name, at } of actionContext.delayedRules)
      delayed.push({ rule: await findRuleToStart(tx, start, name, rule.appInstance), at });
    const changedRecord = !actionContext.evaluationContext.isUnchanged;
    await loadDisplayNames(actionContext);
    const calledWebhook = program.actions.some(({ kind }) => kind === "webhook");
    return {
      line: finish({ expressions: expressions(), actions: actionLog, effects }),
      delayed,
      changedRecord,
      calledWebhook,
    };
  } catch (caught) {
    const error = toRunError(caught);
    if (error === null) throw caught;
    throw new RuleRunFailure(finish({ outcome: "failed", expressions: expressions(), actions: actionLog, error }));
  }
}

type RunInput = {
  by: Caller;
  start: RuleJobPayload;
  rule: RuleRow;
  program: Program;
  values: Values;
  actionLog: string[];
  effects: RuleEffect[];
};

export function buildActionContext(
  { engine, domain, webhooks, files }: Automation,
  tx: Transaction,
  { by, start, rule, program, values, actionLog, effects }: RunInput,
  extension?: RunExtension,
): ActionContext {
  const reference = (type: string, id: number | null): Value => (id === null ? null : new Reference(type, id));
  const { id: accountId, name: accountName, organization } = by.accountRecord;
  const workflow = (start.type === "workflow" ? start.id : (values.workflow ?? null)) as number | null;
  const evaluationContext: RecordEvaluationContext = new RecordEvaluationContext({
    ...{ engine, tx, by, before: start.before, partly: start.partly === true, saved: start.saved },
    self: new Reference(start.type, start.id),
    pseudo: {
      rule: new Bag({ id: rule.id, name: rule.name }),
      current_person: reference("person", start.person),
      account: new Bag({
        id: accountId,
        name: accountName,
        organization: reference("organization", organization),
      }),
      rule_app_instance: reference("app_instance", rule.appInstance),
      note: reference("note", start.note),
      ...extension?.names,
    },
    create: (subject) => createTaskFromTemplate(actionContext, workflow, subject),
  });
  const evaluation = new Evaluation(evaluationContext, program.expressions);
  const actionContext: ActionContext = {
    ...{ engine, tx, by, evaluationContext, evaluation, rule, domain, webhooks, files, actionLog, effects },
    ...{ person: start.person, delayedRules: [], tasksFromForeignTemplates: new Set() },
    ...(extension === undefined ? {} : { saveInstead: extension.saveInstead }),
    evaluate: (work) => evaluateLoadingMissing(evaluation, evaluationContext, work),
  };
  return actionContext;
}

const maxRounds = 2000;

/** Evaluates, loads missing data, and repeats until nothing is missing. */
export async function evaluateLoadingMissing<T>(
  run: Evaluation,
  context: RecordEvaluationContext,
  work: () => T,
): Promise<T> {
  for (let round = 0; round < maxRounds; round++) {
    try {
      return work();
    } catch (error) {
      if (error instanceof RangeError) throw new Failure("limit", "nested too deeply");
      if (!(error instanceof MissingData)) throw error;
      run.checkTime();
      await context.loadMissing(error.requests);
    }
  }
  throw new Failure("limit", "the rule reads too much");
}

/** Loads the names of the records that the log entry shows. */
async function loadDisplayNames(actionContext: ActionContext): Promise<void> {
  for (const [, value] of actionContext.evaluation.getEvaluated())
    await actionContext
      .evaluate(() => toText(actionContext.evaluation, value))
      .catch((error) => {
        if (!(error instanceof Failure)) throw error;
      });
}

/** Falls back to type and id where a name is not loaded. */
function formatForLog(run: Evaluation, value: Value): string {
  try {
    return truncate(toText(run, value));
  } catch (error) {
    if (error instanceof MissingData || error instanceof Failure)
      return value instanceof Reference
        ? `${value.type} ${value.id}`
        : Array.isArray(value)
          ? `${value.length} elements`
          : "";
    throw error;
  }
}

const formatExpressions = (run: Evaluation, { names }: Program) =>
  run.getEvaluated().map(([index, value]) => ({ name: names[index] as string, value: formatForLog(run, value) }));

const selectDelayedRule = statement(
  `SELECT id FROM automation_rules WHERE account_id = $1 AND name = $2 AND trigger = 'after delay'
  AND app_instance_id IS NOT DISTINCT FROM $5::integer
  AND (generic = $3 OR ($3 = 'request' AND request_id = $4) OR ($3 = 'task' AND task_id = $4)
    OR ($3 = 'workflow' AND workflow_id = $4) OR ($3 = 'project_task' AND project_task_id = $4))
ORDER BY generic NULLS FIRST, id LIMIT 1`,
);

async function findRuleToStart(
  tx: Transaction,
  start: RuleJobPayload,
  name: string,
  app: number | null,
): Promise<number> {
  const [row] = await tx.query(selectDelayedRule, [start.account, name, start.type, start.id, app]);
  if (row === undefined) throw new Failure("evaluation", `there is no rule '${name}' to start`);
  return Number(row[0]);
}

/** The error for the log entry; null: the error is not the rule's fault. */
export function toRunError(error: unknown): RunLogEntry["error"] {
  if (error instanceof Failure) return { kind: error.kind, message: error.message };
  if (error instanceof ProgramProblem) return { kind: "parse", message: `${error.text}: ${error.message}` };
  if (error instanceof Forbidden)
    return { kind: "permission", message: error.message || "not allowed to change the record" };
  if (error instanceof NotFound) return { kind: "permission", message: "the record cannot be found" };
  if (error instanceof Invalid) {
    const texts = error.problems.map((problem) => formatFieldMessage("en-US", problem));
    return { kind: "validation", message: texts.join(", ") };
  }
  if (error instanceof Unavailable || error instanceof TimedOut) return null;
  // Constraint violations and invalid data.
  const { code } = error as { code?: string };
  return code?.startsWith("22") || code?.startsWith("23") ? { kind: "validation", message: "is not valid" } : null;
}
