import { account, currentSprint, moveItem, startSprint } from "./sprint-steps.ts";
import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

// The sprints before the one that runs, with what was finished in them. What was not done came back in the next one.

type Finished = readonly [subject: string, estimate: number];

// biome-ignore format: a table keeps its columns
const sprints: readonly { goal: string; items: readonly Finished[] }[] = [
  { goal: "Customers can sign in without calling the desk.",     items: [["Reset the password from the sign-in page", 8], ["Two-factor sign-in with an app", 13], ["Remember the account in the browser", 5], ["Show the last sign-in", 8], ["Lock accounts after ten failed attempts", 4]] },
  { goal: "Everything about an instrument on one page.",       items: [["Instrument page", 13], ["Instrument photos", 8], ["Instrument history", 13], ["Lab contact details", 5], ["Site map", 6]] },
  { goal: "The instrument list works with 1,000 instruments.",     items: [["Pagination in the instrument list", 8], ["Filter by site", 8], ["Filter by calibration status", 8], ["Export the list", 13], ["Configurable columns", 4]] },
  { goal: "Paperless orders.",                             items: [["Order a calibration", 13], ["Send a quote", 13], ["Accept a quote", 8], ["Cancel an order", 5], ["Billing address for customers with several sites", 13]] },
  { goal: "Find my instrument.",                               items: [["Search by serial number", 13], ["Search by owner name", 8], ["Search ignores umlauts", 5], ["Search suggestions as you type", 13], ["Recent searches", 5]] },
];
const people = ["marek", "anika", "jonas"] as const;

export function planPastSprints(time: Timeline): void {
  sprints.forEach(({ goal, items }, index) => {
    const before = sprints.length - index;
    const start = nextWorkingMoment(addMinutes(time.now, -(5 + 14 * before) * 1440));
    const planned = addMinutes(start, -60);
    const number = currentSprint - before;
    const ids: number[] = [];
    let sprint = 0;
    time.plan(planned, `sprint ${number}`, async () => {
      const actor = { who: "sunniva", at: planned, account };
      sprint = await time.create(actor, "sprint", {
        number,
        scrum_workspace: time.getId("scrum_workspace", "portal"),
        description: goal,
      });
      for (const [subject, estimate] of items) {
        const request = await time.create(actor, "request", {
          subject,
          category: "other",
          service_instance: time.getId("service_instance", "portal"),
          team: time.getId("team", "portal"),
        });
        ids.push(request);
        await time.create(actor, "sprint_backlog_item", { request, estimate }, { sprint });
      }
    });
    time.plan(start, `sprint ${number}`, () => startSprint(time, start, sprint));
    items.forEach((_, at) => {
      const who = people[(index + at) % people.length] as string;
      const done = nextWorkingMoment(addMinutes(start, (2 * at + 2) * 1440));
      time.plan(done, `sprint ${number}`, () =>
        moveItem(time, { who, at: done }, ids[at] as number, "Done", {
          member: time.getId("person", who),
          completion_reason: "solved",
          note: "Done.",
        }),
      );
    });
  });
}
