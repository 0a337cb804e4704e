import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useLayoutEffect } from "react";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findEntry } from "../../base/type-index.ts";
import { t } from "../../languages/index.ts";
import { useMovedFocus } from "../../parts/drag/use-moved-focus.ts";
import { listLanes, pickSeen } from "./board-columns.tsx";
import { cardElementId } from "./card.tsx";
import type { CardOptions } from "./card-options.ts";
import type { MoveTarget } from "./move-menu.tsx";
import { type Card, type Column, cardKey, findCard } from "./picture.ts";
import { useCardMoves } from "./use-card-moves.ts";

// The actions on the focused card, by key, by menu and by pointer alike.

/** The visible card next to the active one. */
function findNeighbor(
  { board, columns, filter, lanes, active }: CardOptions,
  sideways: number,
  down: number,
): Card | undefined {
  if (board === undefined) return undefined;
  const rows = listLanes(board, filter, lanes);
  const grid = columns.map((column) => rows.flatMap(({ key }) => pickSeen(column, filter, lanes, key)));
  const at = grid.findIndex((cards) => cards.some((card) => cardKey(card) === active));
  const row = grid[at]?.findIndex((card) => cardKey(card) === active) ?? 0;
  let column = Math.max(at, 0) + sideways;
  while (sideways !== 0 && grid[column]?.length === 0) column += sideways;
  const cards = grid[column];
  return cards?.[Math.min(Math.max(row + down, 0), cards.length - 1)];
}

/** The possible destinations of a card, for its menu. */
function buildTargets(
  card: Card,
  openColumns: readonly Column[],
  { moveTo, backlogOf, leave }: ReturnType<typeof useCardMoves>,
): MoveTarget[] {
  const toColumn = (column: Column, index: number): MoveTarget => {
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
  };
  return [
    ...openColumns.map(toColumn),
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
}

type Keys = {
  options: CardOptions;
  openColumns: readonly Column[];
  /** the active card may be moved */
  hasCard: boolean;
  cardMoves: ReturnType<typeof useCardMoves>;
  focusCard(key: string): void;
};

/** The keys of the active card, and those that activate another one. */
function buildKeyActions({ options, openColumns, hasCard, cardMoves, focusCard }: Keys): Action[] {
  const { board } = options;
  const { moveTo, step, leave, withActive } = cardMoves;
  const hasBacklog = board?.workspace?.backlog.id !== undefined;
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
    run: () => {
      const next = findNeighbor(options, sideways, down);
      if (next !== undefined) focusCard(cardKey(next));
    },
  });
  return [
    { id: "board.filter", name: t("boards.filter"), group: "list", keys: "f", run: options.onFilter },
    cardAction("move", t("boards.moveToDots"), "shift+m", (card) => options.onMenu(cardKey(card))),
    cardAction("up", t("boards.up"), "shift+arrowup", (card) => step(card, -1)),
    cardAction("down", t("boards.down"), "shift+arrowdown", (card) => step(card, 1)),
    cardAction("top", t("boards.top"), "shift+t", (card) => moveTo(card, card.column ?? 0, "top")),
    cardAction("leave", hasBacklog ? t("boards.backToBacklog") : t("boards.leave"), "b", leave),
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
  ];
}

export function useCardActions(options: CardOptions) {
  const { board, columns, filter, active, onActive, onOpen } = options;
  const { may } = useCurrentAccount();
  const keepFocus = useMovedFocus(cardElementId);
  const focusCard = (key: string) => {
    onActive(key);
    keepFocus(key);
  };
  const mayMove = (card: Card): boolean => {
    const entry = findEntry(card.type);
    return board?.disabled === false && entry !== undefined && may("update", entry);
  };
  const cardMoves = useCardMoves({ ...options, mayMove, focusCard });
  const openColumns = (board?.columns ?? []).filter(({ deleted }) => !deleted);
  const current = board === undefined ? undefined : findCard(board, active);
  const request = findEntry("request");
  const mayAdd = board?.disabled === false && request !== undefined && may("create", request) && openColumns.length > 0;
  const add: Action = {
    id: "board.add",
    name: t("boards.addCard"),
    group: "list",
    icon: IconPlus,
    keys: "n",
    when: mayAdd,
    run: () =>
      onOpen({ what: "add", column: (columns.length === 1 ? columns[0]?.id : current?.column) ?? openColumns[0]?.id }),
  };
  const hasCard = current !== undefined && mayMove(current);
  useActions([add, ...buildKeyActions({ options, openColumns, hasCard, cardMoves, focusCard })]);

  // The first card can be reached by Tab before any card was active.
  const first = columns.flatMap((column) => pickSeen(column, filter, "none", "all"))[0];
  const firstKey = first === undefined ? null : cardKey(first);
  const needsActive = board !== undefined && current === undefined && firstKey !== null;
  useLayoutEffect(() => {
    if (needsActive && firstKey !== null) onActive(firstKey);
  }, [needsActive, firstKey, onActive]);

  const targetsOf = (card: Card): MoveTarget[] => buildTargets(card, openColumns, cardMoves);
  return { add, mayAdd, mayMove, moveTo: cardMoves.moveTo, targetsOf, focusCard, openColumns };
}
