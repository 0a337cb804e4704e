import { Invalid, OperatorError } from "../../base/errors.ts";
import type { Database } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { changeAccess, type Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import type { Session } from "../sessions/sessions.ts";
import { loadSignInPolicy } from "../sign-in-policy.ts";
import { checkPasswordRules, PasswordHasher, storePassword } from "./passwords.ts";
import { requirePassword } from "./require-password.ts";

/** Needs the current password. Guessing it is slowed down as at sign-in. */
export async function changePassword(
  oauth: Oauth,
  session: Session,
  currentPassword: string,
  newPassword: string,
  address: string,
): Promise<void> {
  const { id, account } = session.person;
  await checkPasswordRules(await oauth.identities.getPolicy(account), newPassword, "new_password");
  await requirePassword(oauth, id, currentPassword);
  const hashed = await oauth.hasher.hash(newPassword);
  await changeAccess(oauth, async (tx, now) => {
    storePassword(tx, now, { id, account }, hashed, session.id);
    recordSecurityEvent(tx, now, { account, person: id, event: "password-changed", address });
  });
}

const selectByEmail = jsonStatement<{ id: number; account: string }>(
  `SELECT id, account_id AS account FROM people WHERE lower(primary_email) = lower($1) AND ($2::text IS NULL OR account_id = $2)
  AND life_cycle = 'active' ORDER BY id`,
);

/** For the command line. The account is needed only when several accounts have the email address. */
export async function setPassword(
  database: Database,
  now: Date,
  target: { email: string; account?: string | undefined; password: string },
  hasher: PasswordHasher = new PasswordHasher(),
): Promise<void> {
  const people = await queryRows(database, selectByEmail, [target.email, target.account ?? null]);
  const [person] = people;
  if (person === undefined) throw new OperatorError(`No person has the email address ${target.email}.`);
  if (people.length > 1)
    throw new OperatorError(
      `The email address ${target.email} is used in several accounts. Choose one with --account: ${people.map(({ account }) => account).join(", ")}.`,
    );
  try {
    await checkPasswordRules(await loadSignInPolicy({ database }, person.account), target.password);
  } catch (error) {
    if (error instanceof Invalid) throw new OperatorError(`The password ${error.problems[0]?.[1]}.`);
    throw error;
  }
  const hashed = await hasher.hash(target.password);
  await database.transaction(async (tx) => {
    storePassword(tx, now.toISOString(), person, hashed);
    const details = { by: "command line" };
    recordSecurityEvent(tx, now.toISOString(), {
      account: person.account,
      person: person.id,
      event: "password-changed",
      details,
    });
  });
}
