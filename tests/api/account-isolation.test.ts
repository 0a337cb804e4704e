import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Type } from "../../server/engine/types.ts";
import { signInClient } from "../support/clients/session-client.ts";
import { seedFor } from "../support/random.ts";
import { allows, RequestBodies } from "../support/records/request-bodies.ts";
import type { Role } from "../support/seed.ts";
import { type Client, type Reply, world } from "../support/world.ts";

// Records of an account the caller has no part in do not exist: whatever is tried with their ids, the answer is the same,
// to the letter, as for an id that was never given out.

const the = await world();
const { as, service, sql } = the;
const { types } = service.engine;
const never = 2_000_000_000;
const attempts = 5000;

/** One record of every type, in an account, and the path of its collection. */
async function recordsOf(role: Role): Promise<Map<string, { id: number; path: string }>> {
  const bodies = new RequestBodies(as(role), types);
  const made = new Map<string, { id: number; path: string }>();
  for (const type of types.all) {
    if (!allows(types, type, "create")) continue;
    const path = await bodies.path(type);
    const reply = await bodies.post(type, {}, path);
    made.set(type.name, { id: reply.body.id, path });
  }
  return made;
}

const ours = await recordsOf("administrator");
// Ids that occur nowhere else by chance, so that they can be taken out of an answer.
for (const type of types.all)
  if (!type.routes.singleton && !type.storage.virtual && type.storage.sharesIdsWith === null)
    await sql(`SELECT setval('"${type.collection}_id_seq"', 1900000000)`);
const theirs = await recordsOf("stranger");

type Attempt = { name: string; send(client: Client, id: number): Promise<Reply> };

/** Everything that can be tried with the id of a record of a type. */
function attemptsOn(type: Type): Attempt[] {
  const at = (id: number) => `/${type.collection}/${id}`;
  const list: Attempt[] = [];
  const add = (name: string, send: Attempt["send"]) => list.push({ name: `${type.name}: ${name}`, send });
  if (type.ownedBy.length === 0) {
    for (const suffix of [
      "",
      "?fields=id",
      "?fields=nonsense",
      "/audit",
      ...Object.keys({ ...type.links, ...type.children, ...type.lists }).map((name) => `/${name}`),
    ])
      add(`GET ${suffix}`, (client, id) => client.get(at(id) + suffix));
    for (const method of ["PATCH", "PUT"])
      add(method, (client, id) => client.send(method, at(id), { name: "x", subject: "x", disabled: true }));
    add("PATCH with a body that is no JSON", (client, id) => client.send("PATCH", at(id), "{"));
    add("DELETE", (client, id) => client.delete(at(id)));
    for (const move of ["archive", "trash", "restore", "avatar"])
      add(move, (client, id) => client.post(`${at(id)}/${move}`, {}));
    if (type.filterable.includes("id")) {
      add("filter by id", (client, id) => client.get(`/${type.collection}?id=${id}`));
      add("filter by ids", (client, id) => client.get(`/${type.collection}?ids=${id},${never - 1}`));
    }
    for (const [name, child] of Object.entries(type.children)) {
      add(`create ${name}`, (client, id) =>
        client.post(`${at(id)}/${name}`, { name: "x", label: "work", telephone: "1" }),
      );
      const other = ours.get(child.of)?.id ?? never;
      add(`move ${name}`, (client, id) => client.patch(`${at(id)}/${name}/${other}`, { name: "x" }));
      add(`delete all ${name}`, (client, id) => client.delete(`${at(id)}/${name}`));
    }
    for (const [name, link] of Object.entries(type.links)) {
      const other = ours.get(link.to)?.id ?? never;
      add(`link ${name}`, (client, id) => client.post(`${at(id)}/${name}/${other}`));
      add(`unlink ${name}`, (client, id) => client.delete(`${at(id)}/${name}/${other}`));
      add(`unlink all ${name}`, (client, id) => client.delete(`${at(id)}/${name}`));
    }
  } else {
    // A child of theirs, reached through a parent of ours.
    const { path } = ours.get(type.name) as { path: string };
    for (const method of ["GET", "PATCH", "PUT", "DELETE"])
      add(`${method} below our parent`, (client, id) =>
        client.send(method, `${path}/${id}`, method === "GET" ? undefined : { name: "x" }),
      );
  }
  // As the target of references, filters and links of our own records.
  for (const other of types.all) {
    const own = ours.get(other.name);
    if (own === undefined) continue;
    for (const [name, field] of Object.entries(other.fields)) {
      if (
        (field.kind !== "reference" && field.kind !== "references") ||
        field.to !== type.name ||
        field.internal ||
        field.access === "readonly"
      )
        continue;
      const value = (id: number) => ({ [name]: field.kind === "references" ? [id] : id });
      add(`as ${other.name}.${name}`, (client, id) => client.patch(`${own.path}/${own.id}`, value(id)));
      if (other.filterable.includes(name)) {
        add(`filter ${other.collection} by ${name}`, (client, id) => client.get(`${own.path}?${name}=${id}`));
        add(`filter ${other.collection} by all but ${name}`, (client, id) =>
          client.get(`${own.path}?${name}=!${id}&fields=id&per_page=3`),
        );
      }
    }
    for (const [name, link] of Object.entries(other.links))
      if (link.to === type.name && other.ownedBy.length === 0) {
        add(`link to ${other.name}.${name}`, (client, id) => client.post(`${own.path}/${own.id}/${name}/${id}`));
        add(`unlink from ${other.name}.${name}`, (client, id) => client.delete(`${own.path}/${own.id}/${name}/${id}`));
      }
  }
  return list;
}

