import { expect, test } from "vitest";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { uploadTextFile } from "../support/records/upload.ts";
import { loggedErrors, world } from "../support/world.ts";

// GraphQL mutations use the same functions as REST, so they leave the same rows, audit lines and events.

const the = await world({ env: { COST_LIMIT: "0" } });
const { as, sql, url } = the;
const rest = as("administrator");
const ask = graphqlClient(the, "administrator");
const bodies = new RequestBodies(rest, the.service.engine.types);

const createRequest =
  "mutation($input: RequestCreateInput!) { requestCreate(input: $input) { clientMutationId errors { path message } request { id requestId status subject } } }";
const updateRequest =
  "mutation($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { path message } request { requestId status member { name } tags(first: 10) { nodes { id name } } watches(first: 10) { nodes { id person { name } } } configurationItems(first: 10) { nodes { id } } customFields { id value } } } }";

async function makeRequest(input: Record<string, unknown> = {}) {
  const { data, errors } = await ask(createRequest, {
    input: { category: "other", subject: "Screen is dark", ...input },
  });
  if (errors !== undefined || data.requestCreate.errors !== null) throw new Error(JSON.stringify([errors, data]));
  return data.requestCreate.request as { id: string; requestId: string };
}
const loadEvents = async (id: string | number) =>
  (
    await sql<{ event: string }>(
      "SELECT event FROM events WHERE record_type = 'request' AND record_id = $1 ORDER BY id",
      [id],
    )
  ).map(({ event }) => event);

test("a created request equals one created by REST, with its audit line and events", async () => {
  const input = {
    clientMutationId: "c-1",
    subject: "Screen is dark",
    category: "incident",
    impact: "medium",
    note: "Since today.",
    teamId: 1,
  };
  const { data } = await ask(createRequest, { input });
  expect(data.requestCreate).toMatchObject({ clientMutationId: "c-1", errors: null, request: { status: "assigned" } });
  const made = await rest.post("/requests", {
    subject: "Screen is dark",
    category: "incident",
    impact: "medium",
    note: "Since today.",
    team: 1,
  });
  const graph = (await rest.get(`/requests/${data.requestCreate.request.requestId}`)).body;
  const own = { id: 0, nodeID: "", feedback: null };
  expect({ ...graph, ...own }).toEqual({ ...made.body, ...own });
  expect(data.requestCreate.request.id).toBe(graph.nodeID);
  expect(await loadEvents(graph.id)).toEqual(await loadEvents(made.body.id));
  const loadChanges = async (id: number) =>
    (await rest.get(`/requests/${id}/audit`)).body.map((line: { action: string; changes: object }) => [
      line.action,
      Object.keys(line.changes ?? {}),
    ]);
  expect(await loadChanges(graph.id)).toEqual(await loadChanges(made.body.id));
});

test("validation errors are part of the payload, with the path of the member, and nothing is stored", async () => {
  const count = async () => (await sql<{ n: string }>("SELECT count(*) AS n FROM requests"))[0]?.n;
  const before = await count();
  const { status, data } = await ask(createRequest, { input: { category: "other", subject: "x", teamId: 999_999 } });
  expect([status, data.requestCreate.request]).toEqual([200, null]);
  expect(data.requestCreate.errors).toEqual([{ path: ["teamId"], message: "Team is not valid" }]);
  const child = await ask(createRequest, {
    input: { category: "other", subject: "x", newWatches: [{ personId: 3 }, {}] },
  });
  expect(child.data.requestCreate.errors).toEqual([
    { path: ["newWatches", "1", "personId"], message: "Person can't be blank" },
  ]);
  expect(await count()).toBe(before);
});

test("an unknown record is a field error; the mutations of a document run one after another", async () => {
  const unknown = await ask(updateRequest, { input: { id: "999999", subject: "x" } });
  expect([unknown.data, unknown.errors]).toEqual([
    { requestUpdate: null },
    [expect.objectContaining({ message: "Not Found", path: ["requestUpdate"], extensions: { code: "NOT_FOUND" } })],
  ]);
  const both = await ask(`mutation {
    a: requestCreate(input: {category: other, subject: "Stays"}) { request { requestId } }
    b: requestUpdate(input: {id: 999999, subject: "x"}) { request { requestId } }
  }`);
  expect(both.errors).toMatchObject([{ message: "Not Found", path: ["b"] }]);
  expect((await rest.get(`/requests/${both.data.a.request.requestId}`)).body.subject).toBe("Stays");
});

test("null clears and omitted fields stay; lists are replaced, children and tags are added and removed", async () => {
  const { id, requestId } = await makeRequest({ teamId: 1, memberId: 3 });
  const unchanged = await ask(updateRequest, { input: { id, subject: "Other" } });
  expect(unchanged.data.requestUpdate.request.member).toEqual({ name: "Sam Specialist" });
  const cis = await Promise.all([1, 2].map(async () => (await bodies.post(the.service.engine.types.get("ci"))).body));
  const changed = await ask(updateRequest, {
    input: {
      id,
      memberId: null,
      newTags: [{ name: "vip" }, { name: "urgent" }],
      newWatches: [{ personId: 3 }],
      configurationItemIds: [cis[0].nodeID, cis[1].id],
      customFields: [
        { id: "room", value: "B12" },
        { id: "floor", value: 3 },
      ],
    },
  });
  expect(changed.data.requestUpdate.errors).toBeNull();
  const { request } = changed.data.requestUpdate;
  expect([
    request.member,
    request.tags.nodes.map(({ name }: { name: string }) => name),
    request.watches.nodes[0].person,
  ]).toEqual([null, ["urgent", "vip"], { name: "Sam Specialist" }]);
  expect(request.configurationItems.nodes).toHaveLength(2);
  const again = await ask(updateRequest, {
    input: {
      id,
      tagsToDelete: [request.tags.nodes[0].id],
      watchesToDelete: [request.watches.nodes[0].id],
      configurationItemIds: [cis[1].nodeID],
      customFields: [{ id: "room", value: "C1" }],
    },
  });
  expect(again.data.requestUpdate.request).toMatchObject({
    tags: { nodes: [{ name: "vip" }] },
    watches: { nodes: [] },
    configurationItems: { nodes: [{ id: cis[1].nodeID }] },
    customFields: expect.arrayContaining([
      { id: "room", value: "C1" },
      { id: "floor", value: 3 },
    ]),
  });
  expect((await rest.get(`/requests/${requestId}/cis`)).body).toHaveLength(1);
});

