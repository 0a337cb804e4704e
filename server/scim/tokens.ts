import { createHash, randomBytes } from "node:crypto";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { scimToken } from "../../records/answers/provisioning.ts";
import { describeError, type Log } from "../base/log.ts";
import { accessChannel } from "../database/access-changes/access-changes.ts";
import { statement, type Transaction } from "../database/database.ts";
import { parseText } from "../database/rows.ts";
import type { Engine } from "../engine/engine.ts";
import type { Identities } from "../oauth/identities.ts";
import { recordSecurityEvent } from "../oauth/security-trail.ts";

// The tokens of provisioning clients: 64 hexadecimal characters, one that does not end per account. Only hashes are stored.

export type ScimToken = { id: number; account: string; name: string; expiresAt: number | null };

/** How long a token still works after a new one was made. */
const daysAfterRotation = 30;

const select = statement(
  "SELECT id, account_id, name, extract(epoch FROM expires_at) * 1000 FROM scim_tokens WHERE secret_hash = $1",
);
const touch = statement(
  "UPDATE scim_tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')",
);
const insert = statement(
  "INSERT INTO scim_tokens (account_id, name, secret_hash, created_by_id, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id",
);
const endOthers = statement(
  "UPDATE scim_tokens SET expires_at = least(expires_at, $3) WHERE account_id = $1 AND id <> $2 AND (expires_at IS NULL OR expires_at > $3)",
);
const removeExpired = statement("DELETE FROM scim_tokens WHERE account_id = $1 AND expires_at <= $2");
const remove = statement(
  "DELETE FROM scim_tokens WHERE account_id = $1 AND ($2::integer IS NULL OR id = $2) RETURNING id",
);
const selectAll = statement(
  `SELECT t.id, t.name, t.created_at, t.last_used_at, t.expires_at, p.id, p.name FROM scim_tokens t
LEFT JOIN people p ON p.id = t.created_by_id WHERE t.account_id = $1 AND (t.expires_at IS NULL OR t.expires_at > $2) ORDER BY t.id DESC`,
);

const hash = (token: string): string => createHash("sha256").update(token).digest("hex");
export const looksLikeScimToken = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text);

/** Finds tokens, and remembers them until any access changes. */
export class ScimTokens {
  private readonly scim: { engine: Engine; identities: Identities; log: Log };
  private known = new Map<string, ScimToken>();
  private epoch = 0;
  private readonly lastUses = new Map<number, number>();

  constructor(scim: { engine: Engine; identities: Identities; log: Log }) {
    this.scim = scim;
    scim.identities.pgListener.subscribe(accessChannel, () => this.forget());
  }

  /** Notifications reach this process, too, but a moment after the answer to the call that changed a token. */
  forget(): void {
    this.epoch++;
    this.known = new Map();
  }

  async find(secret: string): Promise<ScimToken | null> {
    const { engine, identities } = this.scim;
    const key = hash(secret.toLowerCase());
    const epoch = this.epoch;
    let token = this.known.get(key);
    if (token === undefined) {
      const [row] = await engine.database.read(select, [key]);
      if (row === undefined) return null;
      token = {
        id: Number(row[0]),
        account: row[1] as string,
        name: row[2] as string,
        expiresAt: row[3] == null ? null : Number(row[3]),
      };
      if (identities.pgListener.isConnected && epoch === this.epoch) this.known.set(key, token);
    }
    const now = engine.clock.now();
    if (token.expiresAt !== null && token.expiresAt <= now.getTime()) return null;
    this.noteUse(token.id, now);
    return token;
  }

  private noteUse(id: number, now: Date): void {
    const { engine, log } = this.scim;
    if (now.getTime() - (this.lastUses.get(id) ?? 0) < 60_000) return;
    this.lastUses.set(id, now.getTime());
    engine.database
      .change(touch, [id, now.toISOString()])
      .catch((error) => log.error("the last use of a SCIM token could not be noted", describeError(error)));
  }
}

type By = { account: string; person: number; address: string };

/** Makes the token of an account. Those before it work for some more days, so that clients can be changed in peace. */
export async function createScimToken(tx: Transaction, now: Date, { account, person, address }: By): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  const moment = now.toISOString();
  const name = `SCIM ${moment.slice(0, 10)}`;
  tx.send(removeExpired, [account, moment]);
  const [row] = await tx.query(insert, [account, name, hash(secret), person, moment]);
  const id = Number(row?.[0]);
  const end = new Date(now.getTime() + daysAfterRotation * 86_400_000).toISOString();
  tx.send(endOthers, [account, id, end]);
  const details = { kind: "scim", token: id, name };
  recordSecurityEvent(tx, moment, { account, person, address, event: "token-created", details });
  return secret;
}

/** `id` null: all of the account, which switches provisioning off. False: there was none. */
export async function deleteScimTokens(
  tx: Transaction,
  now: Date,
  id: number | null,
  { account, person, address }: By,
): Promise<boolean> {
  const removed = await tx.query(remove, [account, id]);
  for (const [token] of removed) {
    const details = { kind: "scim", token: Number(token) };
    recordSecurityEvent(tx, now.toISOString(), { account, person, address, event: "token-deleted", details });
  }
  return removed.length > 0;
}

const toMoment = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;
const toMomentOrNull = (text: string | null | undefined) => (text == null ? null : toMoment(text));

/** Newest first, without secrets. */
export async function listScimTokens(
  { engine }: { engine: Engine },
  account: string,
): Promise<AnswerOf<typeof scimToken>[]> {
  const rows = await engine.database.read(selectAll, [account, engine.clock.now().toISOString()]);
  return rows.map(([id, name, createdAt, lastUsedAt, expiresAt, person, personName]) => ({
    id: Number(id),
    name: parseText(name),
    created_at: toMoment(parseText(createdAt)),
    last_used_at: toMomentOrNull(lastUsedAt),
    expires_at: toMomentOrNull(expiresAt),
    created_by: person == null ? null : { id: Number(person), name: parseText(personName) },
  }));
}
