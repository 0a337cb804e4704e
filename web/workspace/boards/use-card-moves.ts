import { useRef } from "react";
import { pickSeen } from "./board-columns.tsx";
import type { CardOptions } from "./card-options.ts";
import { findLaneChange } from "./lane-change.ts";
import { type Card, cardKey, findCard, pickPosition } from "./picture.ts";

/** The index among the visible cards of a lane; or at the top. */
type Place = { index: number; lane: string } | "top";

type Options = Pick<CardOptions, "board" | "filter" | "lanes" | "active" | "moves" | "onOpen"> & {
  mayMove(card: Card): boolean;
  focusCard(key: string): void;
};

/** Moves of a card: to a column, by one step, off the board. The card keeps the focus. */
export function useCardMoves(options: Options) {
  const { board, moves, mayMove, focusCard } = options;
  /** Keys can be pressed faster than the page renders. */
  const latest = useRef(options);
  latest.current = options;

  /** Without a place: at the bottom. */
  const moveTo = (card: Card, column: number, place?: Place): void => {
    const now = moves.read();
    const target = now?.columns.find((each) => each.id === column);
    if (now === undefined || target === undefined || target.deleted || !mayMove(card)) return;
    const { filter, lanes } = latest.current;
    const pickPlace = ({ index, lane }: Exclude<Place, "top">) =>
      pickPosition(target.items, card, pickSeen(target, filter, lanes, lane), index);
    const position = place === undefined ? null : place === "top" ? 1 : pickPlace(place);
    const lane = typeof place === "object" ? findLaneChange(now, card, lanes, place.lane) : null;
    if (target.dialog_type !== "none" && target.id !== card.column) {
      options.onOpen({ what: "ask", card, column: target, position, lane });
      return;
    }
    if (target.id === card.column && place === undefined) return;
    void moves.move(card, column, position, {}, lane);
    focusCard(cardKey(card));
  };
  /** One step up or down among the visible cards. */
  const step = (card: Card, by: -1 | 1): void => {
    const column = moves.read()?.columns.find((each) => each.id === card.column);
    if (column === undefined) return;
    const shown = pickSeen(column, latest.current.filter, "none", "all");
    const seen = column.items.filter((each) => shown.includes(each));
    const at = seen.findIndex((each) => cardKey(each) === cardKey(card));
    if (at + by < 0 || at + by >= seen.length) return;
    void moves.move(card, column.id, pickPosition(column.items, card, seen, at + by));
    focusCard(cardKey(card));
  };
  /** Calls the function with the current state of the active card. */
  const withActive = (act: (card: Card) => void) => () => {
    const now = moves.read();
    const card = now === undefined ? undefined : findCard(now, latest.current.active);
    if (card !== undefined) act(card);
  };
  const backlog = board?.workspace?.backlog.id ?? null;
  const backlogOf = (card: Card) => (card.type === "request" || card.type === "problem" ? backlog : null);
  const leave = (card: Card) => void moves.leave(card, backlogOf(card));
  return { moveTo, step, withActive, backlogOf, leave };
}
