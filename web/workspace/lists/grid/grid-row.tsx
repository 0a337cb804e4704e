// biome-ignore-all lint/a11y/useSemanticElements: rows of a virtual list are positioned, which those of a table cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names the active row or cell
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { type CSSProperties, memo, type ReactNode } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { linkTo } from "../../../base/history.ts";
import { paths } from "../../../base/paths.ts";
import { Icon } from "../../../elements/icon.tsx";
import { CodeName } from "../../../fields/references/code.tsx";
import { t } from "../../../languages/index.ts";
import { nameRecord } from "../../../languages/page-labels.ts";
import { rowElementId } from "../element-ids.ts";
import { Cell } from "./cell.tsx";
import { CellEditor, isEditable } from "./cell-editor.tsx";
import { isRightAligned } from "./columns.ts";
import { SelectBox, selectLabel } from "./select-box.tsx";

export type RowProps = {
  type: RecordType;
  row: Row;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  onSelect(extend: boolean): void;
  style: CSSProperties;
};
type GridRowProps = RowProps & {
  columns: readonly string[];
  activeColumn: string | null;
  isEditing: boolean;
  onActive(column: string | null): void;
  onEdit(editing: boolean): void;
  onSave(row: Row, name: string, value: unknown): Promise<boolean>;
  idOf(index: number, column: string): string;
};

function RowCells(props: GridRowProps) {
  const { type, row, index, columns, isActive, isSelected, activeColumn, isEditing, style } = props;
  const { account, may } = useCurrentAccount();
  const { component: _, ...link } = linkTo(paths.record(account.id, type, row.id));
  const title = columns.includes(type.display) ? type.display : columns[0];
  const mayEdit = may("update", type);
  return (
    <div
      id={rowElementId(index)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      className="list-row"
      style={style}
    >
      <span role="gridcell" aria-colindex={1} className="list-box">
        <SelectBox checked={isSelected} label={selectLabel(nameRecord(type, row))} onChange={props.onSelect} />
      </span>
      {columns.map((name, at) => {
        const isCellActive = isActive && activeColumn === name;
        const editable = mayEdit && isEditable(type, name);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its cells
          <span
            key={name}
            id={isActive ? props.idOf(index, name) : undefined}
            role="gridcell"
            aria-colindex={at + 2}
            tabIndex={-1}
            className="list-cell"
            data-right={isRightAligned(type, name) || undefined}
            data-active={isCellActive || undefined}
            data-editable={editable || undefined}
            data-title={name === title || undefined}
            onClick={() => props.onActive(name)}
            onDoubleClick={() => editable && props.onEdit(true)}
          >
            {isCellActive && isEditing && editable ? (
              <CellEditor
                type={type}
                name={name}
                row={row}
                onSave={(value, seen) => props.onSave(seen, name, value)}
                onClose={() => props.onEdit(false)}
              />
            ) : name === title ? (
              <a {...link} tabIndex={-1} className="list-title truncate" title={nameRecord(type, row)}>
                <Cell type={type} name={name} row={row} />
              </a>
            ) : (
              <Cell type={type} name={name} row={row} />
            )}
          </span>
        );
      })}
      <RowMenuButton row={row} name={nameRecord(type, row)} column={columns.length + 2} />
    </div>
  );
}

/** Opens the row menu, which all rows share (row-menu.tsx). */
export const RowMenuButton = ({ row, name, column }: { row: Row; name: string; column?: number }) => (
  <span role="gridcell" aria-colindex={column} className="row-menu-cell">
    <button
      type="button"
      tabIndex={-1}
      className="tool row-menu-button"
      data-row-menu={row.id}
      aria-label={t("row.menu", { name })}
      aria-haspopup="menu"
    >
      <Icon of={IconDots} />
    </button>
  </span>
);

/** Rows re-render only if their data changed. The functions they get are new every time but equivalent. */
export const GridRow = memo(
  RowCells,
  (one, other) =>
    one.row === other.row &&
    one.index === other.index &&
    one.isActive === other.isActive &&
    one.isSelected === other.isSelected &&
    one.activeColumn === other.activeColumn &&
    one.isEditing === other.isEditing &&
    one.columns === other.columns &&
    one.style.transform === other.style.transform &&
    one.style.height === other.style.height,
);

type GroupProps = { label: ReactNode; to?: string | undefined; style: CSSProperties };

/** `to`: the label is the reference of a choice of this type. */
export function GroupRow({ label, to, style }: GroupProps) {
  return (
    <div role="row" className="list-group" style={style}>
      <span role="gridcell">{to === undefined ? label : <CodeName to={to} reference={String(label)} />}</span>
    </div>
  );
}
