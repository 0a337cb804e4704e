import type { RecordType } from "../../../records/vocabulary/index.ts";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst, typeLabel } from "../../languages/labels.ts";
import { type Total, toCount } from "../../queries/total.ts";
import { ColumnsMenu } from "./grid/columns-menu.tsx";
import { GroupMenu } from "./group-menu.tsx";
import { LayoutSwitch } from "./layouts/layout-switch.tsx";
import type { Layout } from "./layouts/layouts.ts";

type Props = {
  type: RecordType;
  /** null: not loaded yet */
  total: Total | null;
  /** more records match than a list of this type counts */
  capped: boolean;
  columns: readonly string[];
  hidden: number;
  onColumns(columns: readonly string[] | undefined): void;
  group: string | undefined;
  onGroup(group: string | undefined): void;
  layout: Layout;
  /** a phone: rows have two lines and no columns */
  isNarrow: boolean;
  onLayout(layout: Layout): void;
};

/** At the end of the filter bar: the total, the grouping and the columns. */
export function ListTools(props: Props) {
  const { type, total, capped, columns, hidden, onColumns, group, onGroup, layout, onLayout, isNarrow } = props;
  return (
    <div className="list-tools-end">
      <span className="list-count numbers" role="status" {...(capped ? tip(t("list.throttled")) : {})}>
        {total === null
          ? ""
          : t("list.total", {
              count: capped ? total.total : toCount(total),
              type: lowerFirst(typeLabel(type)),
              types: lowerFirst(collectionLabel(type)),
            })}
        {capped && "+"}
      </span>
      <LayoutSwitch type={type} layout={layout} onChange={onLayout} />
      {layout === "table" && (
        <>
          <GroupMenu type={type} group={group} onChange={onGroup} />
          {!isNarrow && <ColumnsMenu type={type} columns={columns} hidden={hidden} onChange={onColumns} />}
        </>
      )}
    </div>
  );
}
