import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Types } from "../engine/types.ts";
import type { Identities } from "./identities.ts";
import type { PasswordHasher } from "./passwords/passwords.ts";

export type Oauth = {
  database: Database;
  clock: Clock;
  types: Types;
  identities: Identities;
  hasher: PasswordHasher;
  log: Log;
  /** the secret of this instance: signatures and derived tokens depend on it */
  secret: string;
};

export const addSeconds = (now: Date, seconds: number): string =>
  new Date(now.getTime() + seconds * 1000).toISOString();

/** For changes that take access away: the commit invalidates the identities cached here, and triggers notify other processes. */
export function changeAccess<T>(
  oauth: Pick<Oauth, "database" | "clock" | "identities">,
  work: (tx: Transaction, now: string) => Promise<T>,
): Promise<T> {
  return oauth.database.transaction((tx) => {
    tx.afterCommit(() => oauth.identities.invalidate());
    return work(tx, oauth.clock.now().toISOString());
  });
}
