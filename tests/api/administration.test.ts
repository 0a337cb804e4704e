import { expect, test } from "vitest";
import { hashToken } from "../../server/oauth/tokens.ts";
import { postImport } from "../support/clients/import-and-export.ts";
import { SchemaCheck } from "../support/clients/json-schema.ts";
import { tokenFor } from "../support/seed.ts";
import { type Client, world } from "../support/world.ts";

// What administrators see of an account besides its records: emails, the security trail and failed jobs.
// tests/webhooks/administration.test.ts tests webhook deliveries.

const the = await world();
const { sql, clock, service } = the;
const ada = the.as("administrator");
await service.worker.stop(); // jobs run only when a test runs them

async function withScopes(...actions: string[]): Promise<Client> {
  const name = `scopes-${actions.join("-").replace(/\W/g, "")}`;
  await sql(
    "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ('widget-it', 1, 'personal', $1, $2, $3, now()) ON CONFLICT DO NOTHING",
    [name, hashToken(tokenFor(name)), JSON.stringify([{ effect: "allow", actions, accounts: [] }])],
  );
  return the.withToken(tokenFor(name), { account: "widget-it" });
}

const lists = ["/mails", "/received_mails", "/security_trail", "/dead_jobs"];
const scopes: Record<string, string> = {
  "/mails": "mail:Read",
  "/received_mails": "mail:Read",
  "/email_policy": "email-policy:Read",
  "/sign_in_policy": "sign-in-policy:Read",
  "/scim": "scim:Read",
  "/identity_providers": "identity-provider:Read",
  "/security_trail": "security-trail:Read",
  "/dead_jobs": "job:Read",
  "/webhook_states": "webhook:Read",
};

async function fill(account: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const now = clock.now().toISOString();
  await sql(
    "INSERT INTO mails (account_id, recipient, subject, body, created_at) SELECT $1, 'rita@widget.example', 'Mail ' || n, 'text', $3 FROM unnest($2::int[]) n",
    [account, numbers, now],
  );
  await sql(
    "INSERT INTO received_mails (account_id, recipients, envelope_from, size, received_at, state) SELECT $1, '{desk@widget.example}', '', 1, $3, 'done' FROM unnest($2::int[])",
    [account, numbers, now],
  );
  await sql(
    "INSERT INTO security_events (account_id, person_id, event, details, created_at) SELECT $1, 1, 'sign-in', '{}', $3 FROM unnest($2::int[])",
    [account, numbers, now],
  );
  await sql(
    "INSERT INTO jobs (account_id, kind, payload, run_at, attempts, dead_at, last_error) SELECT $1, 'sample', '{}', $3, 180, $3, 'it broke' FROM unnest($2::int[])",
    [account, numbers, now],
  );
}
await fill("widget-it", 5);
await fill("stranger", 2);

test.each(lists)("%s is paged like a list of records, newest first", async (path) => {
  const all = (await ada.get(path)).body.map(({ id }: { id: number }) => id);
  expect(all).toEqual([...all].sort((a: number, b: number) => b - a));
  const seen: number[] = [];
  let next: string | null = `${path}?per_page=2`;
  for (let page = 1; next !== null; page++) {
    const { status, body, headers } = await ada.get(next);
    expect(status).toBe(200);
    expect(headers.get("x-pagination-current-page")).toBe(String(page));
    expect(headers.get("x-pagination-total-entries")).toBe(String(all.length));
    seen.push(...body.map(({ id }: { id: number }) => id));
    const link = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    next = link === undefined ? null : link.slice(the.base.length);
  }
  expect(seen).toEqual(all);
  expect((await ada.get(`${path}?per_page=2&page=2`)).body.map(({ id }: { id: number }) => id)).toEqual(
    all.slice(2, 4),
  );
  expect((await ada.get(`${path}?page=99`)).body).toEqual([]);
  for (const query of [
    "sort=id",
    "fields=colour",
    "colour=red",
    "search_after=x",
    "state=lost",
    "per_page=x",
    "page=0",
  ])
    expect([query, (await ada.get(`${path}?${query}`)).status]).toEqual([query, 400]);
});

