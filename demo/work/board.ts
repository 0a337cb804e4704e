import { type Actor, addMinutes, type Fields, nextWorkingMoment, type Timeline } from "./timeline.ts";

// The work of the portal team: ideas in the backlog, a sprint, and a board with the items of the sprint.

type Idea = readonly [subject: string, by: string, column: string | null, member: string, estimate: number];

// biome-ignore format: a table keeps its columns
const ideas: readonly Idea[] = [
  ["Download a certificate as PDF",                   "basil",   "Done",        "marek", 5],
  ["Certificate shows the name of the technician",    "dario",   "Done",        "anika", 2],
  ["Search certificates by year",                     "theo",    "Done",        "jonas", 3],
  ["All certificates of an instrument in one file",   "clara",   "Review",      "marek", 8],
  ["Certificates in French",                          "fatima",  "Review",      "anika", 3],
  ["Tell the customer when a certificate is there",   "basil",   "In Progress", "jonas", 5],
  ["Share a certificate with a colleague",            "dario",   "In Progress", "anika", 3],
  ["Old certificates from before 2015",               "basil",   "In Progress", "marek", 8],
  ["Certificate of a sold instrument stays visible",  "clara",   "To Do",       "jonas", 2],
  ["QR code on the certificate",                      "oscar",   "To Do",       "marek", 5],
  ["Signature of the laboratory manager",             "linnea",  "To Do",       "anika", 2],
  ["Remind customers four weeks before a calibration", "clara",  null,          "", 0],
  ["Book a calibration in the portal",                "theo",    null,          "", 0],
  ["Dark colours for observatories at night",         "juno",    null,          "", 0],
  ["Import instruments from a spreadsheet",           "basil",   null,          "", 0],
  ["Show the temperature during the calibration",     "linnea",  null,          "", 0],
];
const account = "quillhaven-it";
const statuses: Readonly<Record<string, string>> = {
  "To Do": "assigned",
  "In Progress": "in_progress",
  Review: "in_progress",
  Done: "completed",
};

export function planBoard(time: Timeline): void {
  ideas.forEach(([subject, by, column, member, estimate], index) => {
    const what = `"${subject}"`;
    const created = nextWorkingMoment(addMinutes(time.now, -(28 - index) * 1440));
    let id = 0;
    time.plan(created, what, async () => {
      id = await time.create({ who: by, at: created, account }, "request", {
        subject: `Portal: ${subject}`,
        category: "rfc",
        service_instance: time.getId("service_instance", "portal"),
        note: "Would help our customers. Details in the next refinement.",
      });
    });
    const refined = nextWorkingMoment(addMinutes(created, 2000));
    time.plan(refined, what, () =>
      time.update({ who: "sunniva", at: refined, account }, "request", id, {
        team: time.getId("team", "portal"),
        product_backlog: time.getId("product_backlog", "portal"),
        status: "on_backlog",
        note: "On the backlog, to be ordered together.",
      }),
    );
    if (column === null) return;
    const planned = addMinutes(nextWorkingMoment(addMinutes(time.now, -5 * 1440)), index * 3);
    time.plan(planned, what, async () => {
      const sprint = time.getId("sprint", "current");
      await time.create(
        { who: "sunniva", at: planned, account },
        "sprint_backlog_item",
        { request: id, estimate },
        { sprint },
      );
      await moveItem(time, { who: "sunniva", at: planned }, id, "To Do", {});
    });
    if (column === "To Do") return;
    const begun = addMinutes(planned, 1500 + index * 11);
    const owner = { member: time.getId("person", member) };
    time.plan(begun, what, () => moveItem(time, { who: member, at: begun }, id, "In Progress", owner));
    if (column === "In Progress") return;
    const reviewed = addMinutes(begun, 1900 + index * 17);
    time.plan(reviewed, what, () => moveItem(time, { who: member, at: reviewed }, id, "Review", owner));
    if (column === "Review") return;
    const done = addMinutes(reviewed, 500 + index * 13);
    time.plan(done, what, () =>
      moveItem(time, { who: member, at: done }, id, "Done", {
        ...owner,
        completion_reason: "solved",
        note: "Shown on Friday, and liked.",
      }),
    );
  });
}

const moveItem = (time: Timeline, { who, at }: Omit<Actor, "account">, id: number, column: string, fields: Fields) =>
  time.update({ who, at, account }, "request", id, {
    agile_board: time.getId("agile_board", "portal"),
    agile_board_column: time.getId("agile_board_column", `portal/${column}`),
    product_backlog: null,
    status: statuses[column],
    ...fields,
  });
