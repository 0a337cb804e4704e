import { statement, type Transaction } from "../storage/database.ts";
import type { Start } from "./start.ts";

// All runs that descend from one save are a chain. Three guards keep it from running for ever: reference, X9 to X11.

const enter = statement(
  `INSERT INTO automation_chains (id, account_id, touched_at) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET touched_at = excluded.touched_at RETURNING executions, ran`,
);
const write = statement("UPDATE automation_chains SET executions = $2, ran = ran || $3::jsonb WHERE id = $1");

const mostRuns = 500;
const deepest = 25;
const mostDelayed = 120;
const pause = 23 * 3_600_000;

/** A rule that meets its own trigger, or is met by what others did. */
export const again = Symbol("ran for this record in this chain already");

type Ran = Record<string, [times: number, last: string]>;

/** The chain of a start, held until the transaction ends: nobody else counts meanwhile. */
export class Chain {
  private readonly id: string;
  private executions: number;
  private readonly ran: Ran;
  private readonly news: Ran = {};

  private constructor(id: string, executions: number, ran: Ran) {
    this.id = id;
    this.executions = executions;
    this.ran = ran;
  }

  static async enter(tx: Transaction, { chain, account }: Start, now: Date): Promise<Chain> {
    const [row] = await tx.query(enter, [chain, account, now.toISOString()]);
    return new Chain(chain, Number(row?.[0] ?? 0), JSON.parse(row?.[1] ?? "{}") as Ran);
  }

  /** Why the rule must not run now; null: it may, and is counted. Again: not worth a line of the log. */
  refuses(start: Start, now: Date): string | typeof again | null {
    const rule = start.rules[start.next] as Start["rules"][number];
    const before = this.ran[keyOf(start)];
    if (before !== undefined && rule.trigger !== "after delay") return again;
    if (start.depth > deepest) return `the chain is deeper than ${deepest}`;
    if (this.executions >= mostRuns) return `the chain has ${mostRuns} runs`;
    if (before !== undefined) {
      const [times, last] = before;
      if (now.getTime() - Date.parse(last) < pause) return "the rule ran less than 23 hours ago";
      if (times >= mostDelayed) return `the rule has run ${mostDelayed} times in this chain`;
    }
    this.executions++;
    return null;
  }

  /** Notes that the rule ran. One whose condition was not met may still run later in the chain. */
  note(start: Start, now: Date): void {
    const key = keyOf(start);
    const line: Ran[string] = [(this.ran[key]?.[0] ?? 0) + 1, now.toISOString()];
    this.ran[key] = line;
    this.news[key] = line;
  }

  store(tx: Transaction): void {
    tx.send(write, [this.id, this.executions, JSON.stringify(this.news)]);
  }
}

const keyOf = ({ rules, next, type, id }: Start): string => `${rules[next]?.id} ${type} ${id}`;

const forget = statement("DELETE FROM automation_chains WHERE touched_at < $1");

/** Chains that nothing happened in for thirty days have no guard left to keep. */
export const forgetChains = (tx: Transaction, before: Date): void => tx.send(forget, [before.toISOString()]);
