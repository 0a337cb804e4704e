import { expect, test } from "vitest";
import { notificationWorld, sam } from "../support/mail/notification-world.ts";
import { people, tokenFor } from "../support/seed.ts";

// Reports sent by email: recipients, schedule and permissions.

const { here, delivered, server } = await notificationWorld();
const [ada, rita] = [people.administrator.id, people.requester.id];
const admin = here.as("administrator");
const weekly = { report: "dashboards/service-desk", frequency: "weekly" };

test("a schedule has its report, recipients and next date; its creator deletes it, and a recipient can leave it", async () => {
  const { status, body } = await admin.post("/report_schedules", { ...weekly, recipient_ids: [ada, sam] });
  expect([status, body]).toMatchObject([
    201,
    {
      ...weekly,
      team: null,
      person: { id: ada },
      recipients: [{ id: ada }, { id: sam }],
      next_at: "2025-03-10T06:00:00+00:00",
      last_sent_at: null,
    },
  ]);
  const list = async (role: "administrator" | "specialist" | "manager") =>
    (await here.as(role).get("/report_schedules")).body.map(({ id }: { id: number }) => id);
  expect([await list("administrator"), await list("specialist"), await list("manager")]).toEqual([
    [body.id],
    [body.id],
    [],
  ]);
  expect((await here.as("manager").delete(`/report_schedules/${body.id}`)).status).toBe(404);
  expect((await here.as("specialist").delete(`/report_schedules/${body.id}`)).status).toBe(204);
  expect([await list("administrator"), await list("specialist")]).toEqual([[body.id], []]);
  expect((await admin.delete(`/report_schedules/${body.id}`)).status).toBe(204);
  expect(await list("administrator")).toEqual([]);
  expect(await here.sql("SELECT 1 FROM jobs WHERE kind = 'scheduled report'")).toEqual([]);
});

test("invalid values are rejected, and so is a reader without a role", async () => {
  const refuse = async (members: object) => (await admin.post("/report_schedules", members)).body.errors;
  expect(await refuse({})).toEqual([
    ["frequency", expect.any(String)],
    ["report", expect.any(String)],
  ]);
  for (const recipient_ids of [[], [rita], ["x"], [2 ** 31], [0], Array.from({ length: 21 }, (_, at) => at + 1), 5])
    expect([recipient_ids, await refuse({ ...weekly, recipient_ids })]).toEqual([
      recipient_ids,
      [["recipients", expect.any(String)]],
    ]);
  expect(await refuse({ ...weekly, team_id: 3 })).toEqual([["team", expect.any(String)]]);
  expect(await refuse({ ...weekly, what: 1 })).toEqual([["what", expect.any(String)]]);
  for (const role of ["requester", "keyContact"] as const) {
    const by = here.as(role);
    const replies = [
      by.get("/report_schedules"),
      by.post("/report_schedules", weekly),
      by.delete("/report_schedules/1"),
    ];
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([403, 403, 403]);
  }
  expect((await here.nobody.get("/report_schedules")).status).toBe(401);
  for (const id of ["0", "x", "99999999999"]) expect((await admin.delete(`/report_schedules/${id}`)).status).toBe(404);
  expect((await here.withToken(tokenFor("stranger"), { account: "widget-it" }).get("/report_schedules")).status).toBe(
    403,
  );
});

