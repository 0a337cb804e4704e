import { auditServer } from "graphql-http";
import { expect, test } from "vitest";
import { hashToken } from "../../server/oauth/tokens.ts";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { tokenFor } from "../support/seed.ts";
import { loggedErrors, world } from "../support/world.ts";

// GraphQL queries: transport, limits, scopes, collections, nested lists, filters, pagination.

const the = await world();
const { as, url, sql } = the;
const rest = as("administrator");
const ask = graphqlClient(the, "administrator");
const askAs = {
  specialist: graphqlClient(the, "specialist"),
  requester: graphqlClient(the, "requester"),
};
const endpoint = `${url}/graphql`;
const authorization = { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" };

const createRequest = async (members: Record<string, unknown> = {}) => {
  const { status, body, text } = await rest.post("/requests", {
    category: "other",
    subject: "Printer is dark",
    ...members,
  });
  if (status !== 201) throw new Error(text);
  return body as { id: number; nodeID: string; subject: string };
};
const first = await createRequest({ team: 1, member: 3, note: "Since this morning.", requested_for: 5 });
const second = await createRequest({ team: 2, subject: "Network is slow", internal_note: "Psst" });
const third = await createRequest({ team: 1, subject: "Sales report is empty", category: "incident", impact: "low" });
await rest.patch(`/requests/${third.id}`, { status: "completed", note: "Done." });

async function createToken(actions: string[]): Promise<string> {
  const token = `${actions.join("").replace(/\W/g, "")}${"y".repeat(112)}`.slice(0, 112);
  await sql(
    "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ('widget-it', 1, 'personal', 'some', $1, $2, now()) ON CONFLICT DO NOTHING",
    [hashToken(token), JSON.stringify([{ effect: "allow", actions, accounts: [] }])],
  );
  return token;
}

test("every name of the account header works, with and without a path", async () => {
  const query = "{ me { name } }";
  expect((await ask(query)).data).toEqual({ me: { name: "Ada Admin" } });
  for (const name of ["X-4me-Account", "x-xurrent-account"]) {
    const headers = { Authorization: authorization.Authorization, [name]: "widget-it" };
    const reply = await the.nobody.post(endpoint, { query: "{ account { id name } }" }, headers);
    expect(reply.body.data).toEqual({ account: { id: "widget-it", name: "Widget IT" } });
  }
  const onHost = await the.nobody.post(`${url}/`, { query }, { ...authorization, host: "graphql.svc.example" });
  expect([onHost.status, onHost.body.data]).toEqual([200, { me: { name: "Ada Admin" } }]);
  expect((await the.nobody.post(`${url}/`, { query }, authorization)).status).toBe(404);
});

test("other methods, missing tokens and unreadable bodies are refused", async () => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const { status, headers, body } = await the.nobody.send(method, endpoint, undefined, authorization);
    expect([method, status, headers.get("allow"), body]).toEqual([
      method,
      405,
      "POST",
      { message: "Method Not Allowed" },
    ]);
  }
  const anonymous = await the.nobody.post(endpoint, { query: "{ me { name } }" });
  expect([anonymous.status, anonymous.body]).toEqual([401, { message: "Unauthorized" }]);
  const send = (body: string, headers: Record<string, string> = {}) => rest.send("POST", endpoint, body, headers);
  expect((await send("{")).body).toEqual({ message: "Invalid JSON string posted" });
  expect((await send("{")).status).toBe(400);
  expect((await send("{}")).status).toBe(400);
  expect((await send('[{"query":"{ me { id } }"}]')).status).toBe(400);
  expect((await send('{"query":"{ me { id } }"}', { "Content-Type": "text/plain" })).status).toBe(415);
  expect((await send('{"query":"{ me { id } }"}', { account: "stranger" })).status).toBe(403);
});

test("the status of an invalid document depends on the response's media type", async () => {
  const plain = await ask("{ me {");
  expect([plain.status, plain.data, plain.errors?.[0].extensions]).toEqual([200, undefined, { code: "BAD_REQUEST" }]);
  const strict = await ask("{ me {", undefined, { Accept: "application/graphql-response+json" });
  expect([strict.status, strict.headers.get("content-type")]).toEqual([
    400,
    "application/graphql-response+json; charset=utf-8",
  ]);
  const right = await ask("{ me { id } }", undefined, { Accept: "application/graphql-response+json" });
  expect(right.status).toBe(200);
});

