import { statement, type Transaction } from "../storage/database.ts";
import type { Start } from "./start.ts";

// All runs that descend from one save are a chain. Three guards keep it from running for ever: reference, X9 to X11.

const enter = statement(
  `INSERT INTO automation_chains (id, account_id, touched_at) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET touched_at = excluded.touched_at RETURNING executions, ran`,
);
const count = statement("UPDATE automation_chains SET executions = executions + 1 WHERE id = $1");
const note = statement(
  `UPDATE automation_chains SET ran = ran || jsonb_build_object($2::text,
  jsonb_build_array(coalesce((ran->$2::text->>0)::integer, 0) + 1, $3::text)) WHERE id = $1`,
);

const mostRuns = 500;
const deepest = 25;
const mostDelayed = 120;
const pause = 23 * 3_600_000;

/** A rule that meets its own trigger, or is met by what others did. */
export const again = Symbol("ran for this record in this chain already");

type Ran = Record<string, [times: number, last: string]>;

/** Why the rule must not run now; null: it may, and is counted. Again: not worth a line of the log. */
export async function refusedByChain(tx: Transaction, start: Start, now: Date): Promise<string | typeof again | null> {
  const rule = start.rules[start.next] as Start["rules"][number];
  const [row] = await tx.query(enter, [start.chain, start.account, now.toISOString()]);
  const [executions, ran] = [Number(row?.[0] ?? 0), JSON.parse(row?.[1] ?? "{}") as Ran];
  const before = ran[keyOf(start)];
  if (before !== undefined && rule.trigger !== "after delay") return again;
  if (start.depth > deepest) return `the chain is deeper than ${deepest}`;
  if (executions >= mostRuns) return `the chain has ${mostRuns} runs`;
  if (before !== undefined) {
    const [times, last] = before;
    if (now.getTime() - Date.parse(last) < pause) return "the rule ran less than 23 hours ago";
    if (times >= mostDelayed) return `the rule has run ${mostDelayed} times in this chain`;
  }
  tx.send(count, [start.chain]);
  return null;
}

/** Notes that the rule ran. One whose condition was not met may still run later in the chain. */
export const noteRun = (tx: Transaction, start: Start, now: Date): void =>
  tx.send(note, [start.chain, keyOf(start), now.toISOString()]);

const keyOf = ({ rules, next, type, id }: Start): string => `${rules[next]?.id} ${type} ${id}`;

const forget = statement("DELETE FROM automation_chains WHERE touched_at < $1");

/** Chains that nothing happened in for thirty days have no guard left to keep. */
export const forgetChains = (tx: Transaction, before: Date): void => tx.send(forget, [before.toISOString()]);
