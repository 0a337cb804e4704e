import { readFileSync } from "node:fs";
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { expect, test } from "vitest";
import type { Type } from "../../server/engine/types.ts";
import { hasRoot, listGraphFields } from "../../server/graphql/model/graph-fields.ts";
import { pickFilterMembers, pickOrderFields } from "../../server/graphql/model/list-arguments.ts";
import { pickRecordName, pickRootName, pickTypeName } from "../../server/graphql/model/names.ts";
import { pickPathTarget } from "../../server/graphql/read/path-filters.ts";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { type ServerProcess, serverProcesses } from "../support/processes/server-processes.ts";
import { randomNumbers } from "../support/random.ts";
import { allows, RequestBodies } from "../support/records/request-bodies.ts";
import type { Role } from "../support/seed.ts";
import { loggedErrors, world } from "../support/world.ts";

// Random documents generated from the schema, broken documents, and attempts to read another tenant's records.

const attempts = Number(process.env.GRAPHQL_ATTEMPTS ?? 400);

const the = await world({ env: { COST_LIMIT: "0" } });

// Large numbers of attempts go to a server in its own process, because its memory is measured (docs/reliability.md).
const processes =
  attempts > 1000 ? await serverProcesses({ DATABASE_URL: the.databaseUrl, COST_LIMIT: "0", WORKERS: "1" }) : null;
const server = (await processes?.start()) ?? null;
const target = { as: the.as, url: server === null ? the.url : new URL(server.base).origin };

/** The server's peak memory in megabytes. */
const readHighestMemory = ({ child }: ServerProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;

class Measurement {
  private slowest = 0;
  readonly started = performance.now();

  async measure<T>(call: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const answer = await call();
    this.slowest = Math.max(this.slowest, performance.now() - started);
    return answer;
  }

  check(what: string): void {
    expect(this.slowest).toBeLessThan(35_000); // the call timeout plus the response time
    if (server === null) return;
    const seconds = Math.round((performance.now() - this.started) / 1000);
    const megabytes = Math.round(readHighestMemory(server));
    console.log(
      `${attempts} ${what}: ${seconds} s, slowest ${Math.round(this.slowest)} ms, memory at most ${megabytes} MB`,
    );
  }
}

const { types } = the.service.engine;
const random = randomNumbers("hostile documents");
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const schema = buildSchema((await the.nobody.get(`${target.url}/graphql/schema.graphql`)).text);

async function createRecords(role: Role): Promise<Map<string, { id: number; nodeID: string }>> {
  const bodies = new RequestBodies(the.as(role), types);
  const made = new Map<string, { id: number; nodeID: string }>();
  for (const type of types.all) {
    if (!allows(types, type, "create")) continue;
    const path = await bodies.path(type);
    const { body, status } = await bodies.post(type, {}, path);
    if (status >= 300) continue;
    const { nodeID } = (await the.as(role).get(`${path}/${body.id}`)).body;
    made.set(type.name, { id: body.id, nodeID });
  }
  return made;
}
for (const type of types.all)
  if (!type.routes.singleton && !type.storage.virtual && type.storage.sharesIdsWith === null)
    await the.sql(`SELECT setval('"${type.collection}_id_seq"', 1900000000)`);
const foreign = await createRecords("administrator");

/** A literal for an input: mostly valid, sometimes not. */
function writeValue(type: GraphQLInputType, depth = 0): string {
  if (random() < 0.05)
    return pick(["null", '"\\u0000"', "[]", "{}", "-1", "99999999999", "1e400", '"💥"', "bare", "$none"]);
  if (isNonNullType(type)) return writeValue(type.ofType, depth);
  if (isListType(type)) return `[${writeValue(type.ofType, depth)}]`;
  if (isEnumType(type)) return pick(type.getValues()).name;
  if (isInputObjectType(type)) {
    if (depth > 2) return "{}";
    const fields = Object.values(type.getFields());
    const chosen = Array.from({ length: Math.min(3, fields.length) }, () => pick(fields));
    return `{${[...new Set(chosen)].map((field) => `${field.name}: ${writeValue(field.type, depth + 1)}`).join(", ")}}`;
  }
  if (type.name === "Boolean") return pick(["true", "false"]);
  if (type.name === "Int") return pick(["1", "0", "-5", "2147483647"]);
  return pick(['"a"', '"7"', '"2031-02-01T00:00:00Z"', '""', '"%"', '"<2031-01-01"', `"${"x".repeat(300)}"`]);
}

function writeSelection(type: GraphQLObjectType, depth: number): string {
  const fields = Object.values(type.getFields());
  const chosen = new Map(Array.from({ length: 4 }, () => pick(fields)).map((field) => [field.name, field]));
  const parts = ["__typename"];
  for (const field of chosen.values()) {
    const inner = getNamedType(field.type);
    const args = field.args.some(({ name }) => name === "first")
      ? [
          `first: ${pick([1, 2, 3])}`,
          ...field.args
            .filter(({ name }) => ["filter", "order", "view"].includes(name) && random() < 0.4)
            .map((each) => `${each.name}: ${writeValue(each.type)}`),
        ]
      : field.args.filter((each) => isNonNullType(each.type)).map((each) => `${each.name}: ${writeValue(each.type)}`);
    const argumentList = args.length === 0 ? "" : `(${args.join(", ")})`;
    if (!isCompositeType(inner)) parts.push(field.name + argumentList);
    else if (depth > 0)
      parts.push(
        `${field.name}${argumentList} ${isObjectType(inner) ? writeSelection(inner, depth - 1) : "{ __typename id }"}`.replace(
          /(\{ __typename) id(?= \}$)/,
          "$1",
        ),
      );
  }
  return `{ ${parts.join(" ")} }`;
}

const breakDocument = (document: string): string => {
  const at = Math.floor(random() * document.length);
  return pick([
    document,
    document,
    document,
    document.slice(0, at),
    `${document.slice(0, at)}${pick(["{", "}", "...", "@skip(if: true)", "\u{1F4A5}", '"""', "#", "$x", "\uFEFF"])}${document.slice(at)}`,
  ]);
};

test(`${attempts} random documents never fail unexpectedly`, async () => {
  const measurement = new Measurement();
  const clients = (["administrator", "specialist", "requester"] as const).map((role) => graphqlClient(target, role));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const isMutation = random() < 0.2;
    const root = (isMutation ? schema.getMutationType() : schema.getQueryType()) as GraphQLObjectType;
    const document = breakDocument(`${isMutation ? "mutation" : "query"} ${writeSelection(root, isMutation ? 1 : 4)}`);
    const { status, text } = await measurement.measure(() => pick(clients)(document));
    expect([document, status < 500, text.includes('"INTERNAL"')]).toEqual([document, true, false]);
  }
  measurement.check("random documents");
  expect(loggedErrors(the.log)).toEqual([]);
});

