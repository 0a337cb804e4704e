import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, world } from "../support/world.ts";

// AZ15: the SLA's customer_account also decides whether the customer's specialists can read the requests that list the
// SLA. The provider keeps the request, and its customer, widget-it, is a viewer.

const the = await world();
const { as, sql } = the;
const provider = as("provider");
const customer = as("specialist");
const providerMembers = { service_instance_id: 0 };
let sla: string;
let names = 0;

const create = async (by: Client, path: string, members: Record<string, unknown>) => {
  const { status, body, text } = await by.post(path, { name: `N${++names}`, ...members });
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  return body;
};
const request = async (members: Record<string, unknown> = {}) => {
  const given = {
    category: "incident",
    impact: "low",
    subject: "Mail is slow",
    requested_for_id: 8,
    ...providerMembers,
  };
  const { status, body, text } = await provider.post("/requests", { ...given, ...members });
  if (status !== 201) throw new Error(text);
  return body as { id: number };
};
const listIds = async (by: Client, path: string): Promise<number[]> =>
  (await by.get(path)).body.map((row: { id: number }) => row.id);

beforeAll(async () => {
  const service = await create(provider, "/services", { provider_id: 4 });
  const desk = await create(provider, "/teams", {});
  await provider.post(`/teams/${desk.id}/members/8`);
  const instance = await create(provider, "/service_instances", {
    service_id: service.id,
    first_line_team_id: desk.id,
    support_team_id: desk.id,
  });
  const offering = await create(provider, "/service_offerings", { service_id: service.id });
  const { id } = await create(provider, "/slas", {
    service_offering_id: offering.id,
    service_instance_id: instance.id,
    customer_id: 4,
    customer_account_id: "widget-it",
    customer_representative_ids: [8],
    coverage: "people",
    status: "active",
    start_date: "2020-01-01",
  });
  sla = `/slas/${id}`;
  await provider.post(`${sla}/people/8`);
  providerMembers.service_instance_id = instance.id;
});

