import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Query, Row, recordsApi } from "../../api.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { cellText } from "./grid/cell.tsx";

/** More rows leave through the export of the settings, which works in the background. */
export const maxExported = 10_000;

export async function loadAllRows(
  api: ReturnType<typeof recordsApi>,
  type: RecordType,
  query: Query,
  onProgress: (count: number) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null && rows.length < maxExported; ) {
    const more: Query = cursor === "" ? {} : { search_after: cursor };
    const page = await api.list(`/${type.collection}`, { ...query, per_page: "100", ...more });
    rows.push(...page.rows);
    onProgress(rows.length);
    cursor = page.next;
  }
  return rows;
}

// A cell that begins like a formula would be run by a spreadsheet.
const quote = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export const writeCsv = (type: RecordType, columns: readonly string[], rows: readonly Row[]): string =>
  [
    columns.map((name) => quote(fieldLabel(name))),
    ...rows.map((row) => columns.map((name) => quote(cellText(type, name, row)))),
  ]
    .map((line) => line.join(","))
    .join("\r\n");

export function download(name: string, content: string, mime: string): void {
  const address = URL.createObjectURL(new Blob(["\uFEFF", content].slice(mime === "text/csv" ? 0 : 1), { type: mime }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The call that answers what the list shows, for a terminal. */
export function writeApiCall(account: string, type: RecordType, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const address = `${location.origin}/v1/${type.collection}?${new URLSearchParams([...given, ["per_page", "100"]])}`;
  return `curl -H "Authorization: Bearer $TOKEN" -H "account: ${account}" "${address}"`;
}
