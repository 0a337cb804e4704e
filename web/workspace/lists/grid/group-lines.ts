import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { cellText } from "./cell.tsx";
import type { ListLine } from "./grid.tsx";

/** Rows, with a line before each group; they are already sorted by the grouping field. */
export function groupLines(type: RecordType, group: string | undefined, rows: readonly Row[]): ListLine[] {
  const lines: ListLine[] = [];
  let before: string | null = null;
  rows.forEach((row, index) => {
    const text = group === undefined ? "" : cellText(type, group, row);
    if (group !== undefined && text !== before) {
      const none = t("list.groupEmpty", { field: fieldLabel(group) });
      const field = type.fields[group];
      const to = field?.kind === "code" && text !== "" ? field.to : undefined;
      lines.push({ kind: "group", key: `group ${index} ${text}`, label: text === "" ? none : text, to });
      before = text;
    }
    lines.push({ kind: "row", row, index });
  });
  return lines;
}
