import { mailWords } from "../../records/notifications/index.ts";
import { statement } from "../storage/database.ts";
import type { Notifications } from "./context.ts";
import { messageFor, separator } from "./message.ts";
import { storeNotices } from "./outbox.ts";
import { accountsOf, readersOf } from "./readers.ts";
import { unsubscribeAddress } from "./unsubscribe.ts";

// What was more than a person gets within an hour comes in one mail. The notices stay as rows and name the mail that
// told them.

const gathered = statement(
  "SELECT id, subject, body, account_id FROM mails WHERE person_id = $1 AND state = 'gathered' ORDER BY id FOR UPDATE",
);
const told = statement("UPDATE mails SET state = 'digested', body = '', html = NULL WHERE id = ANY($1::integer[])");
const tellBy = statement(
  `UPDATE mails SET digest_id = (SELECT max(id) FROM mails WHERE person_id = $2 AND trigger = 'digest') WHERE id = ANY($1::integer[])`,
);
const mostOfEach = 1000;

/** The job. */
export async function sendDigest(notifications: Notifications, { person }: { person: number }): Promise<void> {
  const { engine, origin, secret } = notifications;
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    const rows = await tx.query(gathered, [person]);
    const ids = rows.map(([id]) => Number(id));
    const reader = (await readersOf(engine, [person], now)).get(person);
    if (ids.length === 0) return;
    tx.send(told, [ids]);
    if (reader === undefined || reader.wants === "never") return; // changed their mind meanwhile
    const account = String(rows[0]?.[3]);
    const name = (await accountsOf(engine, [account])).get(account)?.name ?? account;
    const values = { count: String(ids.length), account: name };
    const parts = rows.map(([, subject, body]) => `${subject}\n\n${shortened(body ?? "")}`);
    const message = messageFor(reader, {
      notices: [{ wording: mailWords(reader.me.locale).digest, values }],
      record: null,
      name: "",
      texts: [],
      plain: parts,
      link: null,
      account: name,
      unsubscribe: unsubscribeAddress(secret, origin(), reader),
    });
    const about = { account, person, recipient: reader.address, type: "person", record: person, trigger: "digest" };
    await storeNotices(notifications, tx, [{ ...message, ...about, regardless: true }], now);
    tx.send(tellBy, [ids, person]);
  });
}

const shortened = (body: string): string => {
  const text = (body.split(separator)[0] as string).trim();
  return text.length <= mostOfEach ? text : `${text.slice(0, mostOfEach).toWellFormed()} …`;
};
