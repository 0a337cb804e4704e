import { NotFound } from "../../base/errors.ts";
import { statement } from "../../storage/database.ts";
import { jsonStatement, queryFirst } from "../../storage/rows.ts";
import { changeAccess, type Oauth } from "../context.ts";
import { createRandomText, createToken, hashToken } from "../tokens.ts";
import { type Actor, recordApplicationEvent } from "./applications.ts";

// The pairs of client_id and client_secret of an application. The secret is shown once, when the pair is made.

const insert = jsonStatement<{ id: number }>(
  `INSERT INTO oauth_clients (account_id, application_id, client_id, secret_hash, created_at)
SELECT account_id, id, $3, $4, $5 FROM oauth_applications WHERE account_id = $1 AND id = $2 RETURNING id`,
);
const disable = jsonStatement<{ client_id: string }>(
  "UPDATE oauth_clients SET disabled = $4 WHERE account_id = $1 AND application_id = $2 AND id = $3 RETURNING client_id",
);
const remove = jsonStatement<{ client_id: string }>(
  "DELETE FROM oauth_clients WHERE account_id = $1 AND application_id = $2 AND id = $3 RETURNING client_id",
);
const dropTokens = statement("DELETE FROM tokens WHERE client_id = $1");
const dropCodes = statement("DELETE FROM oauth_codes WHERE client_id = $1");

type NewClientPair = { id: number; client_id: string; client_secret: string };

export const createClientPair = (
  oauth: Oauth,
  account: string,
  application: number,
  actor: Actor,
): Promise<NewClientPair> =>
  oauth.database.transaction(async (tx) => {
    const [client_id, client_secret] = [createRandomText(64), createToken()];
    const now = oauth.clock.now().toISOString();
    const made = await queryFirst(tx, insert, [account, application, client_id, hashToken(client_secret), now]);
    if (made === null) throw new NotFound();
    recordApplicationEvent(tx, now, account, actor, "client-created", { application, client_id });
    return { id: made.id, client_id, client_secret };
  });

/** Tokens obtained with a pair die when it is disabled, and do not come back with it. */
export const setClientPairDisabled = (
  oauth: Oauth,
  account: string,
  application: number,
  id: number,
  disabled: boolean,
  actor: Actor,
): Promise<void> =>
  changeAccess(oauth, async (tx, now) => {
    const pair = await queryFirst(tx, disable, [account, application, id, disabled]);
    if (pair === null) throw new NotFound();
    if (disabled) {
      tx.send(dropCodes, [id]);
      tx.send(dropTokens, [id]);
    }
    recordApplicationEvent(tx, now, account, actor, "client-changed", {
      application,
      client_id: pair.client_id,
      disabled,
    });
  });

export const deleteClientPair = (
  oauth: Oauth,
  account: string,
  application: number,
  id: number,
  actor: Actor,
): Promise<void> =>
  changeAccess(oauth, async (tx, now) => {
    const pair = await queryFirst(tx, remove, [account, application, id]);
    if (pair === null) throw new NotFound();
    recordApplicationEvent(tx, now, account, actor, "client-deleted", { application, client_id: pair.client_id });
  });
