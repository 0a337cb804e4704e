import { toTimestamp } from "../base/clock.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { acquireLock, buildLockKey } from "../database/advisory-lock.ts";
import { statement, type Transaction } from "../database/database.ts";
import { buildReadClause } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireNoteAccess } from "../engine/find.ts";
import { value, withAlias } from "../engine/sql/query.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import type { EmailPolicy } from "./email-policy.ts";
import type { InboundMessage } from "./message.ts";

// ML8: finds the record that a mail answers.

/** The types that a mail can answer, with the field that says when a record was finished. */
const finishedAt: Readonly<Record<string, string>> = {
  request: "completed_at",
  problem: "solved_at",
  release: "completed_at",
  workflow: "completed_at",
  task: "finished_at",
  project: "completed_at",
  project_task: "finished_at",
};
const candidateTypes = Object.keys(finishedAt);

/** `internal`: the mail answers an internal note */
export type RecordReference = { type: string; id: number; internal?: boolean };
/** `account`: the account of the record, which may differ from that of the mail */
export type MatchedRecord = RecordReference & { account: string };

/** Message-IDs of our notifications, <request.1234.widget-it.0123456789abcdef@mail.example.com>, and that of their thread. */
const notificationMessageId = /^<([a-z_]+)\.(\d{1,9})\.([a-z0-9-]+)\.(?:(internal-)?[0-9a-f]{16}|thread)@[^<>@\s]+>$/i;
const otherMessageId = /^<mail-\d+\.steward@/i;

export const isOwnMessageId = (messageId: string): boolean =>
  notificationMessageId.test(messageId) || otherMessageId.test(messageId);

const selectThreads = statement(
  `SELECT record_type, record_id FROM mail_threads WHERE account_id = $1 AND message_id = ANY($2::text[])
ORDER BY array_position($2::text[], message_id)`,
);
const insertThread = statement(
  `INSERT INTO mail_threads (account_id, message_id, record_type, record_id, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (account_id, message_id) DO NOTHING`,
);
const selectThread = statement("SELECT 1 FROM mail_threads WHERE account_id = $1 AND message_id = $2");

/** The lock makes a concurrent handler of the same message wait until this one commits. */
export async function isAlreadyHandled(tx: Transaction, account: string, messageId: string): Promise<boolean> {
  await tx.query(acquireLock, [buildLockKey("mail", account, messageId)]);
  return (await tx.query(selectThread, [account, messageId])).length > 0;
}

export function storeThread(
  tx: Transaction,
  by: Caller,
  messageId: string | null,
  { type, id }: RecordReference,
): void {
  if (messageId !== null) tx.send(insertThread, [by.account, messageId, type, id, toTimestamp(by.now)]);
}

/** The source and sourceID that a mail names in its parameters. */
export type SourcePair = { source: string; sourceID: string };

export type RecordSearch = {
  engine: Engine;
  tx: Transaction;
  by: Caller;
  message: InboundMessage;
  policy: EmailPolicy;
  source: SourcePair | null;
};

/** The first candidate that the sender may write notes to; null: the mail answers no record. */
export async function findRecord(search: RecordSearch): Promise<MatchedRecord | null> {
  const { engine, tx, by, policy } = search;
  if (!policy.replies_as_notes) return null;
  for await (const candidate of findCandidates(search)) {
    const account = await loadAccountIfOpen(engine, tx, by, candidate, policy.days_after_completion);
    if (account !== null) return { ...candidate, account };
  }
  return null;
}

async function* findCandidates(search: RecordSearch): AsyncGenerator<RecordReference> {
  const { engine, tx, by, message, policy, source } = search;
  for (const answered of message.inReplyTo) {
    const [, type = "", id, account, internal] = notificationMessageId.exec(answered) ?? [];
    if (account?.toLowerCase() === by.account && candidateTypes.includes(type))
      yield { type, id: Number(id), internal: internal !== undefined };
  }
  for (const [type, id] of await tx.query(selectThreads, [by.account, [...message.inReplyTo]]))
    yield { type: type as string, id: Number(id) };
  if (source !== null)
    for (const type of candidateTypes)
      for (const [id] of await tx.query(buildSourceStatement(engine, type), [
        by.account,
        source.source,
        source.sourceID,
      ]))
        yield { type, id: Number(id) };
  if (!policy.match_id_in_subject) return;
  for (const [, number] of [...message.subject.matchAll(/(?<![\w.,-])#?(\d{6,9})(?![\w-]|[.,]\d)/g)].slice(0, 10))
    for (const type of candidateTypes) yield { type, id: Number(number) };
}

const buildSourceStatement = (engine: Engine, type: string) =>
  engine.statements.get(
    `${type}#by source`,
    () =>
      `SELECT id FROM ${engine.types.get(type).table} WHERE account_id = $1 AND source = $2 AND "sourceID" = $3 ORDER BY id DESC LIMIT 3`,
  );

/** The account of a record that this sender may write notes to and that was not finished too long ago. */
async function loadAccountIfOpen(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { type: name, id }: RecordReference,
  days: number,
): Promise<string | null> {
  const type = engine.types.get(name);
  try {
    const account = await requireNoteAccess(engine, by, type, id, tx);
    return (await isLongFinished(engine, tx, by, { type: name, id, account }, days)) ? null : account;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound || error instanceof Invalid) return null;
    throw error;
  }
}

async function isLongFinished(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { type: name, id, account }: Pick<MatchedRecord, "type" | "id" | "account">,
  days: number,
) {
  const type = engine.types.get(name);
  const visible = buildReadClause(engine.types.get("note"), by, engine.rules, true);
  const since = toTimestamp(new Date(by.now.getTime() - days * 86_400_000));
  const parts = { id: value(id), account: value(account), since: value(since), visible: withAlias(visible, "n") };
  const query = engine.statements.prepare(`${name}#over`, parts, (sql) => {
    const notes = `SELECT 1 FROM notes n WHERE n.${quoteIdentifier(`${name}_id`)} = a.id AND n.created_at >= ${sql.since}::timestamptz AND ${sql.visible}`;
    return `SELECT 1 FROM ${type.table} a WHERE a.id = ${sql.id} AND a.account_id = ${sql.account} AND a.${finishedAt[name]} < ${sql.since}::timestamptz AND NOT EXISTS (${notes})`;
  });
  return (await tx.query(query.statement, query.values)).length > 0;
}
