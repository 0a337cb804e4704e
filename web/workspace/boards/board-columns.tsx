import { Fragment, useRef } from "react";
import { t } from "../../languages/index.ts";
import { shortChoiceLabel } from "../../languages/labels.ts";
import type { useDrag } from "../../parts/drag/use-drag.ts";
import { useSlide } from "../../parts/drag/use-slide.ts";
import { putInPlace, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { CardFace } from "./card.tsx";
import { type CardFilter, type LaneKind, matches, pickLane } from "./card-filter.ts";
import { ColumnHead } from "./column-head.tsx";
import type { MoveTarget } from "./move-menu.tsx";
import { type Board, type Card, type Column, cardKey } from "./picture.ts";

type Props = {
  board: Board;
  /** the displayed columns: one on a phone */
  columns: readonly Column[];
  filter: CardFilter;
  lanes: LaneKind;
  drag: ReturnType<typeof useDrag>;
  active: string | null;
  menu: string | null;
  mayMove(card: Card): boolean;
  mayEdit: boolean;
  mayAdd: boolean;
  targetsOf(card: Card): readonly MoveTarget[];
  onActive(key: string): void;
  onOpen(card: Card): void;
  onMenu(key: string | null): void;
  onAdd(column: Column): void;
  onEditColumn(column: Column): void;
};

export const zoneKey = (column: number, lane: string): string => `${column}|${lane}`;

/** The cards of a column that are visible in a zone. */
export const pickSeen = (column: Column, filter: CardFilter, lanes: LaneKind, lane: string): Card[] =>
  column.items.filter((card) => matches(card, filter) && pickLane(card, lanes).key === lane);

const impacts = ["top", "high", "medium", "low", "none"];

export function listLanes(board: Board, filter: CardFilter, kind: LaneKind): { key: string; name: string | null }[] {
  if (kind === "none") return [{ key: "all", name: null }];
  const found = new Map<string, string | null>();
  for (const { items } of board.columns)
    for (const card of items)
      if (matches(card, filter)) {
        const { key, name } = pickLane(card, kind);
        found.set(key, name);
      }
  const lanes = [...found].map(([key, name]) => ({ key, name }));
  if (kind === "impact") return lanes.sort((one, other) => impacts.indexOf(one.key) - impacts.indexOf(other.key));
  // Unassigned work comes first, so that people pick it up.
  return lanes.sort(
    (one, other) =>
      Number(one.name !== null) - Number(other.name !== null) || (one.name ?? "").localeCompare(other.name ?? ""),
  );
}

/** All columns, or the single one on a phone; one row of them per lane. */
export function BoardColumns(props: Props) {
  const { board, columns, filter, lanes, drag, active, menu } = props;
  const container = useRef<HTMLDivElement>(null);
  const rows = listLanes(board, filter, lanes);
  const order = columns.map(({ items }) => items.map(cardKey).join()).join("|");
  useSlide(container, order, drag.dragged !== null);
  return (
    <div
      ref={container}
      className="board"
      data-lanes={lanes !== "none" || undefined}
      style={{ "--columns": columns.length }}
    >
      {columns.map((column) => (
        <ColumnHead
          key={column.id}
          column={column}
          seen={column.items.filter((card) => matches(card, filter)).length}
          mayEdit={props.mayEdit && !column.deleted}
          onAdd={props.mayAdd && !column.deleted ? () => props.onAdd(column) : undefined}
          onEdit={() => props.onEditColumn(column)}
        />
      ))}
      {rows.map((lane) => (
        <Fragment key={lane.key}>
          {lanes !== "none" && (
            <h3 className="lane-head">
              {lane.name === null
                ? t("boards.lane.none")
                : lanes === "impact"
                  ? shortChoiceLabel("request.impact", lane.name)
                  : lane.name}
            </h3>
          )}
          {columns.map((column) => {
            const zone = zoneKey(column.id, lane.key);
            const seen = pickSeen(column, filter, lanes, lane.key);
            const others = seen.filter((card) => cardKey(card) !== drag.dragged?.item);
            const placeBefore = drag.over?.zone === zone ? (others[drag.over.index] ?? null) : undefined;
            const place = (
              <li
                key="place"
                className="drop-place"
                style={{ blockSize: drag.dragged?.height ?? 60 }}
                aria-hidden="true"
              />
            );
            return (
              <ul key={column.id} className="column-cards" aria-label={column.name} {...drag.zone(zone)}>
                {seen.map((card) => {
                  const key = cardKey(card);
                  const mayMove = props.mayMove(card);
                  return (
                    <Fragment key={key}>
                      {placeBefore === card && place}
                      <li className="board-item" {...(mayMove ? drag.source(key) : { "data-drag-item": key })}>
                        <RowBoundary row={card} frame={putInPlace}>
                          {() => (
                            <CardFace
                              card={card}
                              isActive={key === active}
                              isMenuOpen={key === menu}
                              mayMove={mayMove}
                              targets={key === menu ? props.targetsOf(card) : noTargets}
                              onActive={() => props.onActive(key)}
                              onOpen={() => props.onOpen(card)}
                              onMenu={(open) => props.onMenu(open ? key : null)}
                            />
                          )}
                        </RowBoundary>
                      </li>
                    </Fragment>
                  );
                })}
                {placeBefore === null && place}
                {seen.length === 0 && placeBefore === undefined && (
                  <li className="column-empty quiet">{props.mayAdd ? t("boards.emptyColumn") : t("boards.noCards")}</li>
                )}
              </ul>
            );
          })}
        </Fragment>
      ))}
    </div>
  );
}

/** Closed menus need no entries: cards don't re-render when another menu opens. */
const noTargets: readonly MoveTarget[] = [];
