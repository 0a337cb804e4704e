import { Invalid, type Problem } from "../../base/errors.ts";
import { conflictKeysFor } from "../../engine/rules.ts";
import type { Type } from "../../engine/types.ts";
import { runBatched } from "../../storage/batch.ts";
import type { Transaction } from "../../storage/database.ts";
import type { CsvRow } from "../formats/csv.ts";
import { getNaturalKeyFields, RecordLookup } from "../natural-keys.ts";
import type { ImportContext, RowCells } from "./import-context.ts";
import { pickLinkColumns } from "./link-columns.ts";
import { loadMatchingRecords, pickRowKeys, type RowKey, serializeKey } from "./match-records.ts";
import { buildBody, findRecordNames } from "./row-to-body.ts";
import {
  createRow,
  findOwnerNames,
  formatStoredCells,
  pickChangedCells,
  type RowOutcome,
  resolveOwner,
  updateRow,
} from "./upsert-row.ts";

// Some rows of a file, in one transaction. They are saved in runs: what the rows of a run name and mean is looked up at
// once, and they are saved side by side as long as none of them could notice the others. Where one could, a new run
// begins, so that the end is the same as if the rows had been saved one by one.

const maxRunLength = 200;

/** A row, and what is known of it. */
type PendingRow = {
  line: number;
  cells: RowCells;
  keys: RowKey[];
  record: { id: number; shown: RowCells } | null;
  /** of a record that is there, the cells that say something new */
  different: RowCells;
  /** what became of it */
  outcome: RowOutcome | null;
  failure: unknown;
};

export type RowResult = { line: number } & ({ outcome: RowOutcome } | { failure: unknown });

export async function saveRows(
  reading: ImportContext,
  tx: Transaction,
  rows: readonly CsvRow[],
  isOurs: (error: unknown) => boolean,
): Promise<RowResult[]> {
  const lookUp = new RecordLookup(reading.engine, reading.by);
  const entries = rows.map((row) => parseRow(reading, row));
  let size = maxRunLength;
  for (let at = 0; at < entries.length; ) {
    const window = entries.slice(at, at + size);
    await resolveRows(reading, tx, lookUp, window);
    const run = window.slice(0, countIndependentRows(reading, lookUp, window));
    if (!(await saveRun(reading, tx, lookUp, run, isOurs))) {
      size = Math.ceil(run.length / 2);
      continue;
    }
    at += run.length;
    size = Math.min(maxRunLength, run.length * 2);
    if (run.some(({ outcome }) => outcome !== "unchanged")) lookUp.forget(reading.exchangeType.type);
  }
  return entries.map(({ line, outcome, failure }) => (outcome === null ? { line, failure } : { line, outcome }));
}

function parseRow({ columns }: ImportContext, { line, cells }: CsvRow): PendingRow {
  const given = new Map<string, string>();
  const isWhole = cells.length === columns.length;
  if (isWhole)
    columns.forEach((column, index) => void (column === null || given.set(column.name, cells[index] as string)));
  const failure = isWhole
    ? null
    : new Invalid([["base", `the row has ${cells.length} cells, the header ${columns.length}`]]);
  return { line, cells: given, keys: [], record: null, different: given, outcome: null, failure };
}

/** Looks up what the rows mean: their records, and those that they name. */
async function resolveRows(
  reading: ImportContext,
  tx: Transaction,
  lookUp: RecordLookup,
  entries: readonly PendingRow[],
): Promise<void> {
  const whole = entries.filter(({ failure }) => failure === null);
  await loadNamedRecords(
    tx,
    lookUp,
    whole.flatMap(({ cells }) => [...findOwnerNames(reading, cells)]),
  );
  for (const entry of whole)
    try {
      entry.keys = pickRowKeys(reading, entry.cells, resolveOwner(reading, lookUp, entry.cells, []));
    } catch (error) {
      entry.failure = error;
    }
  const records = await loadMatchingRecords(
    reading,
    tx,
    whole.map(({ keys, failure }) => (failure === null ? (keys[0] ?? null) : null)),
  );
  whole.forEach((entry, index) => {
    const row = records[index] ?? null;
    const record = row === null ? null : { id: Number(row[0]), shown: formatStoredCells(reading, row) };
    entry.record = record;
    entry.different = record === null ? entry.cells : pickChangedCells(reading, entry.cells, record.shown);
    if (record === null && entry.keys[0]?.kind === "id") entry.failure = new Invalid([["id", "is not valid"]]);
  });
  await loadNamedRecords(
    tx,
    lookUp,
    whole.flatMap(({ different }) => [...findRecordNames(reading, different)]),
  );
}

