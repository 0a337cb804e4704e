import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useLayoutEffect, useRef } from "react";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { useMovedFocus } from "../../parts/drag/use-moved-focus.ts";
import { findEntry } from "../../type-index.ts";
import { listLanes, pickSeen } from "./board-columns.tsx";
import { cardElementId } from "./card.tsx";
import type { CardFilter, LaneKind } from "./card-filter.ts";
import { findLaneChange, type LaneChange } from "./lane-change.ts";
import type { MoveTarget } from "./move-menu.tsx";
import { type Board, type Card, type Column, cardKey, findCard, pickPosition } from "./picture.ts";
import type { useMoves } from "./use-moves.ts";

// What can be done with the card that has the focus, by key, by menu and by pointer alike.

export type OpenDialog =
  | { what: "edit"; card: Card }
  | { what: "ask"; card: Card; column: Column; position: number | null; lane: LaneChange | null }
  | { what: "add"; column: number | undefined }
  | { what: "column"; column: Column }
  | { what: "complete" };

type Options = {
  board: Board | undefined;
  /** the columns that are shown: one on a phone */
  columns: readonly Column[];
  filter: CardFilter;
  lanes: LaneKind;
  active: string | null;
  isQuiet: boolean;
  moves: ReturnType<typeof useMoves>;
  onActive(key: string): void;
  onMenu(key: string | null): void;
  onOpen(dialog: OpenDialog): void;
  onFilter(): void;
};

/** Before which of the cards that are seen in a lane; or at the top. */
type Place = { index: number; lane: string } | "top";

