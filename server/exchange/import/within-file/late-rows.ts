import { Invalid } from "../../../base/errors.ts";
import { type Database, statement, type Transaction } from "../../../database/database.ts";
import type { Caller } from "../../../engine/caller.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { CsvRow } from "../../formats/csv.ts";
import type { ImportJob } from "../imports.ts";
import type { RowSaver } from "../row-saver.ts";
import type { RowResult } from "../save-rows.ts";
import { findComponents } from "./components.ts";
import { type FileNames, nameRefusedRow } from "./names-in-file.ts";

// IE25. Rows that name records of the same file which did not exist yet. They wait in the database until the end of the
// file; then passes in alternating directions save those whose records exist by now. What is left depends on circles or
// on rows that were refused, and is saved in the order of a graph. D-772

export type RowSelection = { lines: readonly number[] } | { beyond: number; isBackward: boolean; limit: number };

/** Loads waiting rows, saves them, and stores what became of them, in a transaction. */
export type SettleRows = (
  selection: RowSelection,
  save: (engine: Engine, by: Caller, tx: Transaction, rows: readonly CsvRow[]) => Promise<RowResult[]>,
) => Promise<RowResult[]>;

type Querying = Pick<Transaction, "query">;

const selectForward = statement(
  "SELECT line, cells FROM import_rows WHERE import_id = $1 AND account_id = $2 AND state = 'waiting' AND line > $3 ORDER BY line LIMIT $4::integer",
);
const selectBackward = statement(
  "SELECT line, cells FROM import_rows WHERE import_id = $1 AND account_id = $2 AND state = 'waiting' AND line < $3 ORDER BY line DESC LIMIT $4::integer",
);
const selectLines = statement(
  "SELECT line, cells FROM import_rows WHERE import_id = $1 AND account_id = $2 AND state = 'waiting' AND line = ANY($3::integer[])",
);
const deleteSettled = statement(
  "DELETE FROM import_rows WHERE import_id = $1 AND account_id = $2 AND state = 'waiting' AND line = ANY($3::integer[])",
);
const selectRefused = statement(
  "SELECT line, cells FROM import_rows WHERE import_id = $1 AND account_id = $2 AND state = 'refused' AND line > $3 ORDER BY line LIMIT 1000",
);

const parseRow = ([line, cells]: readonly (string | null)[]): CsvRow => ({
  line: Number(line),
  cells: JSON.parse(cells as string) as string[],
});

/** In the order of the selection. */
export async function loadWaitingRows(tx: Querying, job: ImportJob, selection: RowSelection): Promise<CsvRow[]> {
  const ofImport = [job.id, job.account_id];
  if (!("lines" in selection)) {
    const { beyond, isBackward, limit } = selection;
    const found = await tx.query(isBackward ? selectBackward : selectForward, [...ofImport, beyond, limit]);
    return found.map(parseRow);
  }
  const found = new Map(
    (await tx.query(selectLines, [...ofImport, selection.lines])).map(parseRow).map((row) => [row.line, row]),
  );
  return selection.lines.flatMap((line) => found.get(line) ?? []);
}

/** The results of rows that wait no longer. */
export function releaseRows(tx: Pick<Transaction, "send">, job: ImportJob, results: readonly RowResult[]): RowResult[] {
  const settled = results.filter((result) => !("waits" in result));
  tx.send(deleteSettled, [job.id, job.account_id, settled.map(({ line }) => line)]);
  return settled;
}

const rowsPerChunk = 200;
/** So many levels of a hierarchy, in the worst order of rows. What is left then is saved in the order of a graph. */
const maxPasses = 20;
const maxGraphRows = 100_000;
const maxCycleRows = 500;
const lastLine = 2_147_483_647;

