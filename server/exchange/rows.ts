import { Invalid, NotFound, type Problem } from "../base/errors.ts";
import { mayCreate } from "../engine/access.ts";
import { type ParentContext, createInTransaction } from "../engine/create.ts";
import { requireRecord } from "../engine/find.ts";
import type { Type } from "../engine/types.ts";
import { updateInTransaction } from "../engine/update.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { asWritten } from "./cells.ts";
import { cellsOf } from "./columns.ts";
import type { LookUp } from "./keys.ts";
import { linkColumnsIn, setLinks } from "./linked.ts";
import { givenColumns, membersOf, type Naming, unfound } from "./members.ts";
import { type Cells, type Reading, written } from "./reading.ts";
import { parentsOf } from "./words.ts";

// One row of a file becomes one record, with the rights and the checks of the API.

export type Outcome = "created" | "updated" | "unchanged";

/** The record that a row belongs below, or what is wrong with its name. */
export type Owner = { type: string; field: string; id: number };

export function* ownersIn({ engine, subject }: Reading, cells: Cells): Generator<{ type: Type; cell: string }> {
  for (const { type, field } of parentsOf(engine.types, subject)) {
    const cell = asWritten(cells.get(field) ?? "").trim();
    if (cell !== "") yield { type: engine.types.get(type), cell };
  }
}

export function ownerOf({ engine, subject }: Reading, lookUp: LookUp, cells: Cells, problems: Problem[]): Owner | null {
  for (const { type, field } of parentsOf(engine.types, subject)) {
    const cell = asWritten(cells.get(field) ?? "").trim();
    if (cell === "") continue;
    const found = lookUp.find(engine.types.get(type), cell);
    if (typeof found === "object") return { type, field, id: Number(found.id) };
    problems.push([field, unfound[found]]);
  }
  return null;
}

/** A record that is there, as an export would write it. */
export const shownCells = (reading: Reading, row: Row): Cells => {
  const shown = written(reading);
  const cells = cellsOf(shown, row, 1);
  return new Map(shown.map(({ name }, index) => [name, cells[index] as string]));
};

/** What stands in the file as an export would write it is left alone: it may be a name that several records have. */
export const differences = (reading: Reading, cells: Cells, shown: Cells): Cells =>
  new Map(
    givenColumns(reading, cells)
      .filter(({ name, field }) => !field.onCreateOnly && cells.get(name) !== shown.get(name))
      .map(({ name }) => [name, cells.get(name) as string]),
  );

/**
 * `linksFirst`: some fields may only name what is linked, like the coordinator of a team one of its members. They are set
 * when the links are there.
 */
export async function createRow(
  reading: Reading,
  tx: Transaction,
  lookUp: LookUp,
  cells: Cells,
  linksFirst = false,
): Promise<Outcome> {
  const { engine, by, subject } = reading;
  const problems: Problem[] = [];
  const below = await belowOf(reading, tx, lookUp, cells, problems);
  const given = new Map([...cells].filter(([, cell]) => cell !== ""));
  const late = new Set(linksFirst ? namedAmongLinks(reading, given) : []);
  const members = Object.entries(membersOf(reading, lookUp, cells, problems));
  const some = (isLate: boolean) => Object.fromEntries(members.filter(([name]) => late.has(name) === isLate));
  // A cell that is empty says that there is no source; without one it is the program that brought the file.
  const teller = cells.get("source") === "" ? { ...by, source: "" } : by;
  const { id, existing } = await createInTransaction(engine, tx, teller, subject.type, { members: some(false), problems }, below);
  await setLinks(reading, tx, lookUp, id, given);
  if (late.size > 0) await updateInTransaction(engine, tx, by, subject.type, id, { members: some(true) });
  return existing ? "updated" : "created";
}

/** The fields that name records of a sort that is linked as well. */
function namedAmongLinks(reading: Reading, cells: Cells): string[] {
  const targets = new Set(linkColumnsIn(reading, cells).map(({ field }) => (field as Naming).to));
  return givenColumns(reading, cells)
    .filter(({ field }) => field.kind === "reference" && field.access === "optional" && targets.has(field.to))
    .map(({ name }) => name);
}

export async function updateRow(
  reading: Reading,
  tx: Transaction,
  lookUp: LookUp,
  different: Cells,
  id: number,
  linksFirst = false,
): Promise<Outcome> {
  const { engine, by, subject } = reading;
  const problems: Problem[] = [];
  const members = membersOf(reading, lookUp, different, problems);
  const early = linksFirst && (await setLinks(reading, tx, lookUp, id, different));
  const { isChanged } = await updateInTransaction(engine, tx, by, subject.type, id, { members, problems });
  const isLinked = early || (await setLinks(reading, tx, lookUp, id, different));
  return isChanged || isLinked ? "updated" : "unchanged";
}

/** Where a record below another one is made: whoever may change its owner may add to it. */
async function belowOf(
  reading: Reading,
  tx: Transaction,
  lookUp: LookUp,
  cells: Cells,
  problems: Problem[],
): Promise<ParentContext | undefined> {
  const { engine, by, subject } = reading;
  const parents = parentsOf(engine.types, subject);
  if (parents.length === 0) return undefined;
  const owner = ownerOf(reading, lookUp, cells, problems);
  const isOwned = subject.type.ownedBy.length > 0;
  if (owner === null) {
    if (!isOwned && mayCreate(subject.type, by)) return undefined;
    throw new Invalid(problems.length > 0 ? problems : [[parents[0]?.field ?? "base", "can't be blank"]]);
  }
  const needed = !isOwned && mayCreate(subject.type, by) ? "link to" : "update";
  const account = await requireRecord(engine, by, engine.types.get(owner.type), owner.id, needed, tx).catch(
    (error) => {
      throw error instanceof NotFound ? new Invalid([[owner.field, "is not valid"]]) : error;
    },
  );
  return { fixed: { [owner.field]: owner.id }, account };
}
