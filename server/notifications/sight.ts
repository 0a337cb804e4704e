import type { Notification } from "../../records/vocabulary/notifications.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { find } from "../engine/find.ts";
import type { Type } from "../engine/types.ts";
import { rowsByName, type Told, wordsOf } from "../mail/notices.ts";
import { statement } from "../storage/database.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";
import { holds } from "./match.ts";
import { type Reader, readingIn } from "./readers.ts";
import { broughtBy, subjectOf } from "./recipients.ts";
import { inWords } from "./words.ts";

// What a person sees of the record a mail is about, through the same door as everybody who asks for it.

type Shown = Record<string, unknown>;
/** something a person is told, and what the mail is about */
export type Reason = { told: Told; row: Notification; about: { type: Type; id: number } };

export async function reasonOf(engine: Engine, told: Told): Promise<Reason | null> {
  const row = rowsByName.get(told.row);
  const about = row === undefined ? null : await subjectOf(engine, row, told);
  if (row === undefined || about === null || !(await isAsWanted(engine, row, about))) return null;
  return { told, row, about };
}

/** Whether the record the mail is about is of the sort that the row means. */
async function isAsWanted(engine: Engine, { subjectIf: aboutIs }: Notification, { type, id }: Reason["about"]): Promise<boolean> {
  if (aboutIs === undefined) return true;
  const names = Object.keys(aboutIs);
  const columns = names.map((name) => quoteIdentifier(type.columns.get(name) as string)).join(", ");
  const [found] = await engine.database.read(statement(`SELECT ${columns} FROM ${type.table} WHERE id = $1`), [id]);
  return found !== undefined && holds(aboutIs, Object.fromEntries(names.map((name, at) => [name, found[at]])));
}

/** In the account it happened in, if the person has a part in it; else in the person's own. */
export function readsAs(
  reader: Reader,
  account: string,
  { accounts, now }: { accounts: ReadonlyMap<string, Account>; now: Date },
): Caller | null {
  const { me, directory } = reader;
  const there = accounts.get(account);
  const hasPart =
    there !== undefined &&
    (account === me.account || me.roles.has(account) || directory === account || there.directory === me.account);
  const read = hasPart ? there : accounts.get(me.account);
  return read === undefined ? null : readingIn(reader, read, now);
}

/** `name`: what the record is called; `texts`: what was written, by the id of the note; `isInternal`: not for everybody */
export type Read = { name: string; values: Record<string, string>; texts: [string, string][]; isInternal: boolean };

/** One person, who hears of one record for these reasons. */
export class Sight {
  private readonly engine: Engine;
  private readonly reader: Reader;
  private readonly reasons: readonly Reason[];
  private readonly known = new Map<string, Promise<Shown | null>>();

  constructor(engine: Engine, reader: Reader, reasons: readonly Reason[]) {
    this.engine = engine;
    this.reader = reader;
    this.reasons = reasons;
  }

  /** What there is to read for one of them; null when the record, or what was written, is not for this person. */
  async of(by: Caller, reason: Reason): Promise<Read | null> {
    const { engine, reader } = this;
    if (reason.row.embeddedFields !== undefined) return saying(engine, reader, reason);
    const shown = await this.record(by, reason.about);
    const brought = broughtBy(reason.row, reason.told);
    const note = brought === null ? {} : await this.note(by, brought);
    if (shown === null || note === null) return null;
    const { text = "", internal = false } = note as Shown;
    const texts: [string, string][] = brought === null ? [] : [[`${brought.id}`, String(text)]];
    const name = String(shown[reason.about.type.display] ?? "");
    return { name, values: wordsFor(engine, reader, reason, shown), texts, isInternal: internal === true };
  }

  /** All fields that any of the texts wants, read once. */
  private record(by: Caller, { type, id }: Reason["about"]): Promise<Shown | null> {
    const wanted = [type.display, ...this.reasons.flatMap(({ told }) => wordsOf.get(told.row) ?? [])];
    const fields = [...new Set(wanted)].filter((name) => name in type.fields && type.selectable.has(name));
    return this.once(`${by.account} ${type.name} ${id}`, () => seen(this.engine, by, type, id, fields));
  }

  private note(by: Caller, { type, id }: { type: string; id: number }): Promise<Shown | null> {
    return this.once(`${by.account} ${type} ${id}`, () =>
      seen(this.engine, by, this.engine.types.get(type), id, ["text", "internal"]),
    );
  }

  private once(key: string, read: () => Promise<Shown | null>): Promise<Shown | null> {
    const known = this.known.get(key) ?? read();
    this.known.set(key, known);
    return known;
  }
}

function wordsFor(
  engine: Engine,
  reader: Reader,
  { told, about: { type } }: Reason,
  shown: Shown,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(shown)) values[name] = inWords(reader, type.fields[name], value);
  // As the change left them, of what the person may see; and those of the record that is not the one the mail is about.
  const fieldsOfIts = engine.types.get(told.type).fields;
  for (const [name, value] of Object.entries(told.asLeft ?? {}))
    if (name in shown || told.type !== type.name) values[name] = inWords(reader, fieldsOfIts[name], value);
  return values;
}

async function seen(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  fields: readonly string[],
): Promise<Shown | null> {
  try {
    return JSON.parse(await find(engine, by, type, id, fields)) as Shown;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return null;
    throw error;
  }
}

/** What was kept with the notice: moments, and the names of what was referred to. */
async function saying(engine: Engine, reader: Reader, { told, row }: Reason): Promise<Read> {
  const values: Record<string, string> = {};
  const type = engine.types.get(told.type);
  for (const name of row.embeddedFields ?? []) {
    const [field, value] = [type.fields[name], told.facts?.[name]];
    if (field?.kind !== "reference" || typeof value !== "number") values[name] = inWords(reader, field, value);
    else {
      const { table, display } = engine.types.get(field.to);
      const [found] = await engine.database.read(statement(`SELECT ${display} FROM ${table} WHERE id = $1`), [value]);
      values[name] = found?.[0] ?? "–";
    }
  }
  return { name: "", values, texts: [], isInternal: false };
}
