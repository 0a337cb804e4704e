import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Reference } from "../../queries/reference.ts";

type Change = [before: unknown, after: unknown];

export type AuditLine = {
  id: number;
  action: string;
  audited: string;
  created_by: Reference | null;
  user: Reference | null;
  /** absent in lines of before it was stored */
  origin: ChangeOrigin | null;
  changes: Record<string, Change> | null;
  created_at: string;
};

/**
 * In the order of the fields of the type. Of a new record, what it leaves off stands at the end, and before that what the line
 * tells already: its name, who made it and by what.
 */
export function listChanges(line: AuditLine, type: RecordType | undefined): [name: string, change: Change][] {
  const { action, changes } = line;
  const order = Object.keys(type?.fields ?? {});
  const told = action === "create" ? [type?.display, "source", "sourceID", "created_by"] : [];
  const rank = ([name, [before, after]]: [string, Change]): number =>
    (before === null && after === false ? 4000 : told.includes(name) ? 2000 : 0) +
    (order.indexOf(name.replace(/_id$/, "")) + 1 || 1000);
  return Object.entries(changes ?? {})
    .filter(([, [before, after]]) => before !== null || after !== null)
    .sort((one, other) => rank(one) - rank(other));
}
