import { toTimestamp } from "../base/clock.ts";
import { type Database, statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Page } from "../engine/list.ts";
import { isEqual, listNewestFirst } from "../engine/newest-first.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import { addJob } from "../queue/jobs.ts";
import { findDestination } from "./destinations.ts";
import { type MailSource, pieceBytes } from "./mail-spool.ts";

// A received mail is stored before it is acknowledged; a job handles it.

export type IncomingMail = {
  raw: MailSource;
  /** empty: the sender takes no answer */
  envelopeFrom: string;
  recipients: readonly string[];
};
export const receivedMailJob = "received mail";

const columnsOfInsert = "account_id, recipients, envelope_from, size, received_at, raw";
const insert = statement(
  `INSERT INTO received_mails (${columnsOfInsert}) VALUES ($1, $2::text[], $3, $4, $5, decode($6, 'base64')) RETURNING id`,
);

// A large message is sent piece by piece into a large object, which exists until the end of the transaction.
const createObject = statement("SELECT lo_from_bytea(0, ''::bytea)");
const appendPiece = statement("SELECT lo_put($1::oid, $2::bigint, decode($3, 'base64'))");
const insertFromObject = statement(
  `INSERT INTO received_mails (${columnsOfInsert}) VALUES ($1, $2::text[], $3, $4, $5, lo_get($6::oid)) RETURNING id`,
);
const removeObject = statement("SELECT lo_unlink($1::oid)");

/** Returns the number of the large object. */
async function sendPieces(tx: Transaction, raw: MailSource): Promise<string> {
  const [row] = await tx.query(createObject);
  const object = row?.[0] as string;
  let offset = 0;
  for await (const piece of raw.read()) {
    await tx.query(appendPiece, [object, offset, piece.toString("base64")]);
    offset += piece.length;
  }
  return object;
}

async function readWhole(raw: MailSource): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of raw.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Stores one row and one job per addressed account and returns the ids; none: no address belongs to an account. */
export async function storeReceivedMail(database: Database, now: Date, mail: IncomingMail): Promise<number[]> {
  return database.transaction(async (tx) => {
    const accounts = new Map<string, string[]>();
    for (const recipient of new Set(mail.recipients)) {
      const destination = await findDestination(tx, recipient);
      if (destination === null) continue;
      accounts.set(destination.account, [...(accounts.get(destination.account) ?? []), recipient]);
    }
    if (accounts.size === 0) return [];
    const { length } = mail.raw;
    const isLarge = length > pieceBytes;
    const content = isLarge ? await sendPieces(tx, mail.raw) : (await readWhole(mail.raw)).toString("base64");
    const ids: number[] = [];
    for (const [account, recipients] of accounts) {
      const values = [account, recipients, mail.envelopeFrom, length, now.toISOString(), content];
      const [row] = await tx.query(isLarge ? insertFromObject : insert, values);
      const id = Number(row?.[0]);
      ids.push(id);
      addJob(tx, { kind: receivedMailJob, key: String(id), account, payload: { id }, runAt: now });
    }
    if (isLarge) tx.send(removeObject, [content]);
    return ids;
  });
}

export type WaitingMail = {
  id: number;
  account: string;
  recipients: readonly string[];
  envelopeFrom: string;
};

const selectWaitingMail = statement(
  "SELECT id, account_id, to_json(recipients), envelope_from, octet_length(raw) FROM received_mails WHERE id = $1 AND state = 'waiting'",
);
const selectPiece = statement(
  "SELECT encode(substring(raw FROM $2::integer + 1 FOR $3::integer), 'base64') FROM received_mails WHERE id = $1 AND state = 'waiting'",
);
const lockWaitingMail = statement("SELECT 1 FROM received_mails WHERE id = $1 AND state = 'waiting' FOR UPDATE");

