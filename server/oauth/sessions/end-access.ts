import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { changeAccess, type Oauth } from "../oauth-context.ts";
import { forgetDevices } from "../second-factor/trusted-devices.ts";
import { recordSecurityEvent } from "../security-trail.ts";

// Ends a person's access. The database class notifies every process (D-664), so it takes effect everywhere immediately.

const deleteSessions = statement("DELETE FROM sessions WHERE person_id = $1 RETURNING 1");
const deleteTokens = jsonStatement<{ kind: string; application_id: number | null }>(
  "DELETE FROM tokens WHERE person_id = $1 AND (kind <> 'personal' OR $2::boolean) RETURNING kind, application_id",
);
const deleteCodes = statement("DELETE FROM oauth_codes WHERE person_id = $1");
const deleteResets = statement("DELETE FROM password_resets WHERE person_id = $1");

/** How many sessions and personal access tokens there were, and how many applications had tokens. */
type EndedAccess = { sessions: number; tokens: number; applications: number };

/** Ends the sessions and the tokens of applications; personal access tokens only if `includesPersonalTokens`. */
export async function endAccess(
  tx: Transaction,
  person: number,
  { includesPersonalTokens }: { includesPersonalTokens: boolean },
): Promise<EndedAccess> {
  // Tokens first: those of a session are deleted with it.
  const tokens = await queryRows(tx, deleteTokens, [person, includesPersonalTokens]);
  const sessions = await tx.query(deleteSessions, [person]);
  for (const each of [deleteCodes, deleteResets]) tx.send(each, [person]);
  const applications = new Set(tokens.flatMap(({ application_id: id }) => (id === null ? [] : [id])));
  return {
    sessions: sessions.length,
    tokens: tokens.filter(({ kind }) => kind === "personal").length,
    applications: applications.size,
  };
}

const selectAccount = jsonStatement<{ account: string }>("SELECT account_id AS account FROM people WHERE id = $1");

/** The account of a person, also of one who may not sign in; null: there is no such person. */
export const findAccountOfPerson = async ({ database }: Pick<Oauth, "database">, person: number) =>
  (await queryFirst(database, selectAccount, [person]))?.account ?? null;

/**
 * D-630: ends everything that lets a person in without proving who they are. What proves it (password, passkeys, second
 * factor, providers) stays: the person signs in again. Consent to applications stays as well, without a token.
 */
export const signOutEverywhere = (
  oauth: Pick<Oauth, "database" | "clock" | "identities">,
  person: { id: number; account: string },
  { by, address }: { by: number; address: string },
): Promise<EndedAccess> =>
  changeAccess(oauth, async (tx, now) => {
    const ended = await endAccess(tx, person.id, { includesPersonalTokens: true });
    forgetDevices(tx, person.id);
    recordSecurityEvent(tx, now, {
      ...{ account: person.account, person: by, event: "signed-out-everywhere" as const, address },
      details: { person: person.id, ...ended },
    });
    return ended;
  });
