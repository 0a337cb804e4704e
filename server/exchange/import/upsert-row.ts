import { Invalid, NotFound, type Problem } from "../../base/errors.ts";
import type { Row, Transaction } from "../../database/database.ts";
import { mayCreate } from "../../engine/access.ts";
import { createInTransaction, type ParentContext } from "../../engine/create.ts";
import { requireRecord } from "../../engine/find.ts";
import { isReference } from "../../engine/kinds/reference.ts";
import { type FormerValues, pickFormerValues } from "../../engine/restore-values.ts";
import type { Type } from "../../engine/types.ts";
import { updateInTransaction } from "../../engine/update.ts";
import { unescapeFormula } from "../cells.ts";
import { formatCells } from "../columns.ts";
import { findParents } from "../exchange-types.ts";
import type { RecordLookup } from "../natural-keys.ts";
import { type ImportContext, pickComparableColumns, type RowCells } from "./import-context.ts";
import { type LinkChanges, pickLinkColumns, syncLinks } from "./link-columns.ts";
import { buildBody, buildLookupProblem, pickWritableColumns, type ReferenceField } from "./row-to-body.ts";

// Creates or updates the record of a row, with the permissions and validations of the API.

export type RowOutcome = "created" | "updated" | "unchanged";

/** The effect of a row on its record, and the values that undo it. */
export type SavedRow = { outcome: RowOutcome; id: number; former: FormerValues; links: LinkChanges };

/** The parent record of a row. */
export type Owner = { type: string; field: string; id: number };

export function* findOwnerNames(
  { engine, exchangeType }: ImportContext,
  cells: RowCells,
): Generator<{ type: Type; cell: string }> {
  for (const { type, field } of findParents(engine.types, exchangeType)) {
    const cell = unescapeFormula(cells.get(field) ?? "").trim();
    if (cell !== "") yield { type: engine.types.get(type), cell };
  }
}

export function resolveOwner(
  { engine, exchangeType }: ImportContext,
  lookup: RecordLookup,
  cells: RowCells,
  problems: Problem[],
): Owner | null {
  for (const { type, field } of findParents(engine.types, exchangeType)) {
    const cell = unescapeFormula(cells.get(field) ?? "").trim();
    if (cell === "") continue;
    const found = lookup.find(engine.types.get(type), cell);
    if (typeof found === "object") return { type, field, id: Number(found.id) };
    problems.push(buildLookupProblem(field, found));
  }
  return null;
}

/** An existing record as an export writes it. */
export const formatStoredCells = (context: ImportContext, row: Row): RowCells => {
  const shown = pickComparableColumns(context);
  const cells = formatCells(shown, row, 1);
  return new Map(shown.map(({ name }, index) => [name, cells[index] as string]));
};

/** Unchanged cells are skipped: resolving one again might be ambiguous, where several records have the same name. */
export const pickChangedCells = (context: ImportContext, cells: RowCells, shown: RowCells): RowCells =>
  new Map(
    pickWritableColumns(context, cells)
      .filter(({ name, field }) => !field.onCreateOnly && cells.get(name) !== shown.get(name))
      .map(({ name }) => [name, cells.get(name) as string]),
  );

/**
 * `linksFirst`: some references must point to linked records: the coordinator of a team is one of its members. Such fields
 * are set after the links.
 */
export async function createRow(
  context: ImportContext,
  tx: Transaction,
  lookup: RecordLookup,
  cells: RowCells,
  linksFirst = false,
): Promise<SavedRow> {
  const { engine, by, exchangeType } = context;
  const { type } = exchangeType;
  const problems: Problem[] = [];
  const parent = await resolveParent(context, tx, lookup, cells, problems);
  const given = new Map([...cells].filter(([, cell]) => cell !== ""));
  const late = new Set(linksFirst ? findFieldsNeedingLinks(context, given) : []);
  const members = Object.entries(buildBody(context, lookup, cells, problems));
  const pickMembers = (isLate: boolean) => Object.fromEntries(members.filter(([name]) => late.has(name) === isLate));
  // An empty cell means no source; without a column the source is the client that sent the file.
  const caller = cells.get("source") === "" ? { ...by, source: "" } : by;
  const { id, replaced } = await createInTransaction(
    { engine, tx, by: caller, type },
    { members: pickMembers(false), problems },
    parent,
  );
  const links = await syncLinks(context, tx, lookup, id, given);
  const later =
    late.size > 0 ? await updateInTransaction({ engine, tx, by, type }, id, { members: pickMembers(true) }) : replaced;
  if (replaced === undefined || later === undefined) return { outcome: "created", id, former: {}, links };
  return { outcome: "updated", id, former: pickFormerValues(type, replaced.before, later.after), links };
}

/** Optional references to a type that the row links as well. */
function findFieldsNeedingLinks(context: ImportContext, cells: RowCells): string[] {
  const targets = new Set(pickLinkColumns(context, cells).map(({ field }) => (field as ReferenceField).to));
  return pickWritableColumns(context, cells)
    .filter(({ field }) => isReference(field) && field.access === "optional" && targets.has(field.to))
    .map(({ name }) => name);
}

export async function updateRow(
  context: ImportContext,
  tx: Transaction,
  lookup: RecordLookup,
  different: RowCells,
  id: number,
  linksFirst = false,
): Promise<SavedRow> {
  const { engine, by, exchangeType } = context;
  const { type } = exchangeType;
  const problems: Problem[] = [];
  const members = buildBody(context, lookup, different, problems);
  const early = linksFirst ? await syncLinks(context, tx, lookup, id, different) : null;
  const { isChanged, before, after } = await updateInTransaction({ engine, tx, by, type }, id, { members, problems });
  const links = early ?? (await syncLinks(context, tx, lookup, id, different));
  const outcome = isChanged || Object.keys(links).length > 0 ? "updated" : "unchanged";
  return { outcome, id, former: pickFormerValues(type, before, after), links };
}

/** The parent under which a record is created; permission to update the parent is enough. */
async function resolveParent(
  context: ImportContext,
  tx: Transaction,
  lookup: RecordLookup,
  cells: RowCells,
  problems: Problem[],
): Promise<ParentContext | undefined> {
  const { engine, by, exchangeType } = context;
  const parents = findParents(engine.types, exchangeType);
  if (parents.length === 0) return undefined;
  const owner = resolveOwner(context, lookup, cells, problems);
  const isOwned = exchangeType.type.ownedBy.length > 0;
  if (owner === null) {
    if (!isOwned && mayCreate(exchangeType.type, by)) return undefined;
    throw new Invalid(problems.length > 0 ? problems : [[parents[0]?.field ?? "base", "can't be blank"]]);
  }
  const needed = !isOwned && mayCreate(exchangeType.type, by) ? "link to" : "update";
  const account = await requireRecord(engine, by, engine.types.get(owner.type), owner.id, needed, tx).catch((error) => {
    throw error instanceof NotFound ? new Invalid([[owner.field, "is not valid"]]) : error;
  });
  return { fixed: { [owner.field]: owner.id }, account };
}
