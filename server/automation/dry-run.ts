import { randomUUID } from "node:crypto";
import { NotFound } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import { requireRecord } from "../engine/find.ts";
import type { Values } from "../engine/rules.ts";
import { getRecordType } from "./program-cache.ts";
import { pickTexts } from "./rule-hooks.ts";
import type { RunLogEntry } from "./run-log.ts";
import { type Automation, RuleRunFailure, runRule, toRunError } from "./run-rule.ts";

// Shows what a rule would do for a record: runs it and rolls the transaction back.

class DryRunRollback extends Error {
  readonly line: RunLogEntry;
  constructor(line: RunLogEntry) {
    super("undone");
    this.line = line;
  }
}

type DryRunResult = Pick<RunLogEntry, "outcome" | "expressions" | "condition" | "actions" | "error">;

/** `rule`: the texts, name and links as they would be saved. */
export async function runDry(
  automation: Automation,
  by: Caller,
  rule: Readonly<Record<string, unknown>>,
  record: number,
): Promise<DryRunResult> {
  const { engine } = automation;
  const values = rule as Values;
  const type = getRecordType(engine.types, values);
  if (type === null) throw new NotFound();
  await requireRecord(engine, by, engine.types.get(type), record, "read");
  const now = engine.clock.now();
  const payload = {
    ...{ account: by.account, type, id: record, rules: [{ id: 0, trigger: String(rule.trigger ?? "") }], next: 0 },
    ...{ before: null, saved: null, person: by.person, note: null, chain: randomUUID(), depth: 0 },
  };
  const row = {
    id: 0,
    name: String(rule.name ?? ""),
    disabled: false,
    appInstance: null,
    isLinked: false,
    ...pickTexts(values),
  };
  try {
    return await engine.database.transaction(async (tx) => {
      const { line } = await runRule(automation, tx, payload, row, now);
      throw new DryRunRollback(line);
    });
  } catch (error) {
    if (error instanceof DryRunRollback || error instanceof RuleRunFailure) return toDryRunResult(error.line);
    const runError = toRunError(error);
    if (runError === null) throw error;
    return { outcome: "failed", expressions: [], condition: null, actions: [], error: runError };
  }
}

const toDryRunResult = ({ outcome, expressions, condition, actions, error }: RunLogEntry): DryRunResult => ({
  ...{ outcome, expressions, condition, actions, error },
});