test("custom filters find records by custom field values", async () => {
  await makeRequest({ subject: "Visit", customFields: [{ id: "visit_at", value: "2031-04-30T09:00:00Z" }] });
  const find = (filter: string) =>
    ask(`{ requests(first: 5, filter: {customFilters: [${filter}]}) { nodes { subject customFields { id value } } } }`);
  const found = await find('{name: "visit_at", values: ["<2031-05-01T00:00:00Z"]}');
  expect(found.data.requests.nodes).toEqual([
    { subject: "Visit", customFields: [{ id: "visit_at", value: "2031-04-30T09:00:00Z" }] },
  ]);
  expect((await find('{name: "visit_at", values: ["<2031-04-01T00:00:00Z"]}')).data.requests.nodes).toEqual([]);
  const unknown = await find('{name: "nothing", values: ["x"]}');
  expect(unknown.errors).toMatchObject([
    { message: "Unknown custom filter: nothing", extensions: { code: "BAD_REQUEST" } },
  ]);
});

test("a note is added as in REST, with its file", async () => {
  const { id, requestId } = await makeRequest();
  const { data: storage } = await ask(
    "{ attachmentStorage { sizeLimit allowedExtensions uploadUri provider providerParameters } }",
  );
  expect(storage.attachmentStorage).toMatchObject({ provider: "local", uploadUri: `${url}/v1/attachments` });
  const key = await uploadTextFile(rest, "hello.txt", "hello");
  const { data, errors } = await ask(
    "mutation($input: NoteCreateInput!) { noteCreate(input: $input) { errors { message } note { id text internal record { ... on Request { requestId } } textAttachments(first: 5) { totalCount nodes { filename key inline size expiringUrl } } } } }",
    { input: { ownerId: id, text: "See file", internal: true, attachments: [{ key, inline: false }] } },
  );
  expect(errors).toBeUndefined();
  expect(data.noteCreate.note).toMatchObject({ text: "See file", internal: true, record: { requestId } });
  expect(data.noteCreate.note.textAttachments).toMatchObject({
    totalCount: 1,
    nodes: [{ filename: "hello.txt", key, size: 5 }],
  });
  expect((await fetch(data.noteCreate.note.textAttachments.nodes[0].expiringUrl)).status).toBe(200);
  expect(await loadEvents(requestId)).toContain("request.note-added");
});

test("a deleted record is gone, and a second deletion is an error", async () => {
  const { body } = await rest.post("/service_categories", { name: "Old services" });
  const remove = () =>
    ask(
      `mutation { serviceCategoryDelete(input: {id: "${body.nodeID}", clientMutationId: "x"}) { success clientMutationId errors { message } } }`,
    );
  expect((await remove()).data).toEqual({
    serviceCategoryDelete: { success: true, clientMutationId: "x", errors: null },
  });
  const again = await remove();
  expect([again.data, again.errors]).toEqual([
    { serviceCategoryDelete: null },
    [expect.objectContaining({ message: "Not Found", path: ["serviceCategoryDelete"] })],
  ]);
});

test("a missing permission is an error at the field, and the other mutations run", async () => {
  const asRequester = graphqlClient(the, "requester");
  const { data, errors } = await asRequester(
    'mutation { a: teamCreate(input: {name: "x"}) { team { id } } b: requestCreate(input: {category: other, subject: "Mine"}) { request { subject } errors { message } } }',
  );
  expect(errors).toMatchObject([{ message: "Forbidden", path: ["a"], extensions: { code: "FORBIDDEN" } }]);
  expect(data).toEqual({ a: null, b: { request: { subject: "Mine" }, errors: null } });
});

test("the hourly point limit is used up without an effect on REST", async () => {
  const limited = await world({ env: { COST_LIMIT: "3" } });
  const askLimited = graphqlClient(limited, "administrator");
  for (const remaining of ["2", "1", "0"])
    expect((await askLimited("{ me { id } }")).headers.get("X-CostLimit-Remaining")).toBe(remaining);
  const refused = await askLimited("{ me { id } }");
  expect([refused.status, refused.headers.get("Retry-After"), refused.body.message]).toEqual([
    429,
    "3600",
    "Too Many Requests",
  ]);
  expect((await limited.as("administrator").get("/me")).status).toBe(200);
});

test("no call fails unexpectedly, and a webhook policy shows its key once", async () => {
  const { data, errors } = await ask(
    'mutation { webhookPolicyCreate(input: {jwtAlg: "rs256"}) { errors { message path } webhookPolicy { id jwtAlg publicKeyPem } } }',
  );
  expect(errors).toBeUndefined();
  expect(data.webhookPolicyCreate).toMatchObject({
    errors: null,
    webhookPolicy: { jwtAlg: "rs256", publicKeyPem: expect.stringContaining("PUBLIC KEY") },
  });
  expect(loggedErrors(the.log)).toEqual([]);
});
