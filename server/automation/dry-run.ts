import { randomUUID } from "node:crypto";
import { NotFound } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import { requireRecord } from "../engine/find.ts";
import type { Values } from "../engine/rules.ts";
import { textsOf } from "./check.ts";
import { recordOf } from "./programs.ts";
import type { RunLine } from "./run-log.ts";
import { type Automation, failureOf, RunFailed, runRule } from "./run-rule.ts";

// What a rule would do for a record: it is run, and everything it did is undone.

class Undone extends Error {
  readonly line: RunLine;
  constructor(line: RunLine) {
    super("undone");
    this.line = line;
  }
}

type DryRun = Pick<RunLine, "outcome" | "expressions" | "condition" | "actions" | "error">;

/** `rule`: its texts, its name and its links, as they would be saved. */
export async function dryRun(
  automation: Automation,
  by: Caller,
  rule: Readonly<Record<string, unknown>>,
  record: number,
): Promise<DryRun> {
  const { engine } = automation;
  const values = rule as Values;
  const type = recordOf(engine.types, values);
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
    ...textsOf(values),
  };
  try {
    return await engine.database.transaction(async (tx) => {
      const { line } = await runRule(automation, tx, start, row, now);
      throw new Undone(line);
    });
  } catch (error) {
    if (error instanceof Undone || error instanceof RunFailed) return shown(error.line);
    const told = failureOf(error);
    if (told === null) throw error;
    return { outcome: "failed", expressions: [], condition: null, actions: [], error: told };
  }
}

const shown = ({ outcome, expressions, condition, actions, error }: RunLine): DryRun => ({
  ...{ outcome, expressions, condition, actions, error },
});
