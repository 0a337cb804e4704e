import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findEntry } from "../../base/type-index.ts";
import { showError, showUndo } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { makeOwnCall } from "../../live/own-calls.ts";
import { sendWrite } from "../../live/write-queue.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { boardQueries } from "../../queries/boards.ts";
import { type Card, cardKey, insertCard, type Sprint } from "../boards/picture.ts";
import type { Backlog } from "./use-backlog.ts";

// Ranks, estimates and the plan of the next sprint: shown immediately, sent in order.

let temporaryId = 0;

export function usePlan(id: string, announce: (text: string) => void) {
  const { account, who, api } = useCurrentAccount();
  const queries = useQueryClient();
  const { queryKey } = boardQueries.backlog(api, id);
  /**
   * the ids of items planned here, by temporary id: an item may be removed before the page knows its id on the server
   */
  const planned = useRef(new Map<number, Promise<number | undefined>>());
  /** calls that are adding items to the sprint or removing them */
  const running = useRef(new Set<Promise<unknown>>());
  const read = () => queries.getQueryData(queryKey);
  const show = (change: (backlog: Backlog) => Backlog) =>
    queries.setQueryData(queryKey, (backlog) => (backlog === undefined ? backlog : change(backlog)));
  const reload = () => queries.invalidateQueries({ queryKey });
  const attempt = async (act: () => Promise<unknown>): Promise<boolean> => {
    await queries.cancelQueries({ queryKey });
    try {
      await makeOwnCall(act);
      return true;
    } catch (refused) {
      showError(refused);
      return false;
    } finally {
      void reload();
    }
  };
  const attemptPlan = async (act: () => Promise<unknown>): Promise<void> => {
    const call = attempt(act);
    running.current.add(call);
    await call;
    running.current.delete(call);
  };

  const rank = async (card: Card, position: number): Promise<void> => {
    if (card.position === position) return;
    show((backlog) => ({ ...backlog, items: insertCard(backlog.items, card, position) }));
    announce(t("backlog.ranked", { id: formatWorkId(card.type, card.id), position }));
    const path = `/${findEntry(card.type)?.collection}/${card.id}`;
    const body = { product_backlog_position: position };
    await attempt(() => sendWrite(who.person.id, { account: account.id, path, body, revision: null, base: {} }));
  };

  const estimate = async (card: Card, points: number | null): Promise<void> => {
    if (card.estimate === points || card.backlog_item === null) return;
    show((backlog) => ({
      ...backlog,
      items: backlog.items.map((each) => (cardKey(each) === cardKey(card) ? { ...each, estimate: points } : each)),
    }));
    announce(t("backlog.estimated", { id: formatWorkId(card.type, card.id), count: points ?? 0 }));
    await attempt(() =>
      api.change(`/product_backlogs/${id}/product_backlog_items/${card.backlog_item}`, { estimate: points }),
    );
  };

  const changeSprint = (sprint: number, change: (sprint: Sprint) => Sprint) =>
    show((backlog) => ({
      ...backlog,
      sprints: backlog.sprints.map((each) => (each.id === sprint ? change(each) : each)),
    }));

  /** Adds an item to the sprint, or removes it if it is already planned. */
  const plan = async (card: Card, sprint: Sprint): Promise<void> => {
    const name = formatWorkId(card.type, card.id);
    const known = sprint.items.find((item) => item.type === card.type && item.record === card.id);
    const path = `/sprints/${sprint.id}/sprint_backlog_items`;
    if (known !== undefined) {
      changeSprint(sprint.id, (was) => ({ ...was, items: was.items.filter((item) => item.id !== known.id) }));
      announce(t("backlog.unplanned", { id: name, number: sprint.number }));
      await attemptPlan(async () => {
        const item = known.id > 0 ? known.id : await planned.current.get(known.id);
        if (item !== undefined) await api.remove(`${path}/${item}`);
      });
      return;
    }
    const item = {
      id: --temporaryId,
      position: null,
      estimate: card.estimate,
      planned: false,
      done: false,
      type: card.type,
      record: card.id,
      subject: card.subject,
      added_at: new Date().toISOString(),
      finished_at: null,
    };
    changeSprint(sprint.id, (was) => ({ ...was, items: [...was.items, item] }));
    announce(t("backlog.plannedInto", { id: name, number: sprint.number }));
    let added: number | undefined;
    const adding = attemptPlan(async () => {
      const row = await api.create(path, {
        [`${card.type}_id`]: card.id,
        ...(card.estimate === null ? {} : { estimate: card.estimate }),
      });
      added = row.id;
    });
    const saved = adding.then(() => added);
    planned.current.set(item.id, saved);
    await saved;
    if (added !== undefined)
      showUndo(t("backlog.plannedInto", { id: name, number: sprint.number }), () =>
        attempt(() => api.remove(`${path}/${added}`)),
      );
  };

  /** Items planned or removed a moment ago count for the sprint that starts, so it waits for running calls. */
  const start = (sprint: Sprint) =>
    attempt(async () => {
      await Promise.allSettled(running.current);
      await api.act(`/sprints/${sprint.id}/start`);
    });
  const createSprint = (workspace: number) => attempt(() => api.create("/sprints", { scrum_workspace_id: workspace }));
  return { read, rank, estimate, plan, start, createSprint, reload };
}
