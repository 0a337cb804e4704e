import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { unzip } from "../support/clients/import-and-export.ts";
import { until } from "../support/waiting.ts";
import { type Client, type World, world } from "../support/world.ts";

// PV1 to PV3: operations for administrators on people's data.

let the: World;
let ada: Client;
let leaver: number;
const name = "Lena Leaver";
const email = "lena.leaver@widget.example";

beforeAll(async () => {
  the = await world();
  ada = the.as("administrator");
  const { body } = await ada.post("/people", {
    ...{ name, primary_email: email, organization_id: 1, job_title: "Juggler", employeeID: "E-77" },
  });
  leaver = body.id;
  assert.equal((await ada.post(`/people/${leaver}/contacts`, { label: "work", telephone: "+31 20 555" })).status, 201);
  const about = {
    category: "other",
    team_id: 1,
    requested_for_id: leaver,
    note: `${name} (LENA.leaver@widget.example) has called`,
  };
  assert.equal((await ada.post("/requests", { subject: `Laptop of ${name}`, ...about })).status, 201);
});

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
async function waitForEnd(token: string): Promise<any> {
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
  let job: any;
  await until(async () => {
    job = (await ada.get(`/privacy_jobs/${token}`)).body;
    return job.finished_at !== null;
  });
  return job;
}
const loadTrail = async (event: string) =>
  the.sql("SELECT person_id, details FROM security_events WHERE event = $1 ORDER BY id DESC LIMIT 1", [event]);

test("PV1: everything about a person is counted and exported, as a ZIP of JSON files", async () => {
  const { body } = await ada.get(`/people/${leaver}/stored_data`);
  const counts = new Map(body.parts.map((part: { name: string; count: number }) => [part.name, part.count]));
  assert.deepEqual(
    [body.anonymous_name, counts.get("people"), counts.get("contacts"), counts.get("requests")],
    [`Anonymous ${leaver}`, 1, 1, 1],
  );
  const { status, body: started } = await ada.post(`/people/${leaver}/data_exports`);
  assert.equal(status, 202);
  const job = await waitForEnd(started.token);
  assert.deepEqual([job.state, job.done, job.subject.name], ["done", job.total, name]);
  const files = unzip(Buffer.from(await (await fetch(job.url)).arrayBuffer()));
  const read = (file: string) => JSON.parse(String(files.get(file)));
  assert.equal(read("people.json")[0].job_title, "Juggler");
  assert.equal(read("contacts.json")[0].telephone, "+31 20 555");
  assert.equal(read("requests.json")[0].subject, `Laptop of ${name}`);
  assert.ok(![...files.values()].some((file) => file.includes("secret_hash")));
  assert.deepEqual(await loadTrail("person-data-exported"), [{ person_id: 1, details: { person: leaver } }]);
});

describe("PV2: an anonymization", () => {
  test("requires the name, and isn't possible for oneself or people of other accounts", async () => {
    assert.equal((await ada.post(`/people/${leaver}/anonymizations`, { name: "Lena" })).status, 422);
    assert.equal((await ada.post("/people/1/anonymizations", { name: "Ada Admin" })).status, 422);
    assert.ok([403, 404].includes((await ada.post("/people/5/anonymizations", { name: "Rita Requester" })).status));
  });

  test("removes the name, the address and the contacts, and keeps every record", async () => {
    const count = async (table: string) => (await the.sql(`SELECT count(*) FROM ${table}`))[0]?.count;
    await the.sql(
      `INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, origin, created_at)
VALUES ('widget-it', 'update', 'request', 1, '{}', $1, '{"kind": "browser", "address": "192.0.2.7"}', now())`,
      [leaver],
    );
    const before = [await count("requests"), await count("notes"), await count("people"), await count("audit_lines")];
    const { status, body } = await ada.post(`/people/${leaver}/anonymizations`, { name });
    assert.equal(status, 202);
    const job = await waitForEnd(body.token);
    assert.deepEqual([job.state, job.done], ["done", job.total]);
    const after = [await count("requests"), await count("notes"), await count("people"), await count("audit_lines")];
    assert.deepEqual(after.slice(0, 3), before.slice(0, 3));
    const { body: person } = await ada.get(`/people/${leaver}`);
    assert.deepEqual(
      [person.name, person.disabled, person.job_title, person.contacts],
      [`Anonymous ${leaver}`, true, null, []],
    );
    const tables = await the.sql<{ table_name: string }>(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    );
    for (const { table_name } of tables) {
      const [found] = await the.sql<{ count: string }>(
        `SELECT count(*) FROM "${table_name}" t WHERE to_jsonb(t)::text ~* 'lena.leaver|leaver@|Juggler|E-77|20 555'`,
      );
      assert.equal(Number(found?.count), 0, table_name);
    }
    const [own] = await the.sql("SELECT origin FROM audit_lines WHERE created_by_id = $1", [leaver]);
    assert.deepEqual(own, { origin: { kind: "browser" } }); // without the address
    const [note] = await the.sql("SELECT text FROM notes ORDER BY id DESC LIMIT 1");
    assert.deepEqual(note, { text: `Anonymous ${leaver} (Anonymous ${leaver}) has called` });
    assert.deepEqual(await loadTrail("person-anonymized"), [{ person_id: 1, details: { person: leaver } }]);
  });
});

