import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { toTimestamp } from "../base/clock.ts";
import { Invalid, NotFound } from "../base/errors.ts";
import { type Row, statement, type Transaction } from "../database/database.ts";
import type { WebhookOutbox } from "./outbox.ts";
import type { Webhooks } from "./webhooks-context.ts";

// A webhook sends events only after its receiver called back with a code, so no one gets unsolicited messages.

const codeLifetimeSeconds = 24 * 3600;

const hashCode = (code: string): string => createHash("sha256").update(code).digest("base64url");

const dropEarlier = statement(
  "UPDATE webhook_deliveries SET state = 'dropped', reason = 'a newer code was sent', finished_at = $2 WHERE webhook_id = $1 AND account_id = $3 AND kind = 'verify' AND state = 'waiting'",
);
const insertDelivery = statement(
  `INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, payload, expires_at, next_try_at, created_at)
VALUES ($1, $2, 'verify', 'webhook.verify', $3, $4, $5, $5)`,
);

/** A code of 24 characters; only its hash is stored. */
export function createCode(now: Date): { code: string; hash: string; expiresAt: Date } {
  const code = randomBytes(18).toString("base64url");
  return {
    code,
    hash: hashCode(code),
    expiresAt: new Date((Math.floor(now.getTime() / 1000) + codeLifetimeSeconds) * 1000),
  };
}

/** Sends a code and drops the deliveries of earlier codes, which are no longer valid. */
export function sendVerificationCode(
  tx: Transaction,
  outbox: WebhookOutbox,
  webhook: { id: number; account: string },
  { code, expiresAt }: { code: string; expiresAt: Date },
  now: Date,
): void {
  const payload = { code, expires_at: Math.floor(expiresAt.getTime() / 1000) };
  tx.send(dropEarlier, [webhook.id, now.toISOString(), webhook.account]);
  tx.send(insertDelivery, [
    webhook.account,
    webhook.id,
    JSON.stringify(payload),
    expiresAt.toISOString(),
    toTimestamp(now),
  ]);
  tx.afterCommit(() => outbox.onCommitted([webhook.id]));
}

const selectVerificationState = statement(
  "SELECT verified, verification_hash, extract(epoch FROM verification_expires_at)::bigint FROM webhooks WHERE id = $1 AND account_id = $2 FOR UPDATE",
);
const replaceCode = statement(
  "UPDATE webhooks SET verification_hash = $3, verification_expires_at = $4 WHERE id = $1 AND account_id = $2",
);
const markVerified = statement(
  "UPDATE webhooks SET verified = true, updated_at = $3 WHERE id = $1 AND account_id = $2",
);
const dropWaitingCodes = statement(
  "UPDATE webhook_deliveries SET state = 'dropped', reason = 'verified meanwhile', finished_at = $2, payload = NULL WHERE webhook_id = $1 AND account_id = $3 AND kind = 'verify' AND state = 'waiting' AND leased_until IS NULL",
);

/** Works only while the last code has not expired. */
export async function resendVerificationCode({ engine, outbox }: Webhooks, account: string, id: number): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const now = engine.clock.now();
    const [row] = await tx.query(selectVerificationState, [id, account]);
    if (row === undefined) throw new NotFound();
    if (row[0] === "t") throw new Invalid([["base", "is verified already"]]);
    if (Number(row[2]) * 1000 < now.getTime())
      throw new Invalid([["base", "the code has expired: change the webhook to get a new one"]]);
    const fresh = createCode(now);
    tx.send(replaceCode, [id, account, fresh.hash, toTimestamp(fresh.expiresAt)]);
    sendVerificationCode(tx, outbox, { id, account }, fresh, now);
  });
}

/** Handles the callback of the receiver. A wrong, superseded or expired code is 404. */
export async function verifyWebhook({ engine }: Webhooks, account: string, id: number, code: string): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const now = engine.clock.now();
    const [row] = await tx.query(selectVerificationState, [id, account]);
    if (row === undefined || !isCodeCorrect(row, code)) throw new NotFound();
    if (row[0] === "t") return;
    if (Number(row[2]) * 1000 < now.getTime()) throw new NotFound();
    tx.send(markVerified, [id, account, toTimestamp(now)]);
    tx.send(dropWaitingCodes, [id, now.toISOString(), account]);
  });
}

function isCodeCorrect(row: Row, code: string): boolean {
  const [stored, given] = [Buffer.from(row[1] ?? ""), Buffer.from(hashCode(code))];
  return stored.length === given.length && timingSafeEqual(stored, given);
}