/** Every operation that takes the ID of another tenant's record. */
function writeAttempt(type: Type, id: string): { query: string; variables?: Record<string, unknown> } {
  const name = pickRootName(type.collection);
  const record = pickRecordName(type.name);
  const below = listGraphFields(type, types).filter((field) => field.is === "connection");
  const references = types.all.filter(hasRoot).flatMap((other) =>
    [...pickFilterMembers(other)]
      .filter(([, { steps, field }]) => {
        const target = pickPathTarget(types, other, steps);
        return field === "id"
          ? target === type
          : (target.fields[field] as { to?: string } | undefined)?.to === type.name;
      })
      .map(([member]) => ({ other, member })),
  );
  return pick([
    () => ({ query: "query($id: ID!) { node(id: $id) { __typename id } }", variables: { id } }),
    () => ({ query: "query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", variables: { ids: [id] } }),
    () => ({
      query: `query($id: ID!) { node(id: $id) { ... on ${pickTypeName(type.name)} { ${below.map((field) => `${field.name}(first: 2) { totalCount nodes { id } }`).join(" ")} id } } }`,
      variables: { id },
    }),
    () => ({
      query: `query($id: ID!) { ${name}(first: 5, view: ${pick(["all", "current_account"])}, filter: {id: {values: [$id]}}) { totalCount nodes { id } } }`,
      variables: { id },
    }),
    () => {
      const [order] = [...pickOrderFields(type).keys()];
      return {
        query: `{ ${name}(first: 100, view: all${order === undefined ? "" : `, order: {field: ${order}}`}) { totalCount nodes { id } } }`,
      };
    },
    () => {
      if (references.length === 0) return { query: "{ __typename }" };
      const { other, member } = pick(references);
      return {
        query: `query($id: ID!) { ${pickRootName(other.collection)}(first: 5, view: all, filter: {${member}: {values: [$id]}}) { totalCount nodes { id } } }`,
        variables: { id },
      };
    },
    () => ({
      query: `mutation($id: ID!) { ${record}Update(input: {id: $id}) { errors { message } ${record} { id } } }`,
      variables: { id },
    }),
    () => ({
      query: `mutation($id: ID!) { ${record}Delete(input: {id: $id}) { errors { message } success } }`,
      variables: { id },
    }),
    () => ({
      query: `mutation($id: ID!) { noteCreate(input: {ownerId: $id, text: "x"}) { errors { message } note { id } } }`,
      variables: { id },
    }),
  ])();
}

test(`${attempts} attempts by a stranger reveal nothing about another tenant`, async () => {
  const measurement = new Measurement();
  const ask = graphqlClient(target, "stranger");
  const all = [...foreign].filter(([name]) => hasRoot(types.get(name)) && !types.get(name).storage.journal);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const [name, { nodeID }] = pick(all);
    const { query, variables } = writeAttempt(types.get(name), nodeID);
    const never = Buffer.from(Buffer.from(nodeID, "base64url").toString().replace(/\d+$/, "2000000000")).toString(
      "base64url",
    );
    const found = await measurement.measure(() => ask(query, variables));
    const other = await ask(query, variables === undefined ? undefined : { id: never, ids: [never] });
    // The response equals the one for an ID that was never assigned, whatever exists in the other tenant.
    expect([query, found.text]).toEqual([query, other.text]);
    expect(found.text).not.toContain(nodeID);
  }
  measurement.check("attempts of a stranger");
  expect(loggedErrors(the.log)).toEqual([]);
});
