import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import { readAfterOwnCalls } from "../../live/own-calls.ts";
import { useLiveEvent, useTopics } from "../../live/use-topics.ts";
import { isAnswered, readAfterWrites } from "../../live/write-queue.ts";
import { findEntry } from "../../type-index.ts";
import type { Card, Named, Sprint, Workspace } from "../boards/picture.ts";
import { useRefresh } from "../boards/use-board.ts";

export type Backlog = Named & {
  disabled: boolean;
  goal: string | null;
  product_owner: Named | null;
  request_template: Named | null;
  service_instance: Named | null;
  workspace: Workspace | null;
  sprints: readonly Sprint[];
  items: readonly Card[];
};

export const backlogPath = (id: number | string): string => `/product_backlogs/${id}/items`;
export const backlogKey = (account: string, id: number | string): readonly string[] => [
  account,
  "list",
  backlogPath(id),
];

const itemTypes = ["request", "problem"];
const planTypes = ["sprint", "sprint_backlog_item", "product_backlog_item"];

/** A backlog that follows what others do. */
export function useBacklog(account: string, id: string, isHeld = false) {
  const { api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const queryKey = backlogKey(account, id);
  const query = useQuery({
    queryKey,
    queryFn: () => readAfterOwnCalls(() => readAfterWrites(() => api.get<Backlog>(backlogPath(id)))),
  });
  const refresh = useRefresh(() => queries.invalidateQueries({ queryKey }), isHeld);
  useTopics([...itemTypes, ...planTypes].map((name) => `list/${name}`).concat(`record/product_backlog/${id}`));
  useLiveEvent("change", (change) => {
    const { type, fields, by } = change;
    if (planTypes.includes(type)) return refresh();
    if (!itemTypes.includes(type)) return;
    if (by === who.person.id && isAnswered(`${account}/${findEntry(type)?.collection}/${change.id}`, change)) return;
    const items = queries.getQueryData<Backlog>(queryKey)?.items ?? [];
    const isHere = items.some((card) => card.type === type && card.id === change.id);
    if (isHere || fields.length === 0 || fields.some((name) => name.startsWith("product_backlog"))) refresh();
  });
  return query;
}
