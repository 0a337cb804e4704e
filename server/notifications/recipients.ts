import type { Notification, Recipient } from "../../records/vocabulary/notifications.ts";
import { findMentions } from "../base/markup/index.ts";
import { type Row, statement } from "../database/database.ts";
import type { Engine } from "../engine/engine.ts";
import { isReference } from "../engine/kinds/reference.ts";
import type { Type } from "../engine/types.ts";
import type { PendingNotification } from "../mail/notification-outbox.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";

// Finds the ids of the people whom the definition of a notification addresses.

const selectRoleHolders = statement("SELECT DISTINCT person_id FROM permissions WHERE account_id = $1 AND role = $2");

/** Rows that were read for other notifications of the same batch: many go to the coordinator of the same team. */
export type KnownReferences = Map<string, Promise<Row[]>>;

/** Follows a path of references; `id` is the record that its first reference points to. */
async function followPath(
  engine: Engine,
  from: Type,
  path: string,
  id: number,
  known: KnownReferences,
): Promise<{ type: Type; id: number } | null> {
  const [name, ...rest] = path.split(".") as [string, ...string[]];
  let [type, at] = [getReferenceTarget(engine, from, name), id];
  for (const field of rest) {
    const sql = `SELECT ${quoteIdentifier(type.columns.get(field) as string)} FROM ${type.table} WHERE id = $1`;
    const key = `${at} ${sql}`;
    const reading = known.get(key) ?? engine.database.read(statement(sql), [at]);
    known.set(key, reading);
    const [row] = await reading;
    if (row?.[0] == null) return null;
    [type, at] = [getReferenceTarget(engine, type, field), Number(row[0])];
  }
  return { type, id: at };
}

function getReferenceTarget(engine: Engine, type: Type, name: string): Type {
  const field = type.fields[name];
  if (!isReference(field)) throw new Error(`${type.name} has no reference "${name}"`);
  return engine.types.get(field.to);
}

/** The record that the mail is about, which may be a parent of the changed one. */
export async function loadAboutRecord(
  engine: Engine,
  row: Notification,
  pending: PendingNotification,
  known: KnownReferences,
): Promise<{ type: Type; id: number } | null> {
  const type = engine.types.get(pending.type);
  if (row.subjectPaths === undefined) return { type, id: pending.id };
  for (const path of row.subjectPaths) {
    const id = pending.about?.[path];
    const found = id === undefined ? null : await followPath(engine, type, path, id, known);
    if (found !== null) return found;
  }
  return null;
}

/** The note that the mail includes. */
export function getIncludedNote(
  { when }: Notification,
  { facts }: PendingNotification,
): { type: string; id: number } | null {
  for (const occasion of when) {
    const id = occasion.on === "happened" ? facts?.[`${occasion.includes}_id`] : undefined;
    if (occasion.on === "happened" && typeof id === "number") return { type: occasion.includes, id };
  }
  return null;
}

/** Limits the emails that one note can cause. */
const maxMentioned = 100;

async function loadMentionedPeople(engine: Engine, row: Notification, pending: PendingNotification): Promise<number[]> {
  const reference = getIncludedNote(row, pending);
  if (reference === null) return [];
  const { table } = engine.types.get(reference.type);
  const [note] = await engine.database.read(statement(`SELECT text FROM ${table} WHERE id = $1`), [reference.id]);
  return findMentions(note?.[0] ?? "").slice(0, maxMentioned);
}

async function loadPeopleFor(
  engine: Engine,
  row: Notification,
  pending: PendingNotification,
  to: Recipient,
  known: KnownReferences,
): Promise<number[]> {
  const type = engine.types.get(pending.type);
  if ("named" in to) return [...(pending.people ?? [])];
  if ("mentioned" in to) return loadMentionedPeople(engine, row, pending);
  if ("role" in to) return toIds(await engine.database.read(selectRoleHolders, [pending.account, to.role]));
  if ("in" in to) {
    const { table, columns } = engine.types.get(to.in);
    const [person, by] = [columns.get(to.person), columns.get(to.by)].map((column) =>
      quoteIdentifier(column as string),
    );
    return toIds(
      await engine.database.read(statement(`SELECT ${person} FROM ${table} WHERE ${by} = $1`), [pending.id]),
    );
  }
  const [path, ids] = "at" in to ? [to.at, pending.at] : [to.before, pending.before];
  const id = ids?.[path];
  const found = id === undefined ? null : await followPath(engine, type, path, id, known);
  return found === null ? [] : [found.id];
}

const toIds = (rows: readonly (readonly (string | null)[])[]): number[] =>
  rows.flatMap(([id]) => (id == null ? [] : [Number(id)]));

/** Excludes the actor and the author of the note, who know already. */
export async function loadRecipientIds(
  engine: Engine,
  row: Notification,
  pending: PendingNotification,
  known: KnownReferences,
): Promise<Set<number>> {
  const people = await Promise.all(row.to.map((to) => loadPeopleFor(engine, row, pending, to, known)));
  const excluded = [pending.by, ...(pending.besides ?? [])];
  return new Set(people.flat().filter((id) => !excluded.includes(id)));
}
