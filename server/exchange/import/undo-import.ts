import { Invalid, NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { addJob } from "../../queue/jobs.ts";
import { formatProgram } from "../../queue/origin-program.ts";
import { type Exchange, findRowFile, loadAdministrator, WorkInterrupted, withJobSlot } from "../exchange-context.ts";
import { findImportType } from "../exchange-types.ts";
import type { RowFile } from "../row-files/row-file.ts";
import { undoFileRows } from "../row-files/undo-row-file.ts";
import { startNextImport } from "./finish-import.ts";
import { buildImportOrigin } from "./import-context.ts";
import { announceProgress, type ImportJob, importsTable, lockImports } from "./imports.ts";
import { type UndoneRow, type UndoOutcome, undoRows } from "./undo-rows.ts";

// IE22. Undoes the last import of an account, last row first. The transaction of a slice also stores the outcome of its rows,
// so an interrupted undo resumes with the next one. D-487

export const undoImportJob = "undo import";

/** A slice is as large as can be undone in about a second, so that its locks are held for a short time only. */
const sliceSize = { first: 100, least: 10, most: 500, milliseconds: 1000 };

const lastLine = 2_147_483_647;

// The last import that has changed anything and is not undone yet.
const selectLastChange = statement(
  `SELECT id FROM imports WHERE account_id = $1 AND NOT dry_run AND created + updated > 0 AND undo_state IS DISTINCT FROM 'done'
ORDER BY id DESC LIMIT 1`,
);
const selectRunning = statement(
  "SELECT 1 FROM imports WHERE account_id = $1 AND (state IN ('queued', 'processing') OR undo_state IN ('queued', 'processing')) LIMIT 1",
);
const markQueued = statement(
  "UPDATE imports SET undo_state = 'queued', undo_audit_id = (SELECT max(id) FROM audit_lines) WHERE id = $1",
);
const lockUndo = statement(
  "UPDATE imports SET undo_state = 'processing' WHERE id = $1 AND undo_state IN ('queued', 'processing') RETURNING 1",
);
const selectPending = jsonStatement<UndoneRow>(
  `SELECT line, state, record_id, former, links FROM import_rows WHERE import_id = $1 AND state IN ('new', 'changed')
AND line < $3 ORDER BY line DESC LIMIT $2::integer`,
);
const saveOutcomes = statement(
  `UPDATE import_rows r SET state = o.state, errors = o.errors FROM unnest($2::integer[], $3::text[], $4::text[]) AS o (line, state, errors)
WHERE r.import_id = $1 AND r.line = o.line`,
);
const saveProgress = statement("UPDATE imports SET undone = undone + $2, kept = kept + $3 WHERE id = $1");
const markDone = statement(
  `UPDATE imports SET undo_state = 'done', undone_at = $2, undo_last_audit_id = (SELECT max(id) FROM audit_lines)
WHERE id = $1 AND undo_state IN ('queued', 'processing') RETURNING 1`,
);

/** The import that can be undone now; null: there is none. */
export async function findUndoableImport(exchange: Exchange, account: string): Promise<number | null> {
  const { database } = exchange.engine;
  const [[row], running] = await Promise.all([
    database.read(selectLastChange, [account]),
    database.read(selectRunning, [account]),
  ]);
  return row === undefined || running.length > 0 ? null : Number(row[0]);
}

export async function requestUndo(exchange: Exchange, by: Caller, job: ImportJob): Promise<void> {
  const { engine, wake } = exchange;
  await engine.database.transaction(async (tx) => {
    lockImports(tx, by.account);
    if (job.dry_run === "t") throw new Invalid([["base", "cannot be undone"]]);
    if ((await tx.query(selectRunning, [by.account])).length > 0)
      throw new Invalid([["base", "cannot be undone while an import runs"]]);
    const [last] = await tx.query(selectLastChange, [by.account]);
    if (last?.[0] !== job.id) throw new Invalid([["base", "is not the last import"]]);
    tx.send(markQueued, [job.id]);
    addJob(
      tx,
      buildJob(
        job,
        { person: by.person, language: by.language, program: formatProgram(by.changeOrigin) },
        engine.clock.now(),
      ),
    );
    tx.afterCommit(wake);
  });
}

type Undoer = { person: number; language: string; program: string | null };
const buildJob = ({ id, token, account_id: account }: ImportJob, who: Undoer, runAt: Date) => ({
  ...{ kind: undoImportJob, key: token, account, payload: { id: Number(id), ...who }, runAt },
});

export async function runUndo(exchange: Exchange, payload: { id: number } & Undoer): Promise<void> {
  const { engine } = exchange;
  const [row] = await engine.database.read(importsTable.byId, [payload.id]);
  if (row === undefined) return;
  const job = importsTable.of(row);
  const { runAt: _, ...queueJob } = buildJob(job, payload, engine.clock.now());
  await withJobSlot(exchange, queueJob, async () => {
    let sweep = { size: sliceSize.first, below: lastLine, settled: 0, isLast: false };
    for (;;) {
      const startTime = performance.now();
      const slice = await undoSlice(exchange, job, payload, sweep);
      await announceProgress(exchange, job, 0);
      if (slice === null) return;
      const { count, settled, line } = slice;
      if (count > 0) {
        const fitting = (count * sliceSize.milliseconds) / (performance.now() - startTime);
        const size = Math.round(Math.min(sliceSize.most, Math.max(sliceSize.least, fitting)));
        sweep = { ...sweep, size, below: line, settled: sweep.settled + settled };
      }
      // Records to which others of the import refer are left for the next sweep; those in a circle for the last one.
      else sweep = { ...sweep, below: lastLine, settled: 0, isLast: sweep.settled === 0 };
      if (exchange.closing) throw new WorkInterrupted();
    }
  });
}

type Sweep = { size: number; below: number; isLast: boolean };
/** `settled`: rows that are undone or kept now; `line`: the first one of the slice in the file */
type Slice = { count: number; settled: number; line: number };

/** Null: the undo has ended. The rights are loaded again for every slice. */
async function undoSlice(exchange: Exchange, job: ImportJob, who: Undoer, sweep: Sweep): Promise<Slice | null> {
  const { engine } = exchange;
  const changeOrigin = {
    ...buildImportOrigin({ token: job.token, program: who.program }),
    undo: true as const,
  };
  const found = await loadAdministrator(
    exchange,
    { person_id: String(who.person), account_id: job.account_id },
    { language: who.language, source: job.source, changeOrigin },
  );
  const file = findRowFile(exchange, job.type);
  const type = findImportType(engine.types, job.type)?.type;
  if (found === null || (type === undefined && file === null)) return endUndo(exchange, job);
  const by = { ...found, suppressMail: true as const };
  const within = job.suppress_events === "t" ? { ...engine, suppressEvents: true as const } : engine;
  const slice = await engine.database.transaction(async (tx): Promise<Slice | null> => {
    if ((await tx.query(lockUndo, [job.id])).length === 0) return null;
    const rows = await queryRows(tx, selectPending, [job.id, sweep.size, sweep.below]);
    if (rows.length === 0) return sweep.below === lastLine ? null : { count: 0, settled: 0, line: 0 };
    const context = {
      ...{ engine: within, by, importId: Number(job.id), importer: Number(job.person_id), isLastSweep: sweep.isLast },
      ...{ lastAuditId: Number(job.last_audit_id), undoAuditId: Number(job.undo_audit_id) },
    };
    const outcomes =
      type === undefined
        ? await undoFileRows({ engine: within, by, file: file as RowFile }, tx, rows)
        : await undoRows({ ...context, type }, tx, rows);
    return { count: rows.length, settled: saveSlice(tx, job, rows, outcomes), line: rows.at(-1)?.line ?? 0 };
  }, by.zone);
  return slice ?? endUndo(exchange, job);
}

/** Returns how many rows are done. */
function saveSlice(
  tx: Transaction,
  { id }: ImportJob,
  rows: readonly UndoneRow[],
  outcomes: readonly UndoOutcome[],
): number {
  const done = rows.flatMap(({ line }, index) => {
    const errors = outcomes[index] ?? [];
    return errors === "later" ? [] : [{ line, errors }];
  });
  const kept = done.filter(({ errors }) => errors.length > 0).length;
  tx.send(saveOutcomes, [
    id,
    done.map(({ line }) => line),
    done.map(({ errors }) => (errors.length > 0 ? "kept" : "undone")),
    done.map(({ errors }) => (errors.length > 0 ? JSON.stringify(errors) : null)),
  ]);
  tx.send(saveProgress, [id, done.length - kept, kept]);
  return done.length;
}

/** Rows that are not undone by then stay as they are. */
async function endUndo({ engine }: Exchange, job: ImportJob): Promise<null> {
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    lockImports(tx, job.account_id);
    if ((await tx.query(markDone, [job.id, now.toISOString()])).length > 0)
      await startNextImport(tx, job.account_id, now);
  });
  return null;
}

/** Ends an undo whose job is deleted: no import could begin. */
export async function abandonUndo(exchange: Exchange, { id }: { id: number }): Promise<void> {
  const [row] = await exchange.engine.database.read(importsTable.byId, [id]);
  if (row === undefined) throw new NotFound();
  await endUndo(exchange, importsTable.of(row));
}
