import { getReferenceName, type Reference } from "../../queries/reference.ts";

/** On the wire, the record that an entry of a journal is about stands under the name of its type. */
type JournalRecord = Reference & { subject?: string; display_name?: string };

export const getJournalRecord = (entry: object, type: string): JournalRecord | null =>
  ((entry as Readonly<Record<string, unknown>>)[type] as JournalRecord | undefined) ?? null;

export const getJournalRecordName = (record: JournalRecord | null): string =>
  record === null ? "" : (record.display_name ?? record.subject ?? getReferenceName(record));
