import { NotFound } from "../base/errors.ts";
import { statement } from "../storage/database.ts";
import { type Actor, tell } from "./applications.ts";
import { changingAccess, type Oauth } from "./context.ts";
import { first, objects } from "./objects.ts";
import { hashOf, newToken, randomText } from "./tokens.ts";

// The pairs of client_id and client_secret of an application. The secret is shown once, when the pair is made.

const insert = objects<{ id: number }>(
  `INSERT INTO oauth_clients (account_id, application_id, client_id, secret_hash, created_at)
SELECT account_id, id, $3, $4, $5 FROM oauth_applications WHERE account_id = $1 AND id = $2 RETURNING id`,
);
const disable = objects<{ client_id: string }>(
  "UPDATE oauth_clients SET disabled = $4 WHERE account_id = $1 AND application_id = $2 AND id = $3 RETURNING client_id",
);
const remove = objects<{ client_id: string }>(
  "DELETE FROM oauth_clients WHERE account_id = $1 AND application_id = $2 AND id = $3 RETURNING client_id",
);
const dropTokens = statement("DELETE FROM tokens WHERE client_id = $1");
const dropCodes = statement("DELETE FROM oauth_codes WHERE client_id = $1");

type NewPair = { id: number; client_id: string; client_secret: string };

export const addPair = (oauth: Oauth, account: string, application: number, actor: Actor): Promise<NewPair> =>
  oauth.database.transaction(async (tx) => {
    const [client_id, client_secret] = [randomText(64), newToken()];
    const now = oauth.clock.now().toISOString();
    const made = await first(tx, insert, [account, application, client_id, hashOf(client_secret), now]);
    if (made === null) throw new NotFound();
    tell(tx, now, account, actor, "client-created", { application, client_id });
    return { id: made.id, client_id, client_secret };
  });

/** Tokens obtained with a pair die when it is disabled, and do not come back with it. */
export const disablePair = (
  oauth: Oauth,
  account: string,
  application: number,
  id: number,
  disabled: boolean,
  actor: Actor,
): Promise<void> =>
  changingAccess(oauth, async (tx, now) => {
    const pair = await first(tx, disable, [account, application, id, disabled]);
    if (pair === null) throw new NotFound();
    if (disabled) {
      tx.send(dropCodes, [id]);
      tx.send(dropTokens, [id]);
    }
    tell(tx, now, account, actor, "client-changed", { application, client_id: pair.client_id, disabled });
  });

export const deletePair = (
  oauth: Oauth,
  account: string,
  application: number,
  id: number,
  actor: Actor,
): Promise<void> =>
  changingAccess(oauth, async (tx, now) => {
    const pair = await first(tx, remove, [account, application, id]);
    if (pair === null) throw new NotFound();
    tell(tx, now, account, actor, "client-deleted", { application, client_id: pair.client_id });
  });
