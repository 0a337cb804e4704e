import { statement } from "../../server/database/database.ts";
import { teams } from "../data/teams.ts";
import type { SeededRandom } from "../loader/seeded-random.ts";
import type { PlannedRequest } from "./planned-request.ts";
import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

// Workflows from templates. The service creates and assigns their tasks; the people of the demo company work on what is
// assigned to them.

type End = "done" | "under way" | "fails" | "rejected" | "withdrawn" | "ahead";
type Plan = readonly [template: string, manager: string, subject: string, daysAgo: number, end: End];

// biome-ignore format: a table keeps its columns
const plans: readonly Plan[] = [
  ["patch",          "otto",   "January patches, servers 1–4",          86, "done"],
  ["patch",          "otto",   "January patches, servers 5–8",          85, "done"],
  ["network",        "otto",   "New access points in the canteen wing",       82, "done"],
  ["joiner",         "otto",   "Onboarding: optical designer, Optics Laboratory",    80, "done"],
  ["portal-release", "gareth", "Customer Portal 4.11",                        78, "done"],
  ["restore",        "gareth", "Restore test, Q1",                75, "done"],
  ["fm-works",       "otto",   "New gutters for Eindhoven Works",                    74, "done"],
  ["hardware",       "otto",   "Simulation workstation",                 71, "done"],
  ["leaver",         "otto",   "Offboarding: Hazel Ridley",               69, "done"],
  ["emergency",      "gareth", "Kobe router down",                  66, "done"],
  ["nb-change",      "joao",   "Cluster kernel upgrade, part 1",             64, "done"],
  ["portal-release", "gareth", "Customer Portal 4.12",                        63, "done"],
  ["patch",          "otto",   "February patches, servers 1–4",         58, "done"],
  ["patch",          "otto",   "February patches, servers 5–8",         57, "fails"],
  ["erp-release",    "otto",   "Prisma 9.3",                                  55, "done"],
  ["joiner",         "otto",   "Onboarding: two assemblers, Kobe Works",              52, "done"],
  ["fm-move",        "otto",   "Sales Support moves to floor 4",              50, "done"],
  ["network",        "otto",   "Second network line for Bengaluru",                   48, "rejected"],
  ["portal-release", "gareth", "Customer Portal 4.13",                        47, "done"],
  ["hardware",       "otto",   "Monitors for Customer Care",                   45, "done"],
  ["joiner",         "otto",   "Onboarding: accountant, Finance",                 41, "done"],
  ["leaver",         "otto",   "Offboarding: intern, Eindhoven",                38, "done"],
  ["nb-change",      "joao",   "Cluster kernel upgrade, part 2",             36, "done"],
  ["erp-release",    "otto",   "Prisma 9.3.1",                                33, "fails"],
  ["fm-works",       "otto",   "Replace laboratory doors",                     31, "under way"],
  ["portal-release", "gareth", "Customer Portal 4.14",                        30, "done"],
  ["network",        "otto",   "Wi-Fi in the parking lot",                    28, "withdrawn"],
  ["patch",          "otto",   "March patches, servers 1–4",            26, "done"],
  ["patch",          "otto",   "March patches, servers 5–8",            25, "under way"],
  ["joiner",         "otto",   "Onboarding: night guard, Duluth Works",            21, "done"],
  ["hardware",       "otto",   "Laptops for the trade show",                        18, "under way"],
  ["network",        "otto",   "Replace the switches on floor 5",             15, "under way"],
  ["portal-release", "gareth", "Customer Portal 4.15",                        14, "done"],
  ["erp-release",    "otto",   "Prisma 9.4",                                  12, "under way"],
  ["fm-move",        "otto",   "Firmware team moves next to Optics",                10, "under way"],
  ["joiner",         "otto",   "Onboarding: trainee, Service Desk",             8, "under way"],
  ["nb-change",      "joao",   "More disk space for the calibration database",                   6, "under way"],
  ["leaver",         "otto",   "Offboarding: production planner, Eindhoven Works",             4, "under way"],
  ["restore",        "gareth", "Restore test, Q2",                3, "under way"],
  ["patch",          "otto",   "April patches",                             2, "ahead"],
];

const pickAccount = (template: string): string =>
  template.startsWith("fm-") ? "quillhaven-fm" : template.startsWith("nb-") ? "nimbrook" : "quillhaven-it";

const activeTasks = statement(
  `SELECT id, category, status, team_id, member_id FROM tasks
WHERE workflow_id = $1 AND status IN ('assigned', 'accepted', 'in_progress') ORDER BY id`,
);
const selectApprovers = statement(
  "SELECT approver_id FROM task_approvals WHERE task_id = $1 AND status = 'assigned' ORDER BY id",
);

const remarks = [
  "Done as planned.",
  "Done, slightly later than planned.",
  "No surprises.",
  "Done. My notes are in the project folder.",
  "Went well. One cable run was longer than on the drawing.",
];

/** Requests that a workflow may be the answer to. */
const openStatuses = ["assigned", "accepted", "in_progress"];

export class WorkflowPlanner {
  private readonly time: Timeline;
  private readonly chance: SeededRandom;
  private readonly cases: readonly PlannedRequest[];
  private readonly people: ReadonlyMap<number, string>;
  private readonly teamNames: ReadonlyMap<number, string>;

  constructor(
    time: Timeline,
    chance: SeededRandom,
    cases: readonly PlannedRequest[],
    people: ReadonlyMap<number, string>,
  ) {
    this.time = time;
    this.chance = chance;
    this.cases = cases;
    this.people = people;
    this.teamNames = new Map(Object.keys(teams.rows).map((name) => [time.getId("team", name), name]));
  }

