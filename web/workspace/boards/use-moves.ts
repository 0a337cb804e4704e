import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findEntry } from "../../base/type-index.ts";
import { showError, showMessage, showUndo } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import type { Change } from "../../live/events.ts";
import { sendWrite } from "../../live/write-queue.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { boardQueries } from "../../queries/boards.ts";
import { recordQueries } from "../../queries/records.ts";
import type { LaneChange } from "./lane-change.ts";
import { type Board, type Card, cardKey, findCard, placeCard, removeCard } from "./picture.ts";

// Moves of cards: shown immediately, sent in order, undone by the reverse move. The last one wins (D-419), and a
// message informs the person whose move was overridden.

export type FurtherChanges = Readonly<Record<string, unknown>>;
const noticePeriod = 10_000; // milliseconds

export function useMoves(id: string, announce: (text: string) => void) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const { queryKey } = boardQueries.board(api, id);
  const own = useRef(new Map<string, number>());
  const read = () => queries.getQueryData(queryKey);
  const show = (change: (board: Board) => Board) =>
    queries.setQueryData(queryKey, (board) => (board === undefined ? board : change(board)));
  const reload = () => queries.invalidateQueries({ queryKey });

  const send = async (card: Card, body: FurtherChanges): Promise<void> => {
    own.current.set(cardKey(card), Date.now());
    // A read that began earlier would move the card back for a moment.
    await queries.cancelQueries({ queryKey });
    try {
      const path = `/${findEntry(card.type)?.collection}/${card.id}`;
      await sendWrite(who.person.id, { account: account.id, path, body, revision: null, base: {} });
    } finally {
      void reload();
      void queries.invalidateQueries({ queryKey: recordQueries.all(api, card.type, card.id) });
    }
  };

  const place = async (card: Card, column: number, position: number | null, further: FurtherChanges): Promise<void> => {
    show((board) => placeCard(board, card, column, position));
    const body = {
      agile_board_column_id: column,
      ...(position === null ? {} : { agile_board_column_position: position }),
    };
    await send(card, { ...body, ...further });
  };

  /**
   * `position`: null for the bottom; `lane`: the card's changes for another lane. Rejects if the server refuses, after
   * the card has moved back.
   */
  const move = async (
    card: Card,
    column: number,
    position: number | null,
    further: FurtherChanges = {},
    lane: LaneChange | null = null,
  ): Promise<void> => {
    const target = read()?.columns.find((each) => each.id === column);
    if (target === undefined) return;
    if (card.column === column && card.position === position && lane === null) return;
    const sent = place({ ...card, ...lane?.shown }, column, position, { ...lane?.sent, ...further });
    const name = formatWorkId(card.type, card.id);
    const board = read();
    const now = board === undefined ? undefined : findCard(board, cardKey(card));
    const count = board?.columns.find((each) => each.id === column)?.items.length ?? 0;
    announce(t("boards.announced", { id: name, column: target.name, position: now?.position ?? count, count }));
    await sent;
    if (card.column === null || (card.column === column && lane === null)) return;
    const { column: from, position: was, status, member } = card;
    showUndo(t("boards.moved", { id: name, column: target.name }), () =>
      place(card, from, was, {
        status,
        ...("member_id" in further || card.type === "project_task" ? {} : { member_id: member?.id ?? null }),
        ...lane?.undone,
      }),
    );
  };

  const leave = async (card: Card, backlog: number | null): Promise<void> => {
    show((board) => removeCard(board, card));
    await send(card, { agile_board_id: null, ...(backlog === null ? {} : { product_backlog_id: backlog }) });
    const name = formatWorkId(card.type, card.id);
    announce(t("boards.left", { id: name }));
    const { column, position, status } = card;
    if (column === null) return;
    showUndo(t("boards.left", { id: name }), () =>
      place(card, column, position, { status, ...(backlog === null ? {} : { product_backlog_id: null }) }),
    );
  };

  /** Another person moved a card that the reader has just moved. */
  const noticeOthers = ({ type, id: record, fields }: Change): void => {
    const moved = own.current.get(`${type}/${record}`);
    if (moved === undefined || Date.now() - moved > noticePeriod || !fields.includes("agile_board_column")) return;
    own.current.delete(`${type}/${record}`);
    showMessage(t("boards.overtaken", { id: formatWorkId(type, record) }));
  };

  return {
    read,
    show,
    reload,
    noticeOthers,
    move: (...move_: Parameters<typeof move>) => move(...move_).catch(showError),
    tryMove: move,
    leave: (...left: Parameters<typeof leave>) => leave(...left).catch(showError),
  };
}
