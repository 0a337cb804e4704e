import type { Field } from "../../../records/vocabulary/index.ts";
import { jsonCell, linesCell } from "./cell-forms.ts";
import { asScalar } from "./graph-form.ts";
import { type FieldKind, isStorable, Refusal, scalar, type Value } from "./kind.ts";

// Lists, custom fields and hashes: JSON inside a record.

const maxDepth = 20;
const maxEntries = 1000;

/** Every value inside must be storable, and the nesting limited. */
function checkStorable(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw new Refusal("is nested too deeply");
  if (typeof value === "string" && !isStorable(value)) throw new Refusal("contains invalid characters");
  if (Array.isArray(value)) {
    if (value.length > maxEntries) throw new Refusal("has too many entries (maximum is {max})", { max: maxEntries });
    for (const entry of value) checkStorable(entry, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    if (members.length > maxEntries) throw new Refusal("has too many entries (maximum is {max})", { max: maxEntries });
    for (const [member, entry] of members) {
      if (!isStorable(member)) throw new Refusal("contains invalid characters");
      checkStorable(entry, depth + 1);
    }
  }
  return value;
}

export const strings: FieldKind = {
  column: "text[]",
  isList: true,
  selectStored: (column) => `to_json(${column})`,
  serialize: ({ column }) => ({ columns: [`to_json(${column})`], write: (row, at) => row[at] ?? "null" }),
  read(input) {
    const list = Array.isArray(input) ? input : typeof input === "string" ? [input] : null;
    if (list === null) throw new Refusal("is not a valid list");
    if (list.length > maxEntries) throw new Refusal("has too many entries (maximum is {max})", { max: maxEntries });
    return list.map((entry) => scalar(entry, "is not a valid list"));
  },
  parse: (text) => JSON.parse(text) as string[],
  write: (text) => text,
  filter: null,
  graph: () => ({ is: "texts" }),
  sqlType: "text[]",
  schema: () => ({ type: "array", items: { type: "string" } }),
  shape: () => ({ kind: "list", of: { kind: "plain" } }),
  cell: linesCell,
};

const holdsList = (field: Field): boolean => field.kind === "hash" && field.isList === true;

export const hash: FieldKind = {
  column: "jsonb",
  isJson: true,
  read(input) {
    if (typeof input !== "object" || input === null || Array.isArray(input)) throw new Refusal("is not a valid object");
    return checkStorable(input) as Value;
  },
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  filter: null,
  graph: asScalar("JSON"),
  sqlType: "jsonb",
  schema: (field) => {
    const object = { type: "object", additionalProperties: true };
    return holdsList(field) ? { type: "array", items: object } : object;
  },
  describe: {
    example: ({ name, field }) =>
      holdsList(field) ? [] : name === "changes" ? { job_title: ["Engineer", "Network engineer"] } : {},
  },
  shape: (field) => (holdsList(field) ? { kind: "list", of: { kind: "bag" } } : { kind: "bag" }),
  cell: jsonCell,
};

/** An object, or an array of {id, value}; stored as an object. Ids that the input does not name keep their value. */
export const customFields: FieldKind = {
  column: "jsonb",
  isJson: true,
  merge: (before, given) => ({ ...(before as object), ...(given as object) }),
  serialize: ({ column }) => ({
    columns: [column],
    write(row, at, viewer) {
      const json = row[at];
      if (json === null || json === undefined) return "null";
      return viewer.customFieldsAsArray ? toArray(json) : json;
    },
  }),
  read(input) {
    if (typeof input !== "object" || input === null) throw new Refusal("is not a valid object");
    const named: Record<string, unknown> = Object.create(null);
    if (Array.isArray(input)) {
      for (const entry of input as { id?: unknown; value?: unknown }[]) {
        if (typeof entry !== "object" || entry === null || typeof entry.id !== "string")
          throw new Refusal("is not a valid object");
        named[entry.id] = entry.value ?? null;
      }
    } else Object.assign(named, input);
    for (const name of Object.keys(named)) if (name === "" || name.length > 128) throw new Refusal("is not valid");
    return checkStorable({ ...named }) as Value;
  },
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  filter: null,
  graph: () => ({ is: "custom fields" }),
  sqlType: "jsonb",
  schema: () => ({ type: "object", additionalProperties: true }),
  describe: {
    output: (_field, { share }) => share("CustomFields", () => describedForms),
    example: () => ({ cost_center: "4711" }),
  },
  shape: () => ({ kind: "bag" }),
  cell: jsonCell,
};

const describedForms = {
  anyOf: [
    { type: "object", additionalProperties: true },
    {
      type: "array",
      items: { type: "object", required: ["id"], properties: { id: { type: "string" }, value: {} } },
    },
  ],
  description:
    'An object `{"<id>": value}`. Callers that name their account by an alias header get an array of `{id, value}`. ' +
    "Both forms are read; fields that are not named keep their value.",
};

const toArray = (text: string): string =>
  JSON.stringify(Object.entries(JSON.parse(text) as Record<string, unknown>).map(([id, value]) => ({ id, value })));
