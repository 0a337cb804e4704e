import { statement, type Transaction } from "../../database/database.ts";
import { storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";
import type { Scim } from "../scim-context.ts";

// Administrators are notified of failing rules once a day at most.

export const failureMailJob = "scim failures";

const countFailed = statement("SELECT count(*) FROM scim_users WHERE account_id = $1 AND failed");
const administrators = statement(
  `SELECT p.primary_email FROM permissions r JOIN people p ON p.id = r.person_id
WHERE r.account_id = $1 AND r.role IN ('account_administrator', 'directory_administrator') AND NOT p.disabled AND p.primary_email IS NOT NULL`,
);

/** The mail is sent the next morning; further failures until then are in it. */
export function planFailureMail(tx: Transaction, account: string, now: Date): void {
  const morning = new Date(now);
  morning.setUTCHours(6, 0, 0, 0);
  if (morning <= now) morning.setUTCDate(morning.getUTCDate() + 1);
  addJob(tx, { kind: failureMailJob, key: account, account, payload: { account }, runAt: morning });
}

export async function sendFailureMail({ engine }: Scim, { account }: { account: string }): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const failed = Number((await tx.query(countFailed, [account]))[0]?.[0] ?? 0);
    if (failed === 0) return;
    const now = engine.clock.now();
    const subject = "Provisioning: rules fail for some users";
    const body = `The automation rules of ${failed} users that the identity provider sent to the account ${account} failed. The settings of provisioning list them, with the errors.`;
    for (const [recipient] of await tx.query(administrators, [account]))
      addJob(tx, await storeMail(tx, now, { account, recipient: recipient as string, subject, body }));
  });
}
