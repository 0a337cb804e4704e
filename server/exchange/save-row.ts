import type { Field } from "../../records/vocabulary/index.ts";
import { Forbidden, Invalid, NotFound, type Problem } from "../base/errors.ts";
import { accountsOf, isAdministrator, limitedFields, mayCreate } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import { resolveCodes } from "../engine/codes.ts";
import type { Engine } from "../engine/engine.ts";
import { refuseInactive, requireRecord } from "../engine/find.ts";
import { readInput } from "../engine/input.ts";
import { Refusal } from "../engine/kinds/kind.ts";
import type { Values } from "../engine/rules.ts";
import { rowForChange } from "../engine/update.ts";
import { carryOut, changeOf, createWithin } from "../engine/within.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { quoted } from "../storage/schema/model.ts";
import { asWritten, memberOf } from "./cells.ts";
import { type Column, cellsOf } from "./columns.ts";
import type { LookUp } from "./keys.ts";
import { parentsOf, type Subject } from "./words.ts";

// One row of a file becomes one record, with the rights and the checks of the API.

export type Outcome = "created" | "updated" | "unchanged";

/** What reading the rows of one file needs. */
export type Reading = {
  engine: Engine;
  by: Caller;
  subject: Subject;
  /** by cell; null: read over */
  columns: readonly (Column | null)[];
};

type Cells = ReadonlyMap<string, string>;

export async function saveRow(
  reading: Reading,
  tx: Transaction,
  lookUp: LookUp,
  cells: readonly string[],
): Promise<Outcome> {
  const { columns } = reading;
  if (cells.length !== columns.length)
    throw new Invalid([["base", `the row has ${cells.length} cells, the header ${columns.length}`]]);
  const given = new Map<string, string>();
  columns.forEach((column, index) => void (column === null || given.set(column.name, cells[index] as string)));
  const existing = await match(reading, tx, lookUp, given);
  return existing === null ? createRow(reading, tx, lookUp, given) : updateRow(reading, tx, lookUp, given, existing);
}

/** Reference: import-export.md section 1.3. The row as a file would show it, or null when it is a new one. */
async function match(reading: Reading, tx: Transaction, lookUp: LookUp, cells: Cells): Promise<Row | null> {
  const id = cells.get("id")?.trim() ?? "";
  if (id !== "") {
    if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > 2_147_483_647) throw new Invalid([["id", "is not valid"]]);
    const row = await asWrittenNow(reading, tx, "a.id = $2::integer", [id]);
    if (row === null) throw new Invalid([["id", "is not valid"]]);
    return row;
  }
  const [source, sourceID] = ["source", "sourceID"].map((name) => asWritten(cells.get(name) ?? ""));
  if (source && sourceID) return asWrittenNow(reading, tx, 'a.source = $2 AND a."sourceID" = $3', [source, sourceID]);
  const email = asWritten(cells.get("primary_email") ?? "").trim();
  if (reading.subject.type.name === "person" && email !== "")
    return asWrittenNow(reading, tx, "lower(a.primary_email) = lower($2)", [email]);
  if (reading.subject.type.name === "contact") return contactOf(reading, tx, lookUp, cells);
  return null;
}

/** The address of the same sort under the same label of the same owner. */
async function contactOf(reading: Reading, tx: Transaction, lookUp: LookUp, cells: Cells): Promise<Row | null> {
  const sort = ["telephone", "email", "website", "chat"].find((name) => cells.get(name));
  const problems: Problem[] = [];
  const owner = await parentOf(reading, lookUp, cells, problems);
  if (sort === undefined || owner === null) return null;
  return asWrittenNow(
    reading,
    tx,
    `a.${quoted(`${owner.field}_id`)} = $2::integer AND a.label = $3 AND a.${sort} IS NOT NULL`,
    [String(owner.id), cells.get("label") ?? ""],
  );
}

const written = ({ columns }: Reading): Column[] => columns.filter((column) => column?.sql != null) as Column[];

/** The record that meets the condition, its cells as an export would write them; the oldest of several. */
async function asWrittenNow(
  reading: Reading,
  tx: Transaction,
  where: string,
  values: readonly string[],
): Promise<Row | null> {
  const { engine, by, subject } = reading;
  const { type } = subject;
  const shown = written(reading);
  const key = `${type.name}#cells#${shown.map(({ name }) => name).join(",")}#${where}`;
  const built = engine.statements.get(key, () => {
    const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
    const selected = ["a.id", ...shown.map(({ sql }) => (sql as (row: string) => string)("a"))];
    return `SELECT ${selected.join(", ")} FROM ${type.table} a WHERE a.account_id = ANY($1::text[]) AND ${where}${active} ORDER BY a.id LIMIT 1`;
  });
  // What is keyed by something other than its id is looked for in the account of the call alone.
  const accounts = where.startsWith("a.id") ? accountsOf(type, by) : [by.account];
  return (await tx.query(built, [accounts, ...values]))[0] ?? null;
}

