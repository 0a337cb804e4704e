import { Conflict, NotFound } from "../base/errors.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Page } from "../engine/list.ts";
import { byInteger, isEqual, listNewestFirst } from "../engine/newest-first.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import { buildMailJob } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";

export const mailStates = ["waiting", "sent", "failed", "gathered", "digested"];

/** Emails sent to people, newest first. The text of a sent email is not stored. */
export const listMails = (engine: Engine, by: Caller, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "mails",
    table: "mails a",
    joins: "LEFT JOIN people p ON p.id = a.person_id",
    columns: `a.id, a.recipient, a.subject, a.body, date_trunc('second', a.created_at) AS created_at, date_trunc('second', a.sent_at) AS sent_at, a.state, a.tries, a.error,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'name', p.name) END AS person,
  CASE WHEN a.record_id IS NOT NULL THEN json_build_object('type', a.record_type, 'id', a.record_id) END AS record`,
    where: isEqual("account_id", by.account),
    filters: { recipient: (text) => isEqual("recipient", text), person: byInteger("person_id") },
    states: mailStates,
  });

const selectState = statement("SELECT state, body = '' FROM mails WHERE id = $1 AND account_id = $2");
// Of two calls at the same time one changes the row; the other finds it waiting.
const requeueMail = statement(
  "UPDATE mails SET state = 'waiting' WHERE id = $1 AND account_id = $2 AND state = 'failed' AND body <> '' RETURNING id",
);

/** Sends a failed email again, with the same text and Message-ID (D-690). `record` writes the security trail. */
export async function sendMailAgain(
  { database, clock }: Engine,
  account: string,
  id: number,
  record: (tx: Transaction) => void,
): Promise<void> {
  await database.transaction(async (tx) => {
    const requeued = await tx.query(requeueMail, [id, account]);
    if (requeued.length === 0) {
      const [row] = await tx.query(selectState, [id, account]);
      if (row === undefined) throw new NotFound();
      const [state, isBlank] = row;
      if (state === "failed" && isBlank === "t") throw new Conflict("The text of this mail is no longer stored");
      throw new Conflict(`Only failed emails can be resent; this email is ${state}`);
    }
    addJob(tx, buildMailJob(account, id, clock.now()));
    record(tx);
  });
}