export function useCardActions(options: Options) {
  const { board, columns, filter, lanes, active, moves } = options;
  const { may } = useCurrentAccount();
  const latest = useRef(options);
  latest.current = options;

  const keepFocus = useMovedFocus(cardElementId);
  const focusCard = (key: string) => {
    options.onActive(key);
    keepFocus(key);
  };
  const mayMove = (card: Card): boolean => {
    const entry = findEntry(card.type);
    return board?.disabled === false && entry !== undefined && may("update", entry);
  };
  /** Without a place: at the bottom. */
  const moveTo = (card: Card, column: number, place?: Place): void => {
    const now = moves.read();
    const target = now?.columns.find((each) => each.id === column);
    if (now === undefined || target === undefined || target.deleted || !mayMove(card)) return;
    const seenIn = (lane: string) => pickSeen(target, latest.current.filter, latest.current.lanes, lane);
    const position =
      place === undefined
        ? null
        : place === "top"
          ? 1
          : pickPosition(target.items, card, seenIn(place.lane), place.index);
    const lane = typeof place === "object" ? findLaneChange(now, card, latest.current.lanes, place.lane) : null;
    if (target.dialog_type !== "none" && target.id !== card.column) {
      options.onOpen({ what: "ask", card, column: target, position, lane });
      return;
    }
    if (target.id === card.column && place === undefined) return;
    void moves.move(card, column, position, {}, lane);
    focusCard(cardKey(card));
  };
  /** One step up or down among the cards that are seen. */
  const step = (card: Card, by: -1 | 1): void => {
    const column = moves.read()?.columns.find((each) => each.id === card.column);
    if (column === undefined) return;
    const seen = column.items.filter((each) => pickSeen(column, latest.current.filter, "none", "all").includes(each));
    const at = seen.findIndex((each) => cardKey(each) === cardKey(card));
    if (at + by < 0 || at + by >= seen.length) return;
    void moves.move(card, column.id, pickPosition(column.items, card, seen, at + by));
    focusCard(cardKey(card));
  };
  /** The card as it is now: keys come faster than drawings. */
  const withActive = (act: (card: Card) => void) => () => {
    const now = moves.read();
    const card = now === undefined ? undefined : findCard(now, latest.current.active);
    if (card !== undefined) act(card);
  };
  const focusBy = (sideways: number, down: number): void => {
    if (board === undefined) return;
    const rows = listLanes(board, filter, lanes);
    const grid = columns.map((column) => rows.flatMap(({ key }) => pickSeen(column, filter, lanes, key)));
    const at = grid.findIndex((cards) => cards.some((card) => cardKey(card) === active));
    const row = grid[at]?.findIndex((card) => cardKey(card) === active) ?? 0;
    let column = Math.max(at, 0) + sideways;
    while (sideways !== 0 && grid[column]?.length === 0) column += sideways;
    const cards = grid[column];
    const next = cards?.[Math.min(Math.max(row + down, 0), cards.length - 1)];
    if (next !== undefined) focusCard(cardKey(next));
  };

  const openColumns = (board?.columns ?? []).filter(({ deleted }) => !deleted);
  const current = board === undefined ? undefined : findCard(board, active);
  const hasCard = current !== undefined && mayMove(current);
  const request = findEntry("request");
  const mayAdd = board?.disabled === false && request !== undefined && may("create", request) && openColumns.length > 0;
  const backlog = board?.workspace?.backlog.id ?? null;
  const backlogOf = (card: Card) => (card.type === "request" || card.type === "problem" ? backlog : null);
  const leave = (card: Card) => void moves.leave(card, backlogOf(card));

  const targetsOf = (card: Card): MoveTarget[] => [
    ...openColumns.map((column, index): MoveTarget => {
      const isHere = column.id === card.column;
      const count = column.items.length + (isHere ? 0 : 1);
      const isOver = column.wip_limit !== null && count > column.wip_limit;
      return {
        id: String(column.id),
        name: column.name,
        keys: index < 9 ? String(index + 1) : undefined,
        here: isHere,
        warning: isOver ? t("boards.ofLimit", { count, limit: column.wip_limit ?? 0 }) : undefined,
        run: () => moveTo(card, column.id),
      };
    }),
    {
      id: "top",
      name: t("boards.top"),
      keys: "shift+t",
      apart: true,
      run: () => moveTo(card, card.column ?? 0, "top"),
    },
    {
      id: "leave",
      name: backlogOf(card) === null ? t("boards.leave") : t("boards.backToBacklog"),
      keys: "b",
      apart: true,
      run: () => leave(card),
    },
  ];

  const add: Action = {
    id: "board.add",
    name: t("boards.addCard"),
    group: "list",
    icon: IconPlus,
    keys: "n",
    when: mayAdd,
    run: () =>
      options.onOpen({
        what: "add",
        column: (columns.length === 1 ? columns[0]?.id : current?.column) ?? openColumns[0]?.id,
      }),
  };
  const cardAction = (id: string, name: string, keys: string, act: (card: Card) => void): Action => ({
    id: `board.${id}`,
    name,
    group: "record",
    keys,
    when: hasCard,
    run: withActive(act),
  });
  const focusAction = (keys: string, sideways: number, down: number): Action => ({
    id: `board.focus.${keys}`,
    name: t("boards.focus"),
    group: "list",
    keys,
    keysOnly: true,
    when: board !== undefined && !options.isQuiet,
    run: () => focusBy(sideways, down),
  });
  useActions([
    add,
    { id: "board.filter", name: t("boards.filter"), group: "list", keys: "f", run: options.onFilter },
    cardAction("move", t("boards.moveToDots"), "shift+m", (card) => options.onMenu(cardKey(card))),
    cardAction("up", t("boards.up"), "shift+arrowup", (card) => step(card, -1)),
    cardAction("down", t("boards.down"), "shift+arrowdown", (card) => step(card, 1)),
    cardAction("top", t("boards.top"), "shift+t", (card) => moveTo(card, card.column ?? 0, "top")),
    cardAction("leave", backlog === null ? t("boards.leave") : t("boards.backToBacklog"), "b", leave),
    cardAction("edit", t("boards.quickEdit"), "e", (card) => options.onOpen({ what: "edit", card })),
    ...openColumns
      .slice(0, 9)
      .map((column, index) =>
        cardAction(`to.${column.id}`, t("boards.moveToColumn", { column: column.name }), String(index + 1), (card) =>
          moveTo(card, column.id),
        ),
      ),
    focusAction("arrowleft", -1, 0),
    focusAction("arrowright", 1, 0),
    focusAction("arrowup", 0, -1),
    focusAction("arrowdown", 0, 1),
  ]);

  // The first card can be reached by Tab before any was.
  const first = columns.flatMap((column) => pickSeen(column, filter, "none", "all"))[0];
  const firstKey = first === undefined ? null : cardKey(first);
  const needsActive = board !== undefined && current === undefined && firstKey !== null;
  const { onActive } = options;
  useLayoutEffect(() => {
    if (needsActive && firstKey !== null) onActive(firstKey);
  }, [needsActive, firstKey, onActive]);

  return { add, mayAdd, mayMove, moveTo, targetsOf, focusCard, openColumns };
}
