import pg from "pg";
import { expect, test } from "vitest";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { loggedErrors, world } from "../support/world.ts";

// GraphQL features beyond REST: webhook node IDs, pagination during writes, roles, custom fields, time limits, the explorer.

const the = await world({ env: { COST_LIMIT: "0", GRAPHQL_SECONDS: "2" } });
const { as, url, sql } = the;
const rest = as("administrator");
const ask = graphqlClient(the, "administrator");
const endpoint = `${url}/graphql`;

const createRequest = async (members: Record<string, unknown> = {}) => {
  const { status, body, text } = await rest.post("/requests", { category: "other", subject: "A request", ...members });
  if (status !== 201) throw new Error(text);
  return body as { id: number; nodeID: string };
};

test("the nodeID of a webhook message finds the record", async () => {
  const receiver = await startReceiver();
  await createActiveWebhook(the, rest, receiver, { event: "request.create" });
  const { id } = await createRequest({ subject: "Told by a webhook" });
  await deliverDueWebhooks(the);
  const message = await receiver.next(({ body }) => body.event === "request.create");
  const { data } = await ask("query($id: ID!) { node(id: $id) { ... on Request { requestId subject } } }", {
    id: message.body.object_nodeID,
  });
  expect(data.node).toEqual({ requestId: String(id), subject: "Told by a webhook" });
});

test("pagination returns every record once while others are created, and the total equals REST's", async () => {
  for (let count = 0; count < 7; count++) await createRequest({ subject: `Page ${count}` });
  const before = (await rest.get("/requests?sort=id&per_page=100")).body.map(({ id }: { id: number }) => String(id));
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const { data } = await ask(
      "query($after: String) { requests(first: 3, after: $after, order: {field: requestId}) { totalCount nodes { requestId } pageInfo { hasNextPage endCursor } } }",
      { after },
    );
    const { nodes, pageInfo, totalCount } = data.requests;
    ids.push(...nodes.map(({ requestId }: { requestId: string }) => requestId));
    expect(totalCount).toBe(Number((await rest.get("/requests")).headers.get("X-Pagination-Total-Entries")));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    if (ids.length < 9) await createRequest({ subject: "Meanwhile" });
  } while (after !== null);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.slice(0, before.length)).toEqual(before);
});

test("a financial manager sees a person's hourly cost, a specialist doesn't", async () => {
  await rest.patch("/people/3", { cost_per_hour: "87.50" });
  const query = '{ people(first: 1, filter: {name: {values: ["Sam Specialist"]}}) { nodes { costPerHour } } }';
  const askManager = graphqlClient(the, "manager");
  const cost = async () => (await askManager(query)).data.people.nodes[0].costPerHour;
  expect(await cost()).toBeNull();
  await rest.post("/people/9/permissions/widget-it", { roles: ["financial_manager"] });
  await until(async () => (await cost()) === 87.5);
});

test("custom fields that an update doesn't name stay, and are a list under every account header", async () => {
  const { id, nodeID } = await createRequest({ custom_fields: { room: "B12", floor: "3" } });
  const update =
    "mutation($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message } request { customFields { id value } } } }";
  const fields = [
    { id: "room", value: "C1" },
    { id: "floor", value: "3" },
  ];
  const { data } = await ask(update, { input: { id: nodeID, customFields: [{ id: "room", value: "C1" }] } });
  expect(data.requestUpdate).toEqual({ errors: null, request: { customFields: expect.arrayContaining(fields) } });
  for (const name of ["account", "X-4me-Account", "X-Xurrent-Account"]) {
    const headers = { Authorization: `Bearer ${tokenFor("administrator")}`, [name]: "widget-it" };
    const query = `{ me { name } requests(first: 1, filter: {requestId: {values: ["${id}"]}}) { nodes { customFields { id value } } } }`;
    const { body } = await the.nobody.post(endpoint, { query }, headers);
    expect(body.data.me.name).toBe("Ada Admin");
    expect(body.data.requests.nodes[0].customFields).toEqual(expect.arrayContaining(fields));
  }
});

test("another account's records are in the view all, with their account, and in no other list", async () => {
  const { data } = await ask(
    '{ own: people(first: 100) { nodes { name } } all: people(first: 100, view: all, filter: {account: {values: ["widget"]}}) { nodes { name account { id name } } } }',
  );
  const rita = { name: "Rita Requester", account: { id: "widget", name: "Widget International" } };
  expect(data.all.nodes).toContainEqual(rita);
  expect(data.own.nodes).not.toContainEqual({ name: rita.name });
});