/** What a caller can see of an answer, apart from the id that was asked for. */
const seen = (reply: Reply, id: number) => ({
  status: reply.status,
  text: reply.text.replaceAll(String(id), "ID"),
  total: reply.headers.get("x-pagination-total-entries"),
  link: reply.headers.get("link")?.replaceAll(String(id), "ID"),
});

describe("account isolation", () => {
  const everything = [...theirs.keys()].flatMap((name) =>
    attemptsOn(types.get(name)).map((attempt) => ({ attempt, id: (theirs.get(name) as { id: number }).id })),
  );
  const callers: Role[] = [
    "administrator",
    "specialist",
    "auditor",
    "directoryAdmin",
    "requester",
    "keyContact",
    "provider",
  ];

  test(`AZ11: ${attempts} attempts on records of a stranger, none of which tells that they exist`, async () => {
    expect(everything.length).toBeGreaterThan(300);
    const plan = fc.sample(fc.tuple(fc.constantFrom(...everything), fc.constantFrom(...callers)), {
      seed: seedFor("isolation"),
      numRuns: attempts,
    });
    const leaks: string[] = [];
    let next = 0;
    const work = async () => {
      for (let one = plan[next++]; one !== undefined; one = plan[next++]) {
        const [{ attempt, id }, role] = one;
        const client = as(role);
        const [foreign, nothing] = [await attempt.send(client, id), await attempt.send(client, never)];
        if (JSON.stringify(seen(foreign, id)) !== JSON.stringify(seen(nothing, never)))
          leaks.push(
            `${role}, ${attempt.name}: ${foreign.status} ${foreign.text.slice(0, 200)} instead of ${nothing.status} ${nothing.text.slice(0, 200)}`,
          );
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    expect(leaks).toEqual([]);
  });

  test("AZ11: the session interface tells nothing of them either", async () => {
    const leaks: string[] = [];
    for (const role of ["specialist", "requester"] as const) {
      const client = await signInClient(the, role);
      const calls: Record<string, (type: string, id: number) => Promise<Reply>> = {
        seen: (type, id) => client.post("/accounts/widget-it/seen", { type, id }),
        presence: (type, id) => client.post("/accounts/widget-it/presence", { type, id, doing: "viewing" }),
        muted: (type, id) => client.put(`/accounts/widget-it/muted/${type}/${id}`, { muted: true }),
      };
      for (const [type, { id }] of theirs)
        for (const [name, call] of Object.entries(calls)) {
          const [foreign, nothing] = await Promise.all([call(type, id), call(type, never)]);
          if (JSON.stringify(seen(foreign, id)) !== JSON.stringify(seen(nothing, never)))
            leaks.push(`${role}, ${name} ${type}: ${foreign.status} instead of ${nothing.status}`);
        }
    }
    expect(leaks).toEqual([]);
  });

  test("the stranger's records are as they were", async () => {
    const stranger = as("stranger");
    for (const [name, { id, path }] of theirs) {
      const reply = await stranger.get(`${path}/${id}`);
      expect([name, reply.status]).toEqual([name, 200]);
      const { created_at, updated_at = created_at } = reply.body;
      expect([name, updated_at]).toEqual([name, created_at]);
    }
  });
});
