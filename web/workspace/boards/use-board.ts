import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findEntry } from "../../base/type-index.ts";
import type { Change } from "../../live/events.ts";
import { useLiveEvent, useTopics } from "../../live/use-topics.ts";
import { isAnswered } from "../../live/write-queue.ts";
import { boardQueries } from "../../queries/boards.ts";
import { cardKey, findCard } from "./picture.ts";

const cardTypes = ["request", "problem", "task", "project_task"] as const;
const planTypes = ["sprint", "sprint_backlog_item", "product_backlog_item"];
const gatherTime = 120; // milliseconds

/** A board that is updated by other people's changes. While a card is dragged (`isHeld`) it stays as it is. */
export function useBoard(id: string, isHeld: boolean, onOthers: (change: Change) => void) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const options = boardQueries.board(api, id);
  const { queryKey } = options;
  const query = useQuery(options);
  const refresh = useRefresh(() => queries.invalidateQueries({ queryKey }), isHeld);
  useTopics([...cardTypes, ...planTypes].map((name) => `list/${name}`).concat(`record/agile_board/${id}`));
  useLiveEvent("change", (change) => {
    const { type, fields, by } = change;
    if (planTypes.includes(type)) return refresh();
    if (!cardTypes.some((each) => each === type)) return;
    if (by === who.person.id && isAnswered(`${account.id}/${findEntry(type)?.collection}/${change.id}`, change)) return;
    const board = queries.getQueryData(queryKey);
    const isHere = board !== undefined && findCard(board, cardKey(change)) !== undefined;
    if (!isHere && fields.length > 0 && !fields.some((name) => name.startsWith("agile_board"))) return;
    if (by !== who.person.id) onOthers(change);
    refresh();
  });
  return query;
}

/** Combines calls in short succession, and delays them while they would disturb. */
export function useRefresh(load: () => Promise<void>, isHeld: boolean) {
  const latest = useRef(load);
  latest.current = load;
  const held = useRef(isHeld);
  const isMissed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const refresh = useCallback(() => {
    if (held.current) {
      isMissed.current = true;
      return;
    }
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void latest.current();
    }, gatherTime);
  }, []);
  useEffect(() => {
    held.current = isHeld;
    if (isHeld || !isMissed.current) return;
    isMissed.current = false;
    refresh();
  }, [isHeld, refresh]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return refresh;
}
