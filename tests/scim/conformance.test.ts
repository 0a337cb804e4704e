import { expect, test } from "vitest";
import { enableProvisioning, patchOp, scimClient } from "../support/scim/scim-client.ts";
import { world } from "../support/world.ts";

// Protocol conformance, driven by the schemas that the server publishes: every declared attribute is stored, shown,
// changed and removed (RFC 7643, section 7; RFC 7644, section 3).

const here = await world({ env: { SCIM_RATE_LIMIT: "0", SCIM_RATE_BURST: "0" } });
const scim = scimClient(here, await enableProvisioning(here.as("administrator")));

type Attribute = {
  name: string;
  type: string;
  multiValued: boolean;
  required: boolean;
  mutability: string;
  returned: string;
  subAttributes?: Attribute[];
};
type Schema = { id: string; attributes: Attribute[] };
// biome-ignore lint/suspicious/noExplicitAny: a resource is whatever the server sent; tests look at single members
type Resource = any;

const schemas: Schema[] = (await scim.get("/Schemas")).body.Resources;
const core = (name: string) => schemas.find(({ id }) => id.endsWith(`core:2.0:${name}`)) as Schema;
const extension = schemas.find(({ id }) => id.includes("extension")) as Schema;
const isWritable = ({ mutability }: Attribute) => mutability === "readWrite";

/** Builds a value that fits the declaration, and a different one for each number. */
function sample(attribute: Attribute, number: number): unknown {
  const { name, type, multiValued, subAttributes = [] } = attribute;
  if (type === "boolean") return number % 2 === 1;
  if (type === "complex") {
    const members = Object.fromEntries(
      subAttributes.filter(isWritable).map((each) => [each.name, sample(each, number)]),
    );
    return multiValued ? [members] : members;
  }
  return `${name} ${number}`;
}

const listAttributes = (schema: Schema, isExtension: boolean) =>
  schema.attributes
    .filter((attribute) => isWritable(attribute) && attribute.name !== "members")
    .map((attribute) => ({
      attribute,
      path: isExtension ? `${schema.id}:${attribute.name}` : attribute.name,
      read: (resource: Resource) => (isExtension ? resource[schema.id]?.[attribute.name] : resource[attribute.name]),
    }));

const kinds = [
  {
    endpoint: "/Users",
    key: "userName",
    attributes: [...listAttributes(core("User"), false), ...listAttributes(extension, true)],
  },
  { endpoint: "/Groups", key: "displayName", attributes: listAttributes(core("Group"), false) },
];

test("every declared attribute can be added, shown, replaced and removed", async () => {
  for (const { endpoint, key, attributes } of kinds) {
    const { id } = (await scim.post(endpoint, { [key]: `attributes of ${endpoint}` })).body;
    const path = `${endpoint}/${id}`;
    const apply = (build: (each: (typeof attributes)[number]) => Record<string, unknown>) =>
      scim.patch(path, patchOp(...attributes.map((each) => ({ path: each.path, ...build(each) }))));
    for (const [op, number] of [
      ["add", 1],
      ["replace", 2],
    ] as const) {
      const changed = await apply(({ attribute }) => ({ op, value: sample(attribute, number) }));
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      const { body } = await scim.get(path);
      for (const { attribute, path: named, read } of attributes)
        for (const resource of [changed.body, body])
          expect([named, read(resource)]).toEqual([named, sample(attribute, number)]);
    }
    const [required, optional] = [true, false].map((is) => attributes.filter((each) => each.attribute.required === is));
    for (const { path: named } of required ?? []) {
      const { status, body } = await scim.patch(path, patchOp({ op: "remove", path: named }));
      expect([named, status, body.scimType]).toEqual([named, 400, "invalidValue"]);
    }
    const removed = await scim.patch(
      path,
      patchOp(...(optional ?? []).map((each) => ({ op: "remove", path: each.path }))),
    );
    expect(removed.status).toBe(200);
    // Removing `active` doesn't deactivate a user.
    for (const { path: named, read } of optional ?? [])
      expect([named, read(removed.body)]).toEqual([named, named === "active" ? true : undefined]);
  }
});

test("members of complex attributes have their own paths", async () => {
  const { id } = await scim.user({ userName: "paths" });
  for (const { attribute, path, read: pick } of kinds[0]?.attributes ?? []) {
    const members = attribute.subAttributes?.filter(isWritable) ?? [];
    if (attribute.type !== "complex") continue;
    for (const member of members.filter(({ name }) => name !== "type" && name !== "primary")) {
      const value = sample(member, 1);
      const whole = attribute.multiValued ? `${path}[type eq "other"].${member.name}` : `${path}.${member.name}`;
      const { status, body } = await scim.patch(`/Users/${id}`, patchOp({ op: "add", path: whole, value }));
      const found = attribute.multiValued
        ? pick(body)?.find(({ type }: { type: string }) => type === "other")
        : pick(body);
      expect([whole, status, found?.[member.name]]).toEqual([whole, 200, value]);
    }
  }
});

