import { planPastSprints } from "./past-sprints.ts";
import { account, currentSprint, moveItem, startSprint } from "./sprint-steps.ts";
import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

// The work of the portal team: ideas in the backlog, the sprints of the last weeks, and a board with the items of the
// sprint that runs.

type Idea = readonly [
  ...[subject: string, by: string, column: string | null, member: string, estimate: number | null, tag: string],
  impact?: string,
];

// biome-ignore format: a table keeps its columns
const ideas: readonly Idea[] = [
  ["Download a certificate as PDF",                     "basil",  "Done",        "marek", 8, "Certificates"],
  ["Show the technician's name on certificates",      "dario",  "Done",        "anika", 3, "Certificates"],
  ["Search certificates by year",                       "theo",   "Done",        "jonas", 5, "Search"],
  ["Show service desk hours in the portal",        "clara",  "Done",        "jonas", 1, "Portal", "low"],
  ["Speed up the list for customers with 500 instruments",    "basil",  "Done",        "marek", 8, "Speed", "medium"],
  ["Password reset in two languages",                   "fatima", "Done",        "anika", 3, "Languages", "low"],
  ["Download all certificates for an instrument in one file",     "clara",  "Review",      "marek", 5, "Certificates", "low"],
  ["Certificates in French",                            "fatima", "Review",      "anika", 2, "Languages", "low"],
  ["Remember the last filter of the instrument list",   "linnea", "Review",      "marek", 2, "Search", "low"],
  ["Accessible colors in the usage chart",             "oscar",  "Review",      "jonas", 2, "Access", "low"],
  ["Show the next calibration date on the home page",  "basil",  "In Progress", "marek", 5, "Portal", "medium"],
  ["Notify customers when a certificate is ready",     "basil",  "In Progress", "jonas", 3, "Mail", "low"],
  ["Share a certificate with a colleague",              "dario",  "In Progress", "anika", 3, "Access", "medium"],
  ["Import certificates from before 2015",                 "basil",  "In Progress", "marek", 2, "Certificates", "high"],
  ["Certificates stay visible after an instrument is sold",    "clara",  "To Do",       "",      2, "Portal", "low"],
  ["QR code on the certificate",                        "oscar",  "To Do",       "",      5, "Certificates", "medium"],
  ["Add the lab manager's signature",               "linnea", "To Do",       "",      2, "Certificates", "low"],
  ["Sort instruments by site",                          "theo",   "To Do",       "",      2, "Portal", "low"],
  ["Download all of a customer's certificates at once",   "clara",  null,          "", 5,    "Portal", "medium"],
  ["Remind customers four weeks before a calibration",  "clara",  null,          "", 3,    "Mail", "medium"],
  ["Book a calibration in the portal",                  "theo",   null,          "", 8,    "Orders", "medium"],
  ["Translate the calibration pages into French",       "fatima", null,          "", 2,    "Languages", "low"],
  ["Show who calibrated an instrument",                 "dario",  null,          "", 3,    "Portal", "low"],
  ["Sign in with the customer’s own account",     "oscar",  null,          "", 8,    "Access", "medium"],
  ["Import instruments from a spreadsheet",             "basil",  null,          "", 5,    "Speed", "high"],
  ["Print a certificate with the company seal",         "linnea", null,          "", 1,    "Certificates", "low"],
  ["Calendar export of all calibration dates",          "theo",   null,          "", 2,    "Portal", "low"],
  ["Request a quote from the instrument page",          "basil",  null,          "", 5,    "Orders", "low"],
  ["Show the temperature during the calibration",       "linnea", null,          "", 3,    "Portal", "low"],
  ["Dark mode for observatories",           "juno",   null,          "", null, "Portal", "low"],
];

/** An item that waits. */
const waiting = "Remember the last filter of the instrument list";

export function planBoard(time: Timeline): void {
  planPastSprints(time);
  const start = nextWorkingMoment(addMinutes(time.now, -5 * 1440));
  const ids = new Map<string, number>();
  for (const [index, idea] of ideas.entries()) planIdea(time, idea, index, ids);
  let sprint = 0;
  time.plan(addMinutes(start, -60), "sprint planning", async () => {
    const actor = { who: "sunniva", at: addMinutes(start, -60), account };
    sprint = await time.create(actor, "sprint", {
      number: currentSprint,
      scrum_workspace: time.getId("scrum_workspace", "portal"),
      description: "Customers can find every certificate for an instrument in two clicks.",
    });
    for (const [subject, , column, , estimate] of ideas)
      if (column !== null)
        await time.create(actor, "sprint_backlog_item", { request: ids.get(subject), estimate }, { sprint });
  });
  time.plan(start, "sprint", () => startSprint(time, start, sprint));
  time.plan(addMinutes(start, 5), "next sprint", async () => {
    const actor = { who: "sunniva", at: addMinutes(start, 5), account };
    const next = await time.create(actor, "sprint", {
      number: currentSprint + 1,
      scrum_workspace: time.getId("scrum_workspace", "portal"),
      start_at: addMinutes(start, 14 * 1440).toISOString(),
    });
    for (const [subject, , , , estimate] of ideas.filter(([, , column]) => column === null).slice(0, 3))
      await time.create(actor, "sprint_backlog_item", { request: ids.get(subject), estimate }, { sprint: next });
  });
}

function planIdea(time: Timeline, idea: Idea, index: number, ids: Map<string, number>): void {
  const [subject, by, column, member, estimate, tag, impact] = idea;
  const what = `"${subject}"`;
  const created = nextWorkingMoment(addMinutes(time.now, -(38 - index) * 1440));
  time.plan(created, what, async () => {
    const id = await time.create({ who: by, at: created, account }, "request", {
      subject,
      category: "other",
      service_instance: time.getId("service_instance", "portal"),
      note: "This would help our customers. Details in the next refinement.",
    });
    ids.set(subject, id);
  });
  const refined = addMinutes(created, 30);
  time.plan(refined, what, async () => {
    const id = ids.get(subject) as number;
    const actor = { who: "sunniva", at: refined, account };
    await time.update(actor, "request", id, {
      team: time.getId("team", "portal"),
      product_backlog: time.getId("product_backlog", "portal"),
      status: "on_backlog",
      ...(impact === undefined ? {} : { impact }),
      note: "Added to the backlog. To be prioritized in the next refinement.",
    });
    await time.addTag(actor, id, tag);
    if (column === null && estimate !== null) await time.estimate(actor, id, estimate);
  });
  if (column === null || column === "To Do") return;
  const start = nextWorkingMoment(addMinutes(time.now, -5 * 1440));
  const moves = ["In Progress", "Review", "Done"].slice(0, ["In Progress", "Review", "Done"].indexOf(column) + 1);
  let at = start;
  for (const next of moves) {
    // Finished items were finished on different days.
    at = addMinutes(at, (next === "Done" ? 600 + (index % 4) * 1300 : 240) + index * 7);
    const moment = at;
    time.plan(moment, what, () =>
      moveItem(time, { who: member, at: moment }, ids.get(subject) as number, next, {
        member: time.getId("person", member),
        ...(next === "Done" ? { completion_reason: "solved", note: "Shown in Friday's demo. Well received." } : {}),
      }),
    );
  }
  if (subject === waiting)
    time.plan(addMinutes(at, 90), what, () =>
      time.update({ who: member, at: addMinutes(at, 90), account }, "request", ids.get(subject) as number, {
        status: "waiting_for",
        waiting_until: addMinutes(time.now, 2 * 1440).toISOString(),
        note: "Waiting for test data from a customer with several sites.",
      }),
    );
}
