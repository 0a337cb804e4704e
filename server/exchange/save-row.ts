import type { Field } from "../../records/vocabulary/index.ts";
import { Forbidden, Invalid, NotFound, type Problem } from "../base/errors.ts";
import { accountsOf, isAdministrator, limitedFields, mayCreate } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import { resolveCodes } from "../engine/codes.ts";
import type { Engine } from "../engine/engine.ts";
import { refuseInactive, requireRecord } from "../engine/find.ts";
import { readInput } from "../engine/input.ts";
import { isStorable, Refusal } from "../engine/kinds/kind.ts";
import type { Values } from "../engine/rules.ts";
import { rowForChange } from "../engine/update.ts";
import { carryOut, changeOf, createWithin } from "../engine/within.ts";
import type { Row, Transaction } from "../storage/database.ts";
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

/** What a file says about the record that a row means; the values are texts. */
type Key = { sort: string; values: readonly [string, string] };

/** By sort of key: the records of an account that have it. */
const conditions: Record<string, string> = {
  id: "a.id = k.one::integer",
  source: 'a.source = k.one AND a."sourceID" = k.other',
  email: "lower(a.primary_email) = lower(k.one)",
  ...Object.fromEntries(
    ["person", "organization"].flatMap((owner) =>
      ["telephone", "email", "website", "chat"].map((address) => [
        `${address} of ${owner}`,
        `a.${owner}_id = k.one::integer AND a.label = k.other AND a.${address} IS NOT NULL`,
      ]),
    ),
  ),
};

/** Some rows of a file, and the records that they mean, looked up at once. */
export class Batch {
  private readonly reading: Reading;
  private readonly lookUp: LookUp;
  private readonly rows: readonly Cells[];
  private readonly keys: (Key | null)[] = [];
  private readonly found: (Row | null)[] = [];
  private readonly made = new Set<string>();
  private isFresh = true;

  constructor(reading: Reading, lookUp: LookUp, rows: readonly (readonly string[])[]) {
    this.reading = reading;
    this.lookUp = lookUp;
    this.rows = rows.map((cells) => {
      const given = new Map<string, string>();
      if (cells.length === reading.columns.length)
        reading.columns.forEach(
          (column, index) => void (column === null || given.set(column.name, cells[index] as string)),
        );
      return given;
    });
  }

  async prepare(tx: Transaction): Promise<void> {
    for (const cells of this.rows) this.keys.push(await keyOf(this.reading, this.lookUp, cells).catch(() => null));
    for (const sort of new Set(this.keys.map((key) => key?.sort ?? ""))) {
      const meant = this.keys.map((key, index) => ({ key, index })).filter(({ key }) => key?.sort === sort) as {
        key: Key;
        index: number;
      }[];
      if (sort === "") continue;
      const rows = await recordsWith(
        this.reading,
        tx,
        sort,
        meant.map(({ key }) => key),
      );
      meant.forEach(({ index }, place) => {
        this.found[index] = rows[place] ?? null;
      });
    }
  }

  /** A row that says what is there already; asked before anything is written. */
  isUnchanged(index: number): boolean {
    const [cells, row] = [this.rows[index] as Cells, this.found[index]];
    return this.isFresh && row != null && cells.size > 0 && differences(this.reading, cells, row).size === 0;
  }

  async save(tx: Transaction, index: number, width: number): Promise<Outcome> {
    const { reading, lookUp } = this;
    const cells = this.rows[index] as Cells;
    if (width !== reading.columns.length)
      throw new Invalid([["base", `the row has ${width} cells, the header ${reading.columns.length}`]]);
    const key = await keyOf(reading, lookUp, cells);
    const row = key === null ? null : await this.recordOf(tx, index, key);
    if (row === null && key?.sort === "id") throw new Invalid([["id", "is not valid"]]);
    const outcome =
      row === null ? await createRow(reading, tx, lookUp, cells) : await updateRow(reading, tx, lookUp, cells, row);
    if (outcome !== "unchanged") this.isFresh = false;
    if (outcome === "created" && key !== null) this.made.add(wordOf(key));
    return outcome;
  }

  /** What was looked up before another row changed something is looked up again. */
  private async recordOf(tx: Transaction, index: number, key: Key): Promise<Row | null> {
    const before = this.found[index];
    if (before === null && !this.made.has(wordOf(key))) return null;
    if (before != null && this.isFresh) return before;
    return (await recordsWith(this.reading, tx, key.sort, [key]))[0] ?? null;
  }
}

