import { randomBytes } from "node:crypto";
import { acquireLock, buildLockKey } from "../database/advisory-lock.ts";
import { statement, type Transaction } from "../database/database.ts";
import { hideTexts } from "../mail/hidden-texts.ts";
import { addJob } from "../queue/jobs.ts";
import type { ComposedMail } from "./compose-mail.ts";
import type { Notifications } from "./notifications-context.ts";

// Stores emails with the jobs that send them. Emails above the hourly limit of a person wait for a digest, which has a job
// of its own.

export const digestJob = "mail digest";
const hour = 3_600_000;

// Person by person: for a list of them PostgreSQL reads the whole table as long as it believes it to be small.
const countRecentMails = statement(
  `SELECT p.id, m.number, m.first FROM unnest($1::integer[]) AS p (id), LATERAL (
  SELECT count(*) AS number, extract(epoch FROM min(created_at)) AS first FROM mails
  WHERE person_id = p.id AND created_at > $2 AND state NOT IN ('gathered', 'digested')
) m WHERE m.number > 0`,
);
const insert = statement(
  `WITH written AS (
  INSERT INTO mails (account_id, recipient, subject, body, created_at, person_id, record_type, record_id, trigger, html, message_id, state, sealed_texts)
  SELECT x.account, x.recipient, x.subject, x.body, $1, x.person, x.type, x.record, x.trigger, x.html, x.message, x.state, x.sealed
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::text[], $14::text[])
    AS x(account, recipient, subject, body, person, type, record, trigger, html, message, state, sealed)
  RETURNING id, account_id, state
)
INSERT INTO jobs (account_id, kind, key, payload, run_at)
SELECT account_id, 'mail', id::text, json_build_object('id', id), $1 FROM written WHERE state = 'waiting' AND $13`,
);

/** Names the record and the recipient's account, so that a reply can be matched. */
export const buildMessageId = (domain: string, { type, record, account, isInternal }: ComposedMail): string =>
  `<${type}.${record}.${account}.${isInternal ? "internal-" : ""}${randomBytes(8).toString("hex")}@mail.${domain}>`;

export async function storeNotificationMails(
  { domain, maxMailsPerHour, hasMailServer, secret }: Notifications,
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
  const digestTimes = new Map<number, Date>();
  const states = mails.map((mail) => {
    const recent = sent.get(mail.person) ?? { count: 0, first: now.getTime() };
    if (recent.count >= maxMailsPerHour && !mail.ignoresPreferences) {
      digestTimes.set(mail.person, new Date(recent.first + hour));
      return "gathered";
    }
    sent.set(mail.person, { ...recent, count: recent.count + 1 });
    return "waiting";
  });
  for (const [person, runAt] of digestTimes)
    addJob(tx, { kind: digestJob, key: String(person), account: null, payload: { person }, runAt });
  const stored = mails.map(({ account, subject, body, html, hiddenTexts }) =>
    hideTexts({ key: secret, texts: hiddenTexts ?? [] }, account, [subject, body, html]),
  );
  const column = (read: (mail: ComposedMail) => string | number) => mails.map(read);
  tx.send(insert, [
    now.toISOString(),
    column(({ account }) => account),
    column(({ recipient }) => recipient),
    stored.map(({ contents }) => contents[0]),
    stored.map(({ contents }) => contents[1]),
    column(({ person }) => person),
    column(({ type }) => type),
    column(({ record }) => record),
    column(({ trigger }) => trigger),
    stored.map(({ contents }) => contents[2]),
    column((mail) => buildMessageId(domain, mail)),
    states,
    hasMailServer,
    stored.map(({ sealed }) => sealed),
  ] as never);
}
