import { account, currentSprint, moveItem, startSprint } from "./sprint-steps.ts";
import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

// The sprints before the one that runs, with what was finished in them. What was not done came back in the next one.

type Finished = readonly [subject: string, estimate: number];

// biome-ignore format: a table keeps its columns
const sprints: readonly { goal: string; items: readonly Finished[] }[] = [
  { goal: "Customers sign in without a call to the desk.",     items: [["Reset the password from the sign-in page", 8], ["Second factor by an app", 13], ["Remember the account of the browser", 5], ["Tell who signed in last", 8], ["Lock after ten wrong passwords", 4]] },
  { goal: "Everything about an instrument on one page.",       items: [["Page of an instrument", 13], ["Pictures of an instrument", 8], ["History of an instrument", 13], ["Contact of the laboratory", 5], ["Map of the site", 6]] },
  { goal: "The list of instruments works for a thousand.",     items: [["Pages in the list of instruments", 8], ["Filter by site", 8], ["Filter by state of the calibration", 8], ["Export the list", 13], ["Columns to choose from", 4]] },
  { goal: "Orders without paper.",                             items: [["Order a calibration", 13], ["Answer with a price", 13], ["Accept a price", 8], ["Cancel an order", 5], ["Invoice address of a customer with two sites", 13]] },
  { goal: "Find my instrument.",                               items: [["Search by serial number", 13], ["Search by name of the owner", 8], ["Search ignores umlauts", 5], ["Suggestions while typing", 13], ["Last searches", 5]] },
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
