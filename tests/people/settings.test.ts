import { expect, test } from "vitest";
import { exportAsTable, runImport } from "../support/clients/import-and-export.ts";
import { signInClient } from "../support/clients/session-client.ts";
import { world } from "../support/world.ts";

// What the settings read and change in addition to records: the overview, the account, the email texts, and the filters
// of the trail, the archive and the trash.

const the = await world();
const { sql } = the;
const admin = the.as("administrator");
const make = async (path: string, body: object) => {
  const { status, body: record } = await admin.post(path, body);
  expect(status, JSON.stringify(record)).toBeLessThan(300);
  return record;
};

test("the overview counts the records and lists what needs attention, for administrators", async () => {
  await make("/teams", { name: "Networks" });
  await make("/webhooks", { event: "request.create", uri: "https://receiver.example/" });
  await signInClient(the, "administrator");
  const { status, body } = await admin.get("/settings_overview");
  expect(status).toBe(200);
  expect(body.counts).toMatchObject({ skill_pools: 0, webhooks: 0, trashed: 0 });
  expect(body.counts.people).toBeGreaterThan(4);
  expect(body.attention).toContainEqual(expect.objectContaining({ kind: "webhook_unverified" }));
  expect(body.account).toMatchObject({ time_zone: "Amsterdam" });
  const { body: held } = await admin.get("/trail_counts");
  expect(held).toMatchObject({ most: 10_000, sign_ins: 1 });
  expect(held.changes).toBeGreaterThan(1);
  await sql(
    `INSERT INTO security_events (account_id, event, details, created_at)
SELECT 'widget-it', 'token-created', '{}', now() FROM generate_series(1, 10050)`,
  );
  expect((await admin.get("/trail_counts")).body).toMatchObject({ access: 10_001, sign_ins: 1 });
  await sql("DELETE FROM security_events WHERE event = 'token-created'");
  expect((await the.as("administrator", { account: "stranger" }).get("/settings_overview")).status).toBe(403);
  for (const path of ["settings_overview", "trail_counts", "sample_work"])
    expect((await the.as("specialist").get(`/${path}`)).status).toBe(403);
  expect((await the.as("specialist").delete("/sample_work?name=Widget%20IT")).status).toBe(403);
});

test("only administrators change the account, and only to valid values of its settings", async () => {
  const path = "/account_settings";
  const { status, body } = await admin.patch(path, { name: "Widget Desk", time_zone: "London", strong_privacy: true });
  expect([status, body.name, body.time_zone]).toEqual([200, "Widget Desk", "London"]);
  expect((await admin.get("/account")).body).toMatchObject({ name: "Widget Desk", time_zone: "London" });
  const [event] = await sql("SELECT details FROM security_events WHERE event = 'account-changed'");
  expect(event).toMatchObject({ details: { name: ["Widget IT", "Widget Desk"], time_zone: ["Amsterdam", "London"] } });
  for (const wrong of [
    { name: "" },
    { name: null },
    { name: "x".repeat(300) },
    { time_zone: "Mars" },
    { locale: 7 },
    { currency: ["eur"] },
    { id: "other" },
    { plan: "free" },
    { nothing: 1 },
  ])
    expect((await admin.patch(path, wrong)).status, JSON.stringify(wrong)).toBe(422);
  expect((await the.as("specialist").patch(path, { name: "Mine" })).status).toBe(403);
  expect((await the.as("administrator", { account: "stranger" }).patch(path, { name: "Mine" })).status).toBe(403);
  await admin.patch(path, { name: "Widget IT", time_zone: "Amsterdam" });
});

test("email texts can be changed, previewed with a record, used and reset", async () => {
  const list = (await admin.get("/mail_wordings")).body;
  const completed = list.find(({ id }: { id: string }) => id === "completed");
  expect(completed).toMatchObject({ about: ["request"], placeholders: expect.arrayContaining(["record", "by"]) });
  expect(completed.texts.map(({ language }: { language: string }) => language)).toEqual(["en", "nl", "de", "fr", "es"]);
  const path = "/mail_wordings/completed/nl";
  const words = { title: "afgehandeld", text: "Hoera: {record} is klaar ({completion_reason})." };
  const request = await make("/requests", { subject: "Printer", category: "incident", requested_for_id: 5 });
  const preview = await admin.post(`${path}/preview`, { ...words, record_id: request.id });
  expect(preview.body.subject).toContain("afgehandeld");
  expect(preview.body.body).toContain("Hoera:");
  expect((await admin.put(path, words)).body.texts[1]).toEqual({ language: "nl", ...words, changed: true });
  await admin.patch(`/requests/${request.id}`, { status: "completed", completion_reason: "solved" });
  await the.service.notificationDispatcher.runDue();
  const mails = await sql(
    "SELECT subject, body FROM mails WHERE recipient = 'rita@widget.example' ORDER BY id DESC LIMIT 1",
  );
  expect(mails[0]).toMatchObject({
    subject: expect.stringContaining("afgehandeld"),
    body: expect.stringContaining("Hoera:"),
  });
  for (const wrong of [
    { title: "", text: "x" },
    { title: "x", text: "{password}" },
    { title: "x", text: "y".repeat(3000) },
    { title: 1, text: "x" },
    { title: "x" },
    { title: "x", text: "x", other: 1 },
    { title: "a\u0000", text: "x" },
  ])
    expect((await admin.put(path, wrong)).status, JSON.stringify(wrong)).toBe(422);
  expect((await admin.put("/mail_wordings/nothing/nl", words)).status).toBe(404);
  expect((await admin.put("/mail_wordings/completed/tlh", words)).status).toBe(404);
  for (const record_id of [0, "x", 2 ** 40, 999_999])
    expect((await admin.post(`${path}/preview`, { ...words, record_id })).status, String(record_id)).toBe(422);
  expect((await the.as("specialist").get("/mail_wordings")).status).toBe(403);
  expect((await the.as("specialist").put(path, words)).status).toBe(403);
  expect((await admin.delete(path)).status).toBe(204);
  const after = (await admin.get("/mail_wordings")).body.find(({ id }: { id: string }) => id === "completed");
  expect(after.texts[1].changed).toBe(false);
});