test("recurrences, activities, roles and codes have the format of the public interface", async () => {
  const permissions =
    "mutation($input: PersonUpdateInput!) { personUpdate(input: $input) { errors { path message } person { permissions(first: 5) { totalCount nodes { account { id } roles } } } } }";
  const changed = await ask(permissions, {
    input: { id: 9, newAccountPermissions: [{ accountId: "widget-it", roles: ["knowledge_manager"] }] },
  });
  expect(changed.data.personUpdate.person.permissions.nodes[0]).toEqual({
    account: { id: "widget-it" },
    roles: expect.arrayContaining(["specialist", "knowledge_manager"]),
  });
  const refused = await ask(permissions, {
    input: { id: 9, permissions: [{ accountId: "stranger", roles: ["specialist"] }] },
  });
  expect(refused.data.personUpdate.errors).toMatchObject([{ path: ["permissions", "roles"] }]);
  await rest.post("/rfc_types", { name: "Move", reference: "move" });
  const { nodeID } = await createRequest({ category: "rfc", rfc_type: "move" });
  const { data } = await ask(
    "query($id: ID!) { node(id: $id) { ... on Request { rfcType { name reference } feedback { requestedBy { satisfiedUrl } } } } }",
    { id: nodeID },
  );
  expect(data.node.rfcType).toEqual({ name: "Move", reference: "move" });
  const template = await ask(
    'mutation { workflowTemplateCreate(input: {subject: "Patch", recurrence: {frequency: weekly, interval: 2, startDate: "2031-02-03", timeOfDay: "09:30", day: [1, 3]}}) { errors { path message } workflowTemplate { recurrence { frequency interval day timeOfDay } } } }',
  );
  if (template.data.workflowTemplateCreate.errors === null)
    expect(template.data.workflowTemplateCreate.workflowTemplate.recurrence).toEqual({
      frequency: "weekly",
      interval: 2,
      day: [1, 3],
      timeOfDay: "09:30",
    });
});

test("an article is marked as reviewed, an app is published, a request is shared with a customer's account", async () => {
  const { data: made } = await ask(
    'mutation { serviceCreate(input: {name: "Mail", providerId: 1}) { errors { message } service { id } } }',
  );
  const service = made.serviceCreate.service.id as string;
  const { data: written } = await ask(
    'mutation($service: ID!) { knowledgeArticleCreate(input: {subject: "How", description: "So.", instructions: "Do.", serviceId: $service}) { errors { path message } knowledgeArticle { id } } }',
    { service },
  );
  const { id } = written.knowledgeArticleCreate.knowledgeArticle;
  const { data: reviewed } = await ask(
    'mutation($id: ID!) { knowledgeArticleMarkAsReviewed(input: {id: $id, clientMutationId: "r"}) { clientMutationId errors { message } knowledgeArticle { updatedBy { name } } } }',
    { id },
  );
  expect(reviewed.knowledgeArticleMarkAsReviewed).toEqual({
    clientMutationId: "r",
    errors: null,
    knowledgeArticle: { updatedBy: { name: "Ada Admin" } },
  });
  const number = /\d+$/.exec(Buffer.from(id, "base64url").toString())?.[0];
  const lines = (await rest.get(`/knowledge_articles/${number}/audit`)).body as { changes: object }[];
  expect(lines.some(({ changes }) => "reviewed_at" in changes)).toBe(true);

  const { data: instance } = await ask(
    'mutation($service: ID!) { serviceInstanceCreate(input: {name: "Mail", serviceId: $service}) { serviceInstance { id } } }',
    { service },
  );
  const { data: offered } = await ask(
    'mutation($at: ID!) { appOfferingCreate(input: {name: "App", serviceInstanceId: $at, webhookUriTemplate: "https://app.example/{account}", policyJwtAlg: rs256}) { errors { message } appOffering { id } } }',
    { at: instance.serviceInstanceCreate.serviceInstance.id },
  );
  const { data: published } = await ask(
    "mutation($id: ID!) { appOfferingPublish(input: {id: $id}) { errors { message } appOffering { name } } }",
    { id: offered.appOfferingCreate.appOffering.id },
  );
  expect(published.appOfferingPublish).toEqual({ errors: null, appOffering: { name: "App" } });
  expect((await sql("SELECT 1 FROM app_offerings WHERE published_at IS NOT NULL")).length).toBe(1);
});

