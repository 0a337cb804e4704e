import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { AuditChange, AuditLine } from "../../queries/settings/audit.ts";

/**
 * Sorts changes by the type's field order. For a new record, empty values come last, preceded by values that the line
 * already shows: its name, author and source.
 */
export function listChanges(line: AuditLine, type: RecordType | undefined): [name: string, change: AuditChange][] {
  const { action, changes } = line;
  const order = Object.keys(type?.fields ?? {});
  const namesInLine = action === "create" ? [type?.display, "source", "sourceID", "created_by"] : [];
  const rank = ([name, [before, after]]: [string, AuditChange]): number =>
    (before === null && after === false ? 4000 : namesInLine.includes(name) ? 2000 : 0) +
    (order.indexOf(name.replace(/_id$/, "")) + 1 || 1000);
  return Object.entries(changes ?? {})
    .filter(([, [before, after]]) => before !== null || after !== null)
    .sort((one, other) => rank(one) - rank(other));
}
