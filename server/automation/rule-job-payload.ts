import type { Values } from "../engine/rules.ts";
import { addJob } from "../queue/jobs.ts";
import type { Transaction } from "../storage/database.ts";

// What a job of automation is about: the rules that a save of a record starts, in their order.

export const automationJob = "automation";

export type RuleJobPayload = {
  account: string;
  type: string;
  id: number;
  rules: readonly { id: number; trigger: string }[];
  /** the place of the rule that comes next */
  next: number;
  /** the record before the save; null: as it is when the rule runs */
  before: Values | null;
  /** `before` holds what differs, all else was as it is */
  partly?: true;
  /** what the save made of the record, as long as no rule has changed it since; null: it is as it is */
  saved: Values | null;
  /** a record that was deleted, as it last was */
  gone?: Values;
  /** who caused the save */
  person: number | null;
  note: number | null;
  chain: string;
  depth: number;
  /** an automation task that was assigned: once the rules have run, it is done, or failed, or waits for an answer */
  task?: "done" | "failed" | "waits";
};

export const buildAboutKey = ({ type, id }: Pick<RuleJobPayload, "type" | "id">): string => `${type} ${id}`;

export const enqueueRuleJob = (tx: Transaction, start: RuleJobPayload, now: Date): void =>
  addJob(tx, { kind: automationJob, about: buildAboutKey(start), account: start.account, payload: start, runAt: now });

/** Starts a rule later; the same rule for the same record is started once, at the moment that was named last. */
export function enqueueDelayedRule(tx: Transaction, start: RuleJobPayload, at: Date): void {
  const key = `${start.rules[0]?.id} ${buildAboutKey(start)}`;
  addJob(tx, {
    kind: automationJob,
    key,
    about: buildAboutKey(start),
    account: start.account,
    payload: start,
    runAt: at,
  });
}