test("CO40: email_templates are exported and imported", async () => {
  const head = "Name,Language,Subject,Text";
  const file = `${head}\ncompleted,en,done,{record} is done.\nnothing,en,x,x\ncompleted,tlh,x,x\ncompleted,de,x,{secret}\n`;
  const first = await runImport(admin, "email_templates", file);
  expect(first).toMatchObject({ results: { created: 1, failures: 3 } });
  expect(await exportAsTable(admin, "email_templates")).toEqual([
    { Name: "completed", Language: "en", Subject: "done", Text: "{record} is done." },
  ]);
  const again = await runImport(admin, "email_templates", `${head}\ncompleted,en,done,{record} is done.\n`);
  expect(again).toMatchObject({ results: { unchanged: 1 } });
});

test("CV26: a change shows its origin to people who read the whole trail and request the field", async () => {
  const named_networks = ["10.0.0.0/8 Elsewhere", "127.0.0.0/8 Eindhoven"];
  const { access_token: token } = (await (await signInClient(the, "administrator")).post("/access-token")).body;
  const session = the.withToken(token, { account: "widget-it" });
  const request = await make("/requests", { subject: "From a program", category: "incident" });
  expect((await session.patch("/sign_in_policy", { named_networks })).status).toBe(200);
  await session.patch(`/requests/${request.id}`, { subject: "From a browser" });
  const mutation =
    'mutation ($id: ID!) { requestUpdate(input: { id: $id, subject: "A graph" }) { errors { message } } }';
  await admin.post(`${the.url}/graphql`, { query: mutation, variables: { id: request.nodeID } });
  const path = `/requests/${request.id}/audit`;
  const origins = (await admin.get(`${path}?fields=origin`)).body.map(({ origin }: { origin: object }) => origin);
  const from = { place: "Eindhoven", address: "127.0.0.1" };
  expect(origins).toEqual([
    { kind: "graphql", token: expect.any(String), ...from },
    { kind: "browser", ...from },
    { kind: "api", token: expect.any(String), address: "127.0.0.1" },
  ]);
  const [line] = (await admin.get("/audit_lines?origin=browser&audited=request&fields=origin,record")).body;
  expect(line).toMatchObject({ request: { id: request.id }, origin: { kind: "browser" } });
  // Responses without the field are unchanged.
  for (const address of ["/audit_lines", path])
    expect(Object.keys((await admin.get(address)).body[0])).not.toContain("origin");
  expect(Object.keys((await admin.get(`/audit_lines/${line.id}`)).body)).not.toContain("origin");
  expect((await the.as("specialist").get(`${path}?fields=origin`)).body[0]).toMatchObject({ origin: null });
});

test("the trail is filtered by field, event and time; archive and trash by type", async () => {
  const person = await make("/people", { name: "Otto", primary_email: "otto@widget.example", organization_id: 1 });
  await admin.patch(`/people/${person.id}`, { job_title: "Engineer" });
  const lines = (await admin.get("/audit_lines?audited=person&field=job_title&fields=changes,record")).body;
  expect(lines).toHaveLength(1);
  expect(lines[0].changes.job_title).toEqual([null, "Engineer"]);
  // An entry stored later may be about an earlier time.
  await the.sql("UPDATE audit_lines SET created_at = created_at - interval '2 years' WHERE id = $1", [lines[0].id]);
  const listIds = async (query: string) =>
    (await admin.get(`/audit_lines?per_page=100${query}`)).body.map(({ id }: { id: number }) => id);
  const [byId, byTime] = [await listIds(""), await listIds("&sort=-created_at")];
  expect(byId[0]).toBe(lines[0].id);
  expect(byTime).toEqual([...byId.slice(1), lines[0].id]);
  for (const wrong of ["field=a-b", "origin=%27", "sort=action"])
    expect((await admin.get(`/audit_lines?${wrong}`)).status, wrong).toBe(400);
  expect((await admin.get("/security_trail?event=account-changed,roles-changed")).body.length).toBeGreaterThan(0);
  expect((await admin.get("/security_trail?since=2099-01-01T00:00:00Z")).body).toEqual([]);
  for (const wrong of ["since=x", "event=%00", "event=a,,b"])
    expect((await admin.get(`/security_trail?${wrong}`)).status, wrong).toBe(400);
  await admin.patch(`/people/${person.id}`, { disabled: true });
  expect((await admin.post(`/people/${person.id}/trash`)).status).toBe(200);
  expect((await admin.get("/trash?type=person")).body).toMatchObject([
    { trashed: "person", person: { id: person.id } },
  ]);
  expect((await admin.get("/trash?type=request")).body).toEqual([]);
  expect((await admin.get("/archive?type=person")).body).toEqual([]);
  expect((await admin.get("/trash?type=a%20b")).status).toBe(400);
});
