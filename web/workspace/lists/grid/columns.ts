import type { Field, RecordType } from "../../../../records/vocabulary/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";

// The default columns of a list, and their widths.

// biome-ignore format: a table keeps its columns
const chosen: Readonly<Record<string, readonly string[]>> = {
  request:      ["id", "impact", "subject", "status", "next_target_at", "member", "service_instance", "updated_at"],
  problem:      ["id", "impact", "subject", "status", "analysis_target_at", "member", "service", "updated_at"],
  task:         ["id", "impact", "subject", "status", "completion_target_at", "member", "team", "updated_at"],
  project_task: ["id", "subject", "status", "completion_target_at", "category", "updated_at"],
  workflow:     ["id", "impact", "subject", "status", "completion_target_at", "manager", "service", "updated_at"],
  project:      ["id", "subject", "status", "completion_target_at", "manager", "service", "updated_at"],
  ci:           ["id", "label", "name", "status", "product", "service", "support_team", "updated_at"],
  person:       ["id", "name", "primary_email", "job_title", "organization", "site", "manager", "updated_at"],
};

const late = ["created_at", "updated_at"];
const hidden = ["source", "sourceID", "nodeID"];
const most = 8;

export function defaultColumns(type: RecordType): readonly string[] {
  const own = chosen[type.name];
  if (own !== undefined) return own.filter((name) => name in type.fields);
  const first = ["id", "impact", type.display].filter((name) => name in type.fields);
  const rest = type.defaultFields.filter(
    (name) =>
      !first.includes(name) &&
      !hidden.includes(name) &&
      !late.includes(name) &&
      type.fields[name]?.selectable !== false,
  );
  const last = "updated_at" in type.fields ? ["updated_at"] : late.filter((name) => name in type.fields);
  return [...new Set([...first, ...rest.slice(0, most - first.length - last.length), ...last])];
}

const widthByKind: Readonly<Partial<Record<Field["kind"], number>>> = {
  id: 64,
  target: 136,
  datetime: 108,
  date: 110,
  boolean: 84,
  integer: 90,
  decimal: 100,
  enum: 140,
  reference: 168,
  backReference: 168,
  code: 150,
  string: 180,
  text: 220,
};
const widthByName: Readonly<Record<string, number>> = { impact: 64, status: 166 };

const personWidth = 148;
export const minimumWidth = 56;
/** The column with the record's name takes the remaining room. */
export const nameWidth = 220;

export function columnWidth(type: RecordType, name: string): number {
  if (name === type.display && name !== "id") return nameWidth;
  const field = type.fields[name];
  if (field?.kind === "reference" && field.to === "person") return personWidth;
  return widthByName[name] ?? widthByKind[type.fields[name]?.kind ?? "string"] ?? 160;
}

export const isRightAligned = (type: RecordType, name: string): boolean =>
  ["datetime", "integer", "decimal", "float", "duration"].includes(type.fields[name]?.kind ?? "");

/** The columns that fit, from the left, because the rightmost ones matter least. The name always fits. */
export function pickFittingColumns(
  type: RecordType,
  columns: readonly string[],
  widths: Readonly<Record<string, number>>,
  room: number,
): readonly string[] {
  const widthOf = (name: string) => widths[name] ?? columnWidth(type, name);
  let used = columns.includes(type.display) ? widthOf(type.display) : 0;
  return columns.filter((name) => {
    if (name === type.display) return true;
    used += widthOf(name);
    return used <= room;
  });
}

/** Above a column of moments "at" is redundant: "Updated". */
export const columnLabel = (name: string): string => fieldLabel(name).replace(/ at$/i, "");
