import { Invalid, TooManyRequests } from "../../base/errors.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Oauth } from "../oauth-context.ts";
import { buildPersonKey, clearDelay, countAttempt } from "../sessions/sign-in-delays.ts";

const selectHash = jsonStatement<{ hash: string }>("SELECT hash FROM passwords WHERE person_id = $1");

/** Before a change of how a person signs in: a session that was left open is not enough. Guessing is slowed down. */
export async function requirePassword(oauth: Oauth, person: number, password: string): Promise<void> {
  const key = buildPersonKey(person, "password");
  const until = await countAttempt(oauth, key);
  if (until !== null) throw new TooManyRequests(Math.ceil((until.getTime() - oauth.clock.now().getTime()) / 1000));
  const stored = await queryFirst(oauth.database, selectHash, [person]);
  if (!(await oauth.hasher.verify(stored?.hash ?? null, password)))
    throw new Invalid([["current_password", "is incorrect"]]);
  await clearDelay(oauth.database, key);
}
