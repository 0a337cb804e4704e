import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, expect, test } from "vitest";
import { listNeededScopes } from "../../server/api/http/route.ts";
import { toOpenApiPath } from "../../server/api/openapi/document.ts";
import type { Type } from "../../server/engine/types.ts";
import { SchemaCheck } from "../support/clients/json-schema.ts";
import { allows } from "../support/records/request-bodies.ts";
import { type Client, type World, world } from "../support/world.ts";

// The OpenAPI document matches the server: its routes, their parameters and their responses.

type Json = Record<string, unknown>;
type Media = { schema: unknown; example?: unknown };
type Operation = Json & {
  operationId: string;
  tags: string[];
  parameters: unknown[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, unknown>;
};

let here: World;
let admin: Client;
let document: Json & { paths: Record<string, Json>; tags: { name: string }[] };
let check: SchemaCheck;

beforeAll(async () => {
  here = await world();
  admin = here.as("administrator");
  document = (await here.nobody.get("/openapi.json")).body;
  check = new SchemaCheck(document);
  byKey = readOperations();
});

let byKey: ReadonlyMap<string, Operation>;
const readOperations = (): Map<string, Operation> =>
  new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== "parameters")
        .map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation as Operation]),
    ),
  );
const listOperations = (): { key: string; operation: Operation }[] =>
  [...byKey].map(([key, operation]) => ({ key, operation }));
const findOperation = (key: string): Operation => {
  const found = byKey.get(key);
  if (found === undefined) throw new Error(`the document has no ${key}`);
  return found;
};
const findResponse = (operation: Operation, status: number | string): Json & { content?: Record<string, Media> } =>
  check.part(operation.responses[status]);
const findResponseSchema = (key: string, status: number | string): unknown =>
  findResponse(findOperation(key), status).content?.["application/json"]?.schema;
const findRequestSchema = (key: string): unknown => findOperation(key).requestBody?.content["application/json"]?.schema;
const listTypes = (): readonly Type[] => here.service.engine.types.all;

test("the document is valid OpenAPI 3.1, served without credentials and with a tag", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(document);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
  const { headers } = await here.nobody.get("/openapi");
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  const again = await here.nobody.get("/openapi.json", { Etag: headers.get("etag") as string });
  expect(again.status).toBe(304);
});

test("each tag is a document of its own, with the components that it uses", async () => {
  const found: string[] = [];
  for (const { name } of document.tags) {
    const { status, body: part } = await here.nobody.get(`/openapi.json?tag=${encodeURIComponent(name)}`);
    expect([name, status]).toEqual([name, 200]);
    expect(part.tags).toEqual(document.tags.filter((tag) => tag.name === name));
    for (const [path, item] of Object.entries(part.paths as Record<string, Json>))
      for (const [method, operation] of Object.entries(item)) {
        expect(operation).toEqual(document.paths[path]?.[method]);
        if (method !== "parameters") found.push(`${method.toUpperCase()} ${path}`);
      }
    const uses = JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = "", component = ""] of uses) expect(part.components[kind]).toHaveProperty([component]);
  }
  expect(found.sort()).toEqual(
    listOperations()
      .map(({ key }) => key)
      .sort(),
  );
  const teams = await here.nobody.get("/openapi.json?tag=teams");
  expect(teams.text.length).toBeLessThan(JSON.stringify(document).length / 10);
  expect(await new Validator().validate(teams.body)).toMatchObject({ valid: true });
  const etag = teams.headers.get("etag") as string;
  expect((await here.nobody.get("/openapi.json?tag=Teams", { "If-None-Match": etag })).status).toBe(304);
  const unknown = await here.nobody.get("/openapi.json?tag=nothing");
  expect([unknown.status, unknown.body.message]).toEqual([400, "Invalid value for parameter 'tag': nothing"]);
});