  plan(): void {
    for (const plan of plans) this.planOne(plan);
  }

  private planOne([template, manager, subject, daysAgo, end]: Plan): void {
    const { time, chance } = this;
    const account = pickAccount(template);
    const at = nextWorkingMoment(addMinutes(time.now, -daysAgo * 1440 + chance.between(-200, 200)));
    const start = end === "ahead" ? { start_at: addMinutes(time.now, 5 * 1440).toISOString() } : {};
    const fields = { template: time.getId("workflow_template", template), subject, ...start };
    time.plan(at, `workflow "${subject}"`, async () => {
      const id = await time.create({ who: manager, at, account }, "workflow", fields);
      if (end === "under way") await this.linkRequest(id, manager, account, template, at);
      if (end !== "ahead") this.planNextStep({ id, account, manager, end, left: this.countFinishedTasks(end) }, at);
    });
  }

  /** How many tasks are finished. */
  private countFinishedTasks = (end: End): number =>
    ({ done: 99, "under way": this.chance.between(1, 2), fails: 2, rejected: 1, withdrawn: 1, ahead: 0 })[end];

  private planNextStep(
    workflow: { id: number; account: string; manager: string; end: End; left: number },
    since: Date,
  ): void {
    const { time, chance } = this;
    const at = nextWorkingMoment(addMinutes(since, chance.skewed(900, 6000)));
    time.plan(at, `workflow ${workflow.id}`, async () => {
      const { id, account, manager, end } = workflow;
      const tasks = await time.loader.tx.query(activeTasks, [id]);
      if (tasks.length === 0 || workflow.left <= 0) {
        if (end === "under way") for (const task of tasks.slice(0, 1)) await this.begin(task, account, at);
        return this.close(workflow, at);
      }
      for (const task of tasks) {
        if (workflow.left-- <= 0) break;
        await this.finish(task, { account, manager, end: workflow.left <= 0 ? end : "done" }, at);
      }
      this.planNextStep(workflow, at);
    });
  }

  /** A member of the team takes the task and starts it. */
  private async begin(
    [id, category, status, team, member]: readonly (string | null)[],
    account: string,
    at: Date,
  ): Promise<string> {
    const members = (teams.rows[this.teamNames.get(Number(team)) ?? ""]?.members ?? []) as readonly string[];
    const who = this.people.get(Number(member)) ?? this.chance.pick(members);
    const taken = { status: "in_progress", member: this.time.getId("person", who) };
    if (status === "assigned" && category !== "approval")
      await this.time.update({ who, at, account }, "task", Number(id), taken);
    return who;
  }

  private async finish(
    found: readonly (string | null)[],
    { account, manager, end }: { account: string; manager: string; end: End },
    at: Date,
  ): Promise<void> {
    const { time, chance } = this;
    const [id, category, , , member] = found;
    const task = Number(id);
    if (category === "approval") {
      const asked = (await time.loader.tx.query(selectApprovers, [task])).map(([person]) => Number(person));
      const who = this.people.get(asked[0] ?? Number(member)) ?? manager;
      const vote = end === "rejected" ? { status: "rejected", note: "Not this year." } : { status: "approved" };
      return time.update({ who, at, account }, "task", task, vote);
    }
    const who = await this.begin(found, account, at);
    const done = addMinutes(at, chance.between(20, 60));
    if (done > time.now) return;
    if (end === "fails")
      return time.update({ who, at: done, account }, "task", task, {
        status: "failed",
        note: "The service didn't come back up. Rolling back.",
      });
    const spent = account === "nimbrook" ? {} : { time_spent: chance.between(1, 6) * 30 };
    return time.update({ who, at: done, account }, "task", task, {
      status: "completed",
      note: chance.pick(remarks),
      ...spent,
    });
  }

  private async close(
    { id, account, manager, end }: { id: number; account: string; manager: string; end: End },
    at: Date,
  ): Promise<void> {
    if (end !== "done" && end !== "withdrawn") return;
    const [status] = await this.time.readColumns("workflows", "status", id);
    if (status === "completed") return;
    const completion_reason = end === "done" ? "complete" : "withdrawn";
    await this.time.update({ who: manager, at, account }, "workflow", id, { status: "completed", completion_reason });
  }

  /** Links the request that led to the workflow: it waits for the workflow from now on. */
  private async linkRequest(
    workflow: number,
    manager: string,
    account: string,
    template: string,
    at: Date,
  ): Promise<void> {
    const about = (
      {
        joiner: "access",
        leaver: "access",
        hardware: "computer",
        network: "network",
        "erp-release": "erp",
        "fm-works": "buildings",
        "fm-move": "moves",
      } as Record<string, string>
    )[template];
    for (const one of this.cases) {
      if (one.id === null || one.isTakenOver || at.getTime() - one.createdAt.getTime() > 12 * 86_400_000) continue;
      if (one.account !== account || one.scenario.about !== about) continue;
      const [status, team, member] = await this.time.readColumns("requests", "status, team_id, member_id", one.id);
      if (!openStatuses.includes(String(status)) || one.scenario.category === "compliment") continue;
      const [first] = (teams.rows[this.teamNames.get(Number(team)) ?? ""]?.members ?? []) as readonly string[];
      if (member === null && first === undefined) continue;
      one.isTakenOver = true;
      return this.time.update({ who: manager, at, account }, "request", one.id, {
        workflow,
        member: member === null ? this.time.getId("person", String(first)) : Number(member),
        status: "workflow_pending",
      });
    }
  }
}
