import { Invalid, type Problem } from "../../base/errors.ts";
import { runBatched } from "../../database/batch.ts";
import type { Transaction } from "../../database/database.ts";
import { conflictKeysFor } from "../../engine/rules.ts";
import type { Type } from "../../engine/types.ts";
import type { CsvRow } from "../formats/csv.ts";
import { getNaturalKeyFields, RecordLookup } from "../natural-keys.ts";
import { buildRowCaller, type ImportContext, type RowCells } from "./import-context.ts";
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
  type SavedRow,
  updateRow,
} from "./upsert-row.ts";

// Saves a chunk of rows in one transaction, in runs: the records and references of a run are loaded together, and its rows
// are saved as a batch as long as they are independent of each other. A row that depends on another starts a new run, so
// the result is the same as saving one row after the other.

const maxRunLength = 200;

/** A row and its resolved record. */
type PendingRow = {
  line: number;
  cells: RowCells;
  keys: RowKey[];
  record: { id: number; shown: RowCells } | null;
  /** the cells that differ from the existing record */
  different: RowCells;
  outcome: RowOutcome | null;
  saved: SavedRow | null;
  failure: unknown;
  /** it names a record of its own type that does not exist yet */
  waits: boolean;
};

/** The handling of a row that names an unknown record of its own type, which a later row may create. */
export type UnknownReferences = "wait" | "refuse";

/** The effect of a row, for an undo; `id`: of its record, if the file holds records */
export type RowChange = { id: number | null; former: object; links: object };

/** `saved`: what the row did; `shown`: the cells that it replaced, by field */
export type RowResult = { line: number; cells: readonly string[] } & (
  | { outcome: RowOutcome; saved?: RowChange | null; shown?: Readonly<Record<string, string>> }
  | { failure: unknown }
  | { waits: true }
);

export async function saveRows(
  context: ImportContext,
  tx: Transaction,
  rows: readonly CsvRow[],
  isRetryable: (error: unknown) => boolean,
  references: UnknownReferences = "refuse",
): Promise<RowResult[]> {
  const lookup = new RecordLookup(context.engine, context.by);
  const entries = rows.map((row) => parseRow(context, row));
  let size = maxRunLength;
  for (let at = 0; at < entries.length; ) {
    const window = entries.slice(at, at + size);
    await resolveRows(context, tx, lookup, window);
    if (references === "wait")
      for (const entry of window) entry.waits = entry.failure === null && namesUnknownRecord(context, lookup, entry);
    const run = window.slice(0, countIndependentRows(context, lookup, window));
    if (!(await saveRun(context, tx, lookup, run, isRetryable))) {
      size = Math.ceil(run.length / 2);
      continue;
    }
    at += run.length;
    size = Math.min(maxRunLength, run.length * 2);
    if (run.some(({ outcome, waits }) => outcome !== "unchanged" && !waits)) lookup.forget(context.exchangeType.type);
  }
  return entries.map((entry, index) => {
    const { line, outcome, saved, failure, waits } = entry;
    const cells = rows[index]?.cells ?? [];
    if (waits) return { line, cells, waits };
    return outcome === null
      ? { line, cells, failure }
      : { line, cells, outcome, saved: saved ?? describeUnchanged(entry), shown: pickReplacedCells(entry) };
  });
}

const describeUnchanged = ({ record }: PendingRow): RowChange | null =>
  record === null ? null : { id: record.id, former: {}, links: {} };

const namesUnknownRecord = (context: ImportContext, lookup: RecordLookup, { different }: PendingRow): boolean => {
  const { type } = context.exchangeType;
  for (const { type: named, cell } of findRecordNames(context, different))
    if (named === type && lookup.find(type, cell) === "nothing") return true;
  return false;
};

/** The cells of an existing record that the row replaces. */
const pickReplacedCells = ({ record, different }: PendingRow): Record<string, string> =>
  record === null ? {} : Object.fromEntries([...different.keys()].map((name) => [name, record.shown.get(name) ?? ""]));

