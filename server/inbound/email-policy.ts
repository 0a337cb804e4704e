import { createHash, timingSafeEqual } from "node:crypto";
import { toTimestamp } from "../base/clock.ts";
import { Invalid, type Problem } from "../base/errors.ts";
import { type Database, statement, type Transaction } from "../storage/database.ts";
import type { Queryable } from "./destinations.ts";

// ML2: the settings of an account for its inbound mail.

export type EmailPolicy = {
  /** never, only_from_allowed_people or always */
  generate_new_requests: string;
  /** addresses, or domains with a leading @ */
  allowed_senders: readonly string[];
  replies_as_notes: boolean;
  match_id_in_subject: boolean;
  allow_from: boolean;
  create_people: boolean;
  /** for how many days after its completion a record still accepts notes */
  days_after_completion: number;
};

const defaultPolicy: EmailPolicy = {
  generate_new_requests: "always",
  allowed_senders: [],
  replies_as_notes: true,
  match_id_in_subject: true,
  allow_from: false,
  create_people: false,
  days_after_completion: 28,
};

const selectPolicy = statement("SELECT settings, secret_hash FROM email_policies WHERE account_id = $1");
const upsertPolicy = statement(
  `INSERT INTO email_policies (account_id, settings, secret_hash, updated_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id) DO UPDATE SET settings = excluded.settings, secret_hash = excluded.secret_hash, updated_at = excluded.updated_at`,
);
const lockAccount = statement("SELECT id FROM accounts WHERE id = $1 FOR UPDATE");

export type EffectivePolicy = EmailPolicy & { secretHash: string | null };

export async function loadPolicy(reader: Queryable, account: string): Promise<EffectivePolicy> {
  const [row] = await reader.query(selectPolicy, [account]);
  const stored = row === undefined ? {} : (JSON.parse(row[0] as string) as Partial<EmailPolicy>);
  return { ...defaultPolicy, ...stored, secretHash: row?.[1] ?? null };
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

// biome-ignore format: a table keeps its columns
const validators: Record<keyof EmailPolicy, (value: unknown) => boolean> = {
  generate_new_requests: (value) => ["never", "only_from_allowed_people", "always"].includes(value as string),
  allowed_senders:       (value) => Array.isArray(value) && value.length <= 1000 && value.every((entry) => typeof entry === "string" && /^[^\s@]*@[^\s@]+$/.test(entry) && entry.length <= 255),
  replies_as_notes:      (value) => typeof value === "boolean",
  match_id_in_subject:   (value) => typeof value === "boolean",
  allow_from:            (value) => typeof value === "boolean",
  create_people:         (value) => typeof value === "boolean",
  days_after_completion: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 3650,
};

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
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(given)) {
    const isValid = Object.hasOwn(validators, name) ? validators[name as keyof EmailPolicy] : undefined;
    if (isValid === undefined) problems.push([name, "is unknown"]);
    else if (!isValid(value)) problems.push([name, "is not valid"]);
  }
  if (secret != null && secret !== "" && (typeof secret !== "string" || secret.length < 16 || secret.length > 255))
    problems.push(["secret", "is not valid"]);
  if (problems.length > 0) throw new Invalid(problems);
  return database.transaction(async (tx) => {
    await tx.query(lockAccount, [account]);
    const { secretHash, ...policy } = await loadPolicy(tx, account);
    const hash =
      secret === undefined ? secretHash : secret === null || secret === "" ? null : hashSecret(String(secret));
    const after: EmailPolicy = { ...policy, ...given };
    tx.send(upsertPolicy, [account, JSON.stringify(after), hash, toTimestamp(now)]);
    const names = Object.keys(policy) as (keyof EmailPolicy)[];
    const changed = names.filter((name) => JSON.stringify(policy[name]) !== JSON.stringify(after[name]));
    const changes = Object.fromEntries(changed.map((name) => [name, [policy[name], after[name]]]));
    const secretChange = hash === secretHash ? {} : { secret: hash === null ? "removed" : "changed" };
    if (changed.length > 0 || hash !== secretHash) recordChanges(tx, { ...changes, ...secretChange });
    return serializePolicy({ ...after, secretHash: hash });
  });
}
