import type { Default, Field, RecordType } from "../../../records/vocabulary/index.ts";

// The declarations that a word of the tables allows.

const words: Record<string, readonly string[]> = {
  integer: ["id", "integer", "duration"],
  decimal: ["decimal"],
  float: ["float"],
  boolean: ["boolean"],
  date: ["date"],
  datetime: ["datetime"],
  local_datetime: ["localDatetime"],
  target: ["target"],
  duration: ["duration"],
  time_of_day: ["timeOfDay"],
  time_zone: ["timeZone"],
  enum: ["enum", "code"],
  code: ["code"],
  strings: ["strings"],
  integers: ["references"],
  custom: ["customFields"],
  hash: ["hash"],
  attachments: ["attachments", "attachmentsOf"],
  recurrence: ["recurrence"],
  subject: ["subject"],
  uri: ["string", "download"],
};

export function allowsKind(word: string, field: Field): boolean {
  const [, name = "", argument] = word.match(/^(\w+)(?:\((\w+)\))?$/) ?? [];
  const limit = argument === undefined ? undefined : Number(argument);
  switch (name) {
    case "string":
      if (field.kind === "text") return limit !== undefined && field.maxBytes === limit;
      // A read-only string may have the length of its column.
      return field.kind === "string" && (field.max === limit || (limit === undefined && field.access === "readonly"));
    case "text":
      return field.kind === "text" && field.maxBytes === 65_536;
    case "integer":
      if (limit !== undefined) return field.kind === "integer" && field.max === limit;
      break;
    case "currency":
      return field.kind === "enum" && field.enumeration === "account.currency";
    case "language":
      return field.kind === "enum" && field.enumeration === "language";
    case "ref":
      return refersTo(field, argument);
    case "refs":
      return (
        (field.kind === "references" && field.to === argument) || (field.kind === "aggregated" && field.of === argument)
      );
    case "aggregated":
      return field.kind === "aggregated" && field.of === argument;
  }
  return words[name]?.includes(field.kind) ?? false;
}

function refersTo(field: Field, type: string | undefined): boolean {
  switch (field.kind) {
    case "reference":
      return field.to === type || field.or === type;
    case "code":
      return field.to === type;
    case "backReference":
      return field.from === type;
    case "extension":
      return type === "ui_extension";
    default:
      return false;
  }
}

/** Describes a declared field in the words of the tables, for messages. */
export function describeKind(field: Field): string {
  switch (field.kind) {
    case "string":
      return field.max === undefined ? "string" : `string(${field.max})`;
    case "text":
      return field.maxBytes === 65_536 ? "text" : `text(${field.maxBytes})`;
    case "integer":
      return field.max === 2_147_483_647 ? "integer" : `integer(${field.max})`;
    case "enum":
      return `enum(${field.enumeration})`;
    case "reference":
      return `ref(${field.or === undefined ? field.to : `${field.to} or ${field.or}`})`;
    case "references":
      return `refs(${field.to})`;
    case "code":
      return `code(${field.to})`;
    default:
      return field.kind;
  }
}

export const accessWord = { required: "Req", optional: "Opt", readonly: "RO", writeonly: "WO" } as const;

export function getDefault(type: RecordType, name: string, field: Field): string | null {
  if (field.default !== undefined) return defaultInWords(field.default);
  return type.states?.field === name ? type.states.initial : null;
}

function defaultInWords(value: Default): string {
  if ("value" in value) return String(value.value);
  if ("account" in value) return `account.${value.account}`;
  if ("caller" in value) return value.caller === "person" ? "caller" : `caller.${value.caller}`;
  if ("of" in value) return `${value.of}.${value.field}`;
  return value.clock;
}
