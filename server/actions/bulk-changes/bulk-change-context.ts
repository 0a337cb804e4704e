import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { bulkProgress } from "../../../records/answers/bulk-changes.ts";
import type { Log } from "../../base/log.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Type } from "../../engine/types.ts";

// Bulk changes: queued by a call, run by a job in batches, and undone from the former values. A record is
// changed in the transaction that notes its outcome, so it is changed once, however often the job is interrupted (D-233).

export const bulkChangeJob = "bulk change";

export const maxRecords = 10_000;
/** How long after its end a bulk change can be undone. */
export const undoSeconds = 600;

/** The person whose rights a job has, and the origin of its changes. */
export type CallerOfJob = Pick<Caller, "person" | "account" | "language" | "source" | "changeOrigin">;

export type BulkContext = {
  engine: Engine;
  log: Log;
  /** the person as a caller in an account; null: they may not sign in any more, or have no access to it */
  loadCaller(who: CallerOfJob): Promise<Caller | null>;
  /** makes the worker poll immediately */
  wake(): void;
  /** set when the service stops: jobs end after the current batch and continue in the next process */
  closing: boolean;
};

export const listChangeableTypes = (types: readonly Type[]): Type[] =>
  types.filter(
    (type) =>
      !type.routes.singleton && !type.routes.onlyThroughLinks && !type.storage.journal && type.ownedBy.length === 0,
  );

export type BulkState = AnswerOf<typeof bulkProgress>["state"];

export type BulkChange = {
  id: number;
  account_id: string;
  token: string;
  person_id: number;
  record_type: string;
  change: string;
  links: string | null;
  note: string | null;
  language: string;
  source: string;
  program: string | null;
  state: BulkState;
  total: number;
  done: number;
  changed: number;
  refused: number;
  undone: number;
  finished_at: string | null;
};

export const bulkColumns =
  "id, account_id, token, person_id, record_type, change, links, note, language, source, program, state, total, done, changed, refused, undone, finished_at";
