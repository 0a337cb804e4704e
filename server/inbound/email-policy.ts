import { createHash, timingSafeEqual } from "node:crypto";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { emailPolicy } from "../../records/answers/mail.ts";
import { toTimestamp } from "../base/clock.ts";
import {
  defineAccountPolicy,
  isBoolean,
  isIntegerBetween,
  isOneOf,
  requireValidMembers,
} from "../database/account-policy.ts";
import { type Database, statement, type Transaction } from "../database/database.ts";
import type { Queryable } from "./destinations.ts";

// ML2: the settings of an account for its inbound mail.

export type EmailPolicy = Omit<AnswerOf<typeof emailPolicy>, "has_secret">;

const defaultPolicy: EmailPolicy = {
  generate_new_requests: "always",
  allowed_senders: [],
  replies_as_notes: true,
  match_id_in_subject: true,
  allow_from: false,
  create_people: false,
  days_after_completion: 28,
};

// biome-ignore format: a table keeps its columns
const policies = defineAccountPolicy<EmailPolicy>("email_policies", defaultPolicy, {
  generate_new_requests: isOneOf("never", "only_from_allowed_people", "always"),
  allowed_senders:       (value) => Array.isArray(value) && value.length <= 1000 && value.every((entry) => typeof entry === "string" && /^[^\s@]*@[^\s@]+$/.test(entry) && entry.length <= 255),
  replies_as_notes:      isBoolean,
  match_id_in_subject:   isBoolean,
  allow_from:            isBoolean,
  create_people:         isBoolean,
  days_after_completion: isIntegerBetween(0, 3650),
});
const selectSecret = statement("SELECT secret_hash FROM email_policies WHERE account_id = $1");
const updateSecret = statement("UPDATE email_policies SET secret_hash = $2 WHERE account_id = $1");

export type EffectivePolicy = EmailPolicy & { secretHash: string | null };

export async function loadPolicy(reader: Queryable, account: string): Promise<EffectivePolicy> {
  const [row] = await reader.query(selectSecret, [account]);
  return { ...(await policies.load(reader, account)), secretHash: row?.[0] ?? null };
}

const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

export const isPolicySecret = ({ secretHash }: EffectivePolicy, given: string): boolean =>
  secretHash !== null && timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(secretHash));

/** For administrators; the secret is never shown. */
export const serializePolicy = ({ secretHash, ...policy }: EffectivePolicy) => ({
  ...policy,
  has_secret: secretHash !== null,
});

export const loadSerializedPolicy = async (database: Database, account: string) =>
  serializePolicy(await loadPolicy({ query: (...parameters) => database.read(...parameters) }, account));

/**
 * A `secret` of null or "" removes the stored one. `recordChanges` runs in the same transaction, with the old and new
 * values of what changed.
 */
export async function changePolicy(
  database: Database,
  account: string,
  now: Date,
  { secret, ...given }: Readonly<Record<string, unknown>>,
  recordChanges: (tx: Transaction, changes: Record<string, unknown>) => void,
) {
  const problems = policies.findProblems(given);
  if (secret != null && secret !== "" && (typeof secret !== "string" || secret.length < 16 || secret.length > 255))
    problems.push(["secret", "is not valid"]);
  requireValidMembers(problems);
  return database.transaction(async (tx) => {
    const { after, changes } = await policies.save(tx, account, given, toTimestamp(now));
    const [row] = await tx.query(selectSecret, [account]);
    const secretHash = row?.[0] ?? null;
    const hash =
      secret === undefined ? secretHash : secret === null || secret === "" ? null : hashSecret(String(secret));
    if (hash !== secretHash) tx.send(updateSecret, [account, hash]);
    const secretChange = hash === secretHash ? {} : { secret: hash === null ? "removed" : "changed" };
    const all = { ...changes, ...secretChange };
    if (Object.keys(all).length > 0) recordChanges(tx, all);
    return serializePolicy({ ...after, secretHash: hash });
  });
}
