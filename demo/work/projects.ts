import type { SeededRandom } from "../loader/seeded-random.ts";
import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

type PlannedProject = {
  subject: string;
  account: string;
  manager: string;
  fields: Readonly<Record<string, string>>;
  service: string;
  customer: string;
  daysAgo: number;
  tasks: readonly string[];
  /** how many of the tasks are finished by now */
  finished: number;
  owner: string;
  assignee: string;
  note: string;
};

const software = ["charter", "go-ahead", "design", "build", "migrate", "train", "live", "evaluate"];
const replacement = ["charter", "go-ahead", "migrate", "live", "evaluate"];
const it = { account: "quillhaven-it", work_hours: "europe-hours" };
const fm = { account: "quillhaven-fm", work_hours: "fm-hours" };

// biome-ignore format: a table keeps its columns
const projects: readonly (PlannedProject & { work_hours: string })[] = [
  { ...it, subject: "Downloadable certificates for customers",   manager: "sunniva", owner: "elsie",  assignee: "marek",  service: "portal",    customer: "care",            daysAgo: 88, tasks: software,    finished: 8, fields: { category: "application",    risk_level: "low",    justification: "improvement", program: "Customer first" }, note: "Customers ask for it every week." },
  { ...it, subject: "Move servers out of the basement",                manager: "elsie",   owner: "gareth", assignee: "wei",    service: "databases", customer: "it",              daysAgo: 80, tasks: replacement, finished: 3, fields: { category: "infrastructure", risk_level: "medium", justification: "maintenance", program: "Flood protection" }, note: "The river is closer than it looks." },
  { ...it, subject: "Prisma 10",                                manager: "elsie",   owner: "elsie",  assignee: "ruben",  service: "erp",       customer: "finance",         daysAgo: 60, tasks: software,    finished: 2, fields: { category: "application",    risk_level: "high",   justification: "replacement", program: "ERP modernization" }, note: "Support for release 9 ends next year." },
  { ...it, subject: "Audit-ready access records",                   manager: "sunniva", owner: "noor",   assignee: "noor",   service: "access",    customer: "finance",         daysAgo: 45, tasks: replacement, finished: 2, fields: { category: "compliance",     risk_level: "low",    justification: "compliance",  program: "Audit" }, note: "Auditors need to see who had access to what, and when." },
  { ...fm, subject: "Second floor for the Firmware team",              manager: "kofi",    owner: "samir",  assignee: "samir",  service: "buildings", customer: "rnd",             daysAgo: 50, tasks: ["fm-plan", "fm-build", "fm-open"], finished: 1, fields: { category: "building", risk_level: "low", justification: "expansion", program: "Room to think" }, note: "Eleven people share space for eight." },
  { ...fm, subject: "Move the canteen next to the garden",     manager: "kofi",    owner: "samir",  assignee: "carl",   service: "moves",     customer: "workplace",       daysAgo: 20, tasks: ["fm-plan", "fm-build", "fm-open"], finished: 0, fields: { category: "relocation", risk_level: "high", justification: "move", program: "Room to think" }, note: "With a view of the pond." },
];

export function planProjects(time: Timeline, chance: SeededRandom): void {
  for (const plan of projects) {
    const { account, manager } = plan;
    const what = `project ${plan.subject}`;
    const created = nextWorkingMoment(addMinutes(time.now, -plan.daysAgo * 1440));
    const tasks: number[] = [];
    let id = 0;
    time.plan(created, what, async () => {
      id = await time.create({ who: manager, at: created, account }, "project", {
        subject: plan.subject,
        ...plan.fields,
        manager: time.getId("person", manager),
        service: time.getId("service", plan.service),
        customer: time.getId("organization", plan.customer),
        work_hours: time.getId("calendar", plan.work_hours),
        time_zone: "Amsterdam",
        note: plan.note,
      });
      for (const template of plan.tasks)
        tasks.push(await addTask(time, plan, { project: id, template, previous: tasks.at(-1), at: created }));
    });
    let at = created;
    plan.tasks.slice(0, plan.finished + 1).forEach((template, index) => {
      const share = (plan.daysAgo * 1440) / (plan.finished + 1);
      const begun = nextWorkingMoment(addMinutes(created, share * index + chance.between(60, 600)));
      at = nextWorkingMoment(addMinutes(created, share * (index + 1) - chance.between(600, 1400)));
      const finished = at;
      const isLast = index === plan.finished;
      time.plan(begun, what, () => begin(time, plan, tasks[index] as number, template, begun));
      if (!isLast) time.plan(finished, what, () => finish(time, plan, tasks[index] as number, template, finished));
    });
    if (plan.finished < plan.tasks.length) continue;
    const end = addMinutes(at, 30);
    time.plan(end, what, async () => {
      const [status] = await time.readColumns("projects", "status", id);
      if (status !== "completed")
        await time.update({ who: manager, at: end, account }, "project", id, {
          status: "completed",
          completion_reason: "complete",
        });
    });
  }
}

const categories: Readonly<Record<string, string>> = {
  "go-ahead": "approval",
  live: "milestone",
  "fm-open": "milestone",
};
const getCategory = (template: string): string => categories[template] ?? "activity";

async function addTask(
  time: Timeline,
  { account, manager, owner, assignee }: PlannedProject,
  { project, template, previous, at }: { project: number; template: string; previous: number | undefined; at: Date },
): Promise<number> {
  const fields = {
    template: time.getId("project_task_template", template),
    ...(previous === undefined ? {} : { predecessors: [previous] }),
  };
  const id = await time.create({ who: manager, at, account }, "project_task", fields, { project });
  if (getCategory(template) === "milestone") return id;
  const who = getCategory(template) === "approval" ? owner : assignee;
  const assignment = { assignee: time.getId("person", who), planned_effort: 240 };
  await time.create({ who: manager, at, account }, "project_task_assignment", assignment, { project_task: id });
  return id;
}

async function begin(
  time: Timeline,
  { account, manager }: PlannedProject,
  id: number,
  template: string,
  at: Date,
): Promise<void> {
  const [status] = await time.readColumns("project_tasks", "status", id);
  if (status === "registered")
    await time.update({ who: manager, at, account }, "project_task", id, { status: "assigned" });
  if (getCategory(template) === "activity" && ["registered", "assigned"].includes(String(status)))
    await time.update({ who: manager, at, account }, "project_task", id, { status: "in_progress" });
}

async function finish(
  time: Timeline,
  { account, manager, owner }: PlannedProject,
  id: number,
  template: string,
  at: Date,
): Promise<void> {
  const [status] = await time.readColumns("project_tasks", "status", id);
  if (status === "completed" || status === "approved") return;
  if (getCategory(template) === "approval")
    return time.update({ who: owner, at, account }, "project_task", id, { status: "approved", note: "Go ahead." });
  const spent = getCategory(template) === "activity" ? { time_spent: 240 } : {};
  return time.update({ who: manager, at, account }, "project_task", id, { status: "completed", ...spent });
}
