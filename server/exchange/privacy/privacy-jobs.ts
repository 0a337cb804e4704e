import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { privacyJob as privacyJobAnswer } from "../../../records/answers/privacy.ts";
import { NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { buildReference, jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Page } from "../../engine/list.ts";
import { isEqual, listNewestFirst } from "../../engine/newest-first.ts";
import type { ListQuery } from "../../engine/read/list-query.ts";
import { addJob } from "../../queue/jobs.ts";
import { buildDownloadUrl, createToken, type Exchange, retentionSeconds } from "../exchange-context.ts";

// Work on the data of a person that takes a while: its export and its anonymization.

export const privacyJob = "privacy";
export type PrivacyKind = "export" | "anonymise";

export type PrivacyJob = {
  id: number;
  account_id: string;
  token: string;
  person_id: number;
  subject_type: string;
  subject_id: number;
  kind: PrivacyKind;
  state: "queued" | "processing" | "done" | "failed";
  position: string | null;
  file: string | null;
  finished_at: string | null;
};

const columns = "id, account_id, token, person_id, subject_id, kind, state, position, file, finished_at";
const insert = statement(
  `INSERT INTO privacy_jobs (account_id, token, person_id, subject_id, kind, state, created_at)
VALUES ($1, $2, $3, $4, $5, 'queued', $6) RETURNING id`,
);
const selectById = jsonStatement<PrivacyJob>(`SELECT ${columns} FROM privacy_jobs WHERE id = $1`);

/** `note` writes the security trail in the same transaction. */
export async function queuePrivacyJob(
  { engine, wake }: Exchange,
  by: Caller,
  wanted: { kind: PrivacyKind; type: string; id: number },
  note: (tx: Transaction) => void,
): Promise<string> {
  const token = createToken();
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(insert, [by.account, token, by.person, wanted.id, wanted.kind, now.toISOString()]);
    const payload = { id: Number(row?.[0]), type: wanted.type };
    addJob(tx, { kind: privacyJob, key: token, account: by.account, payload, runAt: now });
    note(tx);
    tx.afterCommit(wake);
  });
  return token;
}

export const loadPrivacyJob = ({ engine }: Exchange, id: number): Promise<PrivacyJob | null> =>
  queryFirst(engine.database, selectById, [id]);

const members = `a.id, a.token, a.kind, a.state, a.total, a.done, coalesce(a.counts, '{}')::json AS counts, a.file,
  ${buildReference("people", "a.subject_id")} AS subject, ${buildReference("people", "a.person_id")} AS person, a.created_at,
  date_trunc('second', a.finished_at) AS finished_at`;

type JobAnswer = AnswerOf<typeof privacyJobAnswer>;
type Entry = Omit<JobAnswer, "url"> & { id: number; file: string | null };

export async function listPrivacyJobs(exchange: Exchange, by: Caller, query: ListQuery): Promise<Page> {
  const page = await listNewestFirst(exchange.engine, by, query, {
    name: "privacy jobs",
    table: "privacy_jobs a",
    columns: members,
    where: isEqual("account_id", by.account),
  });
  return { ...page, records: page.records.map((text) => JSON.stringify(describe(exchange, by, JSON.parse(text)))) };
}

const selectByToken = jsonStatement<Entry>(
  `SELECT ${members} FROM privacy_jobs a WHERE a.token = $1 AND a.account_id = $2`,
);

export async function describePrivacyJob(exchange: Exchange, by: Caller, token: string): Promise<JobAnswer> {
  const entry = await queryFirst(exchange.engine.database, selectByToken, [token, by.account]);
  if (entry === null) throw new NotFound();
  return describe(exchange, by, entry);
}

function describe(exchange: Exchange, by: Caller, { id: _, file, ...entry }: Entry): JobAnswer {
  const finished = entry.finished_at === null ? null : new Date(entry.finished_at);
  const age = finished === null ? 0 : exchange.engine.clock.now().getTime() - finished.getTime();
  const isKept = file !== null && finished !== null && age <= retentionSeconds * 1000;
  return { ...entry, ...(isKept ? { url: buildDownloadUrl(exchange, by.origin, file, finished) } : {}) };
}
