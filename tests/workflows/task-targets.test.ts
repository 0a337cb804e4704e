import { describe, expect, test } from "vitest";
import { getActiveTime } from "../../server/business-time/active-time.ts";
import type { Caller } from "../../server/engine/caller.ts";
import { calculateTaskTargets, createTargetLoader } from "../../server/rules/task-graph/task-targets.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { world } from "../support/world.ts";

// Anticipated assignment and completion targets of tasks: TK14, TK15, PT7, WF12.

const { as, clock, service, sql } = await world();
const admin = as("administrator");
const { named, make } = serviceAgreements(admin);
const { workflow, task, project, projectTask } = workflowHelpers(admin);
const amsterdam = (text: string) => `2025-06-${text}+02:00`;
const at = (text: string) => Date.parse(amsterdam(text));

describe("the tasks of a workflow", () => {
  const hours = getActiveTime(null, "Etc/UTC");
  const facts = (id: number, members: object = {}) => ({
    id,
    status: "registered",
    planned_duration: 60,
    assigned_at: null,
    start_at: null,
    finished_at: null,
    predecessors: [],
    hours,
    ...members,
  });
  const computeTargets = (
    tasks: ReturnType<typeof facts>[],
    container = { isOpen: true, start_at: null as number | null },
  ) =>
    tasks.map(({ id }) => {
      const found = calculateTaskTargets(tasks, container, at("03T09:00:00")).get(id);
      return [found?.anticipated_assignment_at ?? null, found?.completion_target_at ?? null];
    });

  test("TK15: a task starts after its predecessors and not before start_at, or now without predecessors", () => {
    expect(
      computeTargets([
        facts(1, { status: "completed", finished_at: at("03T08:00:00") }),
        facts(2, { status: "assigned", assigned_at: at("03T08:30:00") }),
        facts(3, { predecessors: [1, 2] }),
        facts(4, { predecessors: [3], start_at: at("03T12:00:00") }),
        facts(5),
      ]),
    ).toEqual([
      [null, null],
      [null, at("03T09:30:00")],
      [at("03T09:30:00"), at("03T10:30:00")],
      [at("03T12:00:00"), at("03T13:00:00")],
      [at("03T09:00:00"), at("03T10:00:00")],
    ]);
  });

  test("a workflow that starts later, or is completed", () => {
    expect(computeTargets([facts(1)], { isOpen: true, start_at: at("04T09:00:00") })).toEqual([
      [at("04T09:00:00"), at("04T10:00:00")],
    ]);
    expect(computeTargets([facts(1)], { isOpen: false, start_at: null })).toEqual([[null, null]]);
  });

  test("a task of unknown duration has no target, and neither do its successors", () => {
    expect(computeTargets([facts(1, { planned_duration: null }), facts(2, { predecessors: [1] })])).toEqual([
      [at("03T09:00:00"), null],
      [null, null],
    ]);
  });
});

describe("stored tasks", () => {
  const computePlanned = async (kind: "workflow" | "project", { id }: { id: number }) => {
    const moved = await service.engine.database.transaction((tx) =>
      createTargetLoader(kind)({ tx, account: "widget-it", by: { now: clock.now() } as Caller }, id),
    );
    return [...moved].map(([task, { after }]) => [task, after]);
  };
  const format = (text: string) => new Date(amsterdam(text)).toISOString().replace(".000", "");
  const office = async () => {
    const hours = await named("OFFICE");
    return make("/teams", { name: `Team ${Math.random()}`, work_hours_id: hours.id, time_zone: "Amsterdam" });
  };

  // biome-ignore format: a table keeps its columns
  test.each([
    ["in the hours of the team", {},                                           "06T16:30:00"],
    ["from start_at on",         { start_at: amsterdam("09T10:00:00") },       "10T11:30:00"],
    ["24x7",                     { work_hours_are_24x7: true },                "06T01:00:00"],
  ])("TK14: example 26: %s", async (_what, members, expected) => {
    const team = await office();
    await clock.moveTo(amsterdam("05T15:00:00"));
    const one = await workflow();
    const made = await task(one, { planned_duration: 600, team_id: team.id, ...members });
    await sql("UPDATE tasks SET status = 'assigned', assigned_at = $2, completion_target_at = NULL, anticipated_assignment_at = NULL WHERE id = $1", [made.id, amsterdam("05T15:00:00")]);
    const values = { anticipated_assignment_at: null, completion_target_at: format(expected) };
    expect(await computePlanned("workflow", one)).toEqual([[made.id, values]]);
    await sql("UPDATE tasks SET completion_target_at = $2 WHERE id = $1", [made.id, amsterdam(expected)]);
    expect(await computePlanned("workflow", one)).toEqual([]);
    await sql("UPDATE tasks SET status = 'completed' WHERE id = $1", [made.id]);
    expect(await computePlanned("workflow", one)).toEqual([[made.id, { anticipated_assignment_at: null, completion_target_at: null }]]);
  });

  test("PT7: project tasks use the project's hours", async () => {
    const hours = await named("OFFICE");
    const one = await project({ work_hours_id: hours.id, time_zone: "Amsterdam" });
    await clock.moveTo(amsterdam("05T15:00:00"));
    const first = await projectTask(one, { planned_duration: 600 });
    const second = await projectTask(one, { planned_duration: 60, predecessor_ids: [first.id] });
    await sql(
      "UPDATE project_tasks SET completion_target_at = NULL, anticipated_assignment_at = NULL WHERE project_id = $1",
      [one.id],
    );
    await sql("UPDATE project_tasks SET status = 'assigned', assigned_at = $2 WHERE id = $1", [
      first.id,
      amsterdam("05T15:00:00"),
    ]);
    await sql("UPDATE project_tasks SET status = 'registered' WHERE id = $1", [second.id]);
    expect(await computePlanned("project", one)).toEqual([
      [first.id, { anticipated_assignment_at: null, completion_target_at: format("06T16:30:00") }],
      [second.id, { anticipated_assignment_at: format("06T16:30:00"), completion_target_at: format("09T09:00:00") }],
    ]);
  });
});
