import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import { statement, type Transaction } from "../storage/database.ts";

// Whoever turned notifications off gets none.
const addresses = statement(
  `SELECT DISTINCT primary_email FROM people WHERE id = ANY($1::integer[]) AND NOT disabled AND life_cycle = 'active'
AND primary_email IS NOT NULL AND send_email_notifications IS DISTINCT FROM 'never' ORDER BY primary_email`,
);

/** One mail to each of these people. */
export async function mailPeople(
  tx: Transaction,
  account: string,
  now: Date,
  people: readonly (number | null)[],
  { subject, body }: { subject: string; body: string },
): Promise<void> {
  const ids = people.filter((id) => id !== null);
  if (ids.length === 0) return;
  for (const [recipient] of await tx.query(addresses, [ids]))
    addJob(tx, await storeMail(tx, now, { account, recipient: recipient as string, subject, body }));
}