async function createRow(reading: Reading, tx: Transaction, lookUp: LookUp, cells: Cells): Promise<Outcome> {
  const { engine, by, subject } = reading;
  const { type } = subject;
  const problems: Problem[] = [];
  const below = await belowOf(reading, lookUp, cells, problems);
  if (below === null && !mayCreate(type, by)) throw new Forbidden();
  const members = await membersOf(reading, lookUp, cells, problems);
  const input = readInput(type, { members }, by, "create");
  const meant = await engine.rules.of(type.name).instead?.(engine.database, by, input.values);
  if (meant != null) return change(reading, tx, meant, members, problems);
  await createWithin(engine, tx, by, type, input.values, {
    attachments: input.attachments,
    problems: [...problems, ...input.problems],
    ...below,
  });
  return "created";
}

/** Where a record below another one is made: whoever may change its owner may add to it. */
async function belowOf(reading: Reading, lookUp: LookUp, cells: Cells, problems: Problem[]) {
  const { engine, by, subject } = reading;
  const parents = parentsOf(engine.types, subject);
  if (parents.length === 0) return null;
  const parent = await parentOf(reading, lookUp, cells, problems);
  const isOwned = subject.type.ownedBy.length > 0;
  if (parent === null) {
    if (!isOwned && mayCreate(subject.type, by)) return null;
    throw new Invalid(problems.length > 0 ? problems : [[parents[0]?.field ?? "base", "can't be blank"]]);
  }
  const needed = !isOwned && mayCreate(subject.type, by) ? "link to" : "update";
  const account = await requireRecord(engine, by, engine.types.named(parent.type), parent.id, needed).catch((error) => {
    throw error instanceof NotFound ? new Invalid([[parent.field, "is not valid"]]) : error;
  });
  return { fixed: { [parent.field]: parent.id } as Values, account };
}

async function parentOf(reading: Reading, lookUp: LookUp, cells: Cells, problems: Problem[]) {
  const { types } = reading.engine;
  for (const { type, field } of parentsOf(types, reading.subject)) {
    const cell = asWritten(cells.get(field) ?? "").trim();
    if (cell === "") continue;
    const found = await lookUp.find(types.named(type), cell);
    if (typeof found === "object") return { type, field, id: Number(found.id) };
    problems.push([field, unfound[found]]);
  }
  return null;
}

const unfound = { nothing: "is not valid", several: "matches several records" };

async function updateRow(reading: Reading, tx: Transaction, lookUp: LookUp, cells: Cells, row: Row): Promise<Outcome> {
  const shown = written(reading);
  const now = cellsOf(shown, row, 1);
  // What stands in the file as an export would write it is left alone: it may be a name that several records have.
  const same = new Set(shown.filter(({ name }, index) => cells.get(name) === now[index]).map(({ name }) => name));
  const problems: Problem[] = [];
  const different = new Map([...cells].filter(([name]) => name !== "id" && !same.has(name)));
  if (different.size === 0) return "unchanged";
  const members = await membersOf(reading, lookUp, different, problems, true);
  return change(reading, tx, Number(row[0]), members, problems);
}

/** As engine/update.ts does it, in a transaction that is under way. */
async function change(
  { engine, by, subject: { type } }: Reading,
  tx: Transaction,
  id: number,
  members: Record<string, unknown>,
  problems: readonly Problem[],
): Promise<Outcome> {
  const limits = { someFields: limitedFields(type, by) };
  const { account, life, values: before, onlyFields } = await rowForChange(engine, tx, by, type, id, "update", limits);
  refuseInactive(life);
  const input = readInput(type, { members }, by, "update", before);
  const all = [...problems, ...input.problems];
  await resolveCodes(engine, tx, by, type, input.values, all);
  const circumstances = { attachments: input.attachments, problems: all };
  const made = changeOf(engine, tx, by, type, { id, account, before }, input.values, circumstances);
  if (onlyFields !== null && [...made.changed].some((name) => !onlyFields.has(name))) throw new Forbidden();
  if ((made.changed.has("source") || made.changed.has("sourceID")) && !isAdministrator(by, account))
    throw new Forbidden();
  if (made.changed.size === 0 && all.length === 0) return "unchanged";
  await carryOut(engine, type, made);
  return "updated";
}

/** The body that a call of the API would bring. */
async function membersOf(
  { engine, columns }: Reading,
  lookUp: LookUp,
  cells: Cells,
  problems: Problem[],
  isUpdate = false,
): Promise<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (const column of columns) {
    if (column === null || !cells.has(column.name)) continue;
    const { name, field } = column;
    if (field.access === "readonly" || field.internal || (field.onCreateOnly && isUpdate)) continue;
    const cell = asWritten(cells.get(name) as string);
    try {
      members[name] = names(field) ? await idsOf(engine, lookUp, field, cell) : memberOf(field, cell);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push([name, error.message, error.values]);
    }
  }
  return members;
}

const names = (field: Field): field is Field & { to: string } =>
  field.kind === "references" || (field.kind === "reference" && field.or === undefined);

async function idsOf(engine: Engine, lookUp: LookUp, field: Field & { to: string }, cell: string): Promise<unknown> {
  const target = engine.types.named(field.to);
  const find = async (key: string) => {
    const found = await lookUp.find(target, key);
    if (typeof found !== "object") throw new Refusal(unfound[found]);
    return found.id;
  };
  if (field.kind === "reference") return cell.trim() === "" ? null : find(cell.trim());
  const ids: (number | string)[] = [];
  for (const line of cell.split(/\r?\n/)) if (line.trim() !== "") ids.push(await find(line.trim()));
  return ids;
}