test("a provider shares a request with a customer's account and unshares it", async () => {
  const provider = as("provider");
  const askProvider = graphqlClient(the, "provider");
  const { body: request } = await provider.post("/requests", { category: "other", subject: "Theirs" });
  const show =
    "mutation($input: RequestUpdateVisibilityInput!) { requestUpdateVisibility(input: $input) { success errors { path message } } }";
  const input = { id: request.nodeID, accountID: "widget-it", visible: true };
  expect((await askProvider(show, { input })).data.requestUpdateVisibility).toMatchObject({
    success: false,
    errors: [{ path: ["accountID"] }],
  });
  const { body: service } = await provider.post("/services", { name: "Mail", provider_id: 4 });
  const { body: offering } = await provider.post("/service_offerings", { name: "Mail", service_id: service.id });
  const { data: agreed } = await askProvider(
    'mutation($offering: ID!) { serviceLevelAgreementCreate(input: {name: "S", serviceOfferingId: $offering, customerId: 4, customerAccountId: "widget-it", coverage: people, activityID: {top: "T1"}}) { errors { path message } serviceLevelAgreement { activityID { top low } } } }',
    { offering: offering.nodeID },
  );
  expect(agreed.serviceLevelAgreementCreate).toEqual({
    errors: null,
    serviceLevelAgreement: { activityID: { top: "T1", low: null } },
  });
  const listViewers = async () =>
    (
      await sql<{ account_id: string }>("SELECT account_id FROM request_viewers WHERE request_id = $1", [request.id])
    ).map(({ account_id }) => account_id);
  expect((await askProvider(show, { input })).data.requestUpdateVisibility).toEqual({ success: true, errors: null });
  expect(await listViewers()).toEqual(["widget-it"]);
  expect((await as("specialist").get(`/requests/${request.id}`)).status).toBe(200);
  await askProvider(show, { input: { ...input, visible: false } });
  expect(await listViewers()).toEqual([]);
});

test("PostgreSQL cancels a call that takes too long, and one whose client has disconnected", async () => {
  const locker = new pg.Client({ connectionString: the.databaseUrl });
  await locker.connect();
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE requests IN ACCESS EXCLUSIVE MODE");
  const countWaiting = async () =>
    Number(
      (
        await sql<{ n: string }>(
          "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%requests%'",
        )
      )[0]?.n,
    );
  try {
    const query = "{ requests(first: 1) { nodes { id } } }";
    const late = await ask(query);
    expect([late.status, late.errors?.[0].message, late.errors?.[0].extensions.code]).toEqual([
      200,
      "Query timed out",
      "TIMEOUT",
    ]);
    await until(async () => (await countWaiting()) === 0);
    const leaving = new AbortController();
    const answer = fetch(endpoint, {
      method: "POST",
      signal: leaving.signal,
      headers: { Authorization: `Bearer ${tokenFor("administrator")}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    });
    await until(async () => (await countWaiting()) > 0);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await until(async () => (await countWaiting()) === 0);
    expect((await rest.get("/me")).status).toBe(200);
    expect(await countWaiting()).toBe(0);
  } finally {
    await locker.query("ROLLBACK");
    await locker.end();
  }
});

test("a hundred concurrent nested queries leave room for REST", async () => {
  const query =
    "{ requests(first: 20) { nodes { subject notes(first: 5) { nodes { text person { name } } } requestedFor { name teams(first: 5) { nodes { name members(first: 5) { nodes { name } } } } } } } }";
  const calls = Array.from({ length: 100 }, () => ask(query));
  const reads = await Promise.all(Array.from({ length: 10 }, () => rest.get("/me")));
  expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
  expect([...statuses].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(loggedErrors(the.log)).toEqual([]);
});

test("the explorer is available to browsers with a session", async () => {
  const html = { accept: "text/html,*/*;q=0.8" };
  const away = await fetch(endpoint, { headers: html, redirect: "manual" });
  expect([away.status, away.headers.get("location")]).toEqual([302, "/sign_in?return_to=%2Fgraphql"]);
  for (const name of ["page.css", "explorer.js", "documentation.js", "language.js"]) {
    const file = await fetch(`${endpoint}/explorer/${name}`);
    expect([name, file.status]).toEqual([name, 200]);
    expect(file.headers.get("content-security-policy")).toContain("script-src 'self'");
  }
  expect((await (await fetch(`${url}/docs/api`)).text()).includes('href="/graphql"')).toBe(true);
});
