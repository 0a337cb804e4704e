import { Readable } from "node:stream";
import { TimedOut, Unavailable } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { statement, type Transaction, unnamedStatement } from "../../database/database.ts";
import { announceJobProgress } from "../../queue/job-progress.ts";
import { addJob } from "../../queue/jobs.ts";
import {
  buildFileKey,
  buildRemovalJob,
  type Exchange,
  loadAdministrator,
  WorkInterrupted,
  withJobSlot,
} from "../exchange-context.ts";
import { writeZip, type ZipEntry } from "../formats/zip.ts";
import { anonymizeSubject } from "./anonymize.ts";
import { loadPrivacyJob, type PrivacyJob, privacyJob } from "./privacy-jobs.ts";
import { listStoredParts, loadSubject, type StoredPart, type Subject } from "./stored-data.ts";

const fetchSize = 200;
const maxFileBytes = 64 * 1024 ** 3;

const saveProgress = statement(
  "UPDATE privacy_jobs SET state = 'processing', total = $2, done = $3, counts = $4 WHERE id = $1 AND finished_at IS NULL",
);
const markFinished = statement(
  "UPDATE privacy_jobs SET state = $2, file = $3, position = NULL, finished_at = $4 WHERE id = $1 AND finished_at IS NULL RETURNING 1",
);

export async function runPrivacyJob(exchange: Exchange, payload: { id: number; type: string }): Promise<void> {
  const job = await loadPrivacyJob(exchange, payload.id);
  if (job === null || job.finished_at !== null) return;
  const queueJob = { kind: privacyJob, key: job.token, account: job.account_id, payload };
  await withJobSlot(exchange, queueJob, async () => {
    try {
      const owner = { person_id: String(job.person_id), account_id: job.account_id };
      const by = await loadAdministrator(exchange, owner, {
        ...{ language: "en", source: "" },
        changeOrigin: { kind: "privacy" },
      });
      if (by === null) return await finish(exchange, job, "failed");
      const type = exchange.engine.types.get(payload.type);
      if (job.kind === "anonymise") {
        await anonymizeSubject(exchange, job, { by, type });
        return await finish(exchange, job, "done");
      }
      const subject = await loadSubject(exchange.engine, type, job.subject_id, job.account_id);
      if (subject === null) return await finish(exchange, job, "failed");
      await finish(
        exchange,
        job,
        "done",
        await writeExport(exchange, job, listStoredParts(exchange.engine, type), subject),
      );
    } catch (error) {
      if (error instanceof WorkInterrupted || error instanceof Unavailable || error instanceof TimedOut) throw error;
      exchange.log.error("work on the data of a person failed", { job: job.id, ...describeError(error) });
      await finish(exchange, job, "failed");
    }
  });
}

/** Ends a job that is deleted. */
export async function abandonPrivacyJob(exchange: Exchange, { id }: { id: number }): Promise<void> {
  const job = await loadPrivacyJob(exchange, id);
  if (job !== null) await finish(exchange, job, "failed");
}

async function finish(
  { engine }: Exchange,
  job: PrivacyJob,
  state: "done" | "failed",
  file: string | null = null,
): Promise<void> {
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    if ((await tx.query(markFinished, [job.id, state, file, now.toISOString()])).length === 0) return;
    if (file !== null) addJob(tx, buildRemovalJob(job.account_id, job.token, now));
  });
  await announceProgress(engine.database, job, 1, 1);
}

const announceProgress = (
  database: Exchange["engine"]["database"],
  { account_id: account, person_id: person, token }: PrivacyJob,
  done: number,
  total: number,
): Promise<void> => announceJobProgress(database, { account, person, token, done, total });

/** A ZIP with one JSON file per part, from one snapshot; an interrupted one is written again. */
function writeExport(
  exchange: Exchange,
  job: PrivacyJob,
  parts: readonly StoredPart[],
  subject: Subject,
): Promise<string> {
  const { engine, files } = exchange;
  const key = buildFileKey(job.account_id, job.token, `person-${subject.id}.zip`);
  return engine.database.readSnapshot(async (tx) => {
    const entries = generateEntries(exchange, tx, job, parts, subject);
    const bytes = writeZip(entries, engine.clock.now());
    await files.write(key, Readable.from(bytes, { objectMode: false }), maxFileBytes);
    return key;
  });
}

async function* generateEntries(
  exchange: Exchange,
  tx: Transaction,
  job: PrivacyJob,
  parts: readonly StoredPart[],
  subject: Subject,
): AsyncGenerator<ZipEntry> {
  const { database } = exchange.engine;
  const counts: Record<string, number> = {};
  const values = [subject.id, subject.email, subject.accounts];
  for (const [index, part] of parts.entries()) {
    if (exchange.closing) throw new WorkInterrupted();
    const cursor = `DECLARE stored NO SCROLL CURSOR FOR SELECT ${part.row} FROM ${part.from}`;
    await tx.query(unnamedStatement(cursor), values);
    const first = await tx.query(unnamedStatement(`FETCH ${fetchSize} FROM stored`));
    if (first.length > 0)
      yield {
        name: `${part.name}.json`,
        bytes: generateJson(tx, first, (count) => {
          counts[part.name] = count;
        }),
      };
    await tx.query(unnamedStatement("CLOSE stored"));
    await database.change(saveProgress, [job.id, parts.length, index + 1, JSON.stringify(counts)]);
    await announceProgress(database, job, index + 1, parts.length);
  }
}

async function* generateJson(
  tx: Transaction,
  first: readonly (readonly (string | null)[])[],
  onEnd: (count: number) => void,
): AsyncGenerator<Buffer> {
  let count = 0;
  yield Buffer.from("[\n");
  for (let rows = first; rows.length > 0; ) {
    yield Buffer.from(rows.map(([json], index) => `${count + index === 0 ? "" : ",\n"}${json}`).join(""));
    count += rows.length;
    rows = rows.length < fetchSize ? [] : await tx.query(unnamedStatement(`FETCH ${fetchSize} FROM stored`));
  }
  yield Buffer.from("\n]\n");
  onEnd(count);
}
