import { expect, test } from "vitest";
import { RequestBodies } from "../../support/records/request-bodies.ts";
import { people } from "../../support/seed.ts";
import { world } from "../../support/world.ts";

// Every collection accepts ?fields= with the names of its own fields: collections of records, sub-collections and
// collections of entries that aren't records.

const here = await world();
const admin = here.as("administrator");
const { types } = here.service.engine;
const bodies = new RequestBodies(admin, types);
type Json = Record<string, unknown>;
const document = (await here.nobody.get("/openapi.json")).body as Json & { paths: Record<string, { get?: Json }> };

/** Resolves references to the schema they name. */
function resolve(schema: Json): Json {
  if (typeof schema.$ref !== "string") return schema;
  const found = schema.$ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => (at as Json)[name], document);
  return resolve(found as Json);
}

function listProperties(schema: Json): string[] {
  const { properties = {}, allOf = [] } = resolve(schema) as { properties?: Json; allOf?: Json[] };
  return [...Object.keys(properties), ...allOf.flatMap(listProperties)];
}

/** All collections in the document, with the fields of their rows. */
const collections = Object.entries(document.paths).flatMap(([path, { get }]) => {
  const response = resolve(((get?.responses as Json | undefined)?.[200] ?? {}) as Json);
  const content = (response.content as Record<string, Json> | undefined)?.["application/json"]?.schema as Json;
  const { type, items } = content === undefined ? ({} as Json) : resolve(content);
  if (type !== "array" || listProperties(items as Json).length === 0) return [];
  return [{ path, fields: listSelectable(get as Json) ?? listProperties(items as Json) }];
});

/** Some fields of records can't be selected. The parameter lists the others. */
function listSelectable(operation: Json): string[] | undefined {
  const parameters = ((operation.parameters ?? []) as Json[]).map(resolve);
  const schema = parameters.find(({ name }) => name === "fields")?.schema as { items: { enum?: string[] } } | undefined;
  return schema?.items.enum;
}

const owners = new Map<string, Promise<number>>();
/** Returns the id of a record in the collection at the beginning of the path. */
function findOwner(path: string): Promise<number> {
  const collection = path.split("/")[1] as string;
  let id = owners.get(collection);
  if (id === undefined) {
    const type = types.all.find((each) => each.collection === collection);
    id = type === undefined ? Promise.resolve(1) : bodies.reference(type.name).catch(() => 1);
    owners.set(collection, id);
  }
  return id;
}

test("CV11: no collection rejects the names of its own fields", async () => {
  expect(collections.length).toBeGreaterThan(300);
  const refused: string[] = [];
  let answered = 0;
  for (const { path, fields } of collections) {
    const address = path.includes("{") ? path.replace(/\{\w+\}/, String(await findOwner(path))) : path;
    const query = path === "/search" ? "q=printer&" : path.startsWith("/timesheets/") ? "week_of=2025-03-03&" : "";
    const { status, text } = await admin.get(
      `${address.replaceAll(/\{\w+\}/g, "1")}?${query}fields=${fields.join(",")}`,
    );
    if (status === 400) refused.push(`${path}: ${text}`);
    if (status === 200) answered++;
  }
  expect(refused).toEqual([]);
  expect(answered).toBeGreaterThan(collections.length * 0.9);
});

test("CV11, CO31: ?fields= on permissions selects members of an entry, in the list and for one account", async () => {
  const path = `/people/${people.specialist.id}/permissions`;
  const [whole] = (await admin.get(path)).body;
  expect((await admin.get(`${path}?fields=account,roles`)).body[0]).toEqual(whole);
  expect((await admin.get(`${path}?fields=account`)).body[0]).toEqual({ account: whole.account });
  const one = await admin.get(`${path}/${whole.account.id}?fields=roles`);
  expect([one.status, one.body]).toEqual([200, { roles: whole.roles }]);
  const unknown = await admin.get(`${path}?fields=roles,color`);
  expect([unknown.status, unknown.body]).toEqual([400, { message: "Unknown fields: color" }]);
});

test("CV11: entries that aren't records include their id", async () => {
  await admin.post("/requests", { subject: "Written down", category: "rfi" });
  const { body } = await admin.get("/security_trail?fields=event");
  for (const entry of body) expect(Object.keys(entry)).toEqual(["id", "event"]);
  expect((await admin.get("/security_trail?fields=color")).body).toEqual({ message: "Unknown fields: color" });
});