test("the GraphQL over HTTP audits report only that GET is refused", async () => {
  const fetchFn = (address: string, init: RequestInit = {}) =>
    fetch(address, { ...init, headers: { ...(init.headers as Record<string, string>), ...authorization } });
  const results = await auditServer({ url: endpoint, fetchFn });
  const failed = results.filter(({ status, name }) => status !== "ok" && !/GET|^MAY/.test(name));
  expect(failed.map(({ name, ...result }) => ({ name, reason: "reason" in result ? result.reason : "" }))).toEqual([]);
});

test("every response has seven limit headers, and rateLimit shows the same values", async () => {
  const { headers, data } = await ask("{ rateLimit { cost limit remaining resetAt } }");
  const names = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-CostLimit-Limit"];
  for (const name of [...names, "X-CostLimit-Cost", "X-CostLimit-Remaining", "X-CostLimit-Reset"])
    expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(/^\d+$/)]);
  expect(data.rateLimit).toEqual({
    cost: Number(headers.get("X-CostLimit-Cost")),
    limit: 5000,
    remaining: Number(headers.get("X-CostLimit-Remaining")),
    resetAt: Number(headers.get("X-CostLimit-Reset")),
  });
});

test("a record's id is its nodeID, its number is text, and node finds it", async () => {
  const { data } = await ask(
    "query($id: ID!) { node(id: $id) { __typename ... on Request { id requestId subject status team { name } notes(last: 1) { nodes { text person { name } } } } } }",
    { id: first.nodeID },
  );
  expect(data.node).toEqual({
    __typename: "Request",
    id: first.nodeID,
    requestId: String(first.id),
    subject: "Printer is dark",
    status: "assigned",
    team: { name: "Service Desk" },
    notes: { nodes: [{ text: "Since this morning.", person: { name: "Ada Admin" } }] },
  });
  const other = Buffer.from(Buffer.from(first.nodeID, "base64url").toString().replace("/Req/", "/Nothing/"));
  const missing = await ask("query($id: ID!) { node(id: $id) { id } }", { id: other.toString("base64url") });
  expect(missing.data).toEqual({ node: null });
  expect(missing.errors).toMatchObject([{ message: "Not Found", path: ["node"], extensions: { code: "NOT_FOUND" } }]);
  const both = await ask("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", {
    ids: [second.nodeID, "nonsense-id", first.nodeID],
  });
  expect(both.data.nodes).toEqual([{ id: second.nodeID }, null, { id: first.nodeID }]);
});

test("a connection requires first or last, and the total number of nodes is limited", async () => {
  const messages: string[] = [];
  for (const paging of ["", "(first: 1, last: 1)", "(first: 0)", "(first: 101)"]) {
    const { data, errors } = await ask(`{ requests${paging} { totalCount } }`);
    expect(data).toBeUndefined();
    messages.push(errors?.[0].message);
  }
  expect(messages).toEqual([
    "Connection 'requests' needs either 'first' or 'last', from 1 to 100.",
    "Connection 'requests' needs either 'first' or 'last', from 1 to 100.",
    "Argument 'first' of connection 'requests' must be from 1 to 100.",
    "Argument 'first' of connection 'requests' must be from 1 to 100.",
  ]);
  const nested = (count: number) =>
    ask(
      `{ requests(first: 100) { nodes { configurationItems(first: 100) { nodes { contracts(first: ${count}) { nodes { id } } } } } } }`,
    );
  expect((await nested(100)).errors?.[0].message).toBe(
    "Individual calls cannot request more than 500,000 total nodes.",
  );
  expect((await nested(49)).errors?.[0].message).toBe("Individual calls cannot request more than 500,000 total nodes.");
  const allowed = await nested(48);
  expect([allowed.errors, allowed.headers.get("X-CostLimit-Cost")]).toEqual([undefined, "101"]);
  const cheap = await ask("{ requests(first: 100) { nodes { notes(first: 100) { nodes { text } } } } }");
  expect(cheap.headers.get("X-CostLimit-Cost")).toBe("1");
});

