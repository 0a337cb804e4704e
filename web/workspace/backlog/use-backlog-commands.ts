import { useLayoutEffect, useRef, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { findEntry } from "../../base/type-index.ts";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { useDrag } from "../../parts/drag/use-drag.ts";
import { useMovedFocus } from "../../parts/drag/use-moved-focus.ts";
import { type CardFilter, matches } from "../boards/card-filter.ts";
import { type Card, cardKey, pickPosition } from "../boards/picture.ts";
import { sprintName } from "../boards/sprint-bar.tsx";
import { rowElementId } from "./backlog-row.tsx";
import { sprintZone } from "./sprint-panel.tsx";
import type { Backlog } from "./use-backlog.ts";
import type { usePlan } from "./use-plan.ts";

type Plan = ReturnType<typeof usePlan>;

/**
 * Commands on items, by pointer, key and menu. They read the latest plan, because keys can be pressed faster than the
 * page renders.
 */
export function useBacklogCommands(plan: Plan, filter: CardFilter, isDraggable: boolean) {
  const [active, setActive] = useState<string | null>(null);
  const view = useRef(filter);
  view.current = filter;
  const keepFocus = useMovedFocus(rowElementId);
  const focusRow = (key: string) => {
    setActive(key);
    keepFocus(key);
  };
  const readItems = () => plan.read()?.items ?? [];
  const readSeen = () => readItems().filter((each) => matches(each, view.current));
  const findItem = (key: string | null): Card | undefined => readItems().find((card) => cardKey(card) === key);
  const findSprint = (wanted: string) => plan.read()?.sprints.find(({ status }) => status === wanted) ?? null;

  const rankAmong = (card: Card, index: number) => {
    const position = pickPosition(readItems(), card, readSeen(), index);
    if (position === null) return;
    void plan.rank(card, position);
    focusRow(cardKey(card));
  };
  const step = (card: Card, by: -1 | 1) => {
    const items = readSeen();
    const at = items.findIndex((each) => cardKey(each) === cardKey(card));
    if (at + by >= 0 && at + by < items.length) rankAmong(card, at + by);
  };
  /** `toggles`: removes an item that is already planned. */
  const planItem = (card: Card, toggles = true) => {
    const sprint = findSprint("registered");
    if (sprint === null) return;
    const isIn = sprint.items.some((item) => item.type === card.type && item.record === card.id);
    if (!isIn || toggles) void plan.plan(card, sprint);
  };
  const startNext = () => {
    const [next, running] = [findSprint("registered"), findSprint("active")];
    if (next === null) return;
    if (running !== null)
      showError(new ApiError(422, "", [["status", t("backlog.running", { sprint: sprintName(running) })]]));
    else void plan.start(next);
  };
  const drag = useDrag({
    enabled: isDraggable,
    onDrop(item, { zone, index }) {
      const card = findItem(item);
      if (card === undefined) return;
      if (zone === sprintZone) planItem(card, false);
      else rankAmong(card, index);
    },
  });
  const withActive = (act: (card: Card) => void) => () => {
    const card = findItem(active);
    if (card !== undefined) act(card);
  };
  return { active, setActive, focusRow, rankAmong, step, planItem, startNext, withActive, drag };
}
export type BacklogCommands = ReturnType<typeof useBacklogCommands>;

/** The reader's permissions for a backlog. */
export function useBacklogRights(backlog: Backlog | undefined) {
  const { may } = useCurrentAccount();
  const [request, sprint] = [findEntry("request"), findEntry("sprint")];
  const isOpen = backlog?.disabled === false;
  return {
    mayChange(card: Card | undefined): boolean {
      const entry = card === undefined ? undefined : findEntry(card.type);
      return entry !== undefined && isOpen && may("update", entry);
    },
    mayAdd: isOpen && request !== undefined && may("create", request),
    mayPlan: sprint !== undefined && may("update", sprint),
  };
}
export type BacklogRights = ReturnType<typeof useBacklogRights>;

/** The first row can be reached by Tab before any row was active, and after the active one has disappeared. */
export function useFirstActive(
  seen: readonly Card[],
  isLoaded: boolean,
  { active, setActive }: Pick<BacklogCommands, "active" | "setActive">,
) {
  const current = seen.find((card) => cardKey(card) === active);
  const firstKey = seen[0] === undefined ? null : cardKey(seen[0]);
  const isGone = active !== null && isLoaded && current === undefined;
  useLayoutEffect(() => {
    if ((active === null || isGone) && firstKey !== null) setActive(firstKey);
  }, [active, isGone, firstKey, setActive]);
  return current;
}