test("each list requires its scope and role and shows only the caller's own account", async () => {
  const narrow = await withScopes("person:Read", "request:Read");
  for (const [path, scope] of Object.entries(scopes)) {
    expect([path, (await narrow.get(path)).status]).toEqual([path, 403]);
    expect([path, (await (await withScopes(scope)).get(path)).status]).toEqual([path, 200]);
    for (const role of ["specialist", "auditor", "requester"] as const)
      expect([path, role, (await the.as(role, { account: "widget-it" }).get(path)).status]).toEqual([path, role, 403]);
    expect([path, (await the.as("stranger", { account: "widget-it" }).get(path)).status]).toEqual([path, 403]);
    expect([path, (await the.nobody.get(path)).status]).toEqual([path, 401]);
  }
  const reader = await withScopes("job:Read", "email-policy:Read", "mail:Read");
  const [job] = (await reader.get("/dead_jobs")).body;
  expect((await reader.post(`/dead_jobs/${job.id}/retry`)).status).toBe(403);
  expect((await reader.delete(`/dead_jobs/${job.id}`)).status).toBe(403);
  const [mail] = (await reader.get("/mails")).body;
  expect((await reader.post(`/mails/${mail.id}/send_again`)).status).toBe(403);
  expect((await reader.patch("/email_policy", { create_people: true })).status).toBe(403);
  const stella = the.as("stranger");
  for (const path of lists) expect([path, (await stella.get(path)).body.length]).toEqual([path, 2]);
  for (const [method, path] of [
    ["POST", `/dead_jobs/${job.id}/retry`],
    ["DELETE", `/dead_jobs/${job.id}`],
  ] as const)
    expect((await stella.send(method, path)).status).toBe(404);
  for (const id of ["0", "x", "99999999999", "-1"]) expect((await ada.delete(`/dead_jobs/${id}`)).status).toBe(404);
});

test("filters narrow the lists", async () => {
  await sql("UPDATE mails SET state = 'failed' WHERE id = (SELECT min(id) FROM mails WHERE account_id = 'widget-it')");
  expect((await ada.get("/mails?state=failed")).body).toMatchObject([{ subject: "Mail 0", state: "failed" }]);
  expect((await ada.get("/mails?recipient=nobody@widget.example")).body).toEqual([]);
  expect((await ada.get("/security_trail?event=sign-out")).body).toEqual([]);
  expect((await ada.get("/security_trail?person=1&event=sign-in")).body).toHaveLength(5);
  expect((await ada.get("/security_trail?person=x")).status).toBe(400);
  expect((await ada.get("/dead_jobs?kind=sample")).body).toHaveLength(5);
  expect((await ada.get("/received_mails?state=failed")).body).toEqual([]);
});

test("responses match the OpenAPI document", async () => {
  const { body: document } = await the.nobody.get("/openapi.json");
  const check = new SchemaCheck(document);
  for (const path of Object.keys(scopes)) {
    const { responses } = document.paths[path].get;
    const { schema } = (check.part(responses[200]).content as Record<string, unknown>)["application/json"] as {
      schema: unknown;
    };
    expect([path, check.problems(schema, (await ada.get(path)).body)]).toEqual([path, []]);
  }
});

test("deleting the dead job of an import ends the import, and the next one runs", async () => {
  const first = (await postImport(ada, "sites", "Name\nFirst\n")).body.token;
  const second = (await postImport(ada, "sites", "Name\nSecond\n")).body.token;
  await sql("UPDATE imports SET state = 'processing', started_at = $2 WHERE token = $1", [first, clock.now()]);
  await sql("UPDATE jobs SET dead_at = $2, attempts = 180, last_error = 'the disk is full' WHERE key = $1", [
    first,
    clock.now(),
  ]);
  expect((await ada.get(`/import/${first}`)).body.state).toBe("processing");
  const [{ id }] = (await ada.get("/dead_jobs?kind=import")).body;
  expect((await ada.delete(`/dead_jobs/${id}`)).status).toBe(204);
  const ended = (await ada.get(`/import/${first}`)).body;
  expect([ended.state, ended.message]).toEqual(["error", "given up after many attempts: the disk is full"]);
  await service.worker.runDue();
  expect((await ada.get(`/import/${second}`)).body).toMatchObject({ state: "done", results: { created: 1 } });
});

test("deleting the dead job of an export or a bulk change ends it, too", async () => {
  const token = (await ada.post("/export", { type: "sites" })).body.token;
  const ids = [(await ada.post("/sites", { name: "Third" })).body.id];
  const bulk = (await ada.post("/bulk_changes", { collection: "sites", ids, change: { name: "Fourth" } })).body;
  await sql("UPDATE jobs SET dead_at = $1, attempts = 180 WHERE kind IN ('export', 'bulk change')", [clock.now()]);
  const jobs = [
    ...(await ada.get("/dead_jobs?kind=export")).body,
    ...(await ada.get("/dead_jobs?kind=bulk+change")).body,
  ];
  expect(jobs).toHaveLength(2);
  for (const { id } of jobs) expect((await ada.delete(`/dead_jobs/${id}`)).status).toBe(204);
  expect((await ada.get(`/export/${token}`)).body.state).toBe("failed");
  expect((await ada.get(`/bulk_changes/${bulk.token}`)).body.state).toBe("canceled");
});

test("D-635: the security trail counts 10,000 entries and can be paged to the end", async () => {
  await sql(
    "INSERT INTO security_events (account_id, person_id, event, details, created_at) SELECT 'stranger', 8, 'sign-out', '{}', $1 FROM generate_series(1, 10001)",
    [clock.now().toISOString()],
  );
  const stella = the.as("stranger");
  const { headers, body } = await stella.get("/security_trail?per_page=1&event=sign-out&page=10001");
  expect([headers.get("x-pagination-total-entries"), body.length]).toEqual(["10000", 1]);
});
