import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Transaction } from "../storage/database.ts";
import type { FileStore } from "../storage/files/index.ts";
import { Failure } from "./language/problem.ts";
import type { Run } from "./language/run.ts";
import { isBlank, isList, kindOf, Reference, type Value } from "./language/values.ts";
import type { Webhooks } from "./webhooks.ts";
import type { RecordWorld } from "./world.ts";

// What the actions of one run work with.

export type Stage = {
  engine: Engine;
  tx: Transaction;
  by: Caller;
  world: RecordWorld;
  run: Run;
  rule: { id: number; name: string; appInstance: number | null };
  /** who caused the save */
  person: number | null;
  domain: string;
  webhooks: Webhooks;
  files: FileStore;
  /** what was done, in words */
  done: string[];
  /** rules to be started later, once this run is over */
  delayed: { rule: string; at: Date }[];
  /** tasks that `new` made of templates the workflow's template does not have */
  strangers: Set<number>;
  /** evaluates, reading what is missing on the way */
  evaluate<T>(work: () => T): Promise<T>;
};

/** The records an action is about. */
export function targetsOf(value: Value): Reference[] {
  const list = isList(value) ? value : [value];
  return list
    .filter((item) => !isBlank(item))
    .map((item) => {
      if (item instanceof Reference) return item;
      throw new Failure("evaluation", `${kindOf(item)} cannot be updated`);
    });
}
