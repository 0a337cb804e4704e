import { randomBytes } from "node:crypto";
import { webhook } from "../../records/settings/webhook.ts";
import { webhookPolicy } from "../../records/settings/webhook-policy.ts";
import { toTimestamp } from "../base/clock.ts";
import { statement } from "../database/database.ts";
import { type Change, rulesFor, type TypeRules } from "../engine/rules.ts";
import { webhookComputations } from "../rules/app/app.ts";
import { type AddressFilter, findAddressProblem } from "./address-filter.ts";
import type { WebhookOutbox } from "./outbox.ts";
import { isOwnSandbox } from "./sandbox/sandboxes.ts";
import { getDisplayedKey, rotateKey, seal, unseal } from "./signing-keys.ts";
import { createCode, sendVerificationCode } from "./verification.ts";

// The hooks of webhooks and their policies: WH2 to WH8.

type WebhookRuleDependencies = { secret: string; addresses: AddressFilter; outbox: WebhookOutbox };

const selectVerifiedUri = statement(
  "SELECT 1 FROM webhooks WHERE account_id = $1 AND md5(uri) = md5($2) AND uri = $2 AND verified LIMIT 1",
);
const dropWaiting = statement(
  "UPDATE webhook_deliveries SET state = 'dropped', reason = $2, finished_at = $3 WHERE webhook_id = $1 AND account_id = $4 AND kind = 'event' AND state = 'waiting'",
);

const dropAll = statement(
  "UPDATE webhook_deliveries SET state = 'dropped', reason = 'the webhook was deleted', finished_at = $2 WHERE webhook_id = $1 AND account_id = $3 AND state = 'waiting'",
);

export const webhookRules = (dependencies: WebhookRuleDependencies): Record<string, TypeRules> => ({
  webhook: rulesFor(webhook, {
    compute: webhookComputations,
    beforeSave: (change) => checkWebhook(dependencies, change),
    afterDelete: ({ tx, by, id, account }) => tx.send(dropAll, [id, by.now.toISOString(), account]),
  }),
  webhook_policy: rulesFor(webhookPolicy, { beforeSave: (change) => setSigningKey(dependencies, change) }),
});

async function checkWebhook(
  { addresses, outbox }: WebhookRuleDependencies,
  change: Change<typeof webhook>,
): Promise<void> {
  const { tx, by, id, account, before, after, changed } = change;
  if (before !== null && changed.size === 0 && change.attachments.size === 0) return;
  after.name ??= after.event;
  const { uri } = after;
  if (uri !== null && changed.has("uri")) {
    const isSandbox = await isOwnSandbox(tx, account, uri, by.now);
    const problem = isSandbox ? null : await findAddressProblem(addresses, uri);
    if (problem !== null) return change.problem("uri", problem);
    after.receiver = new URL(uri).origin;
  }
  if (changed.has("mail_exceptions_to")) checkRecipients(change);

  if (before === null) after.verified = (await tx.query(selectVerifiedUri, [account, uri])).length > 0;
  else if (changed.has("uri")) after.verified = false;
  if (!after.verified) {
    const code = createCode(by.now);
    after.verification_hash = code.hash;
    after.verification_expires_at = toTimestamp(code.expiresAt);
    change.runAfterSave(() => sendVerificationCode(tx, outbox, { id, account }, code, by.now));
  }
  if (changed.has("disabled") && after.disabled === true)
    change.runAfterSave(() => tx.send(dropWaiting, [id, "the webhook was disabled", by.now.toISOString(), account]));
  if (changed.has("disabled") && after.disabled === false) {
    after.failures = 0;
    after.failing_since = null;
    after.mailed_at = null;
    after.disabled_reason = null;
  }
}

/** Splits a list of email addresses at its commas and trims them. */
export const parseRecipients = (text: string | null): string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function checkRecipients(change: Change<typeof webhook>): void {
  const list = parseRecipients(change.after.mail_exceptions_to);
  if (list.some((address) => !/^[^\s@<>"',;]+@[^\s@<>"',;]+$/.test(address)))
    change.problem("mail_exceptions_to", "is not a valid e-mail address");
}

async function setSigningKey({ secret }: WebhookRuleDependencies, change: Change<typeof webhookPolicy>): Promise<void> {
  const { by, before, after, changed } = change;
  if (before === null) after.name = randomBytes(28).toString("hex");
  if (after.jwt_alg === null || (before !== null && !changed.has("jwt_alg"))) return;
  const sealedKey = before?.sealed_key ?? null;
  const previousKeys = sealedKey === null ? null : unseal(secret, after.name, sealedKey);
  const keys = await rotateKey(after.jwt_alg, previousKeys, by.now);
  after.sealed_key = seal(secret, after.name, keys);
  change.reveal("public_key_pem", getDisplayedKey(keys));
}
