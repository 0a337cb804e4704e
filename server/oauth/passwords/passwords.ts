import { hash, verify } from "@node-rs/argon2";
import { Invalid, Unavailable } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { isCommonPassword } from "../policy/common-passwords.ts";
import { type SignInPolicy, shortestPassword } from "../policy/policy-members.ts";
import { createRandomText } from "../tokens.ts";

// Argon2id. Hashing is expensive by design, so only a few hashes are computed concurrently: other calls must not wait.

export type HashCost = { memoryCost: number; timeCost: number; parallelism: number };

/** The minimum that OWASP recommends: 19 MiB, two passes. */
const owaspMinimum: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const maxConcurrent = 2;
/** a few seconds of work; further requests are answered with 503 */
const maxQueueLength = 100;

export class PasswordHasher {
  private readonly cost: HashCost;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private placeholderHash: Promise<string> | null = null;

  constructor(cost: HashCost = owaspMinimum) {
    this.cost = cost;
  }

  hash(password: string): Promise<string> {
    return this.runLimited(() => hash(normalizePassword(password), this.cost));
  }

  /** Without a stored hash it returns false after the same work, so that the duration reveals nothing. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    this.placeholderHash ??= this.hash(createRandomText(32));
    const hashToCheck = stored ?? (await this.placeholderHash);
    const matches = await this.runLimited(() => verify(hashToCheck, normalizePassword(password)));
    return matches && stored !== null;
  }

  private async runLimited<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting.length >= maxQueueLength) throw new Unavailable("too many passwords are waiting to be checked");
    if (this.running >= maxConcurrent) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next(); // `running` stays the same: the slot passes to the next one in the queue
    }
  }
}

/** Keyboards may produce different code points for the same password. */
const normalizePassword = (password: string): string => password.normalize("NFKC");

const maxPasswordLength = 200;

export type PasswordRules = Pick<SignInPolicy, "minimum_password_length" | "refuse_common_passwords">;

/** For the first password of an account, which cannot have a policy yet. */
export const firstPasswordRules: PasswordRules = {
  minimum_password_length: shortestPassword,
  refuse_common_passwords: true,
};

/** The only check of new passwords, for every way to choose one. */
export async function checkPasswordRules(rules: PasswordRules, password: string, field = "password"): Promise<void> {
  const { minimum_password_length: shortest, refuse_common_passwords } = rules;
  if (password === "") throw new Invalid([[field, "can't be blank"]]);
  if ([...password].length < shortest) throw new Invalid([[field, `is too short (at least ${shortest} characters)`]]);
  if (password.length > maxPasswordLength)
    throw new Invalid([[field, `is too long (at most ${maxPasswordLength} characters)`]]);
  if (refuse_common_passwords && (await isCommonPassword(password)))
    throw new Invalid([[field, "is one that attackers try first: choose another"]]);
}

const upsertPassword = statement(
  `INSERT INTO passwords (person_id, account_id, hash, changed_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (person_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`,
);
const endSessions = statement("DELETE FROM sessions WHERE person_id = $1 AND id IS DISTINCT FROM $2");
const dropResets = statement("DELETE FROM password_resets WHERE person_id = $1");

/** Ends all sessions of the person except the one that changes the password: others may know the old one. */
export function storePassword(
  tx: Transaction,
  now: string,
  person: { id: number; account: string },
  hashed: string,
  keepSession: number | null = null,
): void {
  tx.send(upsertPassword, [person.id, person.account, hashed, now]);
  tx.send(endSessions, [person.id, keepSession]);
  tx.send(dropResets, [person.id]);
}
