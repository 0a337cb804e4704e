import { findEntry } from "../base/type-index.ts";
import type { ChangeRule } from "../live/refetch.ts";

// The record changes that make a query reload, for `meta` of its factory.

/** The record itself, its notes included. */
export const changesOfRecord =
  (type: string, id: number | string): ChangeRule =>
  (change) =>
    change.type === type && String(change.id) === String(id);

/** A list of these types. Notes don't change its content. */
export const changesOfTypes =
  (...types: readonly string[]): ChangeRule =>
  ({ type, kind }) =>
    kind !== "note" && types.includes(type);

const matchPath = (path: string, hasNotes: boolean): ChangeRule => {
  const [, collection, ofId] = path.split("/");
  return ({ type, id, kind }) => {
    const entry = findEntry(type);
    if (entry === undefined || entry.collection !== collection) return false;
    return ofId === undefined ? hasNotes || kind !== "note" : ofId === String(id);
  };
};

/** "/requests": changes of requests without notes. "/requests/7" and everything below it: changes and notes of request 7. */
export const changesOfPath = (path: string): ChangeRule => matchPath(path, false);

/** Like `changesOfPath`, plus the notes of every record of a collection: they change a record's `updated_at`. */
export const changesOfList = (path: string): ChangeRule => matchPath(path, true);

/** All changes of records of these types, including notes. */
export const changesAndNotesOf =
  (...types: readonly string[]): ChangeRule =>
  ({ type }) =>
    types.includes(type);