test("large documents are compressed for clients that accept it, and every client gets the same bytes", async () => {
  for (const path of ["/v1/openapi.json", "/v1/enums", "/docs/api/swagger-ui-bundle.js"]) {
    const read = async (coding: string) => {
      const response = await fetch(here.url + path, { headers: { "Accept-Encoding": coding } });
      return { headers: response.headers, text: await response.text() };
    };
    const [plain, gzip, brotli] = [await read("identity"), await read("gzip"), await read("gzip, br")];
    const codings = [plain, gzip, brotli].map(({ headers }) => headers.get("content-encoding"));
    expect([path, ...codings]).toEqual([path, null, "gzip", "br"]);
    expect(gzip.text === plain.text && brotli.text === plain.text).toBe(true);
    expect(Number(gzip.headers.get("content-length"))).toBeLessThan(plain.text.length / 2);
    expect(plain.headers.get("vary")).toBe("Accept-Encoding");
    expect(gzip.headers.get("etag")).toBe(plain.headers.get("etag"));
  }
});

test("the document describes exactly the routes that the server has", () => {
  const served = here.service.routes.map((route) => `${route.method} ${toOpenApiPath(route.path)}`);
  expect(
    listOperations()
      .map(({ key }) => key)
      .sort(),
  ).toEqual([...served].sort());
});

// A route outside the loops over the register is described in server/api/openapi, in the file named after its own.
test("every route has its own description", () => {
  expect(listOperations().filter(({ operation }) => operation["x-undescribed"])).toEqual([]);
});

test("every operation has a name, a tag and the scope of its route", () => {
  const names = listOperations().map(({ operation }) => operation.operationId);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name))).toEqual([]);
  const tags = document.tags.map(({ name }) => name);
  expect(listOperations().filter(({ operation }) => !tags.includes(operation.tags[0] ?? ""))).toEqual([]);
  for (const route of here.service.routes) {
    const operation = findOperation(`${route.method} ${toOpenApiPath(route.path)}`);
    const scopes = listNeededScopes(route).map(({ type, action }) => `${type}:${action}`);
    expect(operation["x-required-scope"], operation.operationId).toBe(
      scopes.length === 0 ? undefined : scopes.join(", "),
    );
    expect(operation.security, operation.operationId).toContainEqual({ bearer: scopes });
  }
});

test("every example matches its schema", () => {
  const problems: string[] = [];
  for (const { key, operation } of listOperations()) {
    const bodies = [
      operation.requestBody,
      ...Object.keys(operation.responses).map((status) => findResponse(operation, status)),
    ];
    for (const media of bodies.flatMap((body) => Object.values((body?.content ?? {}) as Record<string, Media>)))
      if (media.example !== undefined)
        problems.push(...check.problems(media.schema, media.example).map((problem) => `${key}: ${problem}`));
  }
  expect([...new Set(problems)]).toEqual([]);
});

// Creates real records from the document's examples. References point to existing records.
const seeded: Record<string, number> = { person: 1, organization: 6, site: 1, team: 1, service: 1 };
const ids = new Map<string, number>();
/** Members that an example needs in addition. */
const additionalMembers: Record<string, Json> = {};

async function body(type: Type, key: string): Promise<Json> {
  const example = findOperation(key).requestBody?.content["application/json"]?.example as Json;
  const result: Json = { ...example, ...additionalMembers[type.name] };
  for (const name of Object.keys(result)) {
    const member = type.members.get(name);
    // Two types may refer to each other: the record in progress has no id yet.
    if (member !== undefined && "to" in member.field && typesInProgress.has(member.field.to)) {
      delete result[name];
      continue;
    }
    if (member?.field.kind === "reference") result[name] = await loadId(member.field.to);
    if (member?.field.kind === "references") result[name] = [await loadId(member.field.to)];
    if (member?.field.kind === "code") result[name] = await loadReference(member.field.to);
  }
  return { ...result, ...(await loadSpecialMembers[type.name]?.()) };
}

/**
 * Relations between two records of a type need a second one. A task needs an existing phase, and a member must be in
 * the team.
 */
const loadSpecialMembers: Record<string, () => Promise<Json>> = {
  ci_relation: async () => {
    const { product, status, support_team } = (await admin.get(`/cis/${await loadId("ci")}`)).body;
    const other = { name: "switch-ams-02", status, product_id: product.id, support_team_id: support_team.id };
    return { ci_id: (await admin.post("/cis", other)).body.id };
  },
  ...Object.fromEntries(["request", "problem", "task"].map((name) => [name, async () => ({ member_id: 3 })])),
  project_task_template_relation: () => createPhase("project_template"),
  task_template_relation: () => createPhase("workflow_template"),
};

