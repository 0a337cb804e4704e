import { t } from "../../languages/index.ts";
import type { Column } from "./picture.ts";

/** On a phone one column is shown at a time. */
export function ColumnSwitch(props: { columns: readonly Column[]; chosen: number; onChoose(id: number): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as a row in every browser
    <div role="group" className="column-switch" aria-label={t("boards.columns")}>
      {props.columns.map(({ id, name, items, wip_limit }) => {
        const isOver = wip_limit !== null && items.length > wip_limit;
        return (
          <button key={id} type="button" aria-pressed={id === props.chosen} onClick={() => props.onChoose(id)}>
            {name}{" "}
            <span className={isOver ? "numbers over-limit" : "numbers quiet"}>
              {isOver ? `${items.length} / ${wip_limit}` : items.length}
            </span>
          </button>
        );
      })}
    </div>
  );
}
