import { buildSchema, type GraphQLInputObjectType, isInputObjectType } from "graphql";
import { expect, test } from "vitest";
import type { Type } from "../../server/engine/types.ts";
import { type GraphField, hasRoot, listGraphFields } from "../../server/graphql/model/graph-fields.ts";
import { pickOrderFields } from "../../server/graphql/model/list-arguments.ts";
import { pickRootName, pickTypeName } from "../../server/graphql/model/names.ts";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { allows, RequestBodies } from "../support/records/request-bodies.ts";
import { loggedErrors, world } from "../support/world.ts";

// For every record type: GraphQL returns the same values for a record as REST, and the same records in the same order for lists.
// Records of another tenant don't exist for either.

const the = await world({ env: { COST_LIMIT: "0" } });
const { types } = the.service.engine;
const rest = the.as("administrator");
const ask = graphqlClient(the, "administrator");
const askStranger = graphqlClient(the, "stranger");
const bodies = new RequestBodies(rest, types);

type Member = Record<string, unknown>;
/** The paths of records by type. */
const ours = new Map<string, string>();
for (const type of types.all) {
  if (!allows(types, type, "create")) continue;
  const path = await bodies.path(type);
  for (let count = 0; count < 2; count++) {
    const { body, status } = await bodies.post(type, {}, path);
    if (status < 300) ours.set(type.name, `${path}/${body.id}`);
  }
}

const select = (field: GraphField): string | null => {
  if (["id", "number", "life cycle"].includes(field.is)) return field.name;
  if (field.is === "value") return field.form.is === "custom fields" ? `${field.name} { id value }` : field.name;
  if (field.is === "reference") return `${field.name} { id }`;
  return null;
};

/** The record, including fields that REST returns only on request. */
async function readWhole(type: Type, path: string): Promise<Member> {
  const optional = Object.keys(type.fields).filter((name) => type.fields[name]?.onlyIfSelected);
  const selected = optional.length === 0 ? {} : (await rest.get(`${path}?fields=${optional.join(",")}`)).body;
  return { ...(await rest.get(path)).body, ...selected };
}

/** The REST value for the fields that the query selects. */
const expected = (field: GraphField, record: Member): unknown => {
  if (field.is === "reference") {
    const reference = record[field.member] as { id: unknown; nodeID?: string } | null | undefined;
    return reference == null ? null : { id: reference.nodeID ?? reference.id };
  }
  if (field.is !== "value") return undefined;
  const value = record[field.member] ?? null;
  if (field.form.is === "custom fields" && value !== null)
    return Object.entries(value as Member).map(([id, each]) => ({ id, value: each }));
  return field.member === "disabled" ? (value ?? false) : value;
};

for (const type of types.all.filter((each) => hasRoot(each) && !each.storage.journal && each.name !== "note")) {
  test(`a ${type.name} has the same values in both, and its list has the same order`, async () => {
    const path = ours.get(type.name);
    const record = path === undefined ? undefined : await readWhole(type, path);
    const fields = listGraphFields(type, types).filter((field) => select(field) !== null);
    const name = pickRootName(type.collection);
    if (record !== undefined) {
      const { data, errors } = await ask(
        `query($id: ID!) { node(id: $id) { ... on ${pickTypeName(type.name)} { ${fields.map(select).join(" ")} } } }`,
        { id: record.nodeID },
      );
      expect(errors).toBeUndefined();
      expect(data.node.id).toBe(record.nodeID);
      for (const field of fields)
        if ((field.is === "value" || field.is === "reference") && !isRandom(field))
          expect([field.name, data.node[field.name] ?? null]).toEqual([field.name, expected(field, record)]);
      const hidden = await askStranger(
        `query($id: ID!) { node(id: $id) { id } ${name}(first: 100, view: all) { nodes { id } } }`,
        { id: record.nodeID },
      );
      expect(hidden.text).not.toContain(record.nodeID);
    }
    for (const [field, sort] of pickOrderFields(type)) {
      if (!type.sortable.includes(sort)) continue;
      const listed = await rest.get(`/${type.collection}?sort=-${sort}&per_page=100`);
      const { data, errors } = await ask(
        `{ ${name}(first: 100, view: all, order: {field: ${field}, direction: desc}) { totalCount nodes { id } } }`,
      );
      expect([field, errors]).toEqual([field, undefined]);
      const ids = listed.body.map(({ nodeID }: { nodeID: string }) => nodeID);
      expect([field, data[name].nodes.map(({ id }: { id: string }) => id)]).toEqual([field, ids]);
      expect(data[name].totalCount).toBe(Number(listed.headers.get("X-Pagination-Total-Entries")));
    }
    expect(loggedErrors(the.log)).toEqual([]);
  });
}

