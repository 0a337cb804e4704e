import IconSignal3g from "@tabler/icons-react/dist/esm/icons/IconAntennaBars4.mjs";
import IconArrowForwardUp from "@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleDot from "@tabler/icons-react/dist/esm/icons/IconCircleDot.mjs";
import IconClockPause from "@tabler/icons-react/dist/esm/icons/IconClockPause.mjs";
import IconHandStop from "@tabler/icons-react/dist/esm/icons/IconHandStop.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMessageReply from "@tabler/icons-react/dist/esm/icons/IconMessageReply.mjs";
import IconUserPlus from "@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs";
import type { Action } from "../../actions/action.ts";
import type { InboxItem } from "../../api/index.ts";
import { t } from "../../languages/index.ts";

// The actions on the selected rows, or on the focused one.

export type InboxQuestion = "member" | "status" | "impact" | "wait";

type Handlers = {
  accept(items: readonly InboxItem[]): void;
  ask(question: InboxQuestion): void;
  finish(items: readonly InboxItem[]): void;
  open(item: InboxItem, what?: "reply" | "internal" | "complete"): void;
};

const isApproval = ({ category }: InboxItem): boolean => category === "approval";
const mayAccept = (item: InboxItem): boolean =>
  !isApproval(item) && item.type !== "project_task" && !["accepted", "completed", "solved"].includes(item.status);
export const pickAcceptable = (items: readonly InboxItem[]): InboxItem[] => items.filter(mayAccept);

export function buildItemActions(items: readonly InboxItem[], handlers: Handlers) {
  const [first] = items;
  const isOne = items.length === 1;
  const some = first !== undefined;
  const open = (what?: "reply" | "internal" | "complete") => some && handlers.open(first, what);
  const isConversation = isOne && (first?.type === "request" || first?.type === "problem");
  const group = items.length > 1 ? "selection" : "record";
  // biome-ignore format: one line per action
  const actions = {
    accept:   { id: "record.accept",   group, keys: "a", icon: IconHandStop,       name: t("inbox.accept"),   when: pickAcceptable(items).length > 0, run: () => handlers.accept(pickAcceptable(items)) },
    member:   { id: "record.member",   group, keys: "m", icon: IconUserPlus,       name: t("inbox.assign"),   when: some && first.type !== "project_task", run: () => handlers.ask("member") },
    status:   { id: "record.status",   group, keys: "s", icon: IconCircleDot,      name: t("inbox.setStatus"), when: some, run: () => handlers.ask("status") },
    impact:   { id: "record.impact",   group, keys: "p", icon: IconSignal3g,       name: t("inbox.setImpact"), when: some && items.every(({ type }) => type !== "project_task"), run: () => handlers.ask("impact") },
    wait:     { id: "record.wait",     group, keys: "w", icon: IconClockPause,     name: t("inbox.wait"),     when: some && !items.some(isApproval), run: () => handlers.ask("wait") },
    reply:    { id: "record.reply",    group, keys: "r", icon: IconMessageReply,   name: t("inbox.reply"),    when: isOne, run: () => open("reply") },
    internal: { id: "record.internal", group, keys: "i", icon: IconLock,           name: t("inbox.internalNote"), when: isOne && first?.type === "request", run: () => open("internal") },
    complete: { id: "record.complete", group, keys: "e", icon: IconCircleCheck,    name: isOne && first !== undefined && isApproval(first) ? t("inbox.approve") : t("inbox.complete"), when: some, run: () => (isConversation ? open("complete") : handlers.finish(items)) },
    open:     { id: "inbox.open",      group, keys: "enter", icon: IconArrowForwardUp, name: t("inbox.open"), when: some, run: () => open() },
  } satisfies Record<string, Action>;
  return actions;
}
