import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { translateDatabaseError } from "../../engine/write/database-errors.ts";
import { type Column, type Mapping, matchHeaders } from "../columns.ts";
import { type Exchange, findRowFile } from "../exchange-context.ts";
import { type ExchangeType, findImportType } from "../exchange-types.ts";
import type { CsvRow } from "../formats/csv.ts";
import { UnreadableFile } from "../formats/text-encoding.ts";
import { listColumns, type RowFile } from "../row-files/row-file.ts";
import { matchRowFileHeaders, saveRowFile } from "../row-files/save-row-file.ts";
import type { ImportJob } from "./imports.ts";
import { isRetryable } from "./retryable.ts";
import { type RowResult, saveRows, type UnknownReferences } from "./save-rows.ts";
import type { FileKey } from "./within-file/duplicate-rows.ts";
import { makeKeyLister, makeRowFileKeyLister } from "./within-file/file-keys.ts";
import { describeNames, type FileNames } from "./within-file/names-in-file.ts";
import { saveCycle } from "./within-file/save-cycle.ts";

type SaveRows = (
  engine: Engine,
  by: Caller,
  tx: Transaction,
  rows: readonly CsvRow[],
  references?: UnknownReferences,
) => Promise<RowResult[]>;

/** How the rows of a file are saved. */
export type RowSaver = {
  /** of the records, which grows */
  table: string | null;
  /** by position; null: the column is skipped */
  columns: readonly (Column | null)[];
  /** headers that name nothing */
  unknown: readonly string[];
  /** what no two rows may have in common */
  listKeys(row: CsvRow): FileKey[];
  saveRows: SaveRows;
  /** Saves rows that refer to each other, all of them or none. */
  saveCycle: SaveRows;
  /** how rows name records of the same file; null: they never do */
  names: FileNames | null;
  translateError(error: unknown): unknown;
};

/** A check skips columns that it does not know, and says so; an import refuses them. */
export function prepareSaver(exchange: Exchange, job: ImportJob, headers: readonly string[]): RowSaver {
  const subject = findRowFile(exchange, job.type) ?? findImportType(exchange.engine.types, job.type);
  if (subject === null) throw new UnreadableFile(`there is no type ${job.type}`);
  const isCheck = job.dry_run === "t";
  return "buildSelect" in subject
    ? prepareRowFile(subject, headers)
    : prepareRecordFile(exchange, subject, job, headers, isCheck);
}

function prepareRecordFile(
  { engine }: Exchange,
  exchangeType: ExchangeType,
  job: ImportJob,
  headers: readonly string[],
  isCheck: boolean,
): RowSaver {
  const mapping = (job.mapping === null ? {} : JSON.parse(job.mapping)) as Mapping;
  const { columns, unknown, twice } = matchHeaders(engine.types, exchangeType, headers, mapping);
  refuseHeaders({ unknown: isCheck ? [] : unknown, twice });
  const takesBackUpdates = isCheck ? { takesBackUpdates: true as const } : {};
  const context = { exchangeType, columns };
  return {
    ...{ table: exchangeType.type.ownTable, columns, unknown },
    listKeys: makeKeyLister(engine.types, exchangeType, columns),
    names: describeNames(context),
    saveRows: (within, by, tx, rows, references) =>
      saveRows({ engine: within, by, ...context, ...takesBackUpdates }, tx, rows, isRetryable, references),
    saveCycle: (within, by, tx, rows) => saveCycle({ engine: within, by, ...context }, tx, rows, isRetryable),
    translateError: (error) => translateDatabaseError(exchangeType.type, error),
  };
}

function prepareRowFile(file: RowFile, headers: readonly string[]): RowSaver {
  const { names, ...mistakes } = matchRowFileHeaders(file, headers);
  refuseHeaders(mistakes);
  const byName = new Map(listColumns(file).map((column) => [column.name, column]));
  const save: SaveRows = (engine, by, tx, rows) => saveRowFile(file, { engine, by, names }, tx, rows, isRetryable);
  return {
    ...{ table: null, columns: names.map((name) => byName.get(name) ?? null), unknown: [] },
    listKeys: makeRowFileKeyLister(file, names),
    ...{ names: null, saveRows: save, saveCycle: save },
    translateError: (error) => error,
  };
}

function refuseHeaders({ unknown, twice }: { unknown: readonly string[]; twice: readonly string[] }): void {
  const quoted = (words: readonly string[]) =>
    words
      .slice(0, 20)
      .map((word) => JSON.stringify(word.slice(0, 100)))
      .join(", ");
  if (unknown.length > 0) throw new UnreadableFile(`unknown columns: ${quoted(unknown)}`);
  if (twice.length > 0) throw new UnreadableFile(`columns that stand there twice: ${quoted(twice)}`);
}
