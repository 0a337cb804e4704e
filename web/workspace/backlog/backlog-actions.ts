import type { Action } from "../../actions/action.ts";
import { t } from "../../languages/index.ts";
import type { MoveTarget } from "../boards/move-menu.tsx";
import { type Card, cardKey, type Sprint } from "../boards/picture.ts";
import type { BacklogCommands } from "./use-backlog-commands.ts";
import type { usePlan } from "./use-plan.ts";

const estimateKeys = [1, 2, 3, 5, 8];

/** The entries of a row's menu. `next`: the sprint that the reader may plan. */
export const listMoveTargets = (card: Card, next: Sprint | null, commands: BacklogCommands): MoveTarget[] => [
  { id: "top", name: t("backlog.toTop"), keys: "shift+t", run: () => commands.rankAmong(card, 0) },
  { id: "up", name: t("backlog.up"), keys: "shift+arrowup", run: () => commands.step(card, -1) },
  { id: "down", name: t("backlog.down"), keys: "shift+arrowdown", run: () => commands.step(card, 1) },
  ...(next === null
    ? []
    : [
        {
          id: "plan",
          name: t("backlog.plan", { number: next.number }),
          keys: "p",
          apart: true,
          run: () => commands.planItem(card),
        },
      ]),
];

type Options = {
  seen: readonly Card[];
  /** the active row may be changed */
  hasRow: boolean;
  /** the sprint that the reader may plan */
  next: Sprint | null;
  commands: BacklogCommands;
  plan: ReturnType<typeof usePlan>;
  onFilter(): void;
};

/** The keys of the active row, and those that activate another one. */
export function buildRowActions({ seen, hasRow, next, commands, plan, onFilter }: Options): Action[] {
  const { active, focusRow, rankAmong, step, planItem, withActive } = commands;
  const rowAction = (name: string, label: string, keys: string, act: (card: Card) => void): Action => ({
    id: `backlog.${name}`,
    name: label,
    group: "record",
    keys,
    when: hasRow,
    run: withActive(act),
  });
  const focusAction = (name: string, keys: string, by: -1 | 1): Action => ({
    id: `backlog.focus.${name}`,
    name: t("boards.focus"),
    group: "list",
    keys,
    keysOnly: true,
    run() {
      const at = seen.findIndex((card) => cardKey(card) === active);
      const card = seen[Math.min(Math.max(at + by, 0), seen.length - 1)];
      if (card !== undefined) focusRow(cardKey(card));
    },
  });
  return [
    { id: "backlog.filter", name: t("boards.filter"), group: "list", keys: "f", run: onFilter },
    rowAction("up", t("backlog.up"), "shift+arrowup", (card) => step(card, -1)),
    rowAction("down", t("backlog.down"), "shift+arrowdown", (card) => step(card, 1)),
    rowAction("top", t("backlog.toTop"), "shift+t", (card) => rankAmong(card, 0)),
    ...(next === null
      ? []
      : [rowAction("plan", t("backlog.plan", { number: next.number }), "p", (card) => planItem(card))]),
    ...estimateKeys.map((points) =>
      rowAction(
        `estimate.${points}`,
        t("backlog.estimate", { count: points }),
        String(points),
        (card) => void plan.estimate(card, points),
      ),
    ),
    focusAction("up", "arrowup", -1),
    focusAction("down", "arrowdown", 1),
  ];
}