const listSubjects = (page: { nodes: { subject: string }[] }) => page.nodes.map(({ subject }) => subject);

test("enumerations are accepted as text, literals or variables, and unknown values are errors", async () => {
  const literal = await ask('{ requests(first: 10, filter: {status: {values: ["completed"]}}) { nodes { subject } } }');
  const bare = await ask("{ requests(first: 10, filter: {status: {values: [completed]}}) { nodes { subject } } }");
  const variable = await ask(
    "query($s: [RequestStatus!]!) { requests(first: 10, filter: {status: {values: $s}}) { nodes { subject } } }",
    { s: ["completed"] },
  );
  expect(listSubjects(literal.data.requests)).toEqual(["Sales report is empty"]);
  expect([bare.data, variable.data]).toEqual([literal.data, literal.data]);
  const unknown = await ask('{ requests(first: 1, filter: {status: {values: ["open"]}}) { totalCount } }');
  expect([unknown.data, unknown.errors?.[0].message]).toEqual([
    undefined,
    expect.stringContaining('Could not coerce value "open" to RequestStatus'),
  ]);
});

test("filters support blanks, negation, ranges and words", async () => {
  const { data, errors } = await ask(`{
    blank: requests(first: 10, filter: {member: {values: []}}) { totalCount }
    alsoBlank: requests(first: 10, filter: {member: {values: [null]}}) { totalCount }
    present: requests(first: 10, filter: {member: {values: [], negate: true}}) { nodes { subject } }
    neither: requests(first: 10, filter: {subject: {values: ["printer is dark", "Network is slow"], negate: true}}) { nodes { subject } }
    range: requests(first: 10, filter: {createdAt: {greaterThanOrEqualTo: "2025-03-03T08:00:00Z", lessThan: "2025-03-04T00:00:00Z"}}) { totalCount }
    none: requests(first: 10, filter: {createdAt: {greaterThan: "2025-03-03T08:00:00Z", lessThan: "2025-03-04T00:00:00Z"}}) { totalCount }
    words: requests(first: 10, filter: {query: "sales rep"}) { nodes { subject } }
    number: requests(first: 10, filter: {query: "${second.id}"}) { nodes { subject } }
    team: requests(first: 10, filter: {team: {values: [2]}}) { nodes { subject } }
    otherType: requests(first: 10, filter: {team: {values: ["${first.nodeID}"]}}) { totalCount }
  }`);
  expect(errors).toBeUndefined();
  expect(data.blank.totalCount).toBe(data.alsoBlank.totalCount);
  expect(listSubjects(data.present)).toEqual(["Printer is dark"]);
  expect(listSubjects(data.neither)).toEqual(["Sales report is empty"]);
  expect([data.range.totalCount, data.none.totalCount, data.otherType.totalCount]).toEqual([3, 0, 0]);
  expect(listSubjects(data.words)).toEqual(["Sales report is empty"]);
  expect(listSubjects(data.number)).toEqual(["Network is slow"]);
  expect(listSubjects(data.team)).toEqual(["Network is slow"]);
  const restTotal = await rest.get("/requests?created_at=>=2025-03-03T08:00:00Z<2025-03-04T00:00:00Z");
  expect(restTotal.headers.get("X-Pagination-Total-Entries")).toBe("3");
});

test("filter, view and order exist on collections only", async () => {
  for (const argument of ["filter: {}", "view: all", "order: {field: id}"]) {
    const { errors, data } = await ask(
      `{ requests(first: 1) { nodes { notes(first: 1, ${argument}) { totalCount } } } }`,
    );
    expect([data, errors?.[0].extensions.code]).toEqual([undefined, "BAD_REQUEST"]);
  }
});

test("without a view the list has the account's records, with the view all also the directory's", async () => {
  const { data } = await ask(
    "{ own: people(first: 100) { nodes { account { id } } } all: people(first: 100, view: all) { nodes { account { id } } } }",
  );
  const accounts = (page: { nodes: { account: { id: string } }[] }) =>
    [...new Set(page.nodes.map(({ account }) => account.id))].sort();
  expect(accounts(data.own)).toEqual(["widget-it"]);
  expect(accounts(data.all)).toEqual(["widget", "widget-it"]);
});

