import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { board, boardCard, boardColumn, sprintFigures } from "../../../records/answers/boards.ts";
import type { named } from "../../../records/vocabulary/index.ts";

// The server's response about a board, and the position of a card after a move.

export type NamedRecord = AnswerOf<typeof named>;
export type Card = AnswerOf<typeof boardCard>;
export type Column = AnswerOf<typeof boardColumn>;
export type Sprint = AnswerOf<typeof sprintFigures>;
export type SprintItem = Sprint["items"][number];
export type BurnDownDay = Sprint["days"][number];
export type Board = AnswerOf<typeof board>;
export type Workspace = NonNullable<Board["workspace"]>;

/** The key contains the type: numbers of different types may be the same. */
export const cardKey = ({ type, id }: { type: string; id: number }): string => `${type}/${id}`;

export const findCard = (board: Board, key: string | null): Card | undefined =>
  board.columns.flatMap(({ items }) => items).find((card) => cardKey(card) === key);

/** The other cards' positions after the card has left the list. */
const withoutCard = (items: readonly Card[], card: Card): Card[] => {
  const own = items.find((each) => cardKey(each) === cardKey(card));
  return items
    .filter((each) => each !== own)
    .map((each) =>
      own !== undefined && each.position > own.position ? { ...each, position: each.position - 1 } : each,
    );
};

/**
 * The position before one of the visible cards, or after the last of them. Cards hidden by a filter keep their order.
 * Null: no card is visible, so the card goes to the bottom.
 */
export function pickPosition(items: readonly Card[], card: Card, seen: readonly Card[], index: number): number | null {
  const others = withoutCard(items, card);
  const positionOf = (wanted: Card | undefined) =>
    wanted === undefined ? undefined : others.find((each) => cardKey(each) === cardKey(wanted))?.position;
  const rest = seen.filter((each) => cardKey(each) !== cardKey(card));
  const [next, previous] = [positionOf(rest[index]), positionOf(rest[index - 1])];
  return next ?? (previous === undefined ? null : previous + 1);
}

/** The list with the card at a position; null: at the bottom. */
export function insertCard(items: readonly Card[], card: Card, position: number | null): Card[] {
  const others = withoutCard(items, card);
  const bottom = (others.at(-1)?.position ?? 0) + 1;
  const place = Math.min(Math.max(position ?? bottom, 1), bottom);
  const moved = others.map((each) => (each.position >= place ? { ...each, position: each.position + 1 } : each));
  return [...moved, { ...card, position: place }].sort((one, other) => one.position - other.position);
}

export function placeCard(board: Board, card: Card, column: number, position: number | null): Board {
  return {
    ...board,
    columns: board.columns.map((each) => {
      if (each.id === column) return { ...each, items: insertCard(each.items, { ...card, column }, position) };
      return each.items.some((item) => cardKey(item) === cardKey(card))
        ? { ...each, items: withoutCard(each.items, card) }
        : each;
    }),
  };
}

export const removeCard = (board: Board, card: Card): Board => ({
  ...board,
  columns: board.columns.map((each) => ({ ...each, items: withoutCard(each.items, card) })),
});

export const changeCard = (board: Board, key: string, part: Partial<Card>): Board => ({
  ...board,
  columns: board.columns.map((column) => ({
    ...column,
    items: column.items.map((card) => (cardKey(card) === key ? { ...card, ...part } : card)),
  })),
});

const pauses = new Set([
  "waiting_for",
  "reservation_pending",
  "workflow_pending",
  "project_pending",
  "request_pending",
]);
/** Work that is currently paused. */
export const isBlocked = ({ status }: Card): boolean => pauses.has(status) || status === "progress_halted";
