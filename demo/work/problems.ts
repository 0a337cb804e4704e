import type { SeededRandom } from "../loader/seeded-random.ts";
import type { PlannedRequest } from "./planned-request.ts";
import { addMinutes, type Fields, nextWorkingMoment, type Timeline } from "./timeline.ts";

type PlannedProblem = {
  subject: string;
  service: string;
  /** scenario of the requests that belong to it */
  about: string;
  words: RegExp;
  daysAgo: number;
  impact: string;
  manager: string;
  member: string;
  /** the last status it reaches */
  end: "new" | "in progress" | "known error" | "analyzed" | "solved";
  workaround?: string;
  /** the analysis is due in so many minutes */
  analysisDue?: number;
};

// biome-ignore format: a table keeps its columns
const problems: readonly PlannedProblem[] = [
  { subject: "Wi-Fi drops when roaming between access points",           service: "network",  about: "network",  words: /wireless|wi-?fi/i,   daysAgo: 72, impact: "medium", manager: "paloma", member: "soren",  end: "solved",      workaround: "Turn Wi-Fi off and on. The laptop then connects to the nearest access point." },
  { subject: "VPN loses its certificate after updates",            service: "network",  about: "network",  words: /vpn/i,             daysAgo: 40, impact: "medium", manager: "paloma", member: "amara",  end: "known error", workaround: "Reinstall Quillhaven Connect from the self-service app." },
  { subject: "Shared mailboxes lose permissions overnight",           service: "mail",     about: "mail",     words: /shared mailbox/i,  daysAgo: 64, impact: "low",    manager: "paloma", member: "wei",    end: "known error", workaround: "Add the group again. The nightly job removes it, so this lasts only one day." },
  { subject: "Calendars in Kobe are off by an hour",                     service: "mail",     about: "mail",     words: /calendar/i,        daysAgo: 50, impact: "low",    manager: "paloma", member: "gareth", end: "solved" },
  { subject: "Docking stations lose the second monitor",              service: "computer", about: "computer", words: /screen|monitor/i,          daysAgo: 58, impact: "low",    manager: "paloma", member: "felix",  end: "known error", workaround: "Unplug the dock for ten seconds." },
  { subject: "Laptops from one batch overheat",                       service: "computer", about: "computer", words: /laptop|computer/i, daysAgo: 30, impact: "medium", manager: "paloma", member: "dana",   end: "in progress" },
  { subject: "Accounts keep locking after a password change", service: "access", about: "access",   words: /lock|sign in|password/i, daysAgo: 66, impact: "medium", manager: "paloma", member: "noor", end: "analyzed" },
  { subject: "Orders stuck with a technical lock",                           service: "erp",      about: "erp",      words: /order/i,           daysAgo: 46, impact: "high",   manager: "paloma", member: "ruben",  end: "solved",      workaround: "Restart the interface between Prisma and the warehouse." },
  { subject: "Prisma is slow at month-end",                   service: "erp",      about: "erp",      words: /prisma/i,          daysAgo: 24, impact: "high",   manager: "paloma", member: "wei",    end: "in progress" },
  { subject: "Nightly run skips certificates",            service: "portal",   about: "portal",   words: /certificate/i,     daysAgo: 33, impact: "medium", manager: "paloma", member: "marek",  end: "analyzed" },
  { subject: "Label printers lose their calibration",                  service: "printing", about: "printing", words: /label|printer/i,   daysAgo: 19, impact: "low",    manager: "paloma", member: "felix",  end: "in progress" },
  { subject: "Backups run into business hours",                       service: "files",    about: "files",    words: /drive/i,           daysAgo: 9,  impact: "medium", manager: "paloma", member: "wei",    end: "in progress" },
  { subject: "Phishing emails get past the filter on Mondays",           service: "security", about: "security", words: /./,                daysAgo: 5,  impact: "medium", manager: "paloma", member: "hanna",  end: "new" },
  { subject: "Access points reboot after firmware update 6.2",                service: "network",  about: "network",  words: /wireless|wi-?fi/i,   daysAgo: 6,  impact: "medium", manager: "paloma", member: "soren",  end: "in progress", analysisDue: 350 },
];
const account = "quillhaven-it";
const maxLinked = 7;

export function planProblems(time: Timeline, chance: SeededRandom, cases: readonly PlannedRequest[]): void {
  for (const plan of problems) {
    const what = `problem ${plan.subject}`;
    const { manager, member } = plan;
    let at = nextWorkingMoment(addMinutes(time.now, -plan.daysAgo * 1440));
    let id = 0;
    const created = at;
    time.plan(at, what, async () => {
      const { subject, impact } = plan;
      const note = "Opened because of the linked requests. If you know more, please add a note.";
      id = await time.create({ who: manager, at: created, account }, "problem", {
        subject,
        impact,
        service: time.getId("service", plan.service),
        note,
      });
      await linkRequests(time, plan, id, created, cases);
    });
    const step = (who: string, minutes: number, fields: Fields): void => {
      at = nextWorkingMoment(addMinutes(at, chance.skewed(minutes, minutes * 3)));
      const moment = at;
      time.plan(moment, what, () => time.update({ who, at: moment, account }, "problem", id, fields));
    };
    if (plan.end === "new") continue;
    const due =
      plan.analysisDue === undefined
        ? {}
        : { analysis_target_at: addMinutes(time.now, plan.analysisDue).toISOString() };
    step(member, 900, { status: "in_progress", member: time.getId("person", member), time_spent: 60, ...due });
    if (plan.end === "in progress") continue;
    const known = plan.workaround === undefined ? {} : { known_error: true, workaround: plan.workaround };
    step(member, 4000, { status: "analyzed", note: "Root cause identified.", ...known, time_spent: 120 });
    if (plan.end !== "solved") continue;
    step(manager, 9000, { status: "solved", note: "The fix has been in place for two weeks with no new incidents." });
  }
}

/** Links earlier requests about the same trouble. */
async function linkRequests(
  time: Timeline,
  plan: PlannedProblem,
  problem: number,
  at: Date,
  cases: readonly PlannedRequest[],
): Promise<void> {
  let linked = 0;
  for (const one of cases) {
    if (linked >= maxLinked) return;
    if (one.id === null || one.isGrouped || one.account !== account || one.scenario.about !== plan.about) continue;
    if (one.scenario.category !== "incident" || !plan.words.test(one.subject)) continue;
    const [taken] = await time.readColumns("requests", "problem_id", one.id);
    if (taken !== null) continue;
    await time.update({ who: plan.manager, at, account }, "request", one.id, { problem });
    linked++;
  }
}
