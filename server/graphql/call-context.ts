import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Identity } from "../oauth/identities.ts";
import type { CostStatus } from "./cost-limit.ts";
import type { Batches } from "./read/batches.ts";
import type { ResponseBudget } from "./read/response-budget.ts";

/**
 * `members`: of the REST record; `needsRecord`: a list below it or a file is wanted, which needs the right to read it;
 * `needsMore`: more than a reference shows is wanted
 */
export type Selection = {
  members: Set<string>;
  needsRecord: boolean;
  wantsRows: boolean;
  wantsTotal: boolean;
  needsMore?: boolean;
};

/** The shared context of one call's resolvers. */
export type CallContext = {
  engine: Engine;
  by: Caller;
  identity: Identity;
  /** the domain in nodeIDs */
  domain: string;
  /** the parameters of an upload */
  buildStorage(): Promise<Record<string, unknown>>;
  loadAccounts(): Promise<ReadonlyMap<string, Account>>;
  cost: CostStatus;
  batches: Batches;
  budget: ResponseBudget;
};
