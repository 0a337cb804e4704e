import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Query, Row, recordsApi } from "../../api/index.ts";
import { download, quote } from "../../base/csv.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { cellText } from "./grid/cell.tsx";

/** More rows leave through the export of the settings, which works in the background. */
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

const writeCsv = (type: RecordType, columns: readonly string[], rows: readonly Row[]): string =>
  [
    columns.map((name) => quote(fieldLabel(name))),
    ...rows.map((row) => columns.map((name) => quote(cellText(type, name, row)))),
  ]
    .map((line) => line.join(","))
    .join("\r\n");

export type ExportOrder = {
  api: ReturnType<typeof recordsApi>;
  type: RecordType;
  query: Query;
  columns: readonly string[];
  format: "csv" | "json";
};

/** Loads the rows and lets the browser save them; answers how many they are, and whether that is all. */
export async function exportRows({ api, type, query, columns, format }: ExportOrder) {
  const { rows, isComplete } = await loadAllRows(api, type, { ...query, fields: columns.join(",") });
  const content = format === "csv" ? writeCsv(type, columns, rows) : JSON.stringify(rows, null, 2);
  download(`${type.collection}.${format}`, content, format === "csv" ? "text/csv" : "application/json");
  return { count: rows.length, isComplete };
}
