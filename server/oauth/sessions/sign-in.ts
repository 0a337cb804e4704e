import { isStorable } from "../../engine/kinds/kind.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";
import { changeAccess, type Oauth } from "../context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { beginSession, type Visitor } from "./sessions.ts";
import { buildAddressKey, buildEmailKey, clearDelay, countAttempt, undoAttempt } from "./sign-in-delays.ts";

// E-mail address and password. Whether the address exists cannot be told from the answer, nor from the time it takes.

export type SignInCandidate = { id: number; account: string; accountName: string };
type Row = { id: number; account: string; account_name: string; hash: string | null };

const selectCandidates = jsonStatement<Row>(
  `SELECT p.id, p.account_id AS account, a.name AS account_name, w.hash
FROM people p JOIN accounts a ON a.id = p.account_id LEFT JOIN passwords w ON w.person_id = p.id
WHERE lower(p.primary_email) = lower($1) AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.id LIMIT 8`,
);

export type SignInResult =
  | { outcome: "right"; people: readonly [SignInCandidate, ...SignInCandidate[]] }
  | { outcome: "wrong" }
  | { outcome: "later"; until: Date };

/** Who has this address and this password: one person, or several when it is used in several accounts. */
export async function checkPassword(
  oauth: Oauth,
  email: string,
  password: string,
  address: string,
): Promise<SignInResult> {
  const keys = [buildAddressKey(address), buildEmailKey(email)] as const;
  const until = await countAttempt(oauth, ...keys);
  if (until !== null) return { outcome: "later", until };
  const usable = isStorable(email) && isStorable(password) && email.length <= 200 && password.length <= 1000;
  const rows = usable ? await queryRows(oauth.database, selectCandidates, [email.trim()]) : [];
  const withPassword = rows.filter((row) => row.hash !== null);
  const right: Row[] = [];
  for (const row of withPassword) if (await oauth.hasher.verify(row.hash, password)) right.push(row);
  if (withPassword.length === 0) await oauth.hasher.verify(null, usable ? password : "");
  if (right.length === 0) {
    await oauth.database.transaction(async (tx) => {
      for (const { id, account } of rows)
        recordSecurityEvent(tx, oauth.clock.now().toISOString(), {
          account,
          person: id,
          event: "sign-in-failed",
          address,
        });
    });
    return { outcome: "wrong" };
  }
  await clearDelay(oauth.database, keys[1]);
  await undoAttempt(oauth, keys[0]);
  const people = right.map(({ id, account, account_name: accountName }) => ({ id, account, accountName }));
  return { outcome: "right", people: people as [SignInCandidate, ...SignInCandidate[]] };
}

/** Begins the session of somebody whose password was right; answers the secret for the cookie. */
export const signIn = (
  oauth: Oauth,
  person: { id: number; account: string },
  visitor: Visitor,
  previous: string | null,
): Promise<string> =>
  changeAccess(oauth, (tx, now) => {
    recordSecurityEvent(tx, now, {
      account: person.account,
      person: person.id,
      event: "sign-in",
      address: visitor.address,
    });
    return beginSession(oauth, tx, person, visitor, previous);
  });
