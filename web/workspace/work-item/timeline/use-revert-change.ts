import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { showError } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { type Changes, toWire, useSave } from "../../../parts/save/use-save.ts";
import { nameOfKey, type RecordNames } from "../../../queries/record-names.ts";
import type { AuditRow } from "../../../queries/record-page.ts";
import { isEditable } from "../side/property-editor.tsx";
import { remarkableChanges } from "./build-entries.ts";

// A change in the timeline can be undone later, too, as long as no one has changed the same field again.

export type RevertChange = {
  isOffered(line: AuditRow): boolean;
  run(line: AuditRow, names: RecordNames): void;
};

/** The values that a line replaced, if the record still has the line's new values. */
function pickFormer(type: RecordType, row: Row, line: AuditRow): [string, unknown][] | null {
  if (line.action !== "update") return null;
  const former: [string, unknown][] = [];
  for (const [name, [before, after]] of remarkableChanges(line)) {
    const field = type.fields[name];
    if (!isEditable(field) || field?.transient === true || (before === null && field?.access === "required"))
      return null;
    const current = toWire(type, name, row[name]);
    const isMoment = field?.kind === "datetime" && typeof current === "string" && typeof after === "string";
    const isSame = isMoment
      ? Date.parse(String(current)) === Date.parse(String(after))
      : (current ?? null) === (after ?? null);
    if (!isSame) return null;
    former.push([name, before]);
  }
  return former.length === 0 ? null : former;
}

/** Null if the reader can't change the record. */
export function useRevertChange(type: RecordType, row: Row, locked: string | null): RevertChange | null {
  const save = useSave(type, String(row.id));
  if (locked !== null) return null;
  return {
    isOffered: (line) => pickFormer(type, row, line) !== null,
    run(line, names) {
      const changes: Changes = Object.fromEntries(
        (pickFormer(type, row, line) ?? []).map(([name, value]) => {
          const field = type.fields[name];
          if (field?.kind !== "reference" || typeof value !== "number") return [name, value];
          return [name, { id: value, name: nameOfKey(names, field.to, value) }];
        }),
      );
      save(changes, { message: t("request.change.isBack") }).catch(showError);
    },
  };
}
