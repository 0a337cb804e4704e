import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { newClientPair } from "../../../records/answers/session.ts";
import { NotFound } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import { changeAccess, type Oauth } from "../oauth-context.ts";
import { createRandomText, createToken, hashToken } from "../tokens.ts";
import { type Actor, recordApplicationEvent } from "./applications.ts";

// Pairs of client_id and client_secret of an application. The secret is shown once, when the pair is created.

/** The security log names the application. */
const applicationName = "(SELECT name FROM oauth_applications WHERE account_id = $1 AND id = $2) AS name";
type ChangedPair = { client_id: string; name: string };

const insert = jsonStatement<{ id: number; name: string }>(
  `INSERT INTO oauth_clients (account_id, application_id, client_id, secret_hash, created_at)
SELECT account_id, id, $3, $4, $5 FROM oauth_applications WHERE account_id = $1 AND id = $2 RETURNING id, ${applicationName}`,
);
const updateDisabled = jsonStatement<ChangedPair>(
  `UPDATE oauth_clients SET disabled = $4 WHERE account_id = $1 AND application_id = $2 AND id = $3
RETURNING client_id, ${applicationName}`,
);
const deletePair = jsonStatement<ChangedPair>(
  `DELETE FROM oauth_clients WHERE account_id = $1 AND application_id = $2 AND id = $3 RETURNING client_id, ${applicationName}`,
);
const dropTokens = statement("DELETE FROM tokens WHERE client_id = $1");
const dropCodes = statement("DELETE FROM oauth_codes WHERE client_id = $1");

type ClientPairKey = { account: string; application: number; id: number };
type NewClientPair = AnswerOf<typeof newClientPair>;

export const createClientPair = (
  oauth: Oauth,
  account: string,
  application: number,
  actor: Actor,
): Promise<NewClientPair> =>
  oauth.database.transaction(async (tx) => {
    const [client_id, client_secret] = [createRandomText(64), createToken()];
    const now = oauth.clock.now().toISOString();
    const created = await queryFirst(tx, insert, [account, application, client_id, hashToken(client_secret), now]);
    if (created === null) throw new NotFound();
    const details = { application, name: created.name, client_id };
    recordApplicationEvent(tx, now, { account, actor, event: "client-created", details });
    return { id: created.id, client_id, client_secret };
  });

/** Disabling a pair deletes its tokens; enabling it does not bring them back. */
export const setClientPairDisabled = (
  oauth: Oauth,
  { account, application, id }: ClientPairKey,
  disabled: boolean,
  actor: Actor,
): Promise<void> =>
  changeAccess(oauth, async (tx, now) => {
    const pair = await queryFirst(tx, updateDisabled, [account, application, id, disabled]);
    if (pair === null) throw new NotFound();
    if (disabled) {
      tx.send(dropCodes, [id]);
      tx.send(dropTokens, [id]);
    }
    const details = { application, ...pair, disabled };
    recordApplicationEvent(tx, now, { account, actor, event: "client-changed", details });
  });

export const deleteClientPair = (
  oauth: Oauth,
  { account, application, id }: ClientPairKey,
  actor: Actor,
): Promise<void> =>
  changeAccess(oauth, async (tx, now) => {
    const pair = await queryFirst(tx, deletePair, [account, application, id]);
    if (pair === null) throw new NotFound();
    const details = { application, ...pair };
    recordApplicationEvent(tx, now, { account, actor, event: "client-deleted", details });
  });
