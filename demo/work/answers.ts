import { giveFeedback } from "../../server/actions/feedback.ts";
import type { PlannedRequest } from "./planned-request.ts";
import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

// Whether requesters are satisfied. Nearly half of them say so, within two days.

const complaints = [
  "It works again, but I didn't get an update for a whole day.",
  "This is the third time this month.",
  "I still have to restart it every morning.",
  "It got fixed in the end, but three people asked me the same questions.",
];

/** A number from 0 up to 100 that a request always has: chance is left alone, so nothing else of the demo changes. */
function numberFor({ createdAt }: PlannedRequest, salt: number): number {
  let mixed = Math.imul(Math.floor(createdAt.getTime() / 1000) ^ (salt * 0x9e3779b9), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % 100;
}

export function planAnswer(time: Timeline, one: PlannedRequest, completedAt: Date): void {
  if (numberFor(one, 1) >= 45) return;
  const at = nextWorkingMoment(addMinutes(completedAt, 30 + numberFor(one, 2) * 28));
  const complaint = numberFor(one, 3) < 11 ? complaints[numberFor(one, 4) % complaints.length] : undefined;
  time.plan(
    at,
    `answer to ${one.subject}`,
    async () => {
      if (one.id === null || one.isGrouped || one.isTakenOver) return;
      const by = await time.loader.getCaller(one.requester, one.account, at);
      const feedback =
        complaint === undefined
          ? ({ answer: "satisfied" } as const)
          : ({ answer: "dissatisfied", note: complaint } as const);
      await giveFeedback(time.loader.engineAt(at), by, { id: one.id, account: one.account }, feedback);
    },
    one.lane,
  );
}