/** Values that change between two calls, and values that REST returns only on request. */
function isRandom(field: GraphField): boolean {
  const members = ["feedback", "last_error", "verified", "app_offering_references"];
  return field.is === "value" && members.includes(field.member);
}

const schema = buildSchema((await the.nobody.get(`${the.url}/graphql/schema.graphql`)).text);

test("every order returns all records, and every filter splits them into those with and without a value", async () => {
  for (const type of types.all.filter((each) => hasRoot(each))) {
    const name = pickRootName(type.collection);
    const filters = schema.getType(`${pickTypeName(type.name)}Filter`) as GraphQLInputObjectType | undefined;
    const list = (options: string) => `${name}(first: 1, view: all${options}) { totalCount nodes { id } }`;
    const queries = new Map<string, string>([["all", list("")]]);
    for (const field of pickOrderFields(type).keys()) queries.set(`order_${field}`, list(`, order: {field: ${field}}`));
    for (const { name: member, type: input } of Object.values(filters?.getFields() ?? {})) {
      if (["query", "customFilters"].includes(member)) continue;
      const [without, having] = isInputObjectType(input)
        ? ["{values: []}", "{values: [null], negate: true}"]
        : String(input) === "Boolean"
          ? ["false", "true"]
          : ['"a"', '"b"'];
      queries.set(`no_${member}`, list(`, filter: {${member}: ${without}}`));
      queries.set(`has_${member}`, list(`, filter: {${member}: ${having}}`));
      // The text must also be a valid time zone name.
      const value = { TextFilter: '"Amsterdam"', IDFilter: "1" }[String(input)];
      if (value !== undefined) queries.set(`is_${member}`, list(`, filter: {${member}: {values: [${value}]}}`));
    }
    const all = [...queries];
    const counts = new Map<string, number>();
    for (let from = 0; from < all.length; from += 40) {
      const document = all.slice(from, from + 40).map(([alias, field]) => `${alias}: ${field}`);
      const { data, errors } = await ask(`{ ${document.join("\n")} }`);
      expect([type.name, errors]).toEqual([type.name, undefined]);
      for (const [alias, page] of Object.entries(data)) counts.set(alias, (page as { totalCount: number }).totalCount);
    }
    for (const [alias, count] of counts) {
      if (alias.startsWith("order_")) expect([type.name, alias, count]).toEqual([type.name, alias, counts.get("all")]);
      const member = alias.replace(/^no_/, "");
      const input = member === alias ? undefined : filters?.getFields()[member]?.type;
      if (input !== undefined && isInputObjectType(input))
        expect([type.name, member, count + (counts.get(`has_${member}`) as number)]).toEqual([
          type.name,
          member,
          counts.get("all"),
        ]);
    }
  }
  expect(loggedErrors(the.log)).toEqual([]);
});

test("every nested list can be read", async () => {
  for (const type of types.all.filter((each) => hasRoot(each))) {
    const below = listGraphFields(type, types).filter((field) => field.is === "connection" || field.is === "files");
    if (below.length === 0) continue;
    const name = pickRootName(type.collection);
    const lists = below.map((field) => `${field.name}(first: 3) { totalCount nodes { id } pageInfo { endCursor } }`);
    const { data, errors } = await ask(`{ ${name}(first: 10, view: all) { nodes { id ${lists.join(" ")} } } }`);
    expect([type.name, errors]).toEqual([type.name, undefined]);
    expect(data[name].nodes.length).toBeGreaterThanOrEqual(0);
  }
  expect(loggedErrors(the.log)).toEqual([]);
});
