import { buildClientSchema, getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { people } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { loggedErrors, world } from "../support/world.ts";

// The limits of a document: introspection, IDs, aliases and response size.

const the = await world({ env: { COST_LIMIT: "0" } });
const ask = graphqlClient(the, "administrator");
const rest = the.as("administrator");
const address = () => the.service.api.admission.admission.getAddress("127.0.0.1");

/** A picture of almost a megabyte. */
const picture = `data:image/png;base64,${"A".repeat(900_000)}`;
await the.sql("UPDATE people SET picture_uri = $1 WHERE id = $2", [picture, people.administrator.id]);

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join(" ");

test("every client's introspection query works, and its result is cached", async () => {
  for (const options of [{}, { descriptions: false }, { inputValueDeprecation: true, schemaDescription: true }]) {
    const query = getIntrospectionQuery(options);
    const first = await ask(query);
    expect(first.errors).toBeUndefined();
    expect(buildClientSchema(first.data).getQueryType()?.name).toBe("Query");
    expect((await ask(query)).text).toBe(first.text);
    expect(Number(first.headers.get("x-costlimit-cost"))).toBeGreaterThan(1);
  }
});

test("introspection counts toward depth, nodes and response size", async () => {
  const deep = `{ __schema { types { ${"ofType { ".repeat(24)} name ${"}".repeat(24)} } } }`;
  expect((await ask(deep)).errors?.[0].message).toMatch(/nested more than 25 levels/);
  const wide = `{ ${repeat(150, (n) => `a${n}: __schema { types { fields { args { type { name } } type { fields { name } } } } }`)} }`;
  expect((await ask(wide)).errors?.[0].message).toBe("Individual calls cannot request more than 500,000 total nodes.");
  const types = "types { name description fields { name description } }";
  const large = `{ ${repeat(40, (n) => `a${n}: __schema { ${types} }`)} }`;
  const { status, data, errors } = await ask(large);
  expect([status, data, errors?.[0]]).toEqual([
    200,
    null,
    {
      message: "The response would be larger than 8 MB: ask for fewer records or fields.",
      extensions: { code: "BAD_REQUEST" },
    },
  ]);
});

test("one document can read the schema and records", async () => {
  const { data, errors } = await ask('{ me { name } __type(name: "Person") { name fields { name } } __typename }');
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({ me: { name: "Ada Admin" }, __type: { name: "Person" }, __typename: "Query" });
  expect(data.__type.fields.length).toBeGreaterThan(20);
});

test("a response is at most 8 MB, however few records it contains", async () => {
  expect((await ask("{ me { pictureUri } }")).data.me.pictureUri).toHaveLength(picture.length);
  const aliases = repeat(450, (n) => `a${n}: pictureUri`);
  for (const query of [`{ me { ${aliases} } }`, `{ ${repeat(199, (n) => `a${n}: me { pictureUri }`)} }`]) {
    const { status, text, data, errors } = await ask(query);
    expect([status, data, errors?.length, errors?.[0].extensions.code]).toEqual([200, null, 1, "BAD_REQUEST"]);
    expect(errors?.[0].message).toMatch(
      /^The (response would be larger than 8|call would load more than 16) MB: ask for fewer/,
    );
    expect(text.length).toBeLessThan(1000);
  }
  await until(() => address().bytes === 0 && address().calls === 0);
});

test("a mutation whose response is too large has run and says so, and later ones don't run", async () => {
  const aliases = repeat(20, (n) => `a${n}: pictureUri`);
  const create = (name: string, subject: string) =>
    `${name}: requestCreate(input: {subject: "${subject}", category: "other"}) { request { requestId requestedBy { ${aliases} } } }`;
  const { status, data, errors } = await ask(`mutation { ${create("one", "Large")} ${create("two", "Behind")} }`);
  expect([status, data]).toEqual([200, { one: null, two: null }]);
  expect(errors?.map(({ path }) => path)).toEqual([["one"], ["two"]]);
  const subjects = (await rest.get("/requests?per_page=100")).body.map(({ subject }: { subject: string }) => subject);
  expect([subjects.includes("Large"), subjects.includes("Behind")]).toEqual([true, false]);
});

test("'nodes' takes at most 100 IDs, as literals or as a variable", async () => {
  const { body } = await rest.get("/people/1");
  const id = body.nodeID as string;
  const query = "query($ids: [ID!]!) { nodes(ids: $ids) { id } }";
  expect((await ask(query, { ids: Array(100).fill(id) })).data.nodes).toHaveLength(100);
  const message = "Argument 'ids' of 'nodes' cannot have more than 100 values.";
  expect((await ask(query, { ids: Array(101).fill(id) })).errors?.[0].message).toBe(message);
  expect((await ask(query, { ids: Array(100).fill(id) })).errors).toBeUndefined();
  const written = `{ nodes(ids: [${repeat(101, () => `"${id}"`)}]) { id } }`;
  expect((await ask(written)).errors?.[0].message).toBe(message);
});

test("the selection below 'nodes' counts once per ID", async () => {
  const query =
    "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Person { teams(first: 100) { nodes { members(first: 100) { nodes { id } } } } } } }";
  const cost = async (count: number) =>
    Number((await ask(query, { ids: Array(count).fill("c3Rld2FyZC9QZXJzb24vMQ") })).headers.get("x-costlimit-cost"));
  expect([await cost(1), await cost(40)]).toEqual([1, 40]);
});

test("a list of the REST API or of the graph loads at most 16 MB", async () => {
  for (let n = 0; n < 20; n++)
    expect((await rest.post("/service_categories", { name: `Category ${n}` })).status).toBe(201);
  await the.sql("UPDATE service_categories SET picture_uri = $1", [picture]);
  const list = await rest.get("/service_categories?fields=picture_uri&per_page=100");
  const message = "The response would be larger than 16 MB: ask for fewer records or fields";
  expect([list.status, list.body]).toEqual([400, { message }]);
  expect((await rest.get("/service_categories?fields=picture_uri&per_page=5")).body).toHaveLength(5);
  const { data, errors } = await ask("{ serviceCategories(first: 100) { nodes { pictureUri } } }");
  expect([data, errors?.[0].message]).toEqual([
    null,
    "The call would load more than 16 MB: ask for fewer records or fields.",
  ]);
  await until(() => address().bytes === 0 && address().calls === 0);
  expect(loggedErrors(the.log)).toEqual([]);
});
