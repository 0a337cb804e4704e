import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Types } from "../engine/types.ts";
import type { Database, Transaction } from "../storage/database.ts";
import type { Identities } from "./identities.ts";
import type { PasswordHasher } from "./passwords/passwords.ts";

/** What everything in this room works with. */
export type Oauth = {
  database: Database;
  clock: Clock;
  types: Types;
  identities: Identities;
  hasher: PasswordHasher;
  log: Log;
  /** the secret of this instance, behind signatures and derived tokens */
  secret: string;
};

export const addSeconds = (now: Date, more: number): string => new Date(now.getTime() + more * 1000).toISOString();

/** Everything that takes access away runs in one of these: this process forgets at the commit, the others are told. */
export function changeAccess<T>(oauth: Oauth, work: (tx: Transaction, now: string) => Promise<T>): Promise<T> {
  return oauth.database.transaction((tx) => {
    tx.afterCommit(() => oauth.identities.invalidate());
    return work(tx, oauth.clock.now().toISOString());
  });
}
