import { statement, type Transaction } from "../database/database.ts";
import type { RuleJobPayload } from "./rule-job-payload.ts";

// All runs that descend from one save form a chain. Three limits keep a chain from running for ever: X9 to X11.

const lockChain = statement(
  `INSERT INTO automation_chains (id, account_id, touched_at) VALUES ($1, $2, $3)
ON CONFLICT (id, account_id) DO UPDATE SET touched_at = excluded.touched_at RETURNING executions, ran`,
);
const updateChain = statement("UPDATE automation_chains SET executions = $2, ran = ran || $3::jsonb WHERE id = $1");

const maxRuns = 500;
const maxDepth = 25;
const maxDelayedRuns = 120;
const minDelayedPause = 23 * 3_600_000;

/** A rule whose trigger was fired by itself or by a rule after it is skipped without a log entry. */
export const alreadyRan = Symbol("ran for this record in this chain already");

type RunHistory = Record<string, [times: number, last: string]>;

/** The counters of a chain, locked until the transaction ends. */
export class CascadeGuard {
  private readonly id: string;
  private executions: number;
  private readonly history: RunHistory;
  private readonly newEntries: RunHistory = {};

  private constructor(id: string, executions: number, ran: RunHistory) {
    this.id = id;
    this.executions = executions;
    this.history = ran;
  }

  static async lock(tx: Transaction, { chain, account }: RuleJobPayload, now: Date): Promise<CascadeGuard> {
    const [row] = await tx.query(lockChain, [chain, account, now.toISOString()]);
    return new CascadeGuard(chain, Number(row?.[0] ?? 0), JSON.parse(row?.[1] ?? "{}") as RunHistory);
  }

  /** The reason why the rule must not run; null: it may, and the run is counted. */
  findRefusal(payload: RuleJobPayload, now: Date): string | typeof alreadyRan | null {
    const rule = payload.rules[payload.next] as RuleJobPayload["rules"][number];
    const before = this.history[buildRunKey(payload)];
    if (before !== undefined && rule.trigger !== "after delay") return alreadyRan;
    if (payload.depth > maxDepth) return `the chain is deeper than ${maxDepth}`;
    if (this.executions >= maxRuns) return `the chain has ${maxRuns} runs`;
    if (before !== undefined) {
      const [times, last] = before;
      if (now.getTime() - Date.parse(last) < minDelayedPause) return "the rule ran less than 23 hours ago";
      if (times >= maxDelayedRuns) return `the rule has run ${maxDelayedRuns} times in this chain`;
    }
    this.executions++;
    return null;
  }

  /** Not called for a rule whose condition was not met: it may still run later in the chain. */
  recordRun(payload: RuleJobPayload, now: Date): void {
    const key = buildRunKey(payload);
    const line: RunHistory[string] = [(this.history[key]?.[0] ?? 0) + 1, now.toISOString()];
    this.history[key] = line;
    this.newEntries[key] = line;
  }

  save(tx: Transaction): void {
    tx.send(updateChain, [this.id, this.executions, JSON.stringify(this.newEntries)]);
  }
}

const buildRunKey = ({ rules, next, type, id }: RuleJobPayload): string => `${rules[next]?.id} ${type} ${id}`;

const deleteChains = statement("DELETE FROM automation_chains WHERE touched_at < $1");

/** No run can follow in a chain that was idle for thirty days. */
export const deleteOldChains = (tx: Transaction, before: Date): void => tx.send(deleteChains, [before.toISOString()]);