const wordOf = ({ sort, values }: Key): string => JSON.stringify([sort, ...values]).toLowerCase();

/** Reference: import-export.md section 1.3. Null: the row makes a new record. */
async function keyOf({ engine, subject }: Reading, lookUp: LookUp, cells: Cells): Promise<Key | null> {
  const id = cells.get("id")?.trim() ?? "";
  if (id !== "") {
    if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > 2_147_483_647) throw new Invalid([["id", "is not valid"]]);
    return { sort: "id", values: [id, ""] };
  }
  const [source, sourceID] = ["source", "sourceID"].map((name) => storable(cells, name)) as [string, string];
  if (source !== "" && sourceID !== "") return { sort: "source", values: [source, sourceID] };
  const email = storable(cells, "primary_email").trim();
  if (subject.type.name === "person" && email !== "") return { sort: "email", values: [email, ""] };
  if (subject.type.name !== "contact") return null;
  // The address of the same sort under the same label of the same owner.
  const address = ["telephone", "email", "website", "chat"].find((name) => cells.get(name));
  const owner = await parentOf(engine, subject, lookUp, cells, []);
  if (address === undefined || owner === null) return null;
  return { sort: `${address} of ${owner.field}`, values: [String(owner.id), storable(cells, "label")] };
}

function storable(cells: Cells, name: string): string {
  const text = asWritten(cells.get(name) ?? "");
  if (!isStorable(text)) throw new Invalid([[name, "contains invalid characters"]]);
  return text;
}

const written = ({ columns }: Reading): Column[] => columns.filter((column) => column?.sql != null) as Column[];

/** The record of each key, its cells as an export would write them: the oldest of several, null for none. */
async function recordsWith(
  reading: Reading,
  tx: Transaction,
  sort: string,
  keys: readonly Key[],
): Promise<(Row | null)[]> {
  const { engine, by, subject } = reading;
  const { type } = subject;
  const shown = written(reading);
  const built = engine.statements.get(`${type.name}#cells#${shown.map(({ name }) => name).join(",")}#${sort}`, () => {
    const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
    const selected = ["k.nr", "a.id", ...shown.map(({ sql }) => (sql as (row: string) => string)("a"))];
    return `SELECT ${selected.join(", ")} FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS k (one, other, nr) JOIN ${type.table} a ON ${conditions[sort]} WHERE a.account_id = ANY($1::text[])${active}`;
  });
  // What is keyed by something other than its id is looked for in the account of the call alone.
  const accounts = sort === "id" ? accountsOf(type, by) : [by.account];
  const rows = await tx.query(built, [
    accounts,
    keys.map(({ values }) => values[0]),
    keys.map(({ values }) => values[1]),
  ]);
  const found: (Row | null)[] = keys.map(() => null);
  for (const [nr, ...row] of rows) {
    const place = Number(nr) - 1;
    const other = found[place];
    if (other == null || Number(row[0]) < Number(other[0])) found[place] = row;
  }
  return found;
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
  const parent = await parentOf(engine, subject, lookUp, cells, problems);
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

async function parentOf({ types }: Engine, subject: Subject, lookUp: LookUp, cells: Cells, problems: Problem[]) {
  for (const { type, field } of parentsOf(types, subject)) {
    const cell = asWritten(cells.get(field) ?? "").trim();
    if (cell === "") continue;
    const found = await lookUp.find(types.named(type), cell);
    if (typeof found === "object") return { type, field, id: Number(found.id) };
    problems.push([field, unfound[found]]);
  }
  return null;
}

const unfound = { nothing: "is not valid", several: "matches several records" };

/** What stands in the file as an export would write it is left alone: it may be a name that several records have. */
function differences(reading: Reading, cells: Cells, row: Row): Cells {
  const shown = written(reading);
  const now = cellsOf(shown, row, 1);
  const same = new Set(shown.filter(({ name }, index) => cells.get(name) === now[index]).map(({ name }) => name));
  return new Map([...cells].filter(([name]) => name !== "id" && !same.has(name)));
}

async function updateRow(reading: Reading, tx: Transaction, lookUp: LookUp, cells: Cells, row: Row): Promise<Outcome> {
  const different = differences(reading, cells, row);
  if (different.size === 0) return "unchanged";
  const problems: Problem[] = [];
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
