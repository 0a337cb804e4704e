import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { secondFactorSetup } from "../../../records/answers/session.ts";
import { Invalid } from "../../base/errors.ts";
import { sealText, unsealText } from "../../base/sealed-text.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { buildPersonKey, clearDelay, countAttempt } from "../sessions/sign-in-delays.ts";
import { buildKeyUri, createKey, findStep, formatKey } from "./one-time-password.ts";
import { replaceRecoveryCodes, spendRecoveryCode } from "./recovery-codes.ts";
import { forgetDevices } from "./trusted-devices.ts";

// The second factor of a person: a code of an authenticator app, or a recovery code, after the password.

export type FactorOwner = { id: number; account: string };

/** A key that an app may add; nothing is stored before a code shows that the app has it. */
export type Setup = AnswerOf<typeof secondFactorSetup>;

const setupPurpose = "setup of a second factor";
const storedPurpose = "second factor";
const setupSeconds = 1800;

export function startSetup(oauth: Oauth, person: { id: number }, email: string): Setup {
  const key = createKey();
  const ends = oauth.clock.now().getTime() + setupSeconds * 1000;
  const content = JSON.stringify({ key: key.toString("base64"), ends });
  const token = sealText(oauth.secret, setupPurpose, String(person.id), content);
  return describeKey(key, email, token);
}

/** The same key again, for a page that is shown again after a wrong code; null: it took too long. */
export function continueSetup(oauth: Oauth, person: { id: number }, email: string, token: string): Setup | null {
  const key = readSetup(oauth, person, token);
  return key === null ? null : describeKey(key, email, token);
}

const describeKey = (key: Buffer, email: string, token: string): Setup => ({
  token,
  key: formatKey(key).replace(/.{4}(?=.)/g, "$& "),
  uri: buildKeyUri(key, email),
});

function readSetup(oauth: Oauth, { id }: { id: number }, token: string): Buffer | null {
  try {
    const content = unsealText(oauth.secret, setupPurpose, String(id), token);
    const { key, ends } = JSON.parse(content) as { key: string; ends: number };
    return oauth.clock.now().getTime() < ends ? Buffer.from(key, "base64") : null;
  } catch {
    return null;
  }
}

const upsertFactor = statement(
  `INSERT INTO second_factors (person_id, account_id, sealed_key, last_step, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (person_id) DO UPDATE SET sealed_key = excluded.sealed_key, last_step = excluded.last_step, created_at = excluded.created_at`,
);

/** Turns the second factor on; returns the recovery codes. Throws when the code is not that of the new key. */
export async function finishSetup(
  oauth: Oauth,
  person: FactorOwner,
  token: string,
  code: string,
  address: string,
): Promise<readonly string[]> {
  const key = readSetup(oauth, person, token);
  if (key === null) throw new Invalid([["code", "took too long: begin again"]]);
  const now = oauth.clock.now();
  const step = findStep(key, code.replace(/\s/g, ""), now, 0);
  if (step === null) throw new Invalid([["code", "is incorrect"]]);
  const sealed = sealText(oauth.secret, storedPurpose, String(person.id), key.toString("base64"));
  return oauth.database.transaction(async (tx) => {
    tx.send(upsertFactor, [person.id, person.account, sealed, step, now.toISOString()]);
    forgetDevices(tx, person.id);
    recordSecurityEvent(tx, now.toISOString(), {
      account: person.account,
      person: person.id,
      event: "second-factor-enabled",
      address,
    });
    return replaceRecoveryCodes(tx, person, now.toISOString());
  });
}

const selectFactor = jsonStatement<{ sealed_key: string; last_step: number }>(
  "SELECT sealed_key, last_step FROM second_factors WHERE person_id = $1",
);
const spendStep = statement(
  "UPDATE second_factors SET last_step = $2 WHERE person_id = $1 AND last_step < $2 RETURNING 1",
);

export const hasSecondFactor = async (oauth: Oauth, person: number): Promise<boolean> =>
  (await queryFirst(oauth.database, selectFactor, [person])) !== null;