test("administrators can list archived and trashed records", async () => {
  const archived = await createRequest({ subject: "Old", status: "completed", note: "x" });
  const trashed = await createRequest({ subject: "Wrong", status: "completed", note: "x" });
  expect((await rest.post(`/requests/${archived.id}/archive`)).status).toBe(200);
  expect((await rest.post(`/requests/${trashed.id}/trash`)).status).toBe(200);
  const query = `{
    archive: requests(first: 5, view: archive) { nodes { subject lifeCycleState } }
    trash: requests(first: 5, view: trash) { nodes { subject lifeCycleState } }
    active: requests(first: 50) { nodes { subject } }
  }`;
  const { data } = await ask(query);
  expect(data.archive.nodes).toEqual([{ subject: "Old", lifeCycleState: "archived" }]);
  expect(data.trash.nodes).toEqual([{ subject: "Wrong", lifeCycleState: "trashed" }]);
  expect(listSubjects(data.active)).not.toContain("Old");
  const hidden = await askAs.specialist(query);
  expect([hidden.data.archive.nodes, hidden.data.trash.nodes]).toEqual([[], []]);
  const entries = await ask(
    "{ trash(first: 5) { nodes { trashedBy { name } trashed { __typename ... on Request { requestId subject } } } } }",
  );
  expect(entries.data.trash.nodes).toEqual([
    {
      trashedBy: { name: "Ada Admin" },
      trashed: { __typename: "Request", requestId: String(trashed.id), subject: "Wrong" },
    },
  ]);
});