describe("specialists of the customer's account", () => {
  test("read a request that lists their SLA with the provider's values, alone and in lists", async () => {
    const own = (await as("administrator").post("/requests", { category: "other", subject: "Ours" })).body;
    const { id } = await request();
    const { status, body } = await customer.get(`/requests/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ subject: "Mail is slow", status: "assigned", account: { id: "provider" } });
    const { account: _, ...there } = body;
    const { team, ...here } = (await provider.get(`/requests/${id}`)).body;
    expect(there).toMatchObject({ status: here.status, next_target_at: here.next_target_at, team: { id: team.id } });
    expect(await listIds(customer, "/requests?per_page=2&sort=-id")).toEqual([id, own.id]);
    expect(await listIds(customer, `/requests/open?id=${id}`)).toEqual([id]);
    expect((await customer.get(`/requests?id=${own.id},${id}`)).headers.get("x-pagination-total-entries")).toBe("2");
  });

  test("find it by its words and its notes", async () => {
    const { id } = await request({ subject: "Ozymandias has fallen", note: "The pedestal is trunkless" });
    for (const word of ["ozymandias", "trunkless"])
      expect((await customer.get(`/search?q=${word}`)).body.map((row: { id: number }) => row.id)).toEqual([id]);
  });

  test("read and add public notes, but don't read internal ones", async () => {
    const { id } = await request({ note: "We look into it", internal_note: "Again" });
    const loadTexts = async (by: Client) =>
      (await by.get(`/requests/${id}/notes`)).body.map((note: { text: string }) => note.text);
    expect(await loadTexts(customer)).toEqual(["We look into it"]);
    expect((await customer.post(`/requests/${id}/notes`, { text: "Please hurry" })).status).toBe(201);
    expect(await loadTexts(provider)).toEqual(["We look into it", "Again", "Please hurry"]);
    const { body } = await customer.post(`/requests/${id}/notes`, { text: "Among us", internal: true });
    expect(body.errors).toEqual([["internal", "Internal is not valid"]]);
  });

  test("AZ15: can't change it", async () => {
    const { id } = await request();
    const admin = as("administrator");
    for (const by of [customer, admin]) expect((await by.patch(`/requests/${id}`, { subject: "x" })).status).toBe(403);
    for (const verb of ["archive", "trash"]) expect((await admin.post(`/requests/${id}/${verb}`)).status).toBe(403);
    expect((await admin.post(`/requests/${id}/tags`, { name: "x" })).status).toBe(403);
    const group = { category: "other", subject: "Ours", grouped_into_id: id };
    expect((await admin.post("/requests", group)).body.errors).toEqual([["grouped_into", "Grouped into is not valid"]]);
  });

  test("get no satisfaction links of its requesters", async () => {
    const { id } = await request();
    await provider.patch(`/requests/${id}`, { status: "completed", note: "Solved" });
    expect((await provider.get(`/requests/${id}`)).body.feedback).toHaveProperty("requested_for.satisfied_url");
    expect((await customer.get(`/requests/${id}`)).body.feedback).toBeNull();
    expect((await customer.get(`/requests?id=${id}&fields=feedback`)).body).toMatchObject([{ feedback: null }]);
  });

  test("get the events: their account's webhooks are called", async () => {
    const there = await startReceiver();
    await createActiveWebhook(the, as("administrator"), there, { event: "request.create" }, "/created");
    await createActiveWebhook(the, as("administrator"), there, { event: "request.status-changed" }, "/moved");
    const { id } = await request();
    const unseen = await request({ service_instance_id: null });
    await provider.patch(`/requests/${id}`, { status: "in_progress", member_id: 8 });
    await provider.patch(`/requests/${unseen.id}`, { subject: "Elsewhere" });
    await deliverDueWebhooks(the);
    expect(there.messages.map(({ path, body }) => [path, body.object_id]).sort()).toEqual([
      ["/created", id],
      ["/moved", id],
    ]);
  });

  test("get no events for internal notes, and events for other changes of the same call without them", async () => {
    const there = await startReceiver();
    for (const event of ["request.create", "request.note-added", "request.update"])
      await createActiveWebhook(the, as("administrator"), there, { event }, `/${event}`);
    const takeDeliveries = async () => {
      await deliverDueWebhooks(the);
      const list = there.messages.map(({ path, body }) => [path, body.payload.note_id ?? null]);
      there.clear();
      return list;
    };
    const { id } = await request({ internal_note: "Again" });
    expect(await takeDeliveries()).toEqual([["/request.create", null]]);
    await provider.post(`/requests/${id}/notes`, { text: "Not for them", internal: true });
    expect(await takeDeliveries()).toEqual([]);
    await provider.patch(`/requests/${id}`, { subject: "Mail is slower", internal_note: "Nor this" });
    expect(await takeDeliveries()).toEqual([["/request.update", null]]);
    await provider.patch(`/requests/${id}`, { note: "For everybody", internal_note: "For us" });
    const open = (await customer.get(`/requests/${id}/notes`)).body.at(-1);
    expect(open.text).toBe("For everybody");
    expect(await takeDeliveries()).toEqual([
      ["/request.note-added", open.id],
      ["/request.update", open.id],
    ]);
  });
});

test("others can't read it: end users, strangers, and the customer unless its SLA is listed", async () => {
  const { id } = await request();
  const { id: other } = await request({ service_instance_id: null });
  expect((await as("requester").get(`/requests/${id}`)).status).toBe(403);
  expect((await as("stranger").get(`/requests/${id}`)).status).toBe(404);
  expect((await customer.get(`/requests/${other}`)).status).toBe(404);
  expect(await listIds(as("stranger"), "/requests?per_page=100")).not.toContain(id);
});

test("changing the SLA's customer hides its requests, and restoring it shows them again", async () => {
  const { id } = await request();
  const readStates = async () => [
    (await customer.get(`/requests/${id}`)).status,
    await listIds(customer, `/requests?id=${id}`),
  ];
  expect(await readStates()).toEqual([200, [id]]);
  await provider.patch(sla, { customer_account_id: null });
  expect(await readStates()).toEqual([404, []]);
  const meanwhile = await request();
  await provider.patch(sla, { customer_account_id: "widget-it" });
  expect(await readStates()).toEqual([200, [id]]);
  expect((await customer.get(`/requests/${meanwhile.id}`)).status).toBe(200);
});

test("a request registered while the SLA's customer changes isn't shown to the former customer", async () => {
  const other = new pg.Client({ connectionString: the.databaseUrl });
  await other.connect();
  await other.query("BEGIN");
  await other.query("UPDATE slas SET customer_account_id = NULL WHERE id = $1", [sla.split("/").at(-1)]);
  const registered = request();
  const waits =
    "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple') AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())";
  while ((await sql(waits)).length === 0) await new Promise((next) => setTimeout(next, 10));
  await other.query("COMMIT");
  const { id } = await registered;
  expect(await sql("SELECT account_id FROM request_viewers WHERE request_id = $1", [id])).toEqual([]);
  await other.end();
  await sql("UPDATE slas SET customer_account_id = 'widget-it' WHERE id = $1", [sla.split("/").at(-1)]);
});

test("a viewer whose team gets the request works on it as a participant", async () => {
  const ours = await create(as("administrator"), "/teams", {});
  const { id } = await request();
  await provider.patch(`/requests/${id}`, { team_id: ours.id });
  expect((await customer.get(`/requests/${id}`)).body).toMatchObject({ assignment_count: 1, team: { id: ours.id } });
  expect(await listIds(customer, `/requests?id=${id}`)).toEqual([id]);
  expect((await customer.patch(`/requests/${id}`, { status: "accepted" })).body.status).toBe("accepted");
});

test("without trust between the accounts the SLA alone makes the requests readable", async () => {
  const { id } = await request();
  await sql("UPDATE account_trusts SET status = 'canceled'");
  expect((await customer.get(`/requests/${id}`)).status).toBe(200);
  expect(await listIds(customer, `/requests?id=${id}`)).toEqual([id]);
});
