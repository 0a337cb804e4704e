import { randomBytes } from "node:crypto";
import { addJob } from "../queue/jobs.ts";
import { acquireLock, buildLockKey } from "../storage/advisory-lock.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { ComposedMail } from "./compose-mail.ts";
import type { Notifications } from "./context.ts";

// Mails become rows, and each row a job that sends it. Nobody gets more than so many within an hour: what is more waits
// for a digest, which has a job of its own.

export const digestJob = "mail digest";
const hour = 3_600_000;

const countRecentMails = statement(
  `SELECT person_id, count(*), extract(epoch FROM min(created_at)) FROM mails
WHERE person_id = ANY($1::integer[]) AND created_at > $2 AND state NOT IN ('gathered', 'digested') GROUP BY person_id`,
);
const insert = statement(
  `WITH written AS (
  INSERT INTO mails (account_id, recipient, subject, body, created_at, person_id, record_type, record_id, trigger, html, message_id, state)
  SELECT x.account, x.recipient, x.subject, x.body, $1, x.person, x.type, x.record, x.trigger, x.html, x.message, x.state
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::text[])
    AS x(account, recipient, subject, body, person, type, record, trigger, html, message, state)
  RETURNING id, account_id, state
)
INSERT INTO jobs (account_id, kind, key, payload, run_at)
SELECT account_id, 'mail', id::text, json_build_object('id', id), $1 FROM written WHERE state = 'waiting' AND $13`,
);

/** Names the record and the account it is read in, so that a reply finds its way back. */
export const buildMessageId = (domain: string, { type, record, account, isInternal }: ComposedMail): string =>
  `<${type}.${record}.${account}.${isInternal ? "internal-" : ""}${randomBytes(8).toString("hex")}@mail.${domain}>`;

export async function storeNotificationMails(
  { domain, maxMailsPerHour: perHour, hasMailServer: sends }: Notifications,
  tx: Transaction,
  mails: readonly ComposedMail[],
  now: Date,
): Promise<void> {
  if (mails.length === 0) return;
  // Counting and storing must not interleave, or two dispatchers both stay below the hourly limit.
  await tx.query(acquireLock, [buildLockKey("mail counts")]);
  const people = [...new Set(mails.map(({ person }) => person))];
  const since = new Date(now.getTime() - hour).toISOString();
  const sent = new Map(
    (await tx.query(countRecentMails, [people, since])).map(([person, count, first]) => [
      Number(person),
      { count: Number(count), first: Number(first) * 1000 },
    ]),
  );
  const gathering = new Map<number, Date>();
  const states = mails.map((mail) => {
    const known = sent.get(mail.person) ?? { count: 0, first: now.getTime() };
    if (known.count >= perHour && !mail.ignoresPreferences) {
      gathering.set(mail.person, new Date(known.first + hour));
      return "gathered";
    }
    sent.set(mail.person, { ...known, count: known.count + 1 });
    return "waiting";
  });
  for (const [person, runAt] of gathering)
    addJob(tx, { kind: digestJob, key: String(person), account: null, payload: { person }, runAt });
  const column = (of: (mail: ComposedMail) => string | number) => mails.map(of);
  tx.send(insert, [
    now.toISOString(),
    column(({ account }) => account),
    column(({ recipient }) => recipient),
    column(({ subject }) => subject),
    column(({ body }) => body),
    column(({ person }) => person),
    column(({ type }) => type),
    column(({ record }) => record),
    column(({ trigger }) => trigger),
    column(({ html }) => html),
    column((mail) => buildMessageId(domain, mail)),
    states,
    sends,
  ] as never);
}
