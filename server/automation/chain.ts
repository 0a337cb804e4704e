import { statement, type Transaction } from "../storage/database.ts";
import type { Start } from "./start.ts";

// All runs that descend from one save are a chain. Three guards keep it from running for ever: reference, X9 to X11.

const enter = statement(
  `INSERT INTO automation_chains (id, account_id, touched_at) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET touched_at = excluded.touched_at RETURNING executions, ran`,
);
const note = statement(
  "UPDATE automation_chains SET executions = executions + 1, ran = ran || $2::jsonb WHERE id = $1",
);

const mostRuns = 500;
const deepest = 25;
const mostDelayed = 120;
const pause = 23 * 3_600_000;

/** A rule that meets its own trigger, or is met by what others did. */
export const again = Symbol("ran for this record in this chain already");

type Ran = Record<string, [times: number, last: string]>;

/** Why the rule must not run now; null: it may, and it is noted that it does. Again: not worth a line of the log. */
export async function refusedByChain(tx: Transaction, start: Start, now: Date): Promise<string | typeof again | null> {
  const rule = start.rules[start.next] as Start["rules"][number];
  const [row] = await tx.query(enter, [start.chain, start.account, now.toISOString()]);
  const [executions, ran] = [Number(row?.[0] ?? 0), JSON.parse(row?.[1] ?? "{}") as Ran];
  const key = `${rule.id} ${start.type} ${start.id}`;
  const before = ran[key];
  if (before !== undefined && rule.trigger !== "after delay") return again;
  if (start.depth > deepest) return `the chain is deeper than ${deepest}`;
  if (executions >= mostRuns) return `the chain has ${mostRuns} runs`;
  if (before !== undefined) {
    const [times, last] = before;
    if (now.getTime() - Date.parse(last) < pause) return "the rule ran less than 23 hours ago";
    if (times >= mostDelayed) return `the rule has run ${mostDelayed} times in this chain`;
  }
  tx.send(note, [start.chain, JSON.stringify({ [key]: [(before?.[0] ?? 0) + 1, now.toISOString()] })]);
  return null;
}

const forget = statement("DELETE FROM automation_chains WHERE touched_at < $1");

/** Chains that nothing happened in for thirty days have no guard left to keep. */
export const forgetChains = (tx: Transaction, before: Date): void => tx.send(forget, [before.toISOString()]);