export async function saveLateRows(
  database: Database,
  job: ImportJob,
  saver: RowSaver,
  settle: SettleRows,
): Promise<void> {
  const { names } = saver;
  if (names === null) return;
  for (let pass = 0; pass < maxPasses; pass++) {
    const settled = await sweep(settle, pass % 2 === 0, (engine, by, tx, rows) =>
      saver.saveRows(engine, by, tx, rows, "wait"),
    );
    if (settled === 0) break;
  }
  const graph = await loadGraph(settle, names);
  if (graph.rows.length === 0) return;
  const refused = await database.transaction((tx) => loadRefusedNames(tx, job, names));
  for (const { lines, isCycle } of planSteps(graph))
    await settle({ lines }, async (engine, by, tx, rows) => {
      const results = await (isCycle ? saver.saveCycle : saver.saveRows)(engine, by, tx, rows);
      return results.map((result, index) => explainRefusal(names, rows[index] as CsvRow, result, refused));
    });
  // Rows beyond the size of the graph.
  await sweep(settle, false, (engine, by, tx, rows) => saver.saveRows(engine, by, tx, rows));
}

/** Visits all waiting rows; returns how many wait no longer. */
async function sweep(settle: SettleRows, isBackward: boolean, save: Parameters<SettleRows>[1]): Promise<number> {
  let settled = 0;
  for (let beyond = isBackward ? lastLine : 0; ; ) {
    const results = await settle({ beyond, isBackward, limit: rowsPerChunk }, save);
    const last = results.at(-1);
    if (last === undefined) return settled;
    beyond = last.line;
    settled += results.filter((result) => !("waits" in result)).length;
  }
}

type Graph = { rows: { line: number; references: string[] }[]; byName: Map<string, number[]> };

async function loadGraph(settle: SettleRows, names: FileNames): Promise<Graph> {
  const graph: Graph = { rows: [], byName: new Map() };
  await sweep(settle, false, async (_engine, _by, _tx, rows) => {
    for (const row of rows) {
      if (graph.rows.length >= maxGraphRows) break;
      const node =
        graph.rows.push({ line: row.line, references: names.listReferences(row).map(({ name }) => name) }) - 1;
      for (const name of names.listOwn(row)) graph.byName.set(name, [...(graph.byName.get(name) ?? []), node]);
    }
    return rows.map(({ line, cells }) => ({ line, cells, waits: true }));
  });
  return graph;
}

/** Rows after those to which they refer, in groups as large as a transaction allows. */
function* planSteps({ rows, byName }: Graph): Generator<{ lines: number[]; isCycle: boolean }> {
  const targets = rows.map(({ references }) => references.flatMap((name) => byName.get(name) ?? []));
  let plain: number[] = [];
  for (const component of findComponents(targets)) {
    const lines = component.map((node) => rows[node]?.line ?? 0).sort((one, other) => one - other);
    const [node = 0] = component;
    const isCycle = component.length > 1 || targets[node]?.includes(node) === true;
    if (isCycle || plain.length >= rowsPerChunk) {
      if (plain.length > 0) yield { lines: plain, isCycle: false };
      plain = [];
    }
    // A larger circle would hold its locks for too long: its rows are refused like those that name an unknown record.
    if (isCycle && lines.length <= maxCycleRows) yield { lines, isCycle };
    else plain.push(...lines);
  }
  if (plain.length > 0) yield { lines: plain, isCycle: false };
}

/** The lines of refused rows by the names of the records that they would have created. */
async function loadRefusedNames(tx: Querying, job: ImportJob, names: FileNames): Promise<Map<string, number>> {
  const refused = new Map<string, number>();
  for (let beyond = 0; ; ) {
    const rows = (await tx.query(selectRefused, [job.id, job.account_id, beyond])).map(parseRow);
    for (const row of rows) for (const name of names.listOwn(row)) refused.set(name, row.line);
    const last = rows.at(-1);
    if (last === undefined) return refused;
    beyond = last.line;
  }
}

function explainRefusal(names: FileNames, row: CsvRow, result: RowResult, refused: Map<string, number>): RowResult {
  if (!("failure" in result)) return result;
  for (const name of names.listOwn(row)) refused.set(name, row.line);
  if (!(result.failure instanceof Invalid)) return result;
  return { ...result, failure: nameRefusedRow(names, row, result.failure, refused) };
}
