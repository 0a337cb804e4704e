import { statement, type Transaction } from "../database/database.ts";
import { updateUnchecked } from "../engine/change.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import { parseRecipients } from "./rules.ts";
import type { Webhooks } from "./webhooks-context.ts";

// Consequences of failed calls: the webhook keeps its last error, administrators get an email, and a webhook that failed
// for more than a week is disabled. The count is stored in the database and survives restarts.

const disabledAfter = { failures: 20, milliseconds: 7 * 86_400_000 };
const mailInterval = 20 * 60_000;

const updateFailureCount = statement(
  `UPDATE webhooks SET failures = CASE WHEN $5 THEN 0 ELSE coalesce(failures, 0) END + $2, failing_since = CASE WHEN $5 THEN $3 ELSE coalesce(failing_since, $3) END, last_error = $4 WHERE id = $1
RETURNING account_id, name, event, uri, failures, extract(epoch FROM failing_since), verified, disabled, extract(epoch FROM mailed_at), mail_exceptions_to`,
);
const markMailed = statement("UPDATE webhooks SET mailed_at = $2 WHERE id = $1");
const administrators = statement(
  `SELECT DISTINCT p.primary_email FROM permissions r JOIN people p ON p.id = r.person_id
WHERE r.account_id = $1 AND r.role IN ('account_administrator', 'directory_administrator') AND NOT p.disabled AND p.life_cycle = 'active'`,
);

export async function recordFailures(
  webhooks: Webhooks,
  tx: Transaction,
  id: number,
  failure: { times: number; error: string; afterSuccess: boolean },
): Promise<void> {
  const { engine } = webhooks;
  const now = engine.clock.now();
  const [row] = await tx.query(updateFailureCount, [
    id,
    failure.times,
    now.toISOString(),
    failure.error,
    failure.afterSuccess,
  ]);
  if (row === undefined) return; // deleted meanwhile
  const [account, name, event, uri] = row as [string, string, string, string];
  const [failures, since] = [Number(row[4]), Number(row[5]) * 1000];
  const isActive = row[6] === "t" && row[7] !== "t";
  const details = { account, id, name, event, receiver: new URL(uri).host, error: failure.error };
  const isHopeless =
    failures >= disabledAfter.failures && now.getTime() - since > disabledAfter.milliseconds && isActive;
  if (isHopeless) {
    const by = await loadServiceCaller(tx, account, now);
    const disabled_reason = `${failures} calls failed in a row since ${new Date(since).toISOString().slice(0, 10)}: ${failure.error}`;
    await updateUnchecked({ engine, tx, by, type: engine.types.get("webhook") }, id, {
      disabled: true,
      disabled_reason,
    });
  } else if (row[8] !== null && now.getTime() - Number(row[8]) * 1000 < mailInterval) return;
  tx.send(markMailed, [id, now.toISOString()]);
  const people = (await tx.query(administrators, [account])).map(([email]) => email as string);
  const addresses = [...people, ...parseRecipients(row[9] ?? null)];
  const recipients = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  const mail = isHopeless ? buildDisabledMail(details, webhooks) : buildFailureMail(details, webhooks);
  for (const recipient of recipients.values()) addJob(tx, await storeMail(tx, now, { account, recipient, ...mail }));
}

type FailureDetails = { account: string; id: number; name: string; event: string; receiver: string; error: string };

const buildWebhookUrl = ({ getAccountUrl }: Webhooks, { account, id }: FailureDetails): string =>
  `${getAccountUrl(account)}/webhooks/${id}`;

function buildFailureMail(details: FailureDetails, webhooks: Webhooks): { subject: string; body: string } {
  const { name, event, receiver, error } = details;
  return {
    subject: `Webhook "${name}" failed`,
    body: `Webhook "${name}" (${event}) couldn't deliver a message to ${receiver}: ${error}

We'll keep retrying. While deliveries fail, you'll be notified at most once every 20 minutes.

View the request and response: ${buildWebhookUrl(webhooks, details)}
`,
  };
}

function buildDisabledMail(details: FailureDetails, webhooks: Webhooks): { subject: string; body: string } {
  const { name, event, receiver, error } = details;
  return {
    subject: `Webhook "${name}" was disabled`,
    body: `The webhook "${name}" (${event}) to ${receiver} was disabled after at least 20 consecutive failures over more than a week. Last error: ${error}

Messages that were waiting will not be sent. Once the receiver is working again, enable the webhook: ${buildWebhookUrl(webhooks, details)}
`,
  };
}
