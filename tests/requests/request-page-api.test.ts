import { describe, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { loggedErrors, world } from "../support/world.ts";

// API features for the request page: revisions, explanations of targets, dry runs and time entries.

const { as, clock, sql, log, service } = await world(); // it is Monday 2025-03-03, 09:00 in Amsterdam
// Background jobs would change the counts below. Moving the clock runs the jobs that are due.
await service.worker.stop();
await service.notificationDispatcher.stop();
const admin = as("administrator");
const specialist = as("specialist");
const { make, agreed, instance, offering, sla, request, named } = serviceAgreements(admin);

const readRevision = (reply: { headers: Headers }) => Number(reply.headers.get("X-Revision"));
const match = (revision: number | string) => ({ "If-Match": `"${revision}"` });

describe("revision", () => {
  test("a record has a revision that increases with every change, and only then", async () => {
    const made = await specialist.post("/requests", { subject: "Screen flickers", category: "incident" });
    const first = readRevision(made);
    expect(first).toBeGreaterThan(0);
    const path = `/requests/${made.body.id}`;
    expect(readRevision(await specialist.get(path))).toBe(first);
    expect(made.body).not.toHaveProperty("revision");
    const changed = await specialist.patch(path, { subject: "Screen is black" });
    expect(readRevision(changed)).toBe(first + 1);
    expect(readRevision(await specialist.patch(path, { subject: "Screen is black" }))).toBe(first + 1);
    expect(readRevision(await specialist.patch(path, { note: "Seen it" }))).toBe(first + 2);
    expect(readRevision(await specialist.get(`${path}?fields=subject`))).toBe(first + 2);
  });

  test("If-Match: a change to an older revision is rejected with the current record", async () => {
    const made = await specialist.post("/requests", { subject: "Slow", category: "incident", impact: "low" });
    const path = `/requests/${made.body.id}`;
    const first = readRevision(made);
    expect((await specialist.patch(path, { impact: "medium" }, match(first))).status).toBe(200);
    const stale = await specialist.patch(path, { impact: "high" }, match(first));
    expect(stale.status).toBe(412);
    expect(stale.body.message).toMatch(/^Precondition Failed/);
    expect(stale.body.record).toEqual((await specialist.get(path)).body);
    expect(readRevision(stale)).toBe(first + 1);
    expect((await specialist.put(path, { impact: "high" }, match(first))).status).toBe(412);
    expect((await specialist.patch(path, { impact: "high" }, match(`${first}", "${first + 1}`))).status).toBe(200);
    expect((await specialist.patch(path, { impact: "low" }, { "If-Match": "*" })).body.impact).toBe("low");
  });

  test.each(["7", 'W/"7"', '"seven"', '""', '"1" "2"', '"-1"'])(
    "If-Match: %s is not a revision and is rejected with 400",
    async (header) => {
      const { body } = await specialist.post("/requests", { subject: "x", category: "other" });
      const reply = await specialist.patch(`/requests/${body.id}`, { subject: "y" }, { "If-Match": header });
      expect(reply.status).toBe(400);
      expect(reply.body.message).toContain("If-Match");
    },
  );

  test("of concurrent writers with the same revision one succeeds", async () => {
    const made = await specialist.post("/requests", { subject: "Race", category: "incident" });
    const path = `/requests/${made.body.id}`;
    const replies = await Promise.all(
      ["a", "b", "c", "d"].map((subject) => specialist.patch(path, { subject }, match(readRevision(made)))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    expect(readRevision(await specialist.get(path))).toBe(readRevision(made) + 1);
  });

  test("rights and existence are checked first, and a deletion can specify a revision as well", async () => {
    const made = await specialist.post("/requests", { subject: "Mine", category: "incident" });
    const path = `/requests/${made.body.id}`;
    expect((await as("stranger").patch(path, { subject: "x" }, match(99))).status).toBe(404);
    expect((await as("requester", { account: "widget-it" }).patch(path, { subject: "x" }, match(99))).status).toBe(403);
    const category = await admin.post("/service_categories", { name: "Short-lived" });
    const single = `/service_categories/${category.body.id}`;
    expect((await admin.delete(single, match(readRevision(category) + 1))).status).toBe(412);
    expect((await admin.delete(single, match(readRevision(category)))).status).toBe(204);
  });

  test("archiving increases the revision, and a child has its own", async () => {
    const calendar = await admin.post("/calendars", { name: "Revisions" });
    const hour = await admin.post(`/calendars/${calendar.body.id}/calendar_hours`, {
      weekday: "mon",
      time_from: "08:00",
      time_until: "12:00",
    });
    const path = `/calendars/${calendar.body.id}/calendar_hours/${hour.body.id}`;
    expect(readRevision(await admin.patch(path, { time_until: "13:00" }, match(readRevision(hour))))).toBe(
      readRevision(hour) + 1,
    );
    expect((await admin.delete(path, match(readRevision(hour)))).status).toBe(412);
    const made = await specialist.post("/requests", { subject: "Done", category: "incident" });
    const request = `/requests/${made.body.id}`;
    const completed = await specialist.patch(request, { status: "completed", note: "Done" });
    expect(readRevision(await admin.post(`${request}/archive`))).toBeGreaterThan(readRevision(completed));
  });

  test("a change of another account's values increases the revision in that account", async () => {
    const provider = as("provider");
    const made = await admin.post("/requests", { subject: "Shared", category: "incident" });
    const path = `/requests/${made.body.id}`;
    await sql(
      `INSERT INTO request_accounts (request_id, account_id, home_account_id, status, created_at, assignment_count, reopen_count)
       VALUES ($1, 'provider', 'widget-it', 'assigned', now(), 0, 0)`,
      [made.body.id],
    );
    const seen = await provider.get(path);
    expect(seen.status).toBe(200);
    const changed = await provider.patch(path, { supplier_requestID: "S-1" }, match(readRevision(seen)));
    expect(changed.status).toBe(200);
    expect(readRevision(changed)).toBeGreaterThan(readRevision(seen));
    expect((await provider.patch(path, { supplier_requestID: "S-2" }, match(readRevision(seen)))).status).toBe(412);
    expect((await admin.get(path)).body.supplier_requestID).toBeNull();
  });
});

describe("dry run", () => {
  const count = async () =>
    (
      await sql<{ counts: string }>(
        `SELECT concat_ws(' ', (SELECT count(*) FROM requests), (SELECT count(*) FROM notes), (SELECT count(*) FROM jobs), (SELECT count(*) FROM mails),
         (SELECT count(*) FROM notification_outbox), (SELECT count(*) FROM audit_lines), (SELECT count(*) FROM workflows), (SELECT count(*) FROM tasks)) AS counts`,
      )
    )[0]?.counts;

  test("returns the request as it would be, with its targets, and stores nothing", async () => {
    const { instance: at, sla: agreement } = await agreed({ response_target_low: 30, resolution_target_low: 120 });
    const body = {
      subject: "No network",
      category: "incident",
      impact: "low",
      requested_for_id: 5,
      service_instance_id: at.id,
      note: "At my desk",
    };
    const before = await count();
    const tried = await admin.post("/requests?dry_run=true", body, { Prefer: "handling=strict" });
    expect(tried.status, tried.text).toBe(200);
    expect(await count()).toBe(before);
    expect(tried.headers.get("Location")).toBeNull();
    const made = await admin.post("/requests", body);
    const { affected_slas, ...record } = tried.body;
    expect(affected_slas).toEqual([expect.objectContaining({ sla: expect.objectContaining({ id: agreement.id }) })]);
    for (const name of ["id", "nodeID"]) expect(tried.body).not.toHaveProperty(name);
    const { id, nodeID, feedback, ...kept } = made.body;
    const { feedback: _, ...wouldBe } = record;
    expect(wouldBe).toEqual(kept);
    // The dry run used up no id.
    const next = await admin.post("/requests", body);
    await admin.post("/requests?dry_run=true", body);
    expect((await admin.post("/requests", body)).body.id).toBe(next.body.id + 1);
  });

  test("rejects whatever a create rejects", async () => {
    const before = await count();
    expect((await specialist.post("/requests?dry_run=true", { category: "nonsense" })).status).toBe(422);
    expect((await specialist.post("/requests?dry_run=perhaps", { category: "other" })).status).toBe(400);
    const requester = as("requester", { account: "widget-it" });
    expect((await requester.post("/requests?dry_run=true", { category: "other", team_id: 1 })).status).toBe(403);
    expect((await as("stranger", { account: "widget-it" }).post("/requests?dry_run=true", {})).status).toBe(403);
    expect(await count()).toBe(before);
    expect((await specialist.post("/requests?dry_run=false", { category: "other" })).status).toBe(201);
  });

  test("of a workflow shows its tasks", async () => {
    const { reference: workflow_type } = await make("/workflow_types", { name: "Replacement" });
    const template = await make("/workflow_templates", {
      subject: "Replace a switch",
      category: "standard",
      service_id: 1,
    });
    const step = await make("/task_templates", {
      subject: "Swap it",
      category: "implementation",
      impact: "none",
      planned_duration: 60,
      team_id: 1,
    });
    expect(
      (await admin.post(`/workflow_templates/${template.id}/task_templates`, { task_template_id: step.id })).status,
    ).toBe(200);
    const body = {
      subject: "Switch 7",
      template_id: template.id,
      workflow_type,
      manager_id: 1,
      category: "standard",
      service_id: 1,
      justification: "maintenance",
    };
    const before = await count();
    const tried = await admin.post("/workflows?dry_run=true", body);
    expect(tried.body).toMatchObject({ subject: "Switch 7", tasks: [{ subject: "Swap it" }] });
    expect(await count()).toBe(before);

    // A job creates the tasks of a large template, and a dry run wouldn't show its result.
    await sql(
      `INSERT INTO task_template_relations (account_id, workflow_template_id, task_template_id, created_at, updated_at)
       SELECT account_id, workflow_template_id, task_template_id, created_at, updated_at FROM task_template_relations, generate_series(1, 100) WHERE workflow_template_id = $1`,
      [template.id],
    );
    const large = await admin.post("/workflows?dry_run=true", body);
    expect(large.body.status).not.toBe("being_created");
    expect(large.body.tasks).toHaveLength(101);
    expect(await count()).toBe(before);
  });
});

describe("explaining a target", () => {
  const loadTargets = async (made: { id: number }, client = specialist) =>
    (await client.get(`/requests/${made.id}/targets`)).body;

  test("names the agreement, the reason, the target, the support hours and the timestamps", async () => {
    const hours = await named("OFFICE");
    const {
      instance: at,
      offering: offered,
      sla: agreement,
    } = await agreed(
      { response_target_low: 30, resolution_target_low: 240, support_hours_low_id: hours.id },
      { coverage: "sites" },
    );
    await admin.post(`/slas/${agreement.id}/sites/1`);
    const made = await request(at);
    const [why] = await loadTargets(made, admin);
    expect(why).toMatchObject({
      sla: { id: agreement.id, name: agreement.name },
      decides: true,
      accountability: "provider",
      because: { coverage: "sites", via: { type: "site", id: 1, name: "Amsterdam Office" }, person: { id: 5 } },
      offering: { id: offered.id, name: offered.name },
      kind: "low",
      hours: { id: hours.id, name: hours.name },
      time_zone: "Amsterdam",
      started_at: "2025-03-03T09:00:00+01:00",
      changes: [],
      stopped: [],
      response: { target_at: made.response_target_at, maximum: 30, allowed: 30, used: 0, actual_at: null, met: null },
      resolution: { target_at: made.resolution_target_at, maximum: 240, used: 0 },
      next_target_at: made.next_target_at,
    });
    expect(why.steps).toEqual([
      `${agreement.name} covers Rita Requester through Amsterdam Office.`,
      expect.stringContaining(`${offered.name} commits to response within`),
      `The clock runs during ${hours.name} (time zone Amsterdam).`,
      expect.stringMatching(/^The clock started on Mar 3, 2025/),
      expect.stringMatching(/^The response is due on Mar 3, 2025/),
      expect.stringMatching(/^The resolution is due on Mar 3, 2025/),
    ]);
    const inDutch = await loadTargets(made, as("administrator", { language: "nl" }));
    expect(inDutch[0].steps[0]).toBe(`Rita Requester valt via Amsterdam Office onder ${agreement.name}.`);
  });

  test("reports what changed the target and why the clock was stopped", async () => {
    const { instance: at } = await agreed({
      resolution_target_low: 240,
      resolution_target_medium: 120,
      response_target_low: 60,
      response_target_medium: 30,
    });
    const made = await request(at);
    const path = `/requests/${made.id}`;
    await clock.pass(600);
    await admin.patch(path, { impact: "medium" });
    await clock.pass(600);
    await admin.patch(path, { status: "waiting_for_customer" });
    await clock.pass(1800);
    const [waiting] = await loadTargets(made, admin);
    expect(waiting).toMatchObject({
      next_target_at: "clock_stopped",
      changes: [{ field: "impact", from: "low", to: "medium" }],
      stopped: [{ to: null, minutes: 30, reason: "waiting_for_customer" }],
      response: { met: true, used: 20 },
      resolution: { used: 20, allowed: 120 },
    });
    await admin.patch(path, { status: "assigned" });
    const [resumed] = await loadTargets(made, admin);
    const shown = (await admin.get(path)).body;
    expect(resumed.resolution.target_at).toBe(shown.resolution_target_at);
    expect(resumed.stopped).toMatchObject([{ minutes: 30, reason: "waiting_for_customer" }]);
    await clock.pass(600);
    await admin.patch(path, { status: "completed", note: "Done" });
    await clock.pass(600);
    await admin.patch(path, { status: "assigned", note: "Not done" });
    const [reopened] = await loadTargets(made, admin);
    expect(reopened.stopped.map(({ reason }: { reason: string }) => reason)).toContain("completed");
  });

  test("shows all affected agreements with the decisive one first, business days, and an empty list", async () => {
    const { instance: at, sla: first } = await agreed({ resolution_target_low: 480 });
    const strict = await offering({ resolution_target_low: 60 });
    const second = await sla({ service_instance_id: at.id, service_offering_id: strict.id, coverage: "organizations" });
    await admin.post(`/slas/${second.id}/organizations/3`);
    const both = await loadTargets(await request(at), admin);
    expect(both.map((each: { sla: { id: number } }) => each.sla.id)).toEqual([second.id, first.id]);
    expect(both.map((each: { decides: boolean }) => each.decides)).toEqual([true, false]);
    expect(both[0].because).toMatchObject({ coverage: "organizations", via: { name: "Widget Sales" } });

    const hours = await named("OFFICE");
    const days = await agreed({ resolution_target_low_in_days: 2, support_hours_low_id: hours.id });
    const [inDays] = await loadTargets(await request(days.instance), admin);
    expect(inDays.resolution).toMatchObject({ maximum: null, maximum_in_days: 2 });
    expect(inDays.resolution.allowed).toBeGreaterThan(500);

    expect(await loadTargets(await request(await instance()), admin)).toEqual([]);
    expect(await loadTargets(await request(at, { desired_completion_at: "2025-03-10T12:00:00Z" }), admin)).toHaveLength(
      2,
    );
  });

  test("an incident of top impact is covered for everyone", async () => {
    const { instance: at } = await agreed({ resolution_target_top: 60 }, {}, []);
    const [why] = await loadTargets(await request(at, { impact: "top" }), admin);
    expect(why.because).toMatchObject({ coverage: "everybody", via: null });
  });

  test("respects permissions: requesters see no agreements, strangers no request", async () => {
    const { instance: at } = await agreed({ resolution_target_low: 60 });
    const made = await request(at);
    expect(await loadTargets(made, as("requester", { account: "widget-it" }))).toEqual([]);
    expect((await as("stranger").get(`/requests/${made.id}/targets`)).status).toBe(404);
    expect((await as("keyContact", { account: "widget-it" }).get(`/requests/${made.id}/targets`)).status).toBe(403);
  });

  test("a simulation returns the targets that such a request would get, and stores nothing", async () => {
    const hours = await named("OFFICE");
    const { instance: at } = await agreed({
      response_target_high: 30,
      resolution_target_high: 120,
      support_hours_high_id: hours.id,
    });
    const rows = async () => (await sql("SELECT count(*) FROM requests"))[0];
    const before = await rows();
    const simulated = await admin.post("/sla_simulations", {
      requested_for_id: 5,
      service_instance_id: at.id,
      category: "incident",
      impact: "high",
      at: "2025-03-07T16:00:00+01:00",
      events: [
        { at: "2025-03-07T16:10:00+01:00", status: "in_progress" },
        { at: "2025-03-07T16:20:00+01:00", status: "waiting_for_customer" },
        { at: "2025-03-10T09:00:00+01:00", status: "assigned" },
      ],
    });
    expect(simulated.status, simulated.text).toBe(200);
    expect(simulated.body).toMatchObject([
      {
        started_at: "2025-03-07T16:00:00+01:00",
        stopped: [{ from: "2025-03-07T16:20:00+01:00", to: "2025-03-10T09:00:00+01:00", minutes: 70 }],
        response: { actual_at: "2025-03-07T16:10:00+01:00", met: true },
        // 20 minutes on Friday, the others from Monday 09:00
        resolution: { target_at: "2025-03-10T10:40:00+01:00", used: 20 },
      },
    ]);
    expect(await rows()).toEqual(before);
    for (const events of [[{ at: "2025-03-01T00:00:00Z" }], "x", [7], [{ at: "no moment" }]])
      expect((await admin.post("/sla_simulations", { category: "incident", events })).status).toBe(422);
    for (const status of [
      "declined",
      "on_backlog",
      "accepted",
      "waiting_for",
      "workflow_pending",
      "completed",
      "nonsense",
    ])
      expect([200, 422]).toContain(
        (
          await admin.post("/sla_simulations", {
            category: "incident",
            requested_for_id: 5,
            service_instance_id: at.id,
            events: [{ at: clock.now().toISOString(), status }],
          })
        ).status,
      );
    expect((await as("requester", { account: "widget-it" }).post("/sla_simulations", {})).status).toBe(403);
  });
});

test("time spent on a request, a problem or a task is listed with it", async () => {
  const made = await request(null);
  await specialist.patch(`/requests/${made.id}`, { note: "Looked at it", time_spent: 15 });
  await specialist.patch(`/requests/${made.id}`, { note: "Again", time_spent: 10 });
  const { status, body } = await specialist.get(`/requests/${made.id}/time_entries?fields=time_spent,person`);
  expect(status).toBe(200);
  expect(body.map((entry: { time_spent: number }) => entry.time_spent)).toEqual([15, 10]);
  expect(body[0].person.id).toBe(3);
  for (const type of ["problems", "tasks", "project_tasks"])
    expect((await specialist.get(`/${type}/999999/time_entries`)).status).toBe(404);
  expect((await as("stranger").get(`/requests/${made.id}/time_entries`)).status).toBe(404);
  expect(service.engine.types.get("request").lists).toHaveProperty("time_entries");
});

test("no call caused a server error", () => expect(loggedErrors(log)).toEqual([]));
