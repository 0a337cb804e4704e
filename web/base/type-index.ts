import { type IndexedType, types } from "virtual:type-index";

// What the frame of every page knows of record types: names, addresses and who may do what. The declarations with their
// fields (record-types.ts) are ten times as large and come with the pages that show records.

export type TypeEntry = IndexedType & { collection: string };

const entries = types.map((type): TypeEntry => ({ collection: `${type.name}s`, ...type }));
const byName = new Map(entries.map((entry) => [entry.name, entry]));
const byCollection = new Map(entries.flatMap((entry) => (entry.listed ? [[entry.collection, entry]] : [])));

export const findEntry = (name: string): TypeEntry | undefined => byName.get(name);
/** Of a type that has a list of its own. */
export const findEntryByCollection = (collection: string): TypeEntry | undefined => byCollection.get(collection);
