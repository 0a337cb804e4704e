import { randomUUID } from "node:crypto";
import { NotFound } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import { requireRecord } from "../engine/find.ts";
import type { Values } from "../engine/rules.ts";
import { getRecordType } from "./program-cache.ts";
import { pickTexts } from "./rule-hooks.ts";
import type { RunLogEntry } from "./run-log.ts";
import { type Automation, RuleRunFailure, runRule, toRunError } from "./run-rule.ts";

// What a rule would do for a record: it is run, and everything it did is undone.

class DryRunRollback extends Error {
  readonly line: RunLogEntry;
  constructor(line: RunLogEntry) {
    super("undone");
    this.line = line;
  }
}

type DryRunResult = Pick<RunLogEntry, "outcome" | "expressions" | "condition" | "actions" | "error">;

/** `rule`: its texts, its name and its links, as they would be saved. */
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
  const start = {
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
      const { line } = await runRule(automation, tx, start, row, now);
      throw new DryRunRollback(line);
    });
  } catch (error) {
    if (error instanceof DryRunRollback || error instanceof RuleRunFailure) return toDryRunResult(error.line);
    const told = toRunError(error);
    if (told === null) throw error;
    return { outcome: "failed", expressions: [], condition: null, actions: [], error: told };
  }
}

const toDryRunResult = ({ outcome, expressions, condition, actions, error }: RunLogEntry): DryRunResult => ({
  ...{ outcome, expressions, condition, actions, error },
});
