import type { Notification, Recipient } from "../../records/vocabulary/notifications.ts";
import { findMentions } from "../base/markup/index.ts";
import type { Engine } from "../engine/engine.ts";
import type { Type } from "../engine/types.ts";
import type { PendingNotification } from "../mail/notification-outbox.ts";
import { statement } from "../storage/database.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";

// The people a row means, by their ids: those it names, and those it leads to.

const selectRoleHolders = statement("SELECT DISTINCT person_id FROM permissions WHERE account_id = $1 AND role = $2");

/** Follows references from a record of the type that the first one leads to. */
async function followPath(
  engine: Engine,
  from: Type,
  path: string,
  id: number,
): Promise<{ type: Type; id: number } | null> {
  const [name, ...rest] = path.split(".") as [string, ...string[]];
  let [type, at] = [getReferenceTarget(engine, from, name), id];
  for (const field of rest) {
    const sql = `SELECT ${quoteIdentifier(type.columns.get(field) as string)} FROM ${type.table} WHERE id = $1`;
    const [row] = await engine.database.read(statement(sql), [at]);
    if (row?.[0] == null) return null;
    [type, at] = [getReferenceTarget(engine, type, field), Number(row[0])];
  }
  return { type, id: at };
}

function getReferenceTarget(engine: Engine, type: Type, name: string): Type {
  const field = type.fields[name];
  if (field?.kind !== "reference") throw new Error(`${type.name} has no reference "${name}"`);
  return engine.types.get(field.to);
}

/** The record that a mail is about. */
export async function loadAboutRecord(
  engine: Engine,
  row: Notification,
  told: PendingNotification,
): Promise<{ type: Type; id: number } | null> {
  const type = engine.types.get(told.type);
  if (row.subjectPaths === undefined) return { type, id: told.id };
  for (const path of row.subjectPaths) {
    const id = told.about?.[path];
    const found = id === undefined ? null : await followPath(engine, type, path, id);
    if (found !== null) return found;
  }
  return null;
}

/** What it brings: a note. */
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

/** A note that names everybody means nobody. */
const maxMentioned = 100;

async function loadMentionedPeople(engine: Engine, row: Notification, told: PendingNotification): Promise<number[]> {
  const brought = getIncludedNote(row, told);
  if (brought === null) return [];
  const { table } = engine.types.get(brought.type);
  const [found] = await engine.database.read(statement(`SELECT text FROM ${table} WHERE id = $1`), [brought.id]);
  return findMentions(found?.[0] ?? "").slice(0, maxMentioned);
}

async function loadPeopleFor(
  engine: Engine,
  row: Notification,
  told: PendingNotification,
  to: Recipient,
): Promise<number[]> {
  const type = engine.types.get(told.type);
  if ("named" in to) return [...(told.people ?? [])];
  if ("mentioned" in to) return loadMentionedPeople(engine, row, told);
  if ("role" in to) return toIds(await engine.database.read(selectRoleHolders, [told.account, to.role]));
  if ("in" in to) {
    const { table, columns } = engine.types.get(to.in);
    const [person, by] = [columns.get(to.person), columns.get(to.by)].map((column) =>
      quoteIdentifier(column as string),
    );
    return toIds(await engine.database.read(statement(`SELECT ${person} FROM ${table} WHERE ${by} = $1`), [told.id]));
  }
  const [path, ids] = "at" in to ? [to.at, told.at] : [to.before, told.before];
  const id = ids?.[path];
  const found = id === undefined ? null : await followPath(engine, type, path, id);
  return found === null ? [] : [found.id];
}

const toIds = (rows: readonly (readonly (string | null)[])[]): number[] =>
  rows.flatMap(([id]) => (id == null ? [] : [Number(id)]));

/** Never those who did it, nor who wrote what it is about. */
export async function loadRecipientIds(
  engine: Engine,
  row: Notification,
  told: PendingNotification,
): Promise<Set<number>> {
  const found = await Promise.all(row.to.map((to) => loadPeopleFor(engine, row, told, to)));
  const knows = [told.by, ...(told.besides ?? [])];
  return new Set(found.flat().filter((id) => !knows.includes(id)));
}
