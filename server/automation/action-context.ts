import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { ruleEffect } from "../../records/answers/automation.ts";
import type { Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { FileStore } from "../files/index.ts";
import type { RecordEvaluationContext } from "./evaluation-context.ts";
import { Failure } from "./language/errors.ts";
import type { Evaluation } from "./language/evaluation.ts";
import { describeValueKind, isBlank, isList, Reference, type Value } from "./language/values.ts";
import type { WebhookCaller } from "./webhook-caller.ts";

// The context of the actions of one run.

/** Effects of an action besides field changes, for dry runs. */
export type RuleEffect = AnswerOf<typeof ruleEffect>;

export type ActionContext = {
  engine: Engine;
  tx: Transaction;
  by: Caller;
  evaluationContext: RecordEvaluationContext;
  evaluation: Evaluation;
  rule: { id: number; name: string; appInstance: number | null };
  /** the person who caused the save */
  person: number | null;
  domain: string;
  webhooks: WebhookCaller;
  files: FileStore;
  /** descriptions of the executed actions, for the run log */
  actionLog: string[];
  effects: RuleEffect[];
  /** rules to schedule at the end of this run */
  delayedRules: { rule: string; at: Date }[];
  /** tasks that `new` created from templates that do not belong to the workflow's template */
  tasksFromForeignTemplates: Set<number>;
  /** Saves records that need more than an update, and returns true; false: the record is saved as usual. */
  saveInstead?(context: ActionContext, target: Reference, members: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** evaluates, and loads missing data on the way */
  evaluate<T>(work: () => T): Promise<T>;
};

/** The target records of an action. */
export function toReferences(value: Value): Reference[] {
  const list = isList(value) ? value : [value];
  return list
    .filter((item) => !isBlank(item))
    .map((item) => {
      if (item instanceof Reference) return item;
      throw new Failure("evaluation", `${describeValueKind(item)} cannot be updated`);
    });
}
