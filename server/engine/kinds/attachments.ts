import { type FieldKind, isStorable, Refusal, type Value } from "./kind.ts";

/** What a caller says about one uploaded file of a text field. */
export type AttachmentInput = { key: string; inline: boolean; remove: boolean };

const maxEntries = 100;
const isTruthy = (value: unknown) => value === true || value === "true" || value === 1 || value === "1";

/** In: [{key, filesize, inline, _destroy}]. The file itself was uploaded before. */
export const attachmentsOf: FieldKind = {
  read(input) {
    const list = Array.isArray(input)
      ? input
      : typeof input === "object" && input !== null
        ? Object.values(input)
        : null;
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
  },
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
};

/** The address of a stored file, made anew whenever it is shown. */
export const download: FieldKind = {
  read() {
    throw new Refusal("is not editable");
  },
  parse: (text) => text,
  write: (text) => text,
  filter: null,
  sqlType: "text",
  schema: () => ({ type: "string", format: "uri", description: "good for a day" }),
};

/** Lists that come with a record: PostgreSQL hands them over as JSON. */
export const aggregated: FieldKind = {
  read() {
    throw new Refusal("is not editable");
  },
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  filter: null,
  sqlType: "jsonb",
  schema: () => ({ type: "array", items: { type: "object" } }),
};
