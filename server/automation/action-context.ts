import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Transaction } from "../storage/database.ts";
import type { FileStore } from "../storage/files/index.ts";
import type { RecordEvaluationContext } from "./evaluation-context.ts";
import { Failure } from "./language/errors.ts";
import type { Evaluation } from "./language/evaluation.ts";
import { describeValueKind, isBlank, isList, Reference, type Value } from "./language/values.ts";
import type { WebhookCaller } from "./webhook-caller.ts";

// What the actions of one run work with.

export type ActionContext = {
  engine: Engine;
  tx: Transaction;
  by: Caller;
  evaluationContext: RecordEvaluationContext;
  evaluation: Evaluation;
  rule: { id: number; name: string; appInstance: number | null };
  /** who caused the save */
  person: number | null;
  domain: string;
  webhooks: WebhookCaller;
  files: FileStore;
  /** what was done, in words */
  actionLog: string[];
  /** rules to be started later, once this run is over */
  delayedRules: { rule: string; at: Date }[];
  /** tasks that `new` made of templates the workflow's template does not have */
  tasksFromForeignTemplates: Set<number>;
  /** evaluates, reading what is missing on the way */
  evaluate<T>(work: () => T): Promise<T>;
};

/** The records an action is about. */
export function toReferences(value: Value): Reference[] {
  const list = isList(value) ? value : [value];
  return list
    .filter((item) => !isBlank(item))
    .map((item) => {
      if (item instanceof Reference) return item;
      throw new Failure("evaluation", `${describeValueKind(item)} cannot be updated`);
    });
}
