import { describeError } from "../../base/log.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { pickHighId, rollBackAfter } from "../../engine/dry-run.ts";
import { type Exchange, WorkInterrupted } from "../exchange-context.ts";
import { UnreadableFile } from "../formats/text-encoding.ts";
import type { ColumnReport } from "./column-report.ts";
import { type RowWords, storeRows } from "./import-rows.ts";
import { type ImportJob, ImportStopped, saveColumns } from "./imports.ts";
import { type OpenFile, openFile, splitIntoChunks } from "./read-file.ts";
import type { RowSaver } from "./row-saver.ts";
import { loadWaitingRows, releaseRows, saveLateRows } from "./within-file/late-rows.ts";

// IE20. A check saves the rows by the code of an import, in one transaction that is rolled back: a row may name a record
// that another one creates. What it finds is stored beside that transaction, chunk by chunk. D-486

/** A check of more rows would hold its transaction open for too long. */
export const maxCheckedRows = 20_000;
const rowsPerChunk = 200;

const startOver = statement(
  "UPDATE imports SET rows = 0, created = 0, updated = 0, unchanged = 0, failures = 0, errors = 0 WHERE id = $1",
);
const deleteRows = statement("DELETE FROM import_rows WHERE import_id = $1");
const saveProgress = statement(
  `UPDATE imports SET rows = $2, line = $3, position = $4, created = created + $5, updated = updated + $6, unchanged = unchanged + $7,
failures = failures + $8, errors = errors + $9 WHERE id = $1 AND state = 'processing' RETURNING stopped`,
);

const addCounts = statement(
  `UPDATE imports SET created = created + $2, updated = updated + $3, unchanged = unchanged + $4, failures = failures + $5, errors = errors + $6
WHERE id = $1 AND state = 'processing' RETURNING stopped`,
);

type Check = { by: Caller; saver: RowSaver; file: OpenFile; report: ColumnReport };

export async function checkFile(exchange: Exchange, job: ImportJob, { by, saver, file, report }: Check): Promise<void> {
  const { engine } = exchange;
  const words: RowWords = {
    language: by.language,
    translateError: saver.translateError,
    onFault: (line, error) =>
      exchange.log.error("a row of a check failed", { import: job.id, line, ...describeError(error) }),
  };
  let isFirst = true;
  await rollBackAfter(
    engine,
    by.zone,
    async ({ engine: temporary, tx }) => {
      // A transaction that met another is tried again, from the beginning of the file.
      const source = isFirst ? file : await openFile(exchange, job);
      isFirst = false;
      await engine.database.transaction(async (beside) => {
        beside.send(startOver, [job.id]);
        beside.send(deleteRows, [job.id]);
      });
      let done = 0;
      let mistake: UnreadableFile | null = null;
      try {
        for await (const chunk of splitIntoChunks(source.rows, 0, { rows: rowsPerChunk })) {
          const rows = chunk.slice(0, maxCheckedRows - done);
          const results = await saver.saveRows(temporary, by, tx, rows, "wait");
          report.add(rows);
          done += rows.length;
          await engine.database.transaction(async (beside) => {
            const { created, updated, unchanged, failures, errors } = storeRows(beside, job, results, words);
            const reached = [job.id, done, rows.at(-1)?.line ?? 1, source.position()];
            const [row] = await beside.query(saveProgress, [...reached, created, updated, unchanged, failures, errors]);
            if (row?.[0] !== "f") throw new ImportStopped();
          });
          if (done === rows.length) await saveColumns(exchange, job, report); // a page shows them while it waits
          if (exchange.closing) throw new WorkInterrupted();
          if (done >= maxCheckedRows) break;
        }
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        mistake = error;
      } finally {
        source.close();
      }
      await saveLateRows(engine.database, job, saver, async (selection, save) => {
        const rows = await engine.database.transaction((beside) => loadWaitingRows(beside, job, selection));
        if (rows.length === 0) return [];
        const results = await save(temporary, by, tx, rows);
        await engine.database.transaction(async (beside) => {
          const { created, updated, unchanged, failures, errors } = storeRows(
            ...([beside, job, releaseRows(beside, job, results), words] as const),
          );
          const [row] = await beside.query(addCounts, [job.id, created, updated, unchanged, failures, errors]);
          if (row?.[0] !== "f") throw new ImportStopped();
        });
        if (exchange.closing) throw new WorkInterrupted();
        return results;
      });
      if (mistake !== null) throw mistake;
    },
    pickHighId,
  );
  await saveColumns(exchange, job, report);
}
