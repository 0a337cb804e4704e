import { addMinutes, nextWorkingMoment, type Timeline } from "./timeline.ts";

// A project in the middle of its work, with phases, milestones and people who have too much to do in some weeks.

type PlannedTask = {
  phase: string;
  subject: string;
  template: "charter" | "go-ahead" | "live";
  /** days from now */
  from: number;
  until: number;
  who?: string;
  /** hours */
  effort?: number;
  status?: "completed" | "in_progress";
};

const [work, approval, milestone] = ["charter", "go-ahead", "live"] as const;

// biome-ignore format: a table keeps its columns
const tasks: readonly PlannedTask[] = [
  { phase: "Survey",    subject: "Site survey of the canteen wing",      template: work,      from: -15, until: -9, who: "soren",  effort: 24,  status: "completed" },
  { phase: "Survey",    subject: "Measure signal on 3 floors",   template: work,      from: -8,  until: -3, who: "dana",   effort: 30,  status: "completed" },
  { phase: "Survey",    subject: "Survey signed off",              template: milestone, from: -2,  until: -2,                              status: "completed" },
  { phase: "Design",    subject: "Create cabling plan",          template: work,      from: -1,  until: 11, who: "amara",  effort: 64,  status: "in_progress" },
  { phase: "Design",    subject: "Order access points",        template: work,      from: 5,   until: 12, who: "felix",  effort: 12 },
  { phase: "Design",    subject: "Approve budget",             template: approval,  from: 13,  until: 16, who: "gareth", effort: 1 },
  { phase: "Design",    subject: "Design approved",            template: milestone, from: 17,  until: 17 },
  { phase: "Build",     subject: "Run cables in the canteen",       template: work,      from: 18,  until: 36, who: "dana",   effort: 104 },
  { phase: "Build",     subject: "Install 14 access points",     template: work,      from: 32,  until: 49, who: "soren",  effort: 96 },
  { phase: "Build",     subject: "Cutover",                   template: work,      from: 50,  until: 57, who: "amara",  effort: 44 },
  { phase: "Build",     subject: "Wi-Fi live",              template: milestone, from: 58,  until: 58 },
  { phase: "Handover", subject: "Train the service desk",     template: work,      from: 59,  until: 66, who: "dana",   effort: 12 },
  { phase: "Handover", subject: "Write knowledge article",          template: work,      from: 62,  until: 69, who: "soren",  effort: 8 },
  { phase: "Handover", subject: "Close",                      template: milestone, from: 72,  until: 72 },
];
const account = "quillhaven-it";
const manager = "elsie";
const [day, workday] = [1440, 480];

export function planCanteenProject(time: Timeline): void {
  const created = nextWorkingMoment(addMinutes(time.now, -18 * day));
  const ids = new Map<string, number>();
  const at = (days: number) => nextWorkingMoment(addMinutes(time.now, days * day));
  time.plan(created, "the canteen wing", async () => {
    const actor = { who: manager, at: created, account };
    const project = await time.create(actor, "project", {
      subject: "Wi-Fi in the canteen wing",
      category: "infrastructure",
      risk_level: "medium",
      justification: "improvement",
      program: "Flood protection",
      effort: 400,
      cost_of_effort: "22000",
      cost_of_purchases: "36000",
      value: "64000",
      value_currency: "eur",
      manager: time.getId("person", manager),
      service: time.getId("service", "network"),
      customer: time.getId("organization", "workplace"),
      work_hours: time.getId("calendar", "building-hours"),
      time_zone: "Amsterdam",
      note: "People want to work where the coffee is.",
    });
    for (const risk of ["one-line", "one-person"])
      await time.link(actor, "project", project, "risks", time.getId("risk", risk));
    const phases = new Map<string, number>();
    for (const name of new Set(tasks.map(({ phase }) => phase)))
      phases.set(name, await time.create(actor, "project_phase", { name }, { project }));
    let previous: readonly number[] = [];
    for (const task of tasks) {
      const id = await addTask(time, task, { created, project, phase: phases.get(task.phase) as number, previous });
      ids.set(task.subject, id);
      // Two tasks that run beside each other wait for the same one, and what follows waits for both.
      if (["Order access points", "Write knowledge article"].includes(task.subject)) previous = [...previous, id];
      else previous = [id];
    }
  });
  for (const { subject, from, until, status, effort, template } of tasks) {
    if (status === undefined) continue;
    const [begun, done] = [at(from), at(until)];
    const actor = { who: manager, account };
    const id = () => ids.get(subject) as number;
    if (template === work)
      time.plan(begun, subject, () =>
        time.update({ ...actor, at: begun }, "project_task", id(), { status: "in_progress" }),
      );
    if (status === "completed")
      time.plan(done, subject, async () => {
        const [now] = await time.readColumns("project_tasks", "status", id());
        if (now === "completed") return;
        const spent = effort === undefined ? {} : { time_spent: effort * 60 };
        await time.update({ ...actor, at: done }, "project_task", id(), { status: "completed", ...spent });
      });
  }
}

type TaskPlace = { created: Date; project: number; phase: number; previous: readonly number[] };

async function addTask(time: Timeline, task: PlannedTask, place: TaskPlace): Promise<number> {
  const { created, project, phase, previous } = place;
  const actor = { who: manager, at: created, account };
  const isMilestone = task.template === milestone;
  const id = await time.create(
    actor,
    "project_task",
    {
      subject: task.subject,
      template: time.getId("project_task_template", task.template),
      planned_duration: isMilestone ? 0 : Math.max(Math.round(((task.until - task.from) * 5) / 7), 1) * workday,
      planned_effort: (task.effort ?? 0) * 60,
      ...(isMilestone
        ? { deadline: addMinutes(time.now, (task.until + 1) * day).toISOString() }
        : { start_at: nextWorkingMoment(addMinutes(time.now, task.from * day)).toISOString() }),
      predecessors: previous,
    },
    { project, phase },
  );
  if (task.who !== undefined)
    await time.create(
      actor,
      "project_task_assignment",
      { assignee: time.getId("person", task.who), planned_effort: (task.effort ?? 0) * 60 },
      { project_task: id },
    );
  return id;
}
