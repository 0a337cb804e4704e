import type { Transaction } from "../database/database.ts";
import type { Values } from "../engine/rules.ts";
import { addJob } from "../queue/jobs.ts";

// The payload of a rule job: the rules that a save of a record starts, in their order.

export const automationJob = "automation";

export type RuleJobPayload = {
  account: string;
  type: string;
  id: number;
  rules: readonly { id: number; trigger: string }[];
  /** the index of the next rule */
  next: number;
  /** the record before the save; null: the record as it is when the rule runs */
  before: Values | null;
  /** `before` contains only the fields that differ */
  partly?: true;
  /** the fields that the save changed, until a rule changes the record; null: use the record as it is */
  saved: Values | null;
  /** the last values of a deleted record */
  gone?: Values;
  /** the person who caused the save */
  person: number | null;
  note: number | null;
  chain: string;
  depth: number;
  /** of an automation task that was assigned: its result once the rules have run */
  task?: "done" | "failed" | "waits";
};

export const buildAboutKey = ({ type, id }: Pick<RuleJobPayload, "type" | "id">): string => `${type} ${id}`;

export const enqueueRuleJob = (tx: Transaction, payload: RuleJobPayload, now: Date): void =>
  addJob(tx, { kind: automationJob, about: buildAboutKey(payload), account: payload.account, payload, runAt: now });

/** Starts a rule later. The key makes the same rule run once per record, at the moment requested last. */
export function enqueueDelayedRule(tx: Transaction, payload: RuleJobPayload, at: Date): void {
  const key = `${payload.rules[0]?.id} ${buildAboutKey(payload)}`;
  addJob(tx, {
    kind: automationJob,
    key,
    about: buildAboutKey(payload),
    account: payload.account,
    payload,
    runAt: at,
  });
}
