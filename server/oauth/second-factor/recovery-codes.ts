import { randomInt } from "node:crypto";
import { statement, type Transaction } from "../../database/database.ts";
import { hashToken } from "../tokens.ts";

// Codes on paper for the day on which the telephone is lost. Each works once; the database has their hashes only.

const count = 10;
const length = 10;
/** without letters and digits that look alike */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

const deleteCodes = statement("DELETE FROM recovery_codes WHERE person_id = $1");
const insertCodes = statement(
  `INSERT INTO recovery_codes (account_id, person_id, code_hash, created_at)
SELECT $1, $2, code, $4 FROM unnest($3::text[]) AS code`,
);
const spendCode = statement(
  "UPDATE recovery_codes SET used_at = $3 WHERE person_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1",
);

const createCode = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)])
    .join("")
    .replace(/^.{5}/, "$&-");

/** People type codes with and without the hyphen. */
const hashCode = (person: number, code: string): string =>
  hashToken(`${person} ${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`);

/** Replaces all codes of a person; returns the new ones, which are shown only once. */
export function replaceRecoveryCodes(
  tx: Transaction,
  person: { id: number; account: string },
  now: string,
): readonly string[] {
  const codes = Array.from({ length: count }, createCode);
  tx.send(deleteCodes, [person.id]);
  tx.send(insertCodes, [person.account, person.id, codes.map((code) => hashCode(person.id, code)), now]);
  return codes;
}

/** Whether it is an unused code of the person; it is used then. */
export const spendRecoveryCode = async (tx: Transaction, person: number, code: string, now: string): Promise<boolean> =>
  (await tx.query(spendCode, [person, hashCode(person, code), now])).length > 0;
