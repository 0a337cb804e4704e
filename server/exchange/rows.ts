import type { Field } from "../../records/vocabulary/index.ts";
import { Invalid, NotFound, type Problem } from "../base/errors.ts";
import { mayCreate } from "../engine/access.ts";
import { type Below, createIn } from "../engine/create.ts";
import { requireRecord } from "../engine/find.ts";
import { Refusal } from "../engine/kinds/kind.ts";
import type { Type } from "../engine/types.ts";
import { updateIn } from "../engine/update.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { asWritten, memberOf } from "./cells.ts";
import { type Column, cellsOf } from "./columns.ts";
import type { LookUp } from "./keys.ts";
import { type Cells, type Reading, written } from "./reading.ts";
import { parentsOf } from "./words.ts";

// One row of a file becomes one record, with the rights and the checks of the API.

export type Outcome = "created" | "updated" | "unchanged";

/** The record that a row belongs below, or what is wrong with its name. */
export type Owner = { type: string; field: string; id: number };

const unfound = { nothing: "is not valid", several: "matches several records" };

/** The cells of a row in which records are named, by the types they may be of. */
export function* namesIn(reading: Reading, cells: Cells): Generator<{ type: Type; cell: string }> {
  const { types } = reading.engine;
  for (const { name, field } of givenColumns(reading, cells))
    if (namesRecords(field))
      for (const cell of linesOf(field, asWritten(cells.get(name) as string)))
        yield { type: types.named(field.to), cell };
}

export function* ownersIn({ engine, subject }: Reading, cells: Cells): Generator<{ type: Type; cell: string }> {
  for (const { type, field } of parentsOf(engine.types, subject)) {
    const cell = asWritten(cells.get(field) ?? "").trim();
    if (cell !== "") yield { type: engine.types.named(type), cell };
  }
}

export function ownerOf({ engine, subject }: Reading, lookUp: LookUp, cells: Cells, problems: Problem[]): Owner | null {
  for (const { type, field } of parentsOf(engine.types, subject)) {
    const cell = asWritten(cells.get(field) ?? "").trim();
    if (cell === "") continue;
    const found = lookUp.find(engine.types.named(type), cell);
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

export async function createRow(reading: Reading, tx: Transaction, lookUp: LookUp, cells: Cells): Promise<Outcome> {
  const { engine, by, subject } = reading;
  const problems: Problem[] = [];
  const below = await belowOf(reading, tx, lookUp, cells, problems);
  const members = membersOf(reading, lookUp, cells, problems);
  const { existing } = await createIn(engine, tx, by, subject.type, { members, problems }, below);
  return existing ? "updated" : "created";
}

export async function updateRow(
  reading: Reading,
  tx: Transaction,
  lookUp: LookUp,
  different: Cells,
  id: number,
): Promise<Outcome> {
  const { engine, by, subject } = reading;
  const problems: Problem[] = [];
  const members = membersOf(reading, lookUp, different, problems);
  const { isChanged } = await updateIn(engine, tx, by, subject.type, id, { members, problems });
  return isChanged ? "updated" : "unchanged";
}

/** Where a record below another one is made: whoever may change its owner may add to it. */
async function belowOf(
  reading: Reading,
  tx: Transaction,
  lookUp: LookUp,
  cells: Cells,
  problems: Problem[],
): Promise<Below | undefined> {
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
  const account = await requireRecord(engine, by, engine.types.named(owner.type), owner.id, needed, tx).catch(
    (error) => {
      throw error instanceof NotFound ? new Invalid([[owner.field, "is not valid"]]) : error;
    },
  );
  return { fixed: { [owner.field]: owner.id }, account };
}

/** The columns that a row has cells for and whose fields callers may write. */
const givenColumns = ({ columns }: Reading, cells: Cells): Column[] =>
  columns.filter(
    (column) =>
      column !== null && cells.has(column.name) && column.field.access !== "readonly" && !column.field.internal,
  ) as Column[];

/** The body that a call of the API would bring. */
export function membersOf(
  reading: Reading,
  lookUp: LookUp,
  cells: Cells,
  problems: Problem[],
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const { name, field } of givenColumns(reading, cells)) {
    const cell = asWritten(cells.get(name) as string);
    try {
      members[name] = namesRecords(field) ? idsOf(reading, lookUp, field, cell) : memberOf(field, cell);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push([name, error.message, error.values]);
    }
  }
  return members;
}

type Naming = Field & { to: string };

const namesRecords = (field: Field): field is Naming =>
  field.kind === "references" || (field.kind === "reference" && field.or === undefined);

function idsOf({ engine }: Reading, lookUp: LookUp, field: Naming, cell: string): unknown {
  const target = engine.types.named(field.to);
  const ids = linesOf(field, cell).map((line) => {
    const found = lookUp.find(target, line);
    if (typeof found !== "object") throw new Refusal(unfound[found]);
    return found.id;
  });
  return field.kind === "references" ? ids : (ids[0] ?? null);
}

/** Several references in one cell stand one per line. */
const linesOf = (field: Naming, cell: string): string[] =>
  (field.kind === "references" ? cell.split(/\r?\n/) : [cell]).map((line) => line.trim()).filter((line) => line !== "");