test("a resource with all attributes can be created, read, replaced and deleted", async () => {
  for (const { endpoint, key, attributes } of kinds) {
    const build = (number: number): Resource => {
      const resource: Resource = {
        schemas: [core(endpoint === "/Users" ? "User" : "Group").id],
        externalId: `x${number}`,
      };
      for (const { attribute, path } of attributes) {
        const value = attribute.name === key ? `everything ${number}` : sample(attribute, number);
        if (path === attribute.name) resource[path] = value;
        else resource[extension.id] = { ...resource[extension.id], [attribute.name]: value };
      }
      return resource;
    };
    const { schemas: _, ...first } = build(1);
    const made = await scim.post(endpoint, build(1));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body).toMatchObject(first);
    const { id, meta } = made.body;
    expect(made.headers.get("location")).toBe(meta.location);
    expect(made.headers.get("etag")).toBe(meta.version);
    const got = await scim.get(new URL(meta.location).pathname);
    expect([got.body, got.headers.get("etag")]).toEqual([made.body, meta.version]);
    const listed = await scim.get(`${endpoint}?filter=${encodeURIComponent(`id eq "${id}"`)}`);
    expect(listed.body.Resources).toMatchObject([{ id, [key]: "everything 1" }]);
    const { schemas: __, ...second } = build(2);
    const replaced = await scim.put(`${endpoint}/${id}`, { ...build(2), id: "999999", meta: { resourceType: "X" } });
    expect([replaced.status, replaced.body.id, replaced.body.meta.resourceType]).toEqual([
      200,
      id,
      endpoint.slice(1, -1),
    ]);
    expect(replaced.body).toMatchObject(second);
    expect(replaced.body.meta.version).not.toBe(meta.version);
    const removal = await scim.remove(`${endpoint}/${id}`);
    expect([removal.status, removal.body]).toEqual([204, null]);
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const { status, body } = await scim.send(
        method,
        `${endpoint}/${id}`,
        method === "GET" ? undefined : { [key]: "x" },
      );
      expect([method, status, body.status, body.schemas]).toEqual([
        ...[method, 404, "404"],
        ["urn:ietf:params:scim:api:messages:2.0:Error"],
      ]);
    }
  }
});

test("names of attributes, operators and URNs are case-insensitive", async () => {
  const { id } = await scim.user({
    USERNAME: "case",
    DisplayName: "Case",
    [extension.id.toUpperCase()]: { COSTCENTER: "7" },
  });
  const { body } = await scim.get(`/Users/${id}`);
  expect(body).toMatchObject({ userName: "case", displayName: "Case", [extension.id]: { costCenter: "7" } });
  expect(await scim.found("/Users", 'USERNAME Eq "CASE" AND displayname SW "ca"')).toEqual([id]);
  const { body: patched } = await scim.patch(`/Users/${id}`, patchOp({ OP: "REPLACE", Path: "TITLE", Value: "Clerk" }));
  expect(patched.title).toBe("Clerk");
  const { body: chosen } = await scim.get(`/Users/${id}?attributes=TITLE,NAME.givenname`);
  expect(Object.keys(chosen).sort()).toEqual(["id", "schemas", "title"]);
});

test("operations that the protocol forbids are rejected with its error type", async () => {
  const { id } = await scim.user({ userName: "refused", emails: [{ value: "a@b.example", type: "work" }] });
  const refusals = [
    [patchOp({ op: "remove" }), "noTarget"],
    [patchOp({ op: "move", path: "title", value: "x" }), "invalidSyntax"],
    [patchOp({ op: "add", path: "emails[type eq", value: "x" }), "invalidPath"],
    [patchOp({ op: "add", path: "nothing", value: "x" }), "invalidPath"],
    [patchOp({ op: "replace", path: "active", value: "maybe" }), "invalidValue"],
    [{ schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations: {} }, "invalidSyntax"],
  ] as const;
  for (const [body, scimType] of refusals) {
    const reply = await scim.patch(`/Users/${id}`, body);
    expect([JSON.stringify(body), reply.status, reply.body.scimType]).toEqual([JSON.stringify(body), 400, scimType]);
  }
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const { status, headers } = await scim.send(method, "/Users", {});
    expect([method, status, headers.get("allow")]).toEqual([method, 405, "GET, POST"]);
  }
  const { status, headers } = await scim.post(`/Users/${id}`, {});
  expect([status, headers.get("allow")]).toEqual([405, "GET, PUT, PATCH, DELETE"]);
});
