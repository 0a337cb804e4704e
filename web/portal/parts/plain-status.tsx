import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconHourglass from "@tabler/icons-react/dist/esm/icons/IconHourglass.mjs";
import IconLoader2 from "@tabler/icons-react/dist/esm/icons/IconLoader2.mjs";
import IconMailOpened from "@tabler/icons-react/dist/esm/icons/IconMailOpened.mjs";
import IconMessage2Question from "@tabler/icons-react/dist/esm/icons/IconMessage2Question.mjs";
import IconMinus from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import { daysAway, formatAhead, formatClock } from "../../base/moments.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import type { PortalRequest } from "../queries.ts";
import { t } from "../words.ts";

// The state of a request in plain words for its requester.

export type PlainState = "received" | "working" | "question" | "approval" | "planned" | "solved" | "closed";

/** `approvers`: the people whose approval is pending, if known */
export function plainState(request: PortalRequest, approvers: readonly string[] = request.approvers ?? []): PlainState {
  switch (request.status) {
    case "completed":
      return ["solved", "workaround", "gone", null].includes(request.completion_reason) ? "solved" : "closed";
    case "accepted":
    case "in_progress":
    case "project_pending":
      return "working";
    case "workflow_pending":
      return approvers.length > 0 ? "approval" : "working";
    case "waiting_for_customer":
      return "question";
    case "waiting_for":
    case "reservation_pending":
    case "on_backlog":
      return "planned";
    default:
      return "received";
  }
}

// biome-ignore format: a table keeps its columns
const looks: Readonly<Record<PlainState, { tone: string; icon: IconComponent }>> = {
  received: { tone: "grey",   icon: IconMailOpened },
  working:  { tone: "blue",   icon: IconLoader2 },
  question: { tone: "orange", icon: IconMessage2Question },
  approval: { tone: "violet", icon: IconHourglass },
  planned:  { tone: "violet", icon: IconCalendar },
  solved:   { tone: "green",  icon: IconCheck },
  closed:   { tone: "grey",   icon: IconMinus },
};

export function stateWords(request: PortalRequest, now: number, approvers = request.approvers ?? []): string {
  const state = plainState(request, approvers);
  if (state === "approval") return t("state.approvalBy", { names: approvers.join(", ") });
  if (state === "planned" && request.waiting_until !== null)
    return t("state.plannedFor", { when: formatAhead(Date.parse(request.waiting_until), now) });
  if (state === "closed" && request.completion_reason === "withdrawn") return t("state.withdrawn");
  return t(`state.${state}`);
}

/** "Expected today by 11:01"; null: there is no target, or the request is finished. */
export function expectedWords(request: PortalRequest, now: number): string | null {
  const { requester_resolution_target_at: target, status } = request;
  if (target === null || status === "completed" || status === "waiting_for_customer") return null;
  const at = Date.parse(target);
  if (Number.isNaN(at)) return null;
  if (at < now) return t("expected.late");
  return t("expected.by", { when: dayAndTime(at, now) });
}

/** "today by 11:01", "tomorrow by 09:10", "Thu 12:00". */
export function dayAndTime(at: number, now: number): string {
  const days = daysAway(at, now);
  if (days === 0) return t("expected.today", { time: formatClock(at) });
  if (days === 1) return t("expected.tomorrow", { time: formatClock(at) });
  return t("expected.day", { day: formatAhead(at, now) });
}

export function StatusTile({ request, approvers }: { request: PortalRequest; approvers?: readonly string[] }) {
  const { tone, icon } = looks[plainState(request, approvers)];
  return (
    <span className="tile-icon" data-tone={tone}>
      <Icon of={icon} size={20} />
    </span>
  );
}