export async function loadWaitingMail(
  database: Database,
  id: number,
): Promise<{ mail: WaitingMail; raw: Uint8Array<ArrayBuffer> } | null> {
  const [row] = await database.read(selectWaitingMail, [id]);
  if (row === undefined) return null;
  const [, account, recipients, envelopeFrom, length] = row as string[];
  const mail = {
    id,
    account: account as string,
    recipients: JSON.parse(recipients as string) as string[],
    envelopeFrom: envelopeFrom as string,
  };
  const raw = new Uint8Array(Number(length ?? 0));
  for (let offset = 0; offset < raw.length; offset += pieceBytes) {
    const [piece] = await database.read(selectPiece, [id, offset, pieceBytes]);
    if (piece === undefined) return null; // another job has handled it meanwhile
    raw.set(Buffer.from(piece[0] as string, "base64"), offset);
  }
  return { mail, raw };
}

/** False: another job has handled the mail. */
export const lockMail = async (tx: Transaction, id: number): Promise<boolean> =>
  (await tx.query(lockWaitingMail, [id])).length > 0;

/** How a mail was handled. */
export type MailOutcome = {
  kind: "request" | "note" | "ignored" | "rejected" | "unreadable";
  reason?: string;
  sender?: string;
  subject?: string;
  messageId?: string | null;
  person?: number;
  record?: { type: string; id: number };
  note?: number;
};

const markDone = statement(
  `UPDATE received_mails SET state = 'done', raw = NULL, outcome = $2, reason = $3, sender = $4, subject = $5, message_id = $6,
  person_id = $7, record_type = $8, record_id = $9, note_id = $10, handled_at = $11 WHERE id = $1`,
);

/** Keeps the outcome and deletes the message. */
export function finishMail(tx: Transaction, id: number, now: Date, outcome: MailOutcome): void {
  const { kind, reason, sender, subject, messageId, person, record, note } = outcome;
  const text = [reason?.slice(0, 1000) ?? null, sender ?? null, subject?.slice(0, 255) ?? null, messageId ?? null];
  const ids = [person ?? null, record?.type ?? null, record?.id ?? null, note ?? null];
  tx.send(markDone, [id, kind, ...text, ...ids, now.toISOString()]);
}

const markFailed = statement(
  "UPDATE received_mails SET state = 'failed', reason = $2, handled_at = $3 WHERE id = $1 AND state = 'waiting'",
);

/** The fault is ours, not the message's: the message is kept, and no further attempt is made. */
export const failMail = (database: Database, id: number, now: Date, reason: string) =>
  database.change(markFailed, [id, reason.slice(0, 1000), now.toISOString()]);

/** Newest first, each with what became of it. */
export const listReceivedMails = (engine: Engine, by: Caller, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "received mails",
    table: "received_mails a",
    columns: `a.id, a.sender, array_to_string(a.recipients, ', ') AS recipient, a.subject, a.state,
  a.outcome, a.reason, a.record_type, a.record_id, a.note_id, date_trunc('second', a.received_at) AS received_at, date_trunc('second', a.handled_at) AS handled_at`,
    where: isEqual("account_id", by.account),
    filters: { sender: (text) => isEqual("sender", text), outcome: (text) => isEqual("outcome", text) },
    states: ["waiting", "done", "failed"],
  });

// Outcomes are kept for 30 days.

const days = 30;
const everySeconds = 3600;
const deleteMails = statement(
  `DELETE FROM received_mails WHERE id IN (SELECT id FROM received_mails WHERE state <> 'waiting' AND handled_at < $1 ORDER BY handled_at LIMIT 10000)`,
);
export const deleteOldMailsJob = "forget received mails";

export async function deleteOldMails(database: Database, now: Date): Promise<void> {
  await database.change(deleteMails, [toTimestamp(new Date(now.getTime() - days * 86_400_000))]);
  await scheduleMailCleanup(database, new Date(now.getTime() + everySeconds * 1000));
}

/** One job per instance: adding it again only moves it. */
export const scheduleMailCleanup = (database: Database, runAt: Date): Promise<void> =>
  database.transaction(async (tx) =>
    addJob(tx, { kind: deleteOldMailsJob, key: "all", account: null, payload: {}, runAt }),
  );