test("every reader gets the figures they may see, once, and again a week later", async () => {
  for (const subject of ["One", "Two", "Three"])
    await admin.post("/requests", { category: "incident", impact: "low", subject, team_id: 1 });
  await admin.post("/problems", {
    category: "reactive",
    impact: "low",
    subject: "Why",
    service_id: 1,
    manager_id: ada,
  });
  await here.sql("UPDATE people SET locale = 'nl' WHERE id = $1", [sam]);
  const { body } = await admin.post("/report_schedules", { ...weekly, recipient_ids: [ada, sam] });
  await delivered();
  server.received.length = 0;
  await here.clock.moveTo("2025-03-10T05:59:00Z");
  expect(await delivered()).toEqual([]);
  await here.clock.moveTo("2025-03-10T06:00:00Z");
  const mails = await delivered();
  expect(mails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
    ["ada@widget.example", "Service desk: report for 2025-03-03 – 2025-03-09"],
    ["sam@widget.example", "Servicedesk: rapport over 2025-03-03 – 2025-03-09"],
  ]);
  const toAda = mails.find(({ to }) => to.startsWith("ada"));
  expect(toAda?.text).toMatch(/Open requests +3\n/);
  expect(toAda?.text).toContain("/a/widget-it/dashboards/service-desk?range=7");
  expect(toAda?.html).toContain("<strong>3</strong>");
  // Running the job again has no effect, and the report is sent again a week later.
  await here.sql("UPDATE jobs SET run_at = now() - interval '1 day' WHERE kind = 'scheduled report'");
  await here.clock.moveTo("2025-03-10T06:01:00Z");
  expect((await delivered()).length).toBe(2);
  await here.sql("UPDATE jobs SET run_at = '2025-03-17T06:00:00Z' WHERE kind = 'scheduled report'");
  expect((await admin.get("/report_schedules")).body[0]).toMatchObject({
    id: body.id,
    last_sent_at: "2025-03-10T06:00:00+00:00",
    next_at: "2025-03-17T06:00:00+00:00",
  });
  // Without the role that shows others' requests, the report has no figures for Sam, and no email is sent.
  await here.sql("DELETE FROM permissions WHERE person_id = $1", [sam]);
  await here.clock.moveTo("2025-03-17T06:00:00Z");
  expect((await delivered()).slice(2).map(({ to }) => to)).toEqual(["ada@widget.example"]);
});

test("a custom dashboard is sent as it was designed, with each reader's figures", async () => {
  const report = "dashboards/own-1";
  expect((await admin.post("/report_schedules", { report, frequency: "weekly" })).body.errors).toEqual([
    ["report", expect.any(String)],
  ]);
  const tiles = [
    { id: "a", tile: "open", title: "Ours", team: 1 },
    { id: "b", tile: "nothing" },
    { id: "c", tile: "flow", range: "14" },
    { id: "d", tile: "timeByPerson", range: "90" },
    "e",
  ];
  await here.sql(
    `INSERT INTO kept_items (account_id, owner, kind, key, value, person_id, updated_at, updated_by_id)
VALUES ('widget-it', 'me ' || $1::integer, 'dashboard', 'own-1', $2, $1, now(), $1)`,
    [ada, JSON.stringify({ title: "Ours\nalone", tiles })],
  );
  // No one else has it.
  expect((await here.as("manager").post("/report_schedules", { report, frequency: "weekly" })).status).toBe(422);
  await here.sql(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-it', $1, 'financial_manager', now())",
    [sam],
  );
  const { body } = await admin.post("/report_schedules", { report, frequency: "weekly", recipient_ids: [ada, sam] });
  expect(body).toMatchObject({ report, title: "Ours alone", recipients: [{ id: ada }, { id: sam }] });
  await delivered();
  server.received.length = 0;
  await here.clock.moveTo("2025-03-24T06:00:00Z");
  const mails = (await delivered()).filter(({ subject }) => subject.startsWith("Ours"));
  expect(mails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
    ["ada@widget.example", "Ours alone: report for 2025-03-17 – 2025-03-23"],
    ["sam@widget.example", "Ours alone: rapport over 2025-03-17 – 2025-03-23"],
  ]);
  const textTo = (name: string) => mails.find(({ to }) => to.startsWith(name))?.text ?? "";
  expect(textTo("ada")).toMatch(/Ours · [^\n]+ +3\n/);
  expect(textTo("ada")).toContain("Created and completed · 2025-03-10 – 2025-03-23");
  expect(textTo("ada")).toContain("/a/widget-it/dashboards/own-1?range=7");
  // Sam no longer sees others' requests and can't open the page, so he gets a link to the page where he can
  // unsubscribe.
  expect(textTo("sam")).toContain("/a/widget-it/reports");
  expect(textTo("sam")).not.toContain("own-1");
  expect(textTo("sam")).not.toMatch(/ 3\n/);
  expect((await admin.get("/report_schedules")).body[0]).toMatchObject({ id: body.id, title: "Ours alone" });
  // Deleting the dashboard ends its schedule.
  await here.sql("DELETE FROM kept_items WHERE key = 'own-1'");
  server.received.length = 0;
  await here.clock.moveTo("2025-03-31T06:00:00Z");
  expect((await delivered()).filter(({ subject }) => subject.startsWith("Ours"))).toEqual([]);
  expect(await here.sql("SELECT 1 FROM report_schedules WHERE report = $1", [report])).toEqual([]);
});
