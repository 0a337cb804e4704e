import type { Field } from "../../../records/vocabulary/index.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";
import { type FieldKind, isStorable, Refusal, type Value } from "./kind.ts";
import { serializeList } from "./member-list.ts";

/** What a caller says about one uploaded file of a text field. */
export type AttachmentInput = { key: string; inline: boolean; remove: boolean };

const maxEntries = 100;
const isTruthy = (value: unknown) => value === true || value === "true" || value === 1 || value === "1";

/** [{key, filesize, inline, _destroy}]: the files themselves were uploaded before. */
function readAttachments(input: unknown): Value {
  const list = Array.isArray(input) ? input : typeof input === "object" && input !== null ? Object.values(input) : null;
  if (list === null) throw new Refusal("is not a valid list");
  if (list.length > maxEntries) throw new Refusal("has too many entries (maximum is {max})", { max: maxEntries });
  return list.map((entry: { key?: unknown; inline?: unknown; _destroy?: unknown }) => {
    if (typeof entry !== "object" || entry === null || typeof entry.key !== "string" || !isStorable(entry.key))
      throw new Refusal("is not a known attachment");
    return {
      key: entry.key,
      inline: isTruthy(entry.inline),
      remove: isTruthy(entry._destroy),
    } satisfies AttachmentInput;
  });
}

function refuseInput(): never {
  throw new Refusal("is not editable");
}

/** The uploaded files that a text field uses. */
export const attachmentsOf: FieldKind<Extract<Field, { kind: "attachmentsOf" }>> = {
  column: null,
  read: readAttachments,
  isAttachmentInput: true,
  attachmentField: ({ field }) => field,
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  filter: null,
  sqlType: "jsonb",
  schema: () => ({
    type: "array",
    items: {
      type: "object",
      required: ["key"],
      properties: {
        key: { type: "string" },
        filesize: { type: "integer" },
        inline: { type: "boolean" },
        _destroy: { type: "boolean" },
      },
    },
  }),
  check: ({ field, requireField }) => requireField(field.field),
};

/** The address of a stored file, signed anew for every response. */
export const download: FieldKind<Extract<Field, { kind: "download" }>> = {
  column: null,
  read: refuseInput,
  parse: (text) => text,
  write: (text) => text,
  serialize: ({ type, field, from, signedUri }) => ({
    columns: [`${from}.${quoteIdentifier(type.columns.get(field.of) ?? field.of)}`],
    write: (row, at, viewer) => (row[at] == null ? "null" : JSON.stringify(signedUri(row[at], viewer))),
  }),
  filter: null,
  sqlType: "text",
  schema: () => ({ type: "string", format: "uri", description: "good for a day" }),
  check: ({ field, requireField }) => requireField(field.of),
};

const listSchema = () => ({ type: "array", items: { type: "object" } });

/** All attachments of a record. */
export const attachments: FieldKind = {
  column: null,
  read: readAttachments,
  isAttachmentInput: true,
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  serialize: ({ type, from, signedUri }) => ({
    columns: [
      `(SELECT json_agg(json_build_object('name', f.name, 'key', f.key, 'uri', '', 'inline', f.inline, 'size', f.size, 'created_at', f.created_at) ORDER BY f.id) FROM attachments f WHERE f.record_id = ${from}.id AND f.record_type = '${type.name}')`,
    ],
    write(row, at, viewer) {
      const text = row[at];
      if (text === null || text === undefined) return "[]";
      const list = JSON.parse(text) as { key: string; uri: string }[];
      for (const entry of list) entry.uri = signedUri(entry.key, viewer);
      return JSON.stringify(list);
    },
  }),
  filter: null,
  sqlType: "jsonb",
  schema: listSchema,
};

/** The children of a record with their default fields. */
export const aggregated: FieldKind<Extract<Field, { kind: "aggregated" }>> = {
  column: null,
  read: refuseInput,
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  serialize({ type, field, from, types, serializeMember }) {
    const child = types.get(field.of);
    const joins: string[] = [];
    const members = child.defaultFields.map((name) => serializeMember(child, name, joins, "c"));
    const source = `FROM ${child.table} c ${joins.join(" ")} WHERE c.${type.name}_id = ${from}.id`;
    return serializeList(members, source, "c.id", (json) => `{${json.slice(1)}}`);
  },
  filter: null,
  sqlType: "jsonb",
  schema: listSchema,
  check({ type, field, types, report, requireType }) {
    if (requireType(field.of) && !types.get(field.of)?.ownedBy.includes(type.name))
      report(`names ${field.of}, which is not owned by ${type.name}`);
  },
};