export type CodeCheck = { outcome: "right" } | { outcome: "wrong" } | { outcome: "later"; until: Date };

/** Checks a code of the app or a recovery code; each works once. Guessing is slowed down as with passwords. */
export async function checkCode(oauth: Oauth, person: FactorOwner, code: string, address: string): Promise<CodeCheck> {
  const key = buildPersonKey(person.id, "second factor");
  const until = await countAttempt(oauth, key);
  if (until !== null) return { outcome: "later", until };
  const isRight = await oauth.database.transaction((tx) => spendCode(oauth, tx, person, code, address));
  if (!isRight) return { outcome: "wrong" };
  await clearDelay(oauth.database, key);
  return { outcome: "right" };
}

async function spendCode(
  oauth: Oauth,
  tx: Transaction,
  person: FactorOwner,
  given: string,
  address: string,
): Promise<boolean> {
  const now = oauth.clock.now();
  const event = { account: person.account, person: person.id, address };
  const code = given.replace(/\s/g, "");
  const factor = await queryFirst(tx, selectFactor, [person.id]);
  if (factor !== null && /^\d{6}$/.test(code)) {
    const key = Buffer.from(unsealText(oauth.secret, storedPurpose, String(person.id), factor.sealed_key), "base64");
    const step = findStep(key, code, now, factor.last_step);
    // Two requests with one code: the second finds the step used.
    if (step !== null && (await tx.query(spendStep, [person.id, step])).length > 0) return true;
  } else if (factor !== null && (await spendRecoveryCode(tx, person.id, code, now.toISOString()))) {
    recordSecurityEvent(tx, now.toISOString(), { ...event, event: "recovery-code-used" });
    return true;
  }
  recordSecurityEvent(tx, now.toISOString(), { ...event, event: "second-factor-failed" });
  return false;
}

const selectState = jsonStatement<{ created_at: string; codes: number; devices: number }>(
  `SELECT f.created_at, (SELECT count(*)::integer FROM recovery_codes c WHERE c.person_id = f.person_id AND c.used_at IS NULL) AS codes,
  (SELECT count(*)::integer FROM trusted_devices d WHERE d.person_id = f.person_id AND d.expires_at > $2) AS devices
FROM second_factors f WHERE f.person_id = $1`,
);

export const loadFactorState = (oauth: Oauth, person: number) =>
  queryFirst(oauth.database, selectState, [person, oauth.clock.now().toISOString()]);

export function renewRecoveryCodes(oauth: Oauth, person: FactorOwner, address: string): Promise<readonly string[]> {
  const now = oauth.clock.now().toISOString();
  return oauth.database.transaction(async (tx) => {
    if ((await queryFirst(tx, selectFactor, [person.id])) === null)
      throw new Invalid([["base", "two-step verification is not set up"]]);
    recordSecurityEvent(tx, now, {
      account: person.account,
      person: person.id,
      event: "recovery-codes-renewed",
      address,
    });
    return replaceRecoveryCodes(tx, person, now);
  });
}

const deleteFactor = statement("DELETE FROM second_factors WHERE person_id = $1 RETURNING 1");
const deleteCodes = statement("DELETE FROM recovery_codes WHERE person_id = $1");

/** `by`: who removes it, when that is not the person; null: the command line. False: there was none. */
export async function removeSecondFactor(
  tx: Transaction,
  now: string,
  person: FactorOwner,
  { by, address = null }: { by: number | null; address?: string | null },
): Promise<boolean> {
  if ((await tx.query(deleteFactor, [person.id])).length === 0) return false;
  tx.send(deleteCodes, [person.id]);
  forgetDevices(tx, person.id);
  const details = by === null ? { person: person.id, by: "command line" } : { person: person.id };
  recordSecurityEvent(tx, now, {
    account: person.account,
    person: by,
    event: "second-factor-removed",
    details,
    address,
  });
  return true;
}
