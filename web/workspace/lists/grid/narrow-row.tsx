// biome-ignore-all lint/a11y/useSemanticElements: rows of a virtual list are positioned, which those of a table cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names the active row or cell
import { useRef } from "react";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { linkTo } from "../../../base/history.ts";
import { paths } from "../../../base/paths.ts";
import { nameRecord } from "../../../languages/page-labels.ts";
import { PersonName } from "../../../parts/people/person-name.tsx";
import { SlaChip } from "../../../parts/work/sla-chip.tsx";
import { StatusChip } from "../../../parts/work/status.tsx";
import { readReference } from "../../../queries/reference.ts";
import { rowElementId } from "../element-ids.ts";
import { RowMenuButton, type RowProps } from "./grid-row.tsx";
import { SelectBox, selectLabel } from "./select-box.tsx";

const longPress = 450; // milliseconds

/** The target field of a type that has one: next_target_at, analysis_target_at, completion_target_at. */
export const targetField = (type: RowProps["type"]): string | undefined =>
  Object.keys(type.fields).find((name) => type.fields[name]?.kind === "target");

/** On a phone: two lines, selected by a long press or by the checkbox. */
export function NarrowRow({ type, row, index, isSelected, onSelect, style }: RowProps) {
  const { account } = useCurrentAccount();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { component: _, ...link } = linkTo(paths.record(account.id, type, row.id));
  const target = targetField(type);
  const member = readReference(row.member);
  const cancel = () => clearTimeout(timer.current);
  return (
    <div
      id={rowElementId(index)}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      className="list-narrow"
      style={style}
      onPointerDown={() => {
        timer.current = setTimeout(() => onSelect(false), longPress);
      }}
      onPointerUp={cancel}
      onPointerMove={cancel}
      onPointerCancel={cancel}
    >
      <span role="gridcell" className="list-box">
        <SelectBox checked={isSelected} label={selectLabel(nameRecord(type, row))} onChange={onSelect} />
      </span>
      <span role="gridcell" className="list-narrow-lines">
        <span className="list-narrow-line">
          <a {...link} className="list-title truncate">
            {nameRecord(type, row)}
          </a>
          {target !== undefined && typeof row[target] === "string" && (
            <SlaChip target={row[target]} status={String(row.status ?? "")} />
          )}
        </span>
        <span className="list-narrow-line list-quiet">
          {type.display !== "id" && <span className="numbers">{row.id}</span>}
          {typeof row.status === "string" && <StatusChip type={type.name} status={row.status} />}
          {member !== undefined && member !== null && <PersonName person={member} you={false} />}
        </span>
      </span>
      <RowMenuButton row={row} name={nameRecord(type, row)} />
    </div>
  );
}
