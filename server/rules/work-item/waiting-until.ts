import type { Change } from "../../engine/rules.ts";

/** Who waits, waits for a moment in the future; nobody else has such a moment. RQ12, TK9. */
export function checkWaitingUntil({ before, after, changed, by, problem }: Change): void {
  if (after.status !== "waiting_for") after.waiting_until = null;
  else if (after.waiting_until === null) problem("waiting_until", "can't be blank");
  else if (before?.status !== "waiting_for" || changed.has("waiting_until")) {
    if (Date.parse(String(after.waiting_until)) <= by.now.getTime()) problem("waiting_until", "must be in the future");
  }
}
