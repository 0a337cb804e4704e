import type { Query, recordsApi } from "../../api/index.ts";
import { download, quote } from "../../base/csv.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { describeOrigin } from "../../parts/records/change-origin.ts";
import type { AuditLine } from "../../queries/settings/audit.ts";
import { getJournalRecord, getJournalRecordName } from "./journal-record.ts";

/** More lines can be exported through the API, page by page. */
const most = 20_000;

const toText = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** One row per changed field, so that a spreadsheet can filter by it. */
const toRows = (line: AuditLine): string[][] => {
  const record = getJournalRecord(line, line.audited);
  const head = [
    line.created_at,
    toText(line.created_by?.name),
    line.origin === null ? "" : describeOrigin(line.origin),
    line.action,
    line.audited,
    toText(record?.id),
  ];
  const subject = getJournalRecordName(record);
  const changes = Object.entries(line.changes ?? {});
  return (changes.length === 0 ? [["", [null, null]] as const] : changes).map(([name, [before, after]]) => [
    ...head,
    subject,
    name,
    toText(before),
    toText(after),
  ]);
};

/** Downloads the filtered lines as a file; returns their number, and whether the file is complete. */
export async function exportAudit(api: ReturnType<typeof recordsApi>, query: Query) {
  const lines: AuditLine[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && lines.length < most) {
    const more: Query = cursor === undefined ? {} : { search_after: cursor };
    const page = await api.list<AuditLine>("/audit_lines", { ...query, per_page: "100", ...more });
    lines.push(...page.rows);
    cursor = page.next;
  }
  const head = [
    ...["created_at", "created_by"].map(fieldLabel),
    ...[
      t("origin.label"),
      t("audit.action"),
      t("rights.type"),
      "id",
      t("audit.record"),
      t("audit.field"),
      t("audit.before"),
      t("audit.after"),
    ],
  ];
  const csv = [head, ...lines.flatMap(toRows)].map((row) => row.map(quote).join(",")).join("\r\n");
  download("audit.csv", csv, "text/csv");
  return { count: lines.length, isComplete: cursor === null };
}
