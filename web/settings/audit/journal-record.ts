import type { RecordType } from "../../../records/vocabulary/index.ts";
import { nameRecord } from "../../languages/page-labels.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";

/** In the API a journal entry's record is in a member named after its type. */
type JournalRecord = Reference & { subject?: string; display_name?: string };

const isJournalRecord = (value: unknown): value is JournalRecord =>
  typeof value === "object" && value !== null && "id" in value;

export function getJournalRecord(entry: object, type: string): JournalRecord | null {
  const members: Readonly<Record<string, unknown>> = { ...entry };
  const record = members[type];
  return isJournalRecord(record) ? record : null;
}

export function getJournalRecordName(record: JournalRecord | null, type?: RecordType): string {
  if (record === null) return "";
  const name = record.display_name ?? record.subject ?? record.name;
  return name ?? (type === undefined ? getReferenceName(record) : nameRecord(type, { id: record.id }));
}
