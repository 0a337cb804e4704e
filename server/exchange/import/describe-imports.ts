import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { importSummary } from "../../../records/answers/imports.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { buildReference, jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Page } from "../../engine/list.ts";
import { isEqual, listNewestFirst } from "../../engine/newest-first.ts";
import type { ListQuery } from "../../engine/read/list-query.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { buildDownloadUrl, type Exchange, retentionSeconds } from "../exchange-context.ts";
import { parseTimestamp } from "../job-status.ts";
import { buildErrorFileKey, buildLogKey, finishImport } from "./finish-import.ts";
import { countResults, describePace, type ImportJob, ImportStopped, importsTable, lockImport } from "./imports.ts";
import { findUndoableImport } from "./undo-import.ts";

// The imports of an account, for its administrators, also after the few minutes in which GET /import/:token responds.

const members = `a.id, a.token, a.type, a.file_name, a.state, a.dry_run, a.suppress_events, a.stopped, a.message, a.total, a.rows AS done,
  round(extract(epoch FROM a.finished_at - a.started_at)::numeric, 1)::float AS seconds,
  json_build_object('created', a.created, 'updated', a.updated, 'deleted', 0, 'unchanged', a.unchanged, 'failures', a.failures, 'errors', a.errors) AS results,
  CASE WHEN a.undo_state IS NOT NULL THEN json_build_object('state', a.undo_state, 'total', a.created + a.updated, 'undone', a.undone, 'kept', a.kept,
    'finished_at', date_trunc('second', a.undone_at)) END AS undo,
  ${buildReference("people", "a.person_id")} AS person, a.program::json AS program,
  (SELECT i.token FROM imports i WHERE i.account_id = a.account_id AND i.file = a.file AND a.dry_run AND NOT i.dry_run ORDER BY i.id LIMIT 1) AS import_token,
  a.created_at, date_trunc('second', a.finished_at) AS finished_at`;

function isCheck(text: string): Clause {
  if (text !== "true" && text !== "false") throw new RangeError(text);
  return isEqual("dry_run", text);
}

export async function listImports(exchange: Exchange, by: Caller, query: ListQuery): Promise<Page> {
  const page = await listNewestFirst(exchange.engine, by, query, {
    name: "imports",
    table: "imports a",
    columns: members,
    where: isEqual("account_id", by.account),
    filters: { type: (text) => isEqual("type", text), dry_run: isCheck },
  });
  const undoable = await findUndoableImport(exchange, by.account);
  return {
    ...page,
    records: page.records.map((text) => {
      const { id, ...entry } = JSON.parse(text) as { id: number };
      return JSON.stringify({ ...entry, can_undo: id === undoable });
    }),
  };
}

type ImportSummary = AnswerOf<typeof importSummary>;

const selectSummary = jsonStatement<Omit<ImportSummary, "can_undo"> & { id: number }>(
  `SELECT ${members}, coalesce(a.columns, '[]')::json AS columns, a.mapping::json AS mapping, coalesce(a.corrections, '{}')::json AS corrections
FROM imports a WHERE a.id = $1`,
);

export async function describeImport(
  exchange: Exchange,
  by: Caller,
  { id }: Pick<ImportJob, "id">,
): Promise<ImportSummary> {
  const { database, clock } = exchange.engine;
  const [entry, undoable] = await Promise.all([
    queryFirst(database, selectSummary, [id]),
    findUndoableImport(exchange, by.account),
  ]);
  // Read after the entry: an import that the entry reports as ended has its files.
  const [row] = await database.read(importsTable.byId, [id]);
  if (entry === null || row === undefined) throw new NotFound();
  const job = importsTable.of(row);
  const now = clock.now();
  const pace = job.state === "processing" ? describePace(job, now) : {};
  const { id: _, ...shown } = entry;
  return { ...shown, ...pace, can_undo: Number(job.id) === undoable, ...buildLinks(exchange, by, job) };
}

/** The addresses of the files, while they exist. */
function buildLinks(exchange: Exchange, by: Caller, job: ImportJob): Pick<ImportSummary, "logfile" | "error_file"> {
  if (job.finished_at === null) return {};
  const finished = parseTimestamp(job.finished_at);
  if (exchange.engine.clock.now().getTime() - finished.getTime() > retentionSeconds * 1000) return {};
  const { failures, errors } = countResults(job);
  return {
    logfile: buildDownloadUrl(exchange, by.origin, buildLogKey(job), finished),
    ...(failures + errors > 0
      ? { error_file: buildDownloadUrl(exchange, by.origin, buildErrorFileKey(job), finished) }
      : {}),
  };
}

const markStopped = statement(
  "UPDATE imports SET stopped = true WHERE id = $1 AND state IN ('queued', 'processing') RETURNING state",
);

/** A chunk that is being saved is saved to its end; what is imported stays. */
export async function stopImport(exchange: Exchange, job: ImportJob): Promise<void> {
  const [row] = await exchange.engine.database.transaction((tx) => {
    lockImport(tx, job.id);
    return tx.query(markStopped, [job.id]);
  });
  if (row === undefined) throw new Invalid([["base", "has ended already"]]);
  if (row[0] === "queued") await finishImport(exchange, Number(job.id), "error", new ImportStopped().message);
}
