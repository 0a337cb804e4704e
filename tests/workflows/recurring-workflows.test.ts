import { describe, expect, test } from "vitest";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Running recurrences: RC11 to RC29. V1 to V12 are test vectors, not rules.

const { as, clock, service, sql, log } = await world();
const admin = as("administrator");
const make = workflowHelpers(admin);

const type = await make.workflowType();
const needed = {
  service_id: 1,
  category: "standard",
  justification: "maintenance",
  workflow_type: type.reference,
  workflow_manager_id: 1,
};
type Hash = Record<string, unknown>;
const createTemplate = (recurrence: Hash | null, members: Hash = {}) =>
  make.workflowTemplate({ subject: "Check the generators", ...needed, recurrence, ...members });
const create = async (path: string, members: Hash) => {
  const reply = await admin.post(path, members);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
let made = 0;
const createProduct = async (members: Hash = {}) => {
  const { reference } = await create("/product_categories", {
    name: `Generator ${++made}`,
    group: "Power",
    rule_set: "physical_asset",
  });
  return create("/products", {
    name: `P${made}`,
    brand: "B",
    model: "M",
    category: reference,
    support_team_id: 1,
    ...members,
  });
};
const createItem = async (recurrence: Hash | undefined, members: Hash = {}) =>
  create("/cis", {
    product_id: (await createProduct()).id,
    status: "in_production",
    workflow_template_id: (await createTemplate(null)).id,
    workflow_manager_id: 1,
    ...(recurrence === undefined ? {} : { recurrence }),
    ...members,
  });

const read = async (path: string) => (await admin.get(path)).body.recurrence;
const at = (stamp: string | null | undefined) => (stamp == null ? null : new Date(stamp).toISOString());
const loadNext = async (path: string) => at((await read(path)).next_occurrence_at);
const loadWorkflows = async (id: number) => (await admin.get(`/workflow_templates/${id}/workflows?sort=id`)).body;
const buildPath = ({ id }: { id: number }) => `/workflow_templates/${id}`;

const weekdays = "1,2,3,4,5";
// biome-ignore format: the table of the reference
const V: Record<string, Hash> = {
  V1:  { frequency: "yearly", day_of_week: true, day_of_week_index: "first", day_of_week_day: "monday", month_of_year: "1,4,7,10", time_of_day: "09:00", time_zone: "Amsterdam", start_date: "2025-01-15" },
  V2:  { frequency: "daily", day: weekdays, time_of_day: "07:30", time_zone: "America/New_York", start_date: "2025-03-03" },
  V3:  { frequency: "daily", interval: 3, day: weekdays, time_of_day: "07:30", time_zone: "America/New_York", start_date: "2025-03-03" },
  V4:  { frequency: "weekly", interval: 2, time_of_day: "22:15", time_zone: "Amsterdam", start_date: "2025-02-26" },
  V5:  { frequency: "monthly", day_of_month: "31", time_of_day: "06:00", time_zone: "Amsterdam", start_date: "2025-01-31" },
  V6:  { frequency: "monthly", day_of_month: "15,-1", time_of_day: "18:00", time_zone: "Amsterdam", start_date: "2025-01-01" },
  V7:  { frequency: "monthly", interval: 3, day_of_week: true, day_of_week_index: "last", day_of_week_day: "friday", time_of_day: "23:30", time_zone: "America/New_York", start_date: "2025-01-10" },
  V8:  { frequency: "yearly", month_of_year: "2,8", time_of_day: "12:00", time_zone: "Amsterdam", start_date: "2024-02-29" },
  V9:  { frequency: "weekly", end_date: "2025-04-07", time_of_day: "02:30", time_zone: "Amsterdam", start_date: "2025-03-24" },
  V10: { frequency: "no_repeat", time_of_day: "02:30", time_zone: "Amsterdam", start_date: "2025-03-30" },
  V11: { frequency: "no_repeat", time_of_day: "02:30", time_zone: "Amsterdam", start_date: "2025-10-26" },
  V12: { frequency: "weekly", time_of_day: "09:00", time_zone: "Amsterdam", start_date: "2025-04-14" },
};

/** Creates a calendar with Monday to Friday, 08:30 to 17:00, and a holiday on 21 April 2025. */
async function createCalendar() {
  const calendar_hours = ["mon", "tue", "wed", "thu", "fri"].map((weekday) => ({
    weekday,
    time_from: "08:30",
    time_until: "17:00",
  }));
  const calendar = await make.calendar();
  for (const hours of calendar_hours)
    expect((await admin.post(`/calendars/${calendar.id}/calendar_hours`, hours)).status).toBeLessThan(300);
  const holiday = await create("/holidays", {
    name: `Easter Monday ${++made}`,
    start_at: "2025-04-21T00:00:00",
    end_at: "2025-04-22T00:00:00",
  });
  expect((await admin.post(`/calendars/${calendar.id}/holidays/${holiday.id}`)).status).toBeLessThan(300);
  return { calendar, holiday };
}
const withCalendar = async (name: string): Promise<Hash> =>
  name === "V12" ? { ...V.V12, calendar_id: (await createCalendar()).calendar.id } : (V[name] as Hash);

describe("the test vectors", () => {
  // biome-ignore format: the table of the reference
  const vectors: [string, string, string | null][] = [
    ["V1",  "2025-01-15T00:00Z",    "2025-04-07T09:00:00+02:00"],
    ["V1",  "2025-04-07T07:00Z",    "2025-07-07T09:00:00+02:00"],
    ["V1",  "2025-10-06T06:59:59Z", "2025-10-06T09:00:00+02:00"],
    ["V2",  "2025-03-07T12:30Z",    "2025-03-10T07:30:00-04:00"],
    ["V3",  "2025-03-06T12:30Z",    "2025-03-12T07:30:00-04:00"],
    ["V4",  "2025-02-27T00:00Z",    "2025-03-12T22:15:00+01:00"],
    ["V5",  "2025-01-31T05:00Z",    "2025-03-31T06:00:00+02:00"],
    ["V5",  "2025-03-31T04:00Z",    "2025-05-31T06:00:00+02:00"],
    ["V6",  "2025-02-15T17:00Z",    "2025-02-28T18:00:00+01:00"],
    ["V7",  "2025-01-10T00:00Z",    "2025-01-31T23:30:00-05:00"],
    ["V7",  "2025-02-01T05:00Z",    "2025-04-25T23:30:00-04:00"],
    ["V8",  "2024-08-29T10:00Z",    "2025-08-29T12:00:00+02:00"],
    ["V9",  "2025-04-01T00:00Z",    "2025-04-07T02:30:00+02:00"],
    ["V9",  "2025-04-07T00:30Z",    null],
    ["V10", "2025-03-01T00:00Z",    "2025-03-30T03:30:00+02:00"],
    ["V11", "2025-10-01T00:00Z",    "2025-10-26T02:30:00+02:00"],
    ["V12", "2025-04-14T07:00Z",    "2025-04-28T09:00:00+02:00"],
  ];

  test.each(vectors)("RC11: %s, defined at %s, occurs next at %s", async (name, after, expected) => {
    await clock.moveTo(after);
    const one = await createTemplate(await withCalendar(name));
    expect(at(one.recurrence.next_occurrence_at)).toBe(at(expected));
    expect(
      await sql("SELECT run_at FROM jobs WHERE kind = 'occurrence' AND key = $1", [`workflow_template ${one.id}`]),
    ).toEqual(expected === null ? [] : [{ run_at: new Date(expected) }]);
    await admin.patch(buildPath(one), { recurrence: null });
  });

  test.each(vectors)("%s, defined long before and run until %s, occurs next at %s", async (name, after, expected) => {
    await clock.moveTo("2024-01-01T00:00:00Z");
    const one = await createTemplate(await withCalendar(name));
    const first = at(one.recurrence.next_occurrence_at) as string;
    await clock.moveTo(after);
    const { next_occurrence_at, last_occurrence_at, last_occurrence_object } = await read(buildPath(one));
    expect(at(next_occurrence_at)).toBe(at(expected));
    // Nothing was due before the first occurrence. Of several missed ones, one was caught up.
    const hasRun = first <= (at(after) as string);
    expect(last_occurrence_at !== null).toBe(hasRun);
    expect((await loadWorkflows(one.id)).map(({ id }: { id: number }) => id)).toEqual(
      hasRun ? [last_occurrence_object.id] : [],
    );
    await admin.patch(buildPath(one), { recurrence: null });
  });
});

const daily = { frequency: "daily", time_of_day: "09:00", time_zone: "Amsterdam", start_date: "2025-05-01" };
const weekly = { ...daily, frequency: "weekly", start_date: "2025-05-05" };
/** 09:00 in Amsterdam, in summer */
const nine = (date: string) => `${date}T07:00:00.000Z`;

describe("a run", () => {
  test("RC21, RC23: at next_occurrence_at a workflow is created from the template, with its manager, and its first tasks are assigned", async () => {
    await clock.moveTo("2025-05-01T00:00:00Z");
    const first = await make.taskTemplate({ subject: "Fuel", team_id: 1, planned_duration: 30 });
    const one = await createTemplate(daily, { note: "Every morning." });
    const relation = await create(`${buildPath(one)}/task_template_relations`, { task_template_id: first.id });
    expect(relation.id).toBeGreaterThan(0);
    await clock.moveTo("2025-05-01T06:59:59Z");
    expect(await loadWorkflows(one.id)).toEqual([]);
    await clock.moveTo("2025-05-01T07:00:00Z");
    const [{ id }] = await loadWorkflows(one.id);
    const { body: workflow } = await admin.get(`/workflows/${id}`);
    expect(workflow).toMatchObject({
      subject: "Check the generators",
      category: "standard",
      justification: "maintenance",
      workflow_type: type.reference,
      service: { id: 1 },
      manager: { id: 1 },
      template: { id: one.id },
      start_at: null,
      status: "in_progress",
      source: null,
    });
    expect(at(workflow.created_at)).toBe(nine("2025-05-01"));
    const { body: tasks } = await admin.get(`/workflows/${id}/tasks`);
    expect(tasks).toEqual([expect.objectContaining({ subject: "Fuel", status: "assigned" })]);
    expect((await admin.get(`/workflows/${id}/notes`)).body).toEqual([
      expect.objectContaining({ text: "Every morning." }),
    ]);
    const { recurrence, times_applied } = (await admin.get(buildPath(one))).body;
    expect(times_applied).toBe(1);
    expect(recurrence).toMatchObject({
      last_occurrence_object: { id, subject: "Check the generators" },
      last_occurrence_errors: null,
      next_occurrence_errors: null,
    });
    expect([recurrence.last_occurrence_at, recurrence.next_occurrence_at].map(at)).toEqual(
      ["2025-05-01", "2025-05-02"].map(nine),
    );
    await admin.patch(buildPath(one), { recurrence: { disabled: true } });
  });

  test("RC25: it fires the events of a normal create, without a person, and the change of the owner has no actor", async () => {
    await clock.moveTo("2025-05-02T00:00:00Z");
    const one = await createTemplate(daily);
    const before = (await admin.get(`${buildPath(one)}/audit`)).body;
    await clock.moveTo("2025-05-02T07:00:30Z");
    const [{ id }] = await loadWorkflows(one.id);
    expect(
      await sql("SELECT event, person_id FROM events WHERE record_type = 'workflow' AND record_id = $1", [id]),
    ).toContainEqual({ event: "workflow.create", person_id: null });
    const [line] = (await admin.get(`/workflows/${id}/audit`)).body;
    expect(line).toMatchObject({ action: "create", created_by: null });
    expect((await admin.get(`${buildPath(one)}/audit`)).body).toEqual(before);
    await admin.patch(buildPath(one), { recurrence: { disabled: true } });
  });

  test("RC29: a run happens even if the previous workflow is still open", async () => {
    await clock.moveTo("2025-05-03T00:00:00Z");
    const one = await createTemplate(daily);
    for (const day of ["03", "04", "05"]) await clock.moveTo(`2025-05-${day}T07:00:00Z`);
    expect(await loadWorkflows(one.id)).toHaveLength(3);
    await admin.patch(buildPath(one), { recurrence: { disabled: true } });
  });

  test("RC27: only the latest missed occurrence is caught up, once", async () => {
    await clock.moveTo("2025-05-06T00:00:00Z");
    const one = await createTemplate(daily);
    await clock.moveTo("2025-05-20T12:00:00Z");
    expect(await loadWorkflows(one.id)).toHaveLength(1);
    const { last_occurrence_at, next_occurrence_at } = await read(buildPath(one));
    expect([last_occurrence_at, next_occurrence_at].map(at)).toEqual(["2025-05-20", "2025-05-21"].map(nine));
    await admin.patch(buildPath(one), { recurrence: { disabled: true } });
  });

  test("RC28: a run is identified by owner and scheduled time, so a retry creates no second workflow", async () => {
    await clock.moveTo("2025-05-21T00:00:00Z");
    const one = await createTemplate(daily);
    const [job] = await sql<{ payload: string; key: string }>(
      "SELECT payload, key FROM jobs WHERE kind = 'occurrence' AND key = $1",
      [`workflow_template ${one.id}`],
    );
    await clock.moveTo("2025-05-21T07:00:00Z");
    for (let again = 0; again < 3; again++)
      await sql(
        "INSERT INTO jobs (account_id, kind, key, payload, run_at) VALUES ('widget-it', 'occurrence', $1, $2, '2025-01-01')",
        [`again ${again}`, job?.payload],
      );
    await service.worker.runDue();
    expect(await loadWorkflows(one.id)).toHaveLength(1);
    await admin.patch(buildPath(one), { recurrence: { disabled: true } });
  });

  test("RC17: daylight saving changes don't move it: the time of day is in its time zone", async () => {
    await clock.moveTo("2025-10-24T12:00:00Z");
    const one = await createTemplate({ ...daily, time_of_day: "02:30", start_date: "2025-10-25" });
    const runs: (string | null)[] = [];
    for (let hour = 0; hour < 4 * 24; hour++) {
      await clock.pass(1800);
      const last = at((await read(buildPath(one))).last_occurrence_at);
      if (last !== null && runs.at(-1) !== last) runs.push(last);
    }
    expect(runs).toEqual(["2025-10-25T00:30:00.000Z", "2025-10-26T00:30:00.000Z"]);
    expect(await loadWorkflows(one.id)).toHaveLength(2);
    expect(await loadNext(buildPath(one))).toBe("2025-10-27T01:30:00.000Z");
    await admin.patch(buildPath(one), { recurrence: { disabled: true } });
  });

  test("RC26: the error is stored, the schedule continues and the workflow manager is notified", async () => {
    await clock.moveTo("2025-06-02T00:00:00Z");
    const manager = await create("/people", {
      name: "Max Manager",
      primary_email: `max${++made}@widget.example`,
      organization_id: 1,
    });
    const one = await createTemplate(daily, { workflow_manager_id: manager.id });
    const ci = await createItem(daily, { workflow_manager_id: manager.id });
    await clock.moveTo("2025-06-02T07:00:00Z");
    expect(await loadWorkflows(one.id)).toEqual([]);
    const failed = await read(buildPath(one));
    expect(failed).toMatchObject({ last_occurrence_errors: "Manager is not valid", last_occurrence_object: null });
    expect([failed.last_occurrence_at, failed.next_occurrence_at].map(at)).toEqual(
      ["2025-06-02", "2025-06-03"].map(nine),
    );
    await service.notificationDispatcher.runDue();
    const mails = await sql<{ subject: string; body: string }>(
      "SELECT trigger, subject, body FROM mails WHERE recipient = $1 AND trigger LIKE '%failed' ORDER BY trigger",
      [manager.primary_email],
    );
    await admin.patch(`/cis/${ci.id}`, { recurrence: null });
    const email = { subject: "Scheduled workflow not created", body: expect.stringContaining("Manager is not valid") };
    expect(mails).toEqual([
      { trigger: "ci/recurrence_failed", ...email },
      { trigger: "workflow_template/recurrence_failed", ...email },
    ]);
    expect((await admin.get(buildPath(one))).body.times_applied).toBe(0);
    await admin.patch(buildPath(one), { workflow_manager_id: 1 });
    await clock.moveTo("2025-06-03T07:00:00Z");
    expect(await loadWorkflows(one.id)).toHaveLength(1);
    expect((await read(buildPath(one))).last_occurrence_errors).toBe(null);
    await admin.patch(buildPath(one), { recurrence: { disabled: true } });
  });
});

describe("next_occurrence_at", () => {
  test("RC12: is null when the recurrence is disabled, none is left, or the template is disabled", async () => {
    await clock.moveTo("2025-06-10T00:00:00Z");
    const one = await createTemplate(daily);
    const path = buildPath(one);
    const loadNextAfter = async (members: Hash) => {
      expect((await admin.patch(path, members)).status).toBe(200);
      return loadNext(path);
    };
    expect(await loadNext(path)).toBe(nine("2025-06-10"));
    expect(await loadNextAfter({ recurrence: { disabled: true } })).toBe(null);
    expect(await loadNextAfter({ recurrence: { disabled: false } })).toBe(nine("2025-06-10"));
    expect(await loadNextAfter({ disabled: true })).toBe(null);
    expect(
      await sql("SELECT 1 FROM jobs WHERE kind = 'occurrence' AND key = $1", [`workflow_template ${one.id}`]),
    ).toEqual([]);
    await clock.moveTo("2025-06-12T12:00:00Z");
    expect(await loadNextAfter({ disabled: false })).toBe(nine("2025-06-13"));
    expect(await loadNextAfter({ recurrence: { end_date: "2025-06-12" } })).toBe(null);
    expect(await loadNextAfter({ recurrence: { end_date: "2025-06-13" } })).toBe(nine("2025-06-13"));
    await clock.moveTo("2025-07-01T00:00:00Z");
    expect(await loadNext(path)).toBe(null);
    expect(await loadWorkflows(one.id)).toHaveLength(1);
    expect(await loadNextAfter({ recurrence: null, subject: "Over" }).catch(() => "no hash")).toBe("no hash");
  });

  test("RC13, RC14: is recomputed on every change of the recurrence, and a date already used is not repeated", async () => {
    await clock.moveTo("2025-06-16T00:00:00Z");
    const one = await createTemplate(daily);
    const path = buildPath(one);
    await clock.moveTo("2025-06-16T08:00:00Z");
    const { body } = await admin.patch(path, { recurrence: { time_of_day: "11:00" } });
    expect(at(body.recurrence.next_occurrence_at)).toBe("2025-06-16T09:00:00.000Z");
    expect(at(body.recurrence.last_occurrence_at)).toBe(nine("2025-06-16"));
    const moved = await admin.patch(path, { recurrence: { time_zone: "London" } });
    expect(at(moved.body.recurrence.next_occurrence_at)).toBe("2025-06-16T10:00:00.000Z");
    const later = await admin.patch(path, { recurrence: { frequency: "weekly", day: "3" } });
    expect(at(later.body.recurrence.next_occurrence_at)).toBe("2025-06-18T10:00:00.000Z");
    // The machine's clock is set back: past runs aren't repeated.
    await clock.moveTo("2025-06-15T00:00:00Z");
    const back = await admin.patch(path, {
      recurrence: { frequency: "daily", day: null, time_of_day: "09:00", time_zone: "Amsterdam" },
    });
    expect(at(back.body.recurrence.next_occurrence_at)).toBe(nine("2025-06-17"));
    await admin.patch(path, { recurrence: null });
  });

  test("other changes don't affect it", async () => {
    await clock.moveTo("2025-06-16T00:00:00Z");
    const one = await createTemplate(daily);
    await admin.patch(buildPath(one), { subject: "Another" });
    const [line] = (await admin.get(`${buildPath(one)}/audit`)).body;
    expect(line.changes).toEqual({ subject: ["Check the generators", "Another"] });
    await admin.patch(buildPath(one), { recurrence: null });
  });

  test("a change while a run is due doesn't lose the run", async () => {
    await clock.moveTo("2025-06-17T00:00:00Z");
    const one = await createTemplate(daily);
    // Another process holds its job.
    await sql("UPDATE jobs SET leased_until = now() + interval '1 hour' WHERE kind = 'occurrence' AND key = $1", [
      `workflow_template ${one.id}`,
    ]);
    await clock.moveTo("2025-06-17T07:00:05Z");
    const { body } = await admin.patch(buildPath(one), { recurrence: { end_date: "2025-06-30" } });
    expect(at(body.recurrence.next_occurrence_at)).toBe(nine("2025-06-17"));
    await sql("UPDATE jobs SET leased_until = NULL WHERE kind = 'occurrence'");
    await service.worker.runDue();
    expect(await loadWorkflows(one.id)).toHaveLength(1);
    expect(await loadNext(buildPath(one))).toBe(nine("2025-06-18"));
    await admin.patch(buildPath(one), { recurrence: null });
  });

  test("RC13: follows its calendar and the calendar's holidays", async () => {
    await clock.moveTo("2025-04-14T07:30:00Z");
    const { calendar, holiday } = await createCalendar();
    const one = await createTemplate({ ...V.V12, calendar_id: calendar.id });
    const next = async () => {
      await service.worker.runDue();
      return loadNext(buildPath(one));
    };
    expect(await next()).toBe("2025-04-28T07:00:00.000Z");
    expect((await admin.delete(`/calendars/${calendar.id}/holidays/${holiday.id}`)).status).toBe(204);
    expect(await next()).toBe("2025-04-21T07:00:00.000Z");
    await admin.post(`/calendars/${calendar.id}/holidays/${holiday.id}`);
    expect(await next()).toBe("2025-04-28T07:00:00.000Z");
    await admin.patch(`/holidays/${holiday.id}`, { end_at: "2025-04-29T00:00:00" });
    expect(await next()).toBe("2025-05-05T07:00:00.000Z");
    const [monday] = (await admin.get(`/calendars/${calendar.id}/calendar_hours`)).body;
    const hours = await sql<{ id: number }>(
      "SELECT id FROM calendar_hours WHERE calendar_id = $1 AND weekday = 'mon'",
      [calendar.id],
    );
    expect(monday.weekday).toBe("mon");
    await admin.patch(`/calendars/${calendar.id}/calendar_hours/${hours[0]?.id}`, { time_from: "10:00" });
    expect(await next()).toBe(null);
    await admin.patch(`/calendars/${calendar.id}/calendar_hours/${hours[0]?.id}`, { time_from: "09:00" });
    expect(await next()).toBe("2025-05-05T07:00:00.000Z");
    await clock.moveTo("2025-05-05T07:00:00Z");
    expect(await loadWorkflows(one.id)).toHaveLength(1);
    await admin.patch(buildPath(one), { recurrence: null });
  });

  test("RC16: an occurrence outside the calendar is dropped, not moved, even if the calendar has just changed", async () => {
    await clock.moveTo("2025-05-12T00:00:00Z");
    const { calendar } = await createCalendar();
    const one = await createTemplate({ ...daily, calendar_id: calendar.id });
    expect(await loadNext(buildPath(one))).toBe(nine("2025-05-12"));
    const [hours] = await sql<{ id: number }>(
      "SELECT id FROM calendar_hours WHERE calendar_id = $1 AND weekday = 'mon'",
      [calendar.id],
    );
    await clock.moveTo("2025-05-12T06:59:59Z");
    await sql("UPDATE calendar_hours SET time_from = '12:00' WHERE id = $1", [hours?.id]);
    await clock.moveTo("2025-05-12T07:00:00Z");
    expect(await loadWorkflows(one.id)).toEqual([]);
    expect(await read(buildPath(one))).toMatchObject({ last_occurrence_at: null });
    expect(await loadNext(buildPath(one))).toBe(nine("2025-05-13"));
    await admin.patch(buildPath(one), { recurrence: null });
  });
});

describe("a configuration item", () => {
  test("RC10: requires a workflow template and a workflow manager", async () => {
    const body = { product_id: (await createProduct()).id, status: "in_production", recurrence: weekly };
    expect(describeErrors(await admin.post("/cis", body))).toEqual([
      "recurrence: Recurrence is not valid without workflow_template",
      "recurrence: Recurrence is not valid without workflow_manager",
    ]);
    const one = await createItem(weekly);
    expect(describeErrors(await admin.patch(`/cis/${one.id}`, { workflow_manager_id: null }))).toEqual([
      "recurrence: Recurrence is not valid without workflow_manager",
    ]);
    await admin.patch(`/cis/${one.id}`, { recurrence: null });
    expect((await admin.patch(`/cis/${one.id}`, { workflow_manager_id: null })).status).toBe(200);
  });

  test("RC22, RC24: creates workflows from its template, with its own manager; the item and its service instances are linked to the implementation tasks", async () => {
    await clock.moveTo("2025-05-05T00:00:00Z");
    await sql(
      "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-it', 9, 'workflow_manager', now()) ON CONFLICT DO NOTHING",
    );
    const workflow_template_id = (await createTemplate(null)).id;
    for (const [subject, category] of [
      ["Check it", "risk_and_impact"],
      ["Oil it", "implementation"],
      ["Clean it", "implementation"],
    ])
      await create(`/workflow_templates/${workflow_template_id}/task_template_relations`, {
        task_template_id: (await make.taskTemplate({ subject, category, team_id: 1 })).id,
      });
    const one = await createItem(weekly, { workflow_template_id, workflow_manager_id: 9 });
    const instance = await create("/service_instances", {
      name: `Power ${++made}`,
      service_id: 1,
      support_team_id: 1,
      status: "in_production",
    });
    expect((await admin.post(`/service_instances/${instance.id}/cis/${one.id}`)).status).toBeLessThan(300);
    expect(at(one.recurrence.next_occurrence_at)).toBe(nine("2025-05-05"));
    await clock.moveTo("2025-05-05T07:00:00Z");
    const [workflow] = await loadWorkflows(workflow_template_id);
    const full = (await admin.get(`/workflows/${workflow.id}`)).body;
    expect(full).toMatchObject({ manager: { id: 9 }, template: { id: workflow_template_id } });
    const { body: tasks } = await admin.get(`/workflows/${workflow.id}/tasks?sort=id`);
    const linked = await Promise.all(
      tasks.map(async ({ id, subject }: { id: number; subject: string }) => [
        subject,
        pickIds(await admin.get(`/tasks/${id}/cis`)),
        pickIds(await admin.get(`/tasks/${id}/service_instances`)),
      ]),
    );
    expect(linked).toEqual([
      ["Check it", [], []],
      ["Oil it", [one.id], [instance.id]],
      ["Clean it", [one.id], [instance.id]],
    ]);
    expect(await read(`/cis/${one.id}`)).toMatchObject({ last_occurrence_object: { id: workflow.id } });
    expect(await loadNext(`/cis/${one.id}`)).toBe(nine("2025-05-12"));
    await admin.patch(`/cis/${one.id}`, { recurrence: null });
  });

  test("is linked to the tasks of a template that is applied later, too", async () => {
    await clock.moveTo("2025-05-05T00:00:00Z");
    const workflow_template_id = (await createTemplate(null)).id;
    const task = await make.taskTemplate({ subject: "One of many", team_id: 1 });
    await sql(
      `INSERT INTO task_template_relations (account_id, workflow_template_id, task_template_id, created_at, updated_at)
       SELECT 'widget-it', $1, $2, now(), now() FROM generate_series(1, 101)`,
      [workflow_template_id, task.id],
    );
    const one = await createItem(weekly, { workflow_template_id });
    await clock.moveTo("2025-05-05T07:00:00Z");
    const [count] = await sql<{ n: string }>(
      "SELECT count(*) AS n FROM task_cis l JOIN tasks t ON t.id = l.task_id WHERE l.ci_id = $1 AND t.status <> 'registered'",
      [one.id],
    );
    expect(count?.n).toBe("101");
    await admin.patch(`/cis/${one.id}`, { recurrence: null });
  });

  test("RC12: creates none while it is inactive, archived or trashed", async () => {
    await clock.moveTo("2025-05-05T00:00:00Z");
    const one = await createItem(weekly);
    const path = `/cis/${one.id}`;
    await admin.patch(path, { status: "removed" });
    expect(await loadNext(path)).toBe(null);
    await admin.patch(path, { status: "in_production" });
    expect(await loadNext(path)).toBe(nine("2025-05-05"));
    expect((await admin.post(`${path}/archive`)).status).toBe(200);
    expect(await sql("SELECT 1 FROM jobs WHERE kind = 'occurrence' AND key = $1", [`ci ${one.id}`])).toEqual([]);
    await clock.moveTo("2025-05-06T00:00:00Z");
    const restored = await admin.post(`${path}/restore`);
    expect(restored.body.recurrence.next_occurrence_at).toBe(null);
    expect((await admin.post(`${path}/trash`)).status).toBe(200);
    await clock.moveTo("2025-05-13T00:00:00Z");
    await admin.post(`${path}/restore`);
    await admin.patch(path, { status: "in_production" });
    expect(await loadNext(path)).toBe(nine("2025-05-19"));
    expect((await read(path)).last_occurrence_at).toBe(null);
    await admin.patch(path, { recurrence: null });
  });

  test("disabling the template in the meantime causes an error of the run", async () => {
    await clock.moveTo("2025-05-05T00:00:00Z");
    const one = await createItem(weekly);
    await admin.patch(`/workflow_templates/${one.workflow_template.id}`, { disabled: true });
    await clock.moveTo("2025-05-05T07:00:00Z");
    expect((await read(`/cis/${one.id}`)).last_occurrence_errors).toMatch(/^Template is /);
    expect(await loadNext(`/cis/${one.id}`)).toBe(nine("2025-05-12"));
    await admin.patch(`/cis/${one.id}`, { recurrence: null });
  });

  test("inherits its product's recurrence, from the day it is created", async () => {
    await clock.moveTo("2025-05-05T22:30:00Z"); // the 6th in Amsterdam
    const { start_date: _, ...rhythm } = weekly;
    const workflow_template_id = (await createTemplate(null)).id;
    const complete = await createProduct({ recurrence: rhythm, workflow_template_id, workflow_manager_id: 1 });
    const one = await create("/cis", { product_id: complete.id, status: "in_production" });
    expect(one.recurrence).toMatchObject({ frequency: "weekly", start_date: "2025-05-06", end_date: null });
    expect(one.recurrence.ical).toContain("DTSTART;TZID=Europe/Amsterdam:20250506T000000");
    expect(at(one.recurrence.next_occurrence_at)).toBe(nine("2025-05-06"));
    const incomplete = await createProduct({ recurrence: rhythm });
    expect(await create("/cis", { product_id: incomplete.id, status: "in_production" })).not.toHaveProperty(
      "recurrence",
    );
    await admin.patch(`/cis/${one.id}`, { recurrence: null });
  });
});

test("no job failed during these tests", () => {
  expect(log.filter((line) => line.includes("failed"))).toEqual([]);
});