async function loadNamedRecords(
  tx: Transaction,
  lookUp: RecordLookup,
  names: readonly { type: Type; cell: string }[],
): Promise<void> {
  const byType = Map.groupBy(names, ({ type }) => type);
  await Promise.all(
    [...byType].map(([type, some]) =>
      lookUp.load(
        tx,
        type,
        some.map(({ cell }) => cell),
      ),
    ),
  );
}

const isUnchanged = ({ record, different, failure }: PendingRow): boolean =>
  failure !== null || (record !== null && different.size === 0);

/** How many of the rows can be saved at once. */
function countIndependentRows(reading: ImportContext, lookUp: RecordLookup, entries: readonly PendingRow[]): number {
  const taken = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (entry.failure !== null) continue;
    const words = buildConflictKeys(reading, lookUp, entry);
    if (words === null && taken.size > 0) return index;
    if (words?.asked.some((word) => taken.has(word)) || words?.own.some((word) => taken.has(word))) return index;
    if (isUnchanged(entry)) continue; // as long as nobody before it changes something
    if (words === null) return index + 1;
    taken.add(`row ${index}`);
    for (const word of words.own) taken.add(word);
  }
  return entries.length;
}

/** Words for what a row makes or changes, and for what it asks for; null: it is saved alone. */
function buildConflictKeys(
  reading: ImportContext,
  lookUp: RecordLookup,
  { cells, different, record, keys }: PendingRow,
) {
  const { engine, exchangeType: subject } = reading;
  const { type } = subject;
  // Links have rules of their own, of which nothing is known here.
  if (pickLinkColumns(reading, different).some(({ name }) => record !== null || different.get(name) !== ""))
    return null;
  const members = buildBody(reading, lookUp, different, [] as Problem[]);
  const met = conflictKeysFor(engine.rules.forType(type.name))(members, record === null);
  if (met === null) return null;
  const called = getNaturalKeyFields(type).flatMap((name) =>
    [cells.get(name) ?? [], record?.shown.get(name) ?? []].flat(),
  );
  const own = [
    ...met,
    ...keys.map(serializeKey),
    ...called.map(buildNameKey),
    ...(record === null ? [] : [buildIdKey(record.id)]),
  ];
  const asked = [...findRecordNames(reading, cells)].flatMap(({ type: named, cell }) => {
    const found = named === type ? lookUp.find(type, cell) : null;
    return found === null ? [] : [buildNameKey(cell), ...(typeof found === "object" ? [buildIdKey(found.id)] : [])];
  });
  return { own, asked };
}

const buildNameKey = (name: string): string => `named ${name.toLowerCase()}`;
const buildIdKey = (id: number | string): string => serializeKey({ kind: "id", values: [String(id), ""] });

/** False: the rows have to be saved in smaller runs, and nothing was done. */
async function saveRun(
  reading: ImportContext,
  tx: Transaction,
  lookUp: RecordLookup,
  run: readonly PendingRow[],
  isOurs: (error: unknown) => boolean,
): Promise<boolean> {
  const changing = run.filter((entry) => !isUnchanged(entry));
  const save = (part: Transaction, { cells, different, record }: PendingRow, linksFirst?: boolean) =>
    record === null
      ? createRow(reading, part, lookUp, cells, linksFirst)
      : updateRow(reading, part, lookUp, different, record.id, linksFirst);
  const pieces = changing.map((entry) => (part: Transaction) => save(part, entry));
  const [only] = changing;
  /** What refuses a row may do so only as long as its links are not there. */
  const alone = (entry: PendingRow) =>
    tx
      .savepoint((part) => save(part, entry))
      .catch((refusal) => {
        if (!(refusal instanceof Invalid) || pickLinkColumns(reading, entry.different).length === 0) throw refusal;
        return tx
          .savepoint((part) => save(part, entry, true))
          .catch((error) => {
            throw isOurs(error) ? error : refusal;
          });
      });
  try {
    const settled =
      pieces.length > 1
        ? await tx.savepoint((part) => runBatched(part, pieces))
        : only === undefined
          ? []
          : [{ status: "fulfilled" as const, value: await alone(only) }];
    settled.forEach((one, index) => {
      const entry = changing[index] as PendingRow;
      if (one.status === "fulfilled") entry.outcome = one.value;
      else if (isOurs(one.reason)) throw one.reason;
      else entry.failure = one.reason;
    });
  } catch (error) {
    if (isOurs(error)) throw error;
    if (changing.length > 1) return false;
    for (const entry of changing) entry.failure = error;
  }
  for (const entry of run) if (entry.outcome === null && entry.failure === null) entry.outcome = "unchanged";
  return true;
}
