import type { Field } from "../../../records/vocabulary/index.ts";
import { markTable } from "../../schema/layout/account-tables.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { andOfAccount, tableOfAccount } from "../sql/placement.ts";
import type { JsonSchema, SchemaContext } from "./description.ts";
import { type FieldKind, isStorable, Refusal, type Value } from "./kind.ts";
import { serializeList } from "./member-list.ts";

/** A caller's input about one uploaded file of a text field. */
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
const inputList = {
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
};
const shareInputs = (share: SchemaContext["share"]): JsonSchema => ({
  ...share("AttachmentInputs", () => ({
    ...inputList,
    description: "keys of uploaded files (`GET /attachments/storage`); `_destroy` removes a file",
  })),
});

export const attachmentsOf: FieldKind<Extract<Field, { kind: "attachmentsOf" }>> = {
  column: null,
  read: readAttachments,
  isAttachmentInput: true,
  attachmentField: ({ field }) => field,
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  filter: null,
  graph: ({ field }) => ({ is: "files", field }),
  sqlType: "jsonb",
  schema: () => inputList,
  describe: {
    bodyMembers: (name, field, { share, addRemarks }) => [
      [name, addRemarks(shareInputs(share), [`files used inside \`${field.field}\``])],
    ],
  },
  cell: null,
  check: ({ field, requireField }) => requireField(field.field),
};

/** The address of a stored file, signed for every response. */
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
  graph: () => ({ is: "address of a file" }),
  sqlType: "text",
  schema: () => ({ type: "string", format: "uri", description: "valid for one day" }),
  describe: {
    example: () => "https://widget.example/attachments/7/screen.png?expires=1930000000&signature=f3a1",
  },
  cell: null,
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
  serialize: ({ type, from, account, signedUri }) => ({
    columns: [
      `(SELECT json_agg(json_build_object('name', f.name, 'key', f.key, 'uri', '', 'inline', f.inline, 'size', f.size, 'created_at', f.created_at) ORDER BY f.id) FROM ${markTable("attachments", account)} f WHERE f.record_id = ${from}.id AND f.record_type = '${type.name}' AND f.account_id = ${account})`,
    ],
    rowsOf: "attachments",
    write(row, at, viewer) {
      const text = row[at];
      if (text === null || text === undefined) return "[]";
      const list = JSON.parse(text) as { key: string; uri: string }[];
      for (const entry of list) entry.uri = signedUri(entry.key, viewer);
      return JSON.stringify(list);
    },
  }),
  filter: null,
  graph: () => ({ is: "files", field: null }),
  sqlType: "jsonb",
  schema: listSchema,
  describe: {
    output: (_field, { share }) => ({ type: "array", items: share("Attachment", () => fileSchema) }),
    bodyMembers: (name, _field, { share, addRemarks }) => [[name, addRemarks(shareInputs(share), [])]],
    isNeverNull: () => true,
  },
  shape: () => ({ kind: "list", of: { kind: "bag" } }),
  holdsFiles: true,
  cell: null,
};

const fileSchema = {
  type: "object",
  required: ["name", "key", "uri", "inline", "size", "created_at"],
  properties: {
    name: { type: "string", description: "name of the file" },
    key: { type: "string" },
    uri: { type: "string", format: "uri", description: "address of the file, valid for a day" },
    inline: { type: "boolean", description: "used inside a text field" },
    size: { type: "integer", description: "bytes" },
    created_at: { type: "string", format: "date-time" },
  },
};

/** The children of a record with their default fields. */
export const aggregated: FieldKind<Extract<Field, { kind: "aggregated" }>> = {
  column: null,
  read: refuseInput,
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  serialize({ type, field, from, account, types, serializeMember }) {
    const child = types.get(field.of);
    const joins: string[] = [];
    const members = child.defaultFields.map((name) => serializeMember(child, name, joins, "c"));
    const source = `FROM ${tableOfAccount(child, account)} c ${joins.join(" ")} WHERE c.${type.name}_id = ${from}.id${andOfAccount(child, "c", account)}`;
    return serializeList(members, source, "c.id", (json) => `{${json.slice(1)}}`);
  },
  filter: null,
  graph: () => ({ is: "children" }),
  sqlType: "jsonb",
  schema: listSchema,
  describe: {
    output: (field, { types, entry }) => ({ type: "array", items: entry(types.get(field.of)) }),
    isNeverNull: () => true,
    example: ({ field, types, entry }) => [entry(types.get(field.of))],
  },
  shape: ({ of }) => ({ kind: "list", of: { kind: "record", type: of } }),
  related: ({ of }, owner) => ({ of, by: owner, isSingle: false, isOwned: true }),
  cell: null,
  check({ type, field, types, report, requireType }) {
    if (requireType(field.of) && !types.get(field.of)?.ownedBy.includes(type.name))
      report(`names ${field.of}, which is not owned by ${type.name}`);
  },
};