function parseRow({ columns }: ImportContext, { line, cells }: CsvRow): PendingRow {
  const given = new Map<string, string>();
  const isWhole = cells.length === columns.length;
  if (isWhole)
    columns.forEach((column, index) => void (column === null || given.set(column.name, cells[index] as string)));
  const failure = isWhole
    ? null
    : new Invalid([["base", `the row has ${cells.length} cells, the header ${columns.length}`]]);
  const nothing = { keys: [], record: null, outcome: null, saved: null, waits: false };
  return { ...nothing, line, cells: given, different: given, failure };
}

/** Loads the records of the rows and the records that they refer to. */
async function resolveRows(
  context: ImportContext,
  tx: Transaction,
  lookup: RecordLookup,
  entries: readonly PendingRow[],
): Promise<void> {
  const whole = entries.filter(({ failure }) => failure === null);
  await loadNamedRecords(
    tx,
    lookup,
    whole.flatMap(({ cells }) => [...findOwnerNames(context, cells)]),
  );
  for (const entry of whole)
    try {
      entry.keys = pickRowKeys(context, entry.cells, resolveOwner(context, lookup, entry.cells, []));
    } catch (error) {
      entry.failure = error;
    }
  const records = await loadMatchingRecords(
    context,
    tx,
    whole.map(({ keys, failure }) => (failure === null ? (keys[0] ?? null) : null)),
  );
  whole.forEach((entry, index) => {
    const row = records[index] ?? null;
    const record = row === null ? null : { id: Number(row[0]), shown: formatStoredCells(context, row) };
    entry.record = record;
    entry.different = record === null ? entry.cells : pickChangedCells(context, entry.cells, record.shown);
    if (record === null && entry.keys[0]?.kind === "id") entry.failure = new Invalid([["id", "is not valid"]]);
  });
  await loadNamedRecords(
    tx,
    lookup,
    whole.flatMap(({ different }) => [...findRecordNames(context, different)]),
  );
}

async function loadNamedRecords(
  tx: Transaction,
  lookup: RecordLookup,
  names: readonly { type: Type; cell: string }[],
): Promise<void> {
  const byType = Map.groupBy(names, ({ type }) => type);
  await Promise.all(
    [...byType].map(([type, named]) =>
      lookup.load(
        tx,
        type,
        named.map(({ cell }) => cell),
      ),
    ),
  );
}

const isUnchanged = ({ record, different, failure, waits }: PendingRow): boolean =>
  failure !== null || waits || (record !== null && different.size === 0);

/** How many of the rows are independent of each other. */
function countIndependentRows(context: ImportContext, lookup: RecordLookup, entries: readonly PendingRow[]): number {
  const taken = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (entry.failure !== null) continue;
    const keys = buildConflictKeys(context, lookup, entry);
    if (keys === null && taken.size > 0) return index;
    if (keys?.read.some((key) => taken.has(key)) || keys?.written.some((key) => taken.has(key))) return index;
    if (isUnchanged(entry)) continue; // it conflicts with earlier changes only
    if (keys === null) return index + 1;
    taken.add(`row ${index}`);
    for (const key of keys.written) taken.add(key);
  }
  return entries.length;
}

/** Keys of what a row writes and of what it reads; null: the row must be saved alone. */
function buildConflictKeys(
  context: ImportContext,
  lookup: RecordLookup,
  { cells, different, record, keys }: PendingRow,
) {
  const { engine, exchangeType } = context;
  const { type } = exchangeType;
  // Links have hooks of their own, whose conflicts are not known here.
  if (pickLinkColumns(context, different).some(({ name }) => record !== null || different.get(name) !== ""))
    return null;
  const members = buildBody(context, lookup, different, [] as Problem[]);
  const hookKeys = conflictKeysFor(engine.rules.forType(type.name))(members, record === null);
  if (hookKeys === null) return null;
  // No cell refers to a record by an empty name, so rows without one are independent of each other.
  const names = getNaturalKeyFields(type)
    .flatMap((name) => [cells.get(name) ?? [], record?.shown.get(name) ?? []].flat())
    .filter((name) => name !== "");
  const written = [
    ...hookKeys,
    ...keys.map(serializeKey),
    ...names.map(buildNameKey),
    ...(record === null ? [] : [buildIdKey(record.id)]),
  ];
  const read = [...findRecordNames(context, cells)].flatMap(({ type: named, cell }) => {
    const found = named === type ? lookup.find(type, cell) : null;
    return found === null ? [] : [buildNameKey(cell), ...(typeof found === "object" ? [buildIdKey(found.id)] : [])];
  });
  return { written, read };
}