async function createPhase(template: string): Promise<Json> {
  const path = `/${template}s/${await loadId(template)}/phases`;
  return { phase_name: (await admin.post(path, { name: "Rollout" })).body.name };
}

async function loadId(name: string): Promise<number> {
  const known = seeded[name] ?? ids.get(name);
  if (known !== undefined) return known;
  const { key, sent, answer } = await createOnce(here.service.engine.types.get(name));
  expect(answer.body.id, `${key} ${JSON.stringify(sent)} ${answer.text}`).toBeDefined();
  return answer.body.id;
}

async function loadReference(name: string): Promise<string> {
  const { collection } = here.service.engine.types.get(name);
  return (await admin.get(`/${collection}/${await loadId(name)}`)).body.reference;
}

/** Creates each type once: on its own, or because another record refers to it. */
const attempts = new Map<string, ReturnType<typeof createFromExample>>();
function createOnce(type: Type) {
  const before = attempts.get(type.name);
  if (before !== undefined) return before;
  const now = createFromExample(type);
  attempts.set(type.name, now);
  return now;
}

const typesInProgress = new Set<string>();

async function createFromExample(type: Type) {
  typesInProgress.add(type.name);
  const findType = (name: string) => here.service.engine.types.get(name);
  const [owned, born] = [type.ownedBy[0], type.createdUnder[0]];
  const owner = owned === undefined ? (born === undefined ? null : findType(born.parent)) : findType(owned);
  const name = born?.path ?? Object.entries(owner?.children ?? {}).find(([, child]) => child.of === type.name)?.[0];
  const [path, key] =
    owner === null
      ? [`/${type.collection}`, `POST /${type.collection}`]
      : [`/${owner.collection}/${await loadId(owner.name)}/${name}`, `POST /${owner.collection}/{id}/${name}`];
  const sent = await body(type, key);
  const answer = await admin.post(path, sent);
  ids.set(type.name, answer.body?.id);
  typesInProgress.delete(type.name);
  return { key, path, sent, answer };
}

test("the response to creating a record from its example matches the schema", async () => {
  for (const type of listTypes().filter(
    (candidate) => allows(here.service.engine.types, candidate, "create") && candidate.createdUnder.length === 0,
  )) {
    const { key, path, sent, answer } = await createOnce(type);
    expect(answer.status, `${key} ${JSON.stringify(sent)} ${answer.text}`).toBe(
      type.ownedBy.length > 0 ? 201 : type.routes.createStatus,
    );
    expect(check.problems(findResponseSchema(key, answer.status), answer.body), key).toEqual([]);
    expect(answer.headers.get("x-ignored-fields"), key).toBeNull();
    const one = await admin.get(`${path}/${answer.body.nodeID ?? answer.body.id}`);
    const oneKey = `GET ${key.slice(5)}/${type.ownedBy.length > 0 ? "{child}" : "{id}"}`;
    expect(check.problems(findResponseSchema(oneKey, 200), one.body), oneKey).toEqual([]);
    const all = await admin.get(`${path}?per_page=100`);
    expect(check.problems(findResponseSchema(`GET ${key.slice(5)}`, 200), all.body), `GET ${path}`).toEqual([]);
    expect(all.body.length, `GET ${path}`).toBeGreaterThan(0);
  }
});