test("PV3: an account sets retention periods, and a daily job erases older data", async () => {
  const { body: periods } = await ada.get("/retention_periods");
  const subjects = periods.map(({ subject }: { subject: string }) => subject);
  for (const subject of ["requests", "audit_lines", "sent_mails", "security_trail"])
    assert.ok(subjects.includes(subject), subject);
  const done = {
    subject: "Old and done",
    category: "other",
    status: "completed",
    team_id: 1,
    member_id: 3,
    completion_reason: "solved",
    note: "x",
  };
  const { body: old, text } = await ada.post("/requests", done);
  assert.equal(old.status, "completed", text);
  const { body: open } = await ada.post("/requests", { subject: "Old and open", category: "other", team_id: 1 });
  await the.clock.pass(40 * 86_400);
  const { body: recent } = await ada.post("/requests", { ...done, subject: "Recent" });
  assert.deepEqual((await ada.get("/retention_periods/requests/preview?days=30")).body, { count: 1 });
  const changed = await ada.put("/retention_periods/requests", { days: 30 });
  assert.equal(changed.status, 200, changed.text);
  await the.service.worker.runDue();
  await until(async () => (await ada.get(`/requests/${old.id}`)).status === 404);
  for (const { id } of [open, recent]) assert.equal((await ada.get(`/requests/${id}`)).status, 200);
  await until(async () => {
    const { body } = await ada.get("/retention_periods");
    return body.find(({ subject }: { subject: string }) => subject === "requests").last_deleted === 1;
  });
  await the.clock.pass(31 * 86_400);
  await until(async () => (await ada.get(`/requests/${recent.id}`)).status === 404);
  assert.deepEqual(await loadTrail("retention-changed"), [
    { person_id: 1, details: { subject: "requests", days: 30 } },
  ]);
  for (const days of [0, -1, "x", 1.5, 99_999_999])
    assert.equal((await ada.put("/retention_periods/requests", { days })).status, 422);
  assert.equal((await ada.put("/retention_periods/nonsense", { days: 3 })).status, 404);
  assert.equal((await ada.put("/retention_periods/requests", { days: null })).status, 200);
});

test("PV1 to PV3 are only for administrators of the account", async () => {
  for (const role of ["specialist", "auditor", "requester"] as const) {
    const client = the.as(role);
    for (const path of [
      "/privacy_jobs",
      "/retention_periods",
      "/retention_periods/requests/preview?days=3",
      `/people/${leaver}/stored_data`,
    ])
      assert.equal((await client.get(path)).status, 403, `${role} ${path}`);
    assert.equal((await client.post(`/people/${leaver}/data_exports`)).status, 403);
    assert.equal((await client.post(`/people/${leaver}/anonymizations`, { name: "x" })).status, 403);
    assert.equal((await client.put("/retention_periods/requests", { days: 3 })).status, 403);
  }
});
