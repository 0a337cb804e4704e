import { getMailTexts } from "../../records/notifications/index.ts";
import { type Row, statement, type Transaction } from "../database/database.ts";
import { listHiddenTexts, showTexts } from "../mail/hidden-texts.ts";
import { addJob } from "../queue/jobs.ts";
import type { ComposedMail } from "./compose-mail.ts";
import { loadAccounts, loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";
import type { Notifications } from "./notifications-context.ts";
import { footerSeparator, renderMessage } from "./render-message.ts";
import { storeNotificationMails } from "./store-mails.ts";
import { buildUnsubscribeUrl } from "./unsubscribe.ts";

// Emails above the hourly limit of a person are combined in one digest per account: administrators of an account may read
// its emails. The combined emails stay as rows that refer to the digest.

const selectGathered = statement(
  "SELECT id, subject, body, account_id, html, sealed_texts FROM mails WHERE person_id = $1 AND state = 'gathered' ORDER BY id FOR UPDATE",
);
const markDigested = statement(
  "UPDATE mails SET state = 'digested', body = '', html = NULL, sealed_texts = NULL WHERE id = ANY($1::integer[]) AND account_id = ANY($2::text[])",
);
const releaseMail = statement(
  "UPDATE mails SET state = 'waiting', body = $2, html = $3, sealed_texts = $5 WHERE id = $1 AND account_id = $4",
);
const linkToDigest = statement(
  `UPDATE mails SET digest_id = (SELECT max(id) FROM mails WHERE person_id = $2 AND trigger = 'digest' AND account_id = $3) WHERE id = ANY($1::integer[]) AND account_id = $3`,
);
const maxBodyLength = 1000;
const maxWithText = 100;

/** Handles the job `mail digest`. */
export async function sendDigest(notifications: Notifications, { person }: { person: number }): Promise<void> {
  const { engine } = notifications;
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    const rows = await tx.query(selectGathered, [person]);
    if (rows.length === 0) return;
    const byAccount = Map.groupBy(rows, (row) => String(row[3]));
    tx.send(markDigested, [pickIds(rows), [...byAccount.keys()]]);
    const reader = (await loadMailRecipients(engine, [person], now)).get(person);
    if (reader === undefined || reader.emailPreference === "never") return; // the preference changed meanwhile
    for (const [account, [row, ...others]] of byAccount)
      if (others.length === 0) {
        sendSingle(notifications, tx, account, row as Row, now);
        byAccount.delete(account);
      }
    const accounts = await loadAccounts(engine, byAccount.keys());
    const mails = [...byAccount].map(([account, gathered]) =>
      buildDigest(notifications, reader, { id: account, name: accounts.get(account)?.name ?? account }, gathered),
    );
    await storeNotificationMails(notifications, tx, mails, now);
    for (const [account, gathered] of byAccount) tx.send(linkToDigest, [pickIds(gathered), person, account]);
  });
}

/** A single mail is sent as it is, so that a reply to it finds its record. */
function sendSingle(
  { hasMailServer }: Notifications,
  tx: Transaction,
  account: string,
  [id, , body, , html, sealed]: Row,
  now: Date,
): void {
  tx.send(releaseMail, [Number(id), body ?? "", html ?? null, account, sealed ?? null]);
  if (hasMailServer) addJob(tx, { kind: "mail", key: String(id), account, payload: { id: Number(id) }, runAt: now });
}

function buildDigest(
  { origin, secret }: Notifications,
  reader: MailRecipient,
  account: { id: string; name: string },
  rows: readonly Row[],
): ComposedMail {
  const message = renderMessage(reader, {
    notifications: [
      { wording: getMailTexts(reader.me.locale).digest, values: { count: String(rows.length), account: account.name } },
    ],
    record: null,
    name: "",
    texts: [],
    plain: rows.map(([, subject, body, , , sealed], at) => {
      const [text = ""] = showTexts(secret, account.id, sealed ?? null, [body ?? ""]);
      return at < maxWithText ? `${subject}\n\n${truncateBody(text)}` : `${subject}`;
    }),
    link: null,
    account: account.name,
    unsubscribe: buildUnsubscribeUrl(secret, origin(), reader),
  });
  const person = reader.me.id;
  const envelope = { person, recipient: reader.address, type: "person", record: person, trigger: "digest" };
  const hiddenTexts = rows.flatMap(([, , , , , sealed]) => listHiddenTexts(secret, account.id, sealed ?? null));
  return { ...message, ...envelope, account: account.id, ignoresPreferences: true, hiddenTexts };
}

const pickIds = (rows: readonly Row[]): number[] => rows.map(([id]) => Number(id));

const truncateBody = (body: string): string => {
  const text = (body.split(footerSeparator)[0] as string).trim();
  return text.length <= maxBodyLength ? text : `${text.slice(0, maxBodyLength).toWellFormed()} …`;
};