test("pagination walks the whole list forward and backward, and cursors belong to their order", async () => {
  const walk = async (argument: string, next: (info: Record<string, unknown>) => string | null) => {
    const ids: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; page < 20 && cursor !== null; page++) {
      const cursorArgument: string =
        cursor === "" ? "" : `, ${argument.startsWith("first") ? "after" : "before"}: "${cursor}"`;
      const { data, errors } = await ask(
        `{ requests(${argument}${cursorArgument}, order: {field: requestId}) { totalCount nodes { requestId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      );
      expect(errors).toBeUndefined();
      const found = data.requests.nodes.map(({ requestId }: { requestId: string }) => requestId);
      if (argument.startsWith("first")) ids.push(...found);
      else ids.unshift(...found);
      expect(data.requests.totalCount).toBe(3);
      cursor = next(data.requests.pageInfo);
    }
    return ids;
  };
  const all = [first, second, third].map(({ id }) => String(id));
  expect(await walk("first: 2", (info) => (info.hasNextPage ? (info.endCursor as string) : null))).toEqual(all);
  expect(await walk("last: 2", (info) => (info.hasPreviousPage ? (info.startCursor as string) : null))).toEqual(all);
  const { data } = await ask(
    "{ requests(first: 1, order: {field: requestId}) { edges { cursor node { requestId } } } }",
  );
  const [edge] = data.requests.edges;
  expect(edge.node.requestId).toBe(String(first.id));
  const wrong = await ask(`{ requests(first: 1, order: {field: subject}, after: "${edge.cursor}") { nodes { id } } }`);
  expect(wrong.errors?.[0].message).toBe("Invalid cursor");
});

test("scopes are checked before execution; the fields of a reference need no scope of their own", async () => {
  const token = await createToken(["request:Read"]);
  const send = async (query: string) =>
    (await the.withToken(token, { account: "widget-it" }).post(endpoint, { query })).body;
  expect(
    (await send("{ requests(first: 1, filter: {member: {values: [3]}}) { nodes { requestedFor { name } } } }")).data
      .requests.nodes,
  ).toEqual([{ requestedFor: { name: "Rita Requester" } }]);
  const refused = { extensions: { code: "FORBIDDEN" }, message: "Missing required scope(s): person:Read" };
  expect(await send("{ requests(first: 1) { nodes { requestedFor { jobTitle } } } }")).toEqual({
    errors: [expect.objectContaining(refused)],
  });
  expect((await send("{ people(first: 1) { nodes { name } } }")).errors).toMatchObject([refused]);
  expect((await send("{ me { name } }")).errors[0].message).toBe("Missing required scope(s): me:All");
  expect(
    (await send('mutation { requestCreate(input: {subject: "x"}) { errors { message } } }')).errors[0].message,
  ).toBe("Missing required scope(s): request:Create");
});

test("a confidential field is null without the permission to read it", async () => {
  const query =
    '{ people(first: 100, view: all, filter: {name: {values: ["rita requester"]}}) { nodes { name costPerHour } } }';
  expect((await ask(query)).text).toContain('"costPerHour":87.50');
  expect((await askAs.specialist(query)).data.people.nodes).toEqual([{ name: "Rita Requester", costPerHour: null }]);
});

test("each nested list, and each level of referenced records, takes one statement", async () => {
  const database = the.service.engine.database;
  const statements: string[] = [];
  const { read, readMany } = database;
  database.read = (query, ...others) => {
    statements.push(query.text);
    return read.call(database, query, ...others);
  };
  database.readMany = (query, ...others) => {
    statements.push(query.text);
    return readMany.call(database, query, ...others);
  };
  const query = `{ requests(first: 100) { totalCount nodes {
    requestId subject team { name } member { name jobTitle } requestedFor { name manager { name } }
    notes(first: 10) { nodes { text person { name } } } watches(first: 5) { totalCount } tags(first: 5) { nodes { name } }
    team { members(first: 10) { nodes { name } } } } } }`;
  // The service's own reads can only add to the count, so the minimum of a few calls is the query's own count.
  const counts: number[] = [];
  let answer = await ask(query);
  for (let call = 0; call < 4; call += 1) {
    statements.length = 0;
    answer = await ask(query);
    counts.push(statements.length);
  }
  Object.assign(database, { read, readMany });
  const { data, errors } = answer;
  expect(errors).toBeUndefined();
  expect(data.requests.nodes).toHaveLength(3);
  expect(data.requests.nodes[2].team.members.nodes).toHaveLength(2);
  // One for requests, notes, watches, tags, members of teams; one for each of the three references.
  expect(Math.min(...counts)).toBeLessThanOrEqual(8);
});

test("hostile documents are refused, and no call fails unexpectedly", async () => {
  const deep = `{ requests(first: 1) { nodes { ${"team { manager { ".repeat(20)} id ${"} }".repeat(20)} } } }`;
  const laughs = `{ me { ...f0 } } ${Array.from({ length: 30 }, (_, n) => `fragment f${n} on Person { ...f${n + 1} ...g${n} } fragment g${n} on Person { ...f${n + 1} }`).join(" ")} fragment f30 on Person { id }`;
  const documents = {
    deep,
    laughs,
    cycle: "{ me { ...a } } fragment a on Person { ...b } fragment b on Person { ...a }",
    tokens: `{ ${"me { id } ".repeat(10_000)} }`,
    repeated: `{ ${"me { id } ".repeat(600)} }`,
    aliases: `{ me { ${Array.from({ length: 1100 }, (_, n) => `a${n}: id`).join(" ")} } }`,
    roots: `{ ${Array.from({ length: 210 }, (_, n) => `a${n}: me { id }`).join(" ")} }`,
    brackets: "{".repeat(15_000),
  };
  for (const [name, document] of Object.entries(documents)) {
    const { status, data, errors } = await ask(document);
    expect([name, status, data, errors?.[0].extensions.code]).toEqual([name, 200, undefined, "BAD_REQUEST"]);
  }
  expect(loggedErrors(the.log)).toEqual([]);
});

test("introspection shows the whole schema", async () => {
  const { data } = await ask(
    '{ __schema { types { name } queryType { fields { name } } mutationType { fields { name } } } __type(name: "Request") { fields { name type { ofType { ofType { name } } } } } }',
  );
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  expect(names(data.__schema.types)).toEqual(
    expect.arrayContaining(["Request", "RequestFilter", "RequestOrderField", "RequestView"]),
  );
  expect(names(data.__schema.queryType.fields)).toEqual(
    expect.arrayContaining(["configurationItems", "archive", "me", "nodes"]),
  );
  expect(names(data.__schema.mutationType.fields)).toEqual(
    expect.arrayContaining(["requestCreate", "noteCreate", "webhookDelete"]),
  );
});

test("the schema can be downloaded", async () => {
  const { status, text } = await the.nobody.get(`${url}/graphql/schema.graphql`);
  expect([status, text.includes("type Request implements Node")]).toEqual([200, true]);
});
