import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { backlog } from "../../../records/answers/boards.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findEntry } from "../../base/type-index.ts";
import { useLiveEvent, useTopics } from "../../live/use-topics.ts";
import { isAnswered } from "../../live/write-queue.ts";
import { boardQueries } from "../../queries/boards.ts";
import { useRefresh } from "../boards/use-board.ts";

export type Backlog = AnswerOf<typeof backlog>;

const itemTypes = ["request", "problem"];
const planTypes = ["sprint", "sprint_backlog_item", "product_backlog_item"];

/** A backlog that is updated by other people's changes. */
export function useBacklog(id: string, isHeld = false) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const options = boardQueries.backlog(api, id);
  const { queryKey } = options;
  const query = useQuery(options);
  const refresh = useRefresh(() => queries.invalidateQueries({ queryKey }), isHeld);
  useTopics([...itemTypes, ...planTypes].map((name) => `list/${name}`).concat(`record/product_backlog/${id}`));
  useLiveEvent("change", (change) => {
    const { type, fields, by } = change;
    if (planTypes.includes(type)) return refresh();
    if (!itemTypes.includes(type)) return;
    if (by === who.person.id && isAnswered(`${account.id}/${findEntry(type)?.collection}/${change.id}`, change)) return;
    const items = queries.getQueryData(queryKey)?.items ?? [];
    const isHere = items.some((card) => card.type === type && card.id === change.id);
    if (isHere || fields.length === 0 || fields.some((name) => name.startsWith("product_backlog"))) refresh();
  });
  return query;
}
