import { Invalid, NotFound, type Problem } from "../../base/errors.ts";
import { mayCreate } from "../../engine/access.ts";
import { createInTransaction, type ParentContext } from "../../engine/create.ts";
import { requireRecord } from "../../engine/find.ts";
import type { Type } from "../../engine/types.ts";
import { updateInTransaction } from "../../engine/update.ts";
import type { Row, Transaction } from "../../storage/database.ts";
import { unescapeFormula } from "../cells.ts";
import { formatCells } from "../columns.ts";
import { findParents } from "../exchange-types.ts";
import type { RecordLookup } from "../natural-keys.ts";
import { type ImportContext, pickComparableColumns, type RowCells } from "./import-context.ts";
import { pickLinkColumns, syncLinks } from "./link-columns.ts";
import { buildBody, lookupProblems, pickWritableColumns, type ReferenceField } from "./row-to-body.ts";

// One row of a file becomes one record, with the rights and the checks of the API.

export type RowOutcome = "created" | "updated" | "unchanged";

/** The record that a row belongs below, or what is wrong with its name. */
export type Owner = { type: string; field: string; id: number };

export function* findOwnerNames(
  { engine, exchangeType: subject }: ImportContext,
  cells: RowCells,
): Generator<{ type: Type; cell: string }> {
  for (const { type, field } of findParents(engine.types, subject)) {
    const cell = unescapeFormula(cells.get(field) ?? "").trim();
    if (cell !== "") yield { type: engine.types.get(type), cell };
  }
}

export function resolveOwner(
  { engine, exchangeType: subject }: ImportContext,
  lookUp: RecordLookup,
  cells: RowCells,
  problems: Problem[],
): Owner | null {
  for (const { type, field } of findParents(engine.types, subject)) {
    const cell = unescapeFormula(cells.get(field) ?? "").trim();
    if (cell === "") continue;
    const found = lookUp.find(engine.types.get(type), cell);
    if (typeof found === "object") return { type, field, id: Number(found.id) };
    problems.push([field, lookupProblems[found]]);
  }
  return null;
}

/** A record that is there, as an export would write it. */
export const formatStoredCells = (reading: ImportContext, row: Row): RowCells => {
  const shown = pickComparableColumns(reading);
  const cells = formatCells(shown, row, 1);
  return new Map(shown.map(({ name }, index) => [name, cells[index] as string]));
};

/** What stands in the file as an export would write it is left alone: it may be a name that several records have. */
export const pickChangedCells = (reading: ImportContext, cells: RowCells, shown: RowCells): RowCells =>
  new Map(
    pickWritableColumns(reading, cells)
      .filter(({ name, field }) => !field.onCreateOnly && cells.get(name) !== shown.get(name))
      .map(({ name }) => [name, cells.get(name) as string]),
  );

/**
 * `linksFirst`: some fields may only name what is linked, like the coordinator of a team one of its members. They are set
 * when the links are there.
 */
export async function createRow(
  reading: ImportContext,
  tx: Transaction,
  lookUp: RecordLookup,
  cells: RowCells,
  linksFirst = false,
): Promise<RowOutcome> {
  const { engine, by, exchangeType: subject } = reading;
  const problems: Problem[] = [];
  const below = await resolveParent(reading, tx, lookUp, cells, problems);
  const given = new Map([...cells].filter(([, cell]) => cell !== ""));
  const late = new Set(linksFirst ? findFieldsNeedingLinks(reading, given) : []);
  const members = Object.entries(buildBody(reading, lookUp, cells, problems));
  const some = (isLate: boolean) => Object.fromEntries(members.filter(([name]) => late.has(name) === isLate));
  // A cell that is empty says that there is no source; without one it is the program that brought the file.
  const teller = cells.get("source") === "" ? { ...by, source: "" } : by;
  const { id, existing } = await createInTransaction(
    { engine, tx, by: teller, type: subject.type },
    { members: some(false), problems },
    below,
  );
  await syncLinks(reading, tx, lookUp, id, given);
  if (late.size > 0) await updateInTransaction({ engine, tx, by, type: subject.type }, id, { members: some(true) });
  return existing ? "updated" : "created";
}

/** The fields that name records of a sort that is linked as well. */
function findFieldsNeedingLinks(reading: ImportContext, cells: RowCells): string[] {
  const targets = new Set(pickLinkColumns(reading, cells).map(({ field }) => (field as ReferenceField).to));
  return pickWritableColumns(reading, cells)
    .filter(({ field }) => field.kind === "reference" && field.access === "optional" && targets.has(field.to))
    .map(({ name }) => name);
}

export async function updateRow(
  reading: ImportContext,
  tx: Transaction,
  lookUp: RecordLookup,
  different: RowCells,
  id: number,
  linksFirst = false,
): Promise<RowOutcome> {
  const { engine, by, exchangeType: subject } = reading;
  const problems: Problem[] = [];
  const members = buildBody(reading, lookUp, different, problems);
  const early = linksFirst && (await syncLinks(reading, tx, lookUp, id, different));
  const { isChanged } = await updateInTransaction({ engine, tx, by, type: subject.type }, id, { members, problems });
  const isLinked = early || (await syncLinks(reading, tx, lookUp, id, different));
  return isChanged || isLinked ? "updated" : "unchanged";
}

/** Where a record below another one is made: whoever may change its owner may add to it. */
async function resolveParent(
  reading: ImportContext,
  tx: Transaction,
  lookUp: RecordLookup,
  cells: RowCells,
  problems: Problem[],
): Promise<ParentContext | undefined> {
  const { engine, by, exchangeType: subject } = reading;
  const parents = findParents(engine.types, subject);
  if (parents.length === 0) return undefined;
  const owner = resolveOwner(reading, lookUp, cells, problems);
  const isOwned = subject.type.ownedBy.length > 0;
  if (owner === null) {
    if (!isOwned && mayCreate(subject.type, by)) return undefined;
    throw new Invalid(problems.length > 0 ? problems : [[parents[0]?.field ?? "base", "can't be blank"]]);
  }
  const needed = !isOwned && mayCreate(subject.type, by) ? "link to" : "update";
  const account = await requireRecord(engine, by, engine.types.get(owner.type), owner.id, needed, tx).catch((error) => {
    throw error instanceof NotFound ? new Invalid([[owner.field, "is not valid"]]) : error;
  });
  return { fixed: { [owner.field]: owner.id }, account };
}
