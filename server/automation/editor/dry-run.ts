import { randomUUID } from "node:crypto";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ruleDryRun } from "../../../records/answers/automation.ts";
import { NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseFirstId } from "../../database/rows.ts";
import { type Caller, listReachableAccounts } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import { pickHighId, rollBackAfter } from "../../engine/dry-run.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import type { Values } from "../../engine/rules.ts";
import { loadActiveValues } from "../../engine/write/lock.ts";
import { Failure } from "../language/errors.ts";
import { toText } from "../language/operators.ts";
import { ProgramProblem } from "../language/program.ts";
import { isTrue } from "../language/values.ts";
import { getProgram, getRecordType } from "../program-cache.ts";
import { loadRuleCaller } from "../rule-caller.ts";
import { pickTexts } from "../rule-hooks.ts";
import type { RuleJobPayload } from "../rule-job-payload.ts";
import { type RunLogEntry, truncate } from "../run-log.ts";
import {
  type Automation,
  buildActionContext,
  type RuleRow,
  RuleRunFailure,
  type RunExtension,
  runRule,
  toRunError,
} from "../run-rule.ts";
import { describeChanges, type RecordChange } from "./describe-changes.ts";

// Previews the effects of a rule on a record: runs it and rolls the transaction back, so nothing is published. D-473

/** Extra context of rules about records of the type; null: none. */
export type ExtendRun = (
  tx: Transaction,
  subject: Pick<RuleJobPayload, "account" | "type" | "id">,
) => Promise<{ saved: RuleJobPayload["saved"]; extension: RunExtension } | null>;

type DryRunResult = AnswerOf<typeof ruleDryRun>;
type NamedValue = DryRunResult["expressions"][number];

/** `rule`: the texts, name and links as they would be saved. */
export async function runDry(
  automation: Automation,
  by: Caller,
  rule: Readonly<Record<string, unknown>>,
  record: number,
  extend: ExtendRun,
): Promise<DryRunResult> {
  const { engine } = automation;
  const values = rule as Values;
  const type = getRecordType(engine.types, values);
  if (type === null) throw new NotFound();
  await requireRecord(engine, by, engine.types.get(type), record, "read");
  const trigger = String(rule.trigger ?? "");
  const note = trigger === "on note added" ? await findLastNote(engine, by, type, record) : null;
  const payload: RuleJobPayload = {
    ...{ account: by.account, type, id: record, rules: [{ id: 0, trigger }], next: 0 },
    ...{ before: null, saved: null, person: by.person, note, chain: randomUUID(), depth: 0 },
  };
  const row: RuleRow = {
    ...{ id: 0, name: String(rule.name ?? ""), disabled: false, appInstance: null, isLinked: false },
    ...pickTexts(values),
  };
  const prepare = async (tx: Transaction) => {
    const { saved = null, extension } = (await extend(tx, payload)) ?? {};
    return { start: { ...payload, saved }, extension };
  };
  const evaluated = await rollBackAfter(engine, by.zone, async ({ engine: temporary, tx }) => {
    const { start, extension } = await prepare(tx);
    return evaluateAll({ ...automation, engine: temporary }, tx, start, row, extension);
  });
  const toResult = (line: RunLogEntry, changes: readonly RecordChange[]): DryRunResult => ({
    ...{ outcome: line.outcome, condition: line.condition ?? evaluated.condition, actions: line.actions },
    ...{ error: line.error, milliseconds: line.milliseconds, expressions: evaluated.expressions, changes },
    effects: line.outcome === "failed" ? [] : line.effects,
  });
  try {
    const runAndDescribe = async ({ engine: temporary, tx }: { engine: Engine; tx: Transaction }) => {
      const events: ChangeEvent[] = [];
      const collect = async (_: Transaction, __: Caller | null, event: ChangeEvent) => void events.push(event);
      const observed = { ...temporary, listeners: [...temporary.listeners, collect] };
      const { start, extension } = await prepare(tx);
      const now = engine.clock.now();
      const { line } = await runRule({ ...automation, engine: observed }, tx, start, row, now, extension);
      // Notes are among the effects.
      const changes = events.filter(({ type, action }) => type.name !== "note" || action !== "create");
      return toResult(line, await describeChanges(temporary, tx, by, changes));
    };
    // Rules may create a record and continue with it.
    return await rollBackAfter(engine, by.zone, runAndDescribe, pickHighId);
  } catch (error) {
    if (error instanceof RuleRunFailure) return toResult(error.line, []);
    const runError = toRunError(error);
    if (runError === null) throw error;
    return {
      ...{ outcome: "failed", condition: null, actions: [], error: runError, milliseconds: 0 },
      ...{ expressions: evaluated.expressions, changes: [], effects: [] },
    };
  }
}

/** A rule about notes is tried with the last one. */
async function findLastNote(
  { types, database }: Engine,
  by: Caller,
  type: string,
  record: number,
): Promise<number | null> {
  const column = types.get("note").columns.get(type);
  if (column === undefined) return null;
  return parseFirstId(
    await database.read(
      statement(`SELECT id FROM notes WHERE ${column} = $1 AND account_id = ANY($2::text[]) ORDER BY id DESC LIMIT 1`),
      [record, listReachableAccounts(by)],
    ),
  );
}

/**
 * A run evaluates only the expressions that the condition and the actions need. The author of a rule wants to see every
 * line, also failing expressions, so they are evaluated one by one first.
 */
async function evaluateAll(
  automation: Automation,
  tx: Transaction,
  start: RuleJobPayload,
  rule: RuleRow,
  extension: RunExtension | undefined,
): Promise<{ expressions: readonly NamedValue[]; condition: string | null }> {
  const { engine } = automation;
  const { account, type } = start;
  const now = engine.clock.now();
  const values = await loadActiveValues(engine, tx, engine.types.get(type), start.id, account);
  const nothing = { expressions: [], condition: null };
  if (values === null) return nothing;
  try {
    const program = getProgram(engine.types, rule, type);
    const caller = await loadRuleCaller(tx, {
      ...{ account, type, values, now, ofApp: extension !== undefined },
      rule: { id: rule.id, name: rule.name },
    });
    const input = { by: caller, start, rule, program, values, actionLog: [], effects: [] };
    const { evaluation, evaluate } = buildActionContext(automation, tx, input, extension);
    const expressions: NamedValue[] = [];
    for (const [index, name] of program.names.entries())
      expressions.push(
        await describeFailure(name, async () => {
          const value = await evaluate(() => evaluation.evaluateNamed(index));
          return truncate(await evaluate(() => toText(evaluation, value)));
        }),
      );
    const { condition } = program;
    if (condition === null) return { expressions, condition: "true" };
    const met = await describeFailure("", async () => String(isTrue(await evaluate(() => condition(evaluation)))));
    return { expressions, condition: met.error === null ? met.value : null };
  } catch (error) {
    if (error instanceof ProgramProblem || error instanceof Failure) return nothing;
    throw error;
  }
}

async function describeFailure(name: string, evaluate: () => Promise<string>): Promise<NamedValue> {
  try {
    return { name, value: await evaluate(), error: null };
  } catch (error) {
    const told = toRunError(error);
    if (told === null) throw error;
    return { name, value: "", error: told.message };
  }
}
