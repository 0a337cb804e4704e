import type { InboxItem } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { statusLabel } from "../../parts/work/status.tsx";
import type { ItemChange } from "./use-changes.ts";

export type Answer =
  | { question: "member"; member: { id: number; name: string } }
  | { question: "status"; status: string; note?: string }
  | { question: "impact"; impact: string }
  | { question: "wait"; until: string };

export const isWait = (answer: Answer): boolean =>
  answer.question === "wait" || (answer.question === "status" && answer.status === "waiting_for_customer");

/** `build` returns the change, `describe` the message about it. */
export type Apply = (
  items: readonly InboxItem[],
  build: (item: InboxItem) => ItemChange,
  describe: (count: number) => string,
) => void;

export function applyAnswer(answer: Answer, items: readonly InboxItem[], apply: Apply): void {
  if (answer.question === "member") {
    const { member } = answer;
    apply(
      items,
      () => ({ body: { member_id: member.id }, shown: { member } }),
      () => t("inbox.done.assigned", { name: member.name }),
    );
  } else if (answer.question === "status") {
    const { status, note } = answer;
    const label = statusLabel(items[0]?.type ?? "request", status);
    apply(
      items,
      () => ({ body: { status, ...(note === undefined ? {} : { note }) }, shown: { status } }),
      () => t("inbox.done.status", { status: label }),
    );
  } else if (answer.question === "impact") {
    const { impact } = answer;
    apply(
      items,
      () => ({ body: { impact }, shown: { impact } }),
      (count) => t("inbox.done.impact", { count }),
    );
  } else {
    const body = { status: "waiting_for", waiting_until: answer.until };
    apply(
      items,
      () => ({ body, shown: { status: "waiting_for" } }),
      (count) => t("inbox.done.waiting", { count }),
    );
  }
}
