import type { CardFilter, LaneKind } from "./card-filter.ts";
import type { LaneChange } from "./lane-change.ts";
import type { Board, Card, Column } from "./picture.ts";
import type { useMoves } from "./use-moves.ts";

// The context of card actions: the board, and the dialogs that they open.

export type OpenDialog =
  | { what: "edit"; card: Card }
  | { what: "ask"; card: Card; column: Column; position: number | null; lane: LaneChange | null }
  | { what: "add"; column: number | undefined }
  | { what: "column"; column: Column }
  | { what: "complete" };

export type CardOptions = {
  board: Board | undefined;
  /** the displayed columns: one on a phone */
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
