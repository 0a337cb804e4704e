import { enumerations } from "../../../records/enumerations/index.ts";
import { type RecordTypes, register, type TypeName } from "../../../records/index.ts";
import type { Field, RecordOf } from "../../../records/vocabulary/index.ts";

// Records for component tests: fields that a test doesn't set get their value from the declaration.

export type RecordNamed<N extends TypeName> = RecordOf<RecordTypes[N]>;

const moment = "2026-01-05T09:00:00Z";
const day = "2026-01-05";

const choicesOf = ({ enumeration, values }: { enumeration: string; values?: readonly string[] }): readonly string[] =>
  values ?? (enumerations as Readonly<Record<string, readonly string[]>>)[enumeration] ?? [];

export function findType(name: string): (typeof register)[number] {
  const type = register.find((each) => each.name === name);
  if (type === undefined) throw new Error(`No record type is called ${name}.`);
  return type;
}

/** Returns a value that the declaration allows. */
function pickValue(field: Field, name: string): unknown {
  if (field.default !== undefined && "value" in field.default) return field.default.value;
  switch (field.kind) {
    case "enum":
      return choicesOf(field)[0];
    case "boolean":
      return false;
    case "integer":
      return Math.max(field.min, 0);
    case "decimal":
    case "float":
    case "duration":
    case "code":
    case "id":
      return 1;
    case "date":
      return day;
    case "datetime":
    case "target":
    case "localDatetime":
      return moment;
    case "timeOfDay":
      return "09:00";
    case "timeZone":
      return "Amsterdam";
    case "reference":
      return field.hasWordId === true ? { id: "widget", name: "Widget" } : { id: 1, name: `${field.to} 1` };
    case "hash":
    case "customFields":
    case "recurrence":
      return {};
    default:
      return name;
  }
}

const listKinds: readonly string[] = ["references", "attachments", "aggregated", "strings"];

/**
 * Builds a record as GET returns it. Fields that always have a value get an allowed one, the others are null.
 * The compiler checks the values that a test sets.
 */
export function aRecord<N extends TypeName>(type: N, overrides: Partial<RecordNamed<N>> = {}): RecordNamed<N> {
  const { fields } = findType(type);
  const id = overrides.id ?? 1;
  const values = Object.entries<Field>(fields).map(([name, field]) => {
    const isNamed = ["name", "subject"].includes(name);
    if (listKinds.includes(field.kind)) return [name, []];
    const isSet = field.access === "required" || field.alwaysSet === true || field.kind === "boolean";
    return [name, isSet || isNamed ? pickValue(field, `${type} ${id}`) : null];
  });
  // The type is derived from the same declaration.
  return { ...Object.fromEntries(values), id, nodeID: `${type}-${id}`, ...overrides } as RecordNamed<N>;
}

/** A record as other records refer to it. */
export const toReference = ({ id, name, subject }: { id: number; name?: unknown; subject?: unknown }) => ({
  id,
  name: String(name ?? subject),
});
