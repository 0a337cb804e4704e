import { randomBytes } from "node:crypto";
import { toTimestamp } from "../base/clock.ts";
import type { Change, TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { type AddressFilter, findAddressProblem } from "./address-filter.ts";
import type { WebhookOutbox } from "./outbox.ts";
import { getDisplayedKey, rotateKey, seal, unseal } from "./signing-keys.ts";
import { createCode, sendVerificationCode } from "./verification.ts";

// Hooks of webhooks and their policies: WH2 to WH8.

type WebhookRuleDependencies = { secret: string; addresses: AddressFilter; outbox: WebhookOutbox };

const selectVerifiedUri = statement(
  "SELECT 1 FROM webhooks WHERE account_id = $1 AND md5(uri) = md5($2) AND uri = $2 AND verified LIMIT 1",
);
const dropWaiting = statement(
  "UPDATE webhook_deliveries SET state = 'dropped', reason = $2, finished_at = $3 WHERE webhook_id = $1 AND kind = 'event' AND state = 'waiting'",
);

const dropAll = statement(
  "UPDATE webhook_deliveries SET state = 'dropped', reason = 'the webhook was deleted', finished_at = $2 WHERE webhook_id = $1 AND state = 'waiting'",
);

export const webhookRules = (dependencies: WebhookRuleDependencies): Record<string, TypeRules> => ({
  webhook: {
    beforeSave: (change) => checkWebhook(dependencies, change),
    afterDelete: ({ tx, by, id }) => tx.send(dropAll, [id, by.now.toISOString()]),
  },
  webhook_policy: { beforeSave: (change) => checkPolicy(dependencies, change) },
});

async function checkWebhook({ addresses, outbox }: WebhookRuleDependencies, change: Change): Promise<void> {
  const { tx, by, id, account, before, after, changed } = change;
  if (before !== null && changed.size === 0 && change.attachments.size === 0) return;
  after.name ??= after.event ?? null;
  const { uri } = after;
  if (typeof uri === "string" && changed.has("uri")) {
    const problem = await findAddressProblem(addresses, uri);
    if (problem !== null) return change.problem("uri", problem);
    after.receiver = new URL(uri).origin;
  }
  if (changed.has("mail_exceptions_to")) checkRecipients(change);

  if (before === null) after.verified = (await tx.query(selectVerifiedUri, [account, String(uri)])).length > 0;
  else if (changed.has("uri")) after.verified = false;
  if (!after.verified) {
    const fresh = createCode(by.now);
    after.verification_hash = fresh.hash;
    after.verification_expires_at = toTimestamp(fresh.expiresAt);
    change.runAfterSave(() => sendVerificationCode(tx, outbox, { id, account }, fresh, by.now));
  }
  if (changed.has("disabled") && after.disabled === true)
    change.runAfterSave(() => tx.send(dropWaiting, [id, "the webhook was disabled", by.now.toISOString()]));
  if (changed.has("disabled") && after.disabled === false)
    Object.assign(after, { failures: 0, failing_since: null, mailed_at: null, disabled_reason: null });
}

/** Addresses separated by commas. */
export const parseRecipients = (text: string | null): string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function checkRecipients(change: Change): void {
  const list = parseRecipients(change.after.mail_exceptions_to as string | null);
  if (list.some((address) => !/^[^\s@<>"',;]+@[^\s@<>"',;]+$/.test(address)))
    change.problem("mail_exceptions_to", "is not a valid e-mail address");
}

async function checkPolicy({ secret }: WebhookRuleDependencies, change: Change): Promise<void> {
  const { by, before, after, changed } = change;
  if (before === null) after.name = randomBytes(28).toString("hex");
  if (typeof after.jwt_alg !== "string" || (before !== null && !changed.has("jwt_alg"))) return;
  const name = after.name as string;
  const previous = typeof before?.sealed_key === "string" ? unseal(secret, name, before.sealed_key) : null;
  const keys = await rotateKey(after.jwt_alg, previous, by.now);
  after.sealed_key = seal(secret, name, keys);
  change.reveal("public_key_pem", getDisplayedKey(keys));
}