test("blank, full, archived and trashed records match the schema", async () => {
  const schema = findResponseSchema("GET /specimens/{id}", 200);
  const blank = await admin.post("/specimens", { subject: "blank" });
  expect(check.problems(schema, blank.body)).toEqual([]);
  expect(blank.body).toMatchObject({ team: null, moment: null, priority: null, custom_fields: null, names: null });
  const { body: disabled } = await admin.post("/teams", { name: "Gone", sourceID: "T-1", disabled: true });
  const full = {
    subject: "full",
    priority: "high",
    long: "text",
    price: "87.50",
    price_currency: "eur",
    ratio: 0.5,
    maybe: true,
    day: "2031-02-01",
    moment: "2031-02-01T09:00:00Z",
    goal: "best_effort",
    length: "1:45",
    clock: "24:00",
    zone: "Amsterdam",
    team_id: 1,
    owner: { id: 5 },
    teams: [1, { id: 2 }],
    names: ["one"],
    custom_fields: { color: "red" },
    extra: { any: ["thing"] },
  };
  expect(check.problems(findRequestSchema("POST /specimens"), full)).toEqual([]);
  const { body: record } = await admin.post("/specimens", full);
  expect(check.problems(schema, record)).toEqual([]);
  await here.sql("UPDATE specimens SET team_id = $1 WHERE id = $2", [disabled.id, record.id]);
  const alias = here.as("administrator", { account: "", "X-4me-Account": "widget-it" });
  const { body: array } = await alias.get(`/specimens/${record.id}`);
  expect(array).toMatchObject({ custom_fields: [{ id: "color" }], team: { disabled: true, sourceID: "T-1" } });
  expect(check.problems(schema, array)).toEqual([]);
  for (const status of ["assigned", "completed"])
    expect(await admin.patch(`/specimens/${record.id}`, { status })).toMatchObject({ status: 200, body: { status } });
  for (const [move, flag] of [
    ["archive", "archived"],
    ["trash", "trashed"],
  ]) {
    const { status, body: moved } = await admin.post(`/specimens/${record.id}/${move}`);
    expect([status, moved[flag as string]]).toEqual([200, true]);
    expect(check.problems(schema, moved)).toEqual([]);
    const { body: entries } = await admin.get(`/${move}`);
    expect(entries).toHaveLength(1);
    expect(check.problems(findResponseSchema(`GET /${move}`, 200), entries)).toEqual([]);
  }
});

test("journals, the caller, the account and other responses match their schemas", async () => {
  const answers: [key: string, path: string][] = [
    ["GET /", ""],
    ["GET /me", "/me"],
    ["GET /account", "/account"],
    ["GET /enums", "/enums"],
    ["GET /enums/{language}", "/enums/fr"],
    ["GET /rate_limit", "/rate_limit"],
    ["GET /attachments/storage", "/attachments/storage"],
    ["GET /audit_lines", "/audit_lines"],
    ["GET /audit_lines/{id}", `/audit_lines/${(await admin.get("/audit_lines")).body[0].id}`],
    ["GET /people/{id}/audit", `/people/${await loadId("person")}/audit`],
    ["GET /people/{id}/permissions", "/people/3/permissions"],
    ["GET /people/{id}/permissions/{account}", "/people/3/permissions/widget-it"],
    ["GET /people/all_with_roles", "/people/all_with_roles"],
  ];
  for (const [key, path] of answers) {
    const { status, body, text } = await admin.get(path);
    expect(status, `${path} ${text}`).toBe(200);
    expect(check.problems(findResponseSchema(key, 200), body), path).toEqual([]);
  }
  // Confidential values are null for callers who may not read them.
  const { body: person } = await here.as("specialist").get("/people/1");
  expect(person.cost_per_hour).toBeNull();
  expect(check.problems(findResponseSchema("GET /people/{id}", 200), person)).toEqual([]);
});

/** A list sorts by at most twenty fields. */
const splitIntoTwenties = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / 20) }, (_, at) => names.slice(at * 20, at * 20 + 20));

test("the server accepts every documented list parameter", async () => {
  const isListed = (type: Type) =>
    !type.routes.singleton &&
    !type.routes.onlyThroughLinks &&
    (type.ownedBy.length === 0 || type.routes.hasOwnCollection);
  for (const type of listTypes().filter(isListed)) {
    const parameters = findOperation(`GET /${type.collection}`).parameters.map((parameter) =>
      check.part(parameter),
    ) as {
      name: string;
      in: string;
      schema: { enum?: string[]; items?: { enum: string[] } };
    }[];
    const query = parameters.filter((parameter) => parameter.in === "query");
    const choices = (name: string) => {
      const schema = query.find((parameter) => parameter.name === name)?.schema;
      return schema?.items?.enum ?? schema?.enum ?? [];
    };
    const filters = query.filter((parameter) => [...type.filterable].includes(parameter.name));
    expect(filters.map(({ name }) => name)).toEqual(type.filterable);
    const tries = [
      `fields=${choices("fields").join(",")}`,
      filters.map(({ name }) => `${name}=`).join("&"),
      ...splitIntoTwenties(choices("sort")).map((names) => `sort=${names.join(",")}`),
      ...choices("state").map((name) => `state=${name}`),
      "per_page=1&page=1",
    ];
    for (const text of tries) {
      const { status, text: answer } = await admin.get(`/${type.collection}?${text}`);
      expect(status, `/${type.collection}?${text} ${answer}`).toBe(200);
    }
  }
});

