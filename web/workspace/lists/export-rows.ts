import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Query, Row, recordsApi } from "../../api/index.ts";
import { download, quote } from "../../base/csv.ts";
import { findType } from "../../base/record-types.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { collectKeys, loadNames, type RecordNames } from "../../queries/record-names.ts";
import { cellText } from "./grid/cell.tsx";

/** More rows can be exported in the settings, in the background. */
const maxExported = 10_000;

async function loadAllRows(
  api: ReturnType<typeof recordsApi>,
  type: RecordType,
  query: Query,
): Promise<{ rows: Row[]; isComplete: boolean }> {
  const rows: Row[] = [];
  let cursor: string | null = "";
  while (cursor !== null && rows.length < maxExported) {
    const more: Query = cursor === "" ? {} : { search_after: cursor };
    const page = await api.list(`/${type.collection}`, { ...query, per_page: "100", ...more });
    rows.push(...page.rows);
    cursor = page.next;
  }
  return { rows, isComplete: cursor === null };
}

/** The names of the choices in these columns, for files. */
async function loadCodeNames(
  api: ReturnType<typeof recordsApi>,
  type: RecordType,
  columns: readonly string[],
  rows: readonly Row[],
) {
  const names = new Map<string, string>();
  for (const column of columns) {
    const field = type.fields[column];
    const target = field?.kind === "code" ? findType(field.to) : undefined;
    if (target === undefined) continue;
    const codes = [...new Set(rows.flatMap((row) => collectKeys(type, column, row[column]).map(String)))];
    for (let at = 0; at < codes.length; at += 100)
      for (const [key, name] of await loadNames(api, target, "reference", codes.slice(at, at + 100).join()))
        names.set(key, name);
  }
  return names;
}

function writeCsv(type: RecordType, columns: readonly string[], rows: readonly Row[], codes: RecordNames): string {
  const write = (name: string, row: Row) => {
    const field = type.fields[name];
    return (field?.kind === "code" && codes.get(`${field.to} ${row[name]}`)) || cellText(type, name, row);
  };
  const lines = [columns.map(fieldLabel), ...rows.map((row) => columns.map((name) => write(name, row)))];
  return lines.map((line) => line.map(quote).join(",")).join("\r\n");
}

export type ExportOrder = {
  api: ReturnType<typeof recordsApi>;
  type: RecordType;
  query: Query;
  columns: readonly string[];
  format: "csv" | "json";
};

/** Downloads the rows as a file; returns their number, and whether the file is complete. */
export async function exportRows({ api, type, query, columns, format }: ExportOrder) {
  const { rows, isComplete } = await loadAllRows(api, type, { ...query, fields: columns.join(",") });
  const content =
    format === "csv"
      ? writeCsv(type, columns, rows, await loadCodeNames(api, type, columns, rows))
      : JSON.stringify(rows, null, 2);
  download(`${type.collection}.${format}`, content, format === "csv" ? "text/csv" : "application/json");
  return { count: rows.length, isComplete };
}
