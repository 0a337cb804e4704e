import { randomUUID } from "node:crypto";
import { buildFailedEntry } from "../../automation/rule-job.ts";
import type { RuleJobPayload } from "../../automation/rule-job-payload.ts";
import { writeRunLogEntry } from "../../automation/run-log.ts";
import { loadRules, RuleRunFailure, type RunExtension, runRule, toRunError } from "../../automation/run-rule.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { ScimType } from "../jobs.ts";
import type { Scim } from "../scim-context.ts";

const selectRules = statement(
  "SELECT id FROM automation_rules WHERE account_id = $1 AND generic = $2 AND NOT disabled AND trigger = 'on update' ORDER BY position NULLS LAST, id",
);

/** The enabled rules for users, or for groups, in their order. */
export async function loadScimRules(tx: Transaction, account: string, type: ScimType) {
  const rows = await tx.query(selectRules, [account, type]);
  const rules = rows.map(([id]) => ({ id: Number(id), trigger: "on update" }));
  return { rules, loaded: await loadRules(tx, { account, rules }) };
}

type Subject = { account: string; type: ScimType; id: number; saved: RuleJobPayload["saved"] };

type LoadedRules = Awaited<ReturnType<typeof loadScimRules>>;

/** Runs the rules one after another; one that fails fails everything. For users whose rules run together with those of others. */
export async function runScimRulesOrFail(
  scim: Scim,
  tx: Transaction,
  subject: Subject,
  { rules, loaded }: LoadedRules,
  extension: RunExtension,
): Promise<void> {
  const chain = randomUUID();
  for (const [next, { id }] of rules.entries()) {
    const rule = loaded.get(id);
    if (rule === undefined) continue;
    const start = buildStart(subject, rules, next, chain);
    const { line } = await runRule(scim.automation, tx, start, rule, scim.engine.clock.now(), extension);
    writeRunLogEntry(tx, line);
  }
}

const buildStart = (subject: Subject, rules: LoadedRules["rules"], next: number, chain: string): RuleJobPayload => ({
  ...{ ...subject, before: null, person: null, note: null, rules, next, chain, depth: 0 },
});

/**
 * Runs the rules one after another. One that fails is rolled back alone and logged; the others have run. Returns what went
 * wrong. `undo` is called when a rule was rolled back.
 */
export async function runScimRules(
  { automation, engine }: Scim,
  tx: Transaction,
  subject: Subject,
  { rules, loaded }: LoadedRules,
  extension: RunExtension,
  undo: () => void,
): Promise<string[]> {
  const errors: string[] = [];
  const chain = randomUUID();
  for (const [next, { id }] of rules.entries()) {
    const rule = loaded.get(id);
    if (rule === undefined) continue;
    const now = engine.clock.now();
    const start = buildStart(subject, rules, next, chain);
    try {
      await tx.savepoint(async (part) => {
        const { line } = await runRule(automation, part, start, rule, now, extension);
        writeRunLogEntry(part, line);
      });
    } catch (error) {
      undo();
      if (!(error instanceof RuleRunFailure) && toRunError(error) === null) throw error;
      const line = error instanceof RuleRunFailure ? error.line : buildFailedEntry(automation, start, rule, error, now);
      writeRunLogEntry(tx, line);
      errors.push(`${rule.name}: ${line.error?.message ?? "failed"}`);
    }
  }
  return errors;
}
