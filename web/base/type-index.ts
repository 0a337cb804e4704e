import { type IndexedType, types } from "virtual:type-index";

// The part of the record types that the frame of every page needs: names, addresses and permissions. The full
// declarations (record-types.ts) are ten times as large and are loaded by the pages that show records.

export type TypeEntry = IndexedType & { collection: string };

const entries = types.map((type): TypeEntry => ({ collection: `${type.name}s`, ...type }));
const byName = new Map(entries.map((entry) => [entry.name, entry]));
const byCollection = new Map(entries.flatMap((entry) => (entry.listed ? [[entry.collection, entry]] : [])));

export const findEntry = (name: string): TypeEntry | undefined => byName.get(name);
/** Finds a type that has its own list. */
export const findEntryByCollection = (collection: string): TypeEntry | undefined => byCollection.get(collection);
