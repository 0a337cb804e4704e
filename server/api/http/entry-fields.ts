import type { Shape, Shaped } from "../../../records/vocabulary/index.ts";
import { BadRequest } from "../../base/errors.ts";
import type { Page } from "../../engine/list.ts";
import type { ListQuery } from "../../engine/read/list-query.ts";
import { respondWithPage } from "./paging.ts";
import type { ApiResponse, Call } from "./route.ts";

// ?fields= for entries that are no records: permissions, emails, deliveries. The declaration of an entry names its fields,
// or its OpenAPI schema.

/** The schema of an object, or its declaration. */
export type EntrySchema = Shape | { readonly properties?: unknown };

export const listEntryFields = (entry: EntrySchema): string[] => {
  if (!("kind" in entry)) return Object.keys(entry.properties ?? {});
  return entry.kind === "object" ? Object.keys(entry.members) : [];
};

/** Reduces entries to the selected fields; `id` always comes along, as with records. */
export function buildSelection(schema: EntrySchema, fields: readonly string[] | null): (entry: object) => object {
  if (fields === null) return (entry) => entry;
  const known = listEntryFields(schema);
  const unknown = fields.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${unknown.join(", ")}`);
  const selected = new Set(["id", ...fields]);
  return (entry) => Object.fromEntries(Object.entries(entry).filter(([name]) => selected.has(name)));
}

/** The same for entries that records/answers declares. */
export function buildMemberSelection<T extends object>(
  shape: Shaped<T>,
  fields: readonly string[] | null,
): (entry: T) => T {
  const select = buildSelection(shape, fields);
  return (entry) => select(entry) as T; // the caller chose which members are there
}

/** A page of entries with the fields that the query selects. */
export function respondWithEntries(call: Call, query: ListQuery, page: Page, schema: EntrySchema): ApiResponse<never> {
  const select = buildSelection(schema, query.fields);
  const records =
    query.fields === null ? page.records : page.records.map((text) => JSON.stringify(select(JSON.parse(text))));
  return respondWithPage(call, { ...page, records }, query.perPage);
}