test("errors and headers match the document", async () => {
  const failures: [status: number, key: string, send: () => ReturnType<Client["get"]>][] = [
    [400, "GET /people", () => admin.get("/people?nonsense=1")],
    [401, "GET /people", () => here.nobody.get("/people")],
    [403, "GET /people", () => admin.get("/people", { account: "stranger" })],
    [404, "GET /people/{id}", () => admin.get("/people/999999")],
    [406, "GET /account/billing", () => admin.get("/account/billing")],
    [415, "POST /people", () => admin.post("/people", "x", { "Content-Type": "text/plain" })],
    [422, "POST /people", () => admin.post("/people", {})],
  ];
  for (const [wanted, key, send] of failures) {
    const { status, body, headers } = await send();
    expect(status, key).toBe(wanted);
    expect(check.problems(findResponseSchema(key, wanted), body), `${key} ${wanted}`).toEqual([]);
    for (const name of Object.keys(findResponse(findOperation(key), wanted).headers as Json))
      expect(headers.get(name), `${key} ${wanted} ${name}`).not.toBeNull();
  }
  const page = await admin.get("/people?per_page=1");
  for (const name of Object.keys(findResponse(findOperation("GET /people"), 200).headers as Json))
    expect(page.headers.has(name), name).toBe(name !== "X-Pagination-Total-Age"); // only for long lists
  const created = await admin.post("/sites", { name: "Here", nonsense: 1 });
  for (const name of Object.keys(findResponse(findOperation("POST /sites"), 201).headers as Json))
    expect(created.headers.get(name), name).not.toBeNull();
});

test("the schema rejects a body without its required members, as the server does", async () => {
  expect(check.problems(findRequestSchema("POST /people"), {})).not.toEqual([]);
  const schema = findRequestSchema("POST /scrum_workspaces");
  const other = { name: "S", product_backlog: 1, team: { id: 1 }, sprint_length: 2 };
  expect(check.problems(schema, { ...other, agile_board_id: 1 })).toEqual([]);
  expect(check.problems(schema, { ...other, agile_board: { id: 1 } })).toEqual([]);
  expect(check.problems(schema, other)).not.toEqual([]);
});

test("the reference page and its files are served by this server", async () => {
  const moved = await here.nobody.get(`${here.url}/docs`);
  expect([moved.status, moved.headers.get("location")]).toEqual([302, "/docs/api"]);
  const page = await here.nobody.get(`${here.url}/docs/api`);
  expect(page.status).toBe(200);
  const policy = page.headers.get("content-security-policy") ?? "";
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(rule);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/); // the policy forbids these
  const named = [...page.text.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"#]+)"/g)].map(
    (match) => match[1] as string,
  );
  expect(named.length).toBeGreaterThan(4);
  const imported = "/docs/api/part.js";
  for (const path of [...named, imported]) {
    expect(path.startsWith("/")).toBe(true);
    const { status, headers, text } = await here.nobody.get(`${here.url}${path}`);
    expect(status, path).toBe(200);
    expect(headers.get("etag"), path).not.toBeNull();
    if (path.startsWith("/docs/api/swagger-ui") || path.endsWith(".svg")) continue; // these contain comments and XML namespaces
    if (path.startsWith("/docs")) expect(text, path).not.toMatch(/https?:\/\//);
  }
  const missing = await here.nobody.get(`${here.url}/docs/api/nothing.js`);
  expect([missing.status, missing.body]).toEqual([404, { message: "Not Found" }]);
});