const buildNameKey = (name: string): string => `named ${name.toLowerCase()}`;
const buildIdKey = (id: number | string): string => serializeKey({ kind: "id", values: [String(id), ""] });

/** False: nothing was saved, and the rows must be saved in smaller runs. */
async function saveRun(
  context: ImportContext,
  tx: Transaction,
  lookup: RecordLookup,
  run: readonly PendingRow[],
  isRetryable: (error: unknown) => boolean,
): Promise<boolean> {
  const changing = run.filter((entry) => !isUnchanged(entry));
  const save = (part: Transaction, { line, cells, different, record }: PendingRow, linksFirst?: boolean) => {
    const ofRow = { ...context, by: buildRowCaller(context.by, line) };
    return record === null
      ? createRow(ofRow, part, lookup, cells, linksFirst)
      : updateRow(ofRow, part, lookup, different, record.id, linksFirst);
  };
  /** A validation may fail only because the links of the row do not exist yet: the second try links first. */
  const saveAlone = (entry: PendingRow, within: Transaction["savepoint"]) =>
    within((part) => save(part, entry)).catch((refusal) => {
      if (!(refusal instanceof Invalid) || pickLinkColumns(context, entry.different).length === 0) throw refusal;
      return within((part) => save(part, entry, true)).catch((error) => {
        throw isRetryable(error) ? error : refusal;
      });
    });
  const settle = async (entries: readonly PendingRow[], within: Transaction["savepoint"]): Promise<void> => {
    const [only] = entries;
    const settled =
      entries.length > 1
        ? await within((part) =>
            runBatched(
              part,
              entries.map((entry) => (lane: Transaction) => save(lane, entry)),
            ),
          )
        : only === undefined
          ? []
          : [{ status: "fulfilled" as const, value: await saveAlone(only, within) }];
    settled.forEach((result, index) => {
      const entry = entries[index] as PendingRow;
      if (result.status === "fulfilled") Object.assign(entry, { saved: result.value, outcome: result.value.outcome });
      else if (isRetryable(result.reason)) throw result.reason;
      else entry.failure = result.reason;
    });
  };
  // Updates that a check rolls back go first: if the rest must be saved in smaller runs, none of them stays.
  const isTakenBack = ({ record }: PendingRow) => context.takesBackUpdates === true && record !== null;
  try {
    await settle(changing.filter(isTakenBack), (work) => takeBackAfter(tx, work));
    await settle(
      changing.filter((entry) => !isTakenBack(entry)),
      (work) => tx.savepoint(work),
    );
  } catch (error) {
    if (isRetryable(error)) throw error;
    for (const entry of changing) entry.outcome = null;
    if (changing.length > 1) return false;
    for (const entry of changing) entry.failure = error;
  }
  for (const entry of run)
    if (entry.outcome === null && entry.failure === null && !entry.waits) entry.outcome = "unchanged";
  return true;
}

class Outcome<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super("taken back");
    this.value = value;
  }
}

/** Its changes, and the locks of the records, end with the work. */
async function takeBackAfter<T>(tx: Transaction, work: (part: Transaction) => Promise<T>): Promise<T> {
  try {
    return await tx.savepoint(async (part) => {
      throw new Outcome(await work(part));
    });
  } catch (error) {
    if (error instanceof Outcome) return error.value as T;
    throw error;
  }
}
