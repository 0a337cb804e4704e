import { describe, expect, test } from "vitest";
import { type Reply, world } from "../support/world.ts";

// What the vocabulary's words for reading mean in API responses.

const { as } = await world();
const admin = as("administrator");
const ids = (reply: Reply) => reply.body.map((row: { id: number }) => row.id);
let made = 0;
const unique = (text: string) => `${text} ${++made}`;

async function make(path: string, members: Record<string, unknown> = {}) {
  const { status, body, text } = await admin.post(path, { name: unique("n"), ...members });
  if (status > 201) throw new Error(`${path}: ${status} ${text}`);
  return body;
}
const readErrors = (reply: Reply) => [reply.status, reply.body.errors];
const notListed = [422, [["category", "Category is not included in the list"]]];

describe("codes", () => {
  test("a code is written by reference, by id or as an object, and read as the reference", async () => {
    const category = await make("/project_categories", { name: unique("Large Work") });
    for (const members of [
      { category: category.reference },
      { category_id: category.id },
      { category_id: String(category.id) },
      { category: { id: category.id } },
    ]) {
      const sample = await make("/samples", members);
      expect(sample.category).toBe(category.reference);
      expect((await admin.get(`/samples/${sample.id}?fields=category`)).body.category).toBe(category.reference);
      for (const blank of [null, ""])
        expect((await admin.patch(`/samples/${sample.id}`, { category: blank })).body.category).toBeNull();
    }
  });

  test("other capitalization, another account's code or an unknown id is not in the list", async () => {
    const category = await make("/project_categories", { name: unique("small") });
    const { body: foreign } = await as("stranger").post("/project_categories", { name: unique("foreign") });
    const { id: own } = await make("/samples", { category: category.reference });
    for (const value of [category.reference.toUpperCase(), foreign.reference, "nope", { id: foreign.id }, [1], true]) {
      expect(readErrors(await admin.post("/samples", { name: "x", category: value })), JSON.stringify(value)).toEqual(
        notListed,
      );
      expect(readErrors(await admin.patch(`/samples/${own}`, { category: value }))).toEqual(notListed);
    }
    expect(readErrors(await admin.post("/samples", { name: "x", category_id: foreign.id }))).toEqual(notListed);
    expect((await admin.get(`/samples/${own}`)).body.category).toBe(category.reference);
  });

  test("a disabled code can't be assigned again, and records that have it keep it", async () => {
    const category = await make("/project_categories", { name: unique("old") });
    const sample = await make("/samples", { category: category.reference });
    const other = await make("/samples");
    await admin.patch(`/project_categories/${category.id}`, { disabled: true });
    expect(readErrors(await admin.patch(`/samples/${other.id}`, { category: category.reference }))).toEqual([
      422,
      [["category", "Category is not valid"]],
    ]);
    const same = await admin.patch(`/samples/${sample.id}`, { category: category.reference, name: "other" });
    expect(same).toMatchObject({ status: 200, body: { category: category.reference, name: "other" } });
  });

  test("lists are filtered and sorted by the reference", async () => {
    const [b, a] = [
      await make("/project_categories", { name: unique("b") }),
      await make("/project_categories", { name: unique("a") }),
    ];
    const samples: number[] = [];
    for (const category of [b.reference, a.reference, null]) samples.push((await make("/samples", { category })).id);
    const listIndexes = async (query: string) =>
      ids(await admin.get(`/samples?id=${samples}&${query}`)).map((id: number) => samples.indexOf(id));
    expect(await listIndexes(`category=${b.reference}`)).toEqual([0]);
    expect(await listIndexes(`category=${a.reference},${b.reference}`)).toEqual([0, 1]);
    expect(await listIndexes(`category=!${b.reference}`)).toEqual([1, 2]);
    expect(await listIndexes("category=")).toEqual([2]);
    expect(await listIndexes("category=nope")).toEqual([]);
    expect(await listIndexes("sort=category")).toEqual([1, 0, 2]);
    expect(await listIndexes("sort=-category")).toEqual([2, 0, 1]);
    expect((await admin.get(`/samples?category=>${a.reference}`)).status).toBe(400);
    const { body, headers } = await admin.get(`/samples?id=${samples}&sort=category&per_page=1`);
    const next = await admin.get(
      `/samples?id=${samples}&sort=category&per_page=2&search_after=${headers.get("X-Pagination-End-Cursor")}`,
    );
    expect([...body, ...next.body].map((row: { id: number }) => samples.indexOf(row.id))).toEqual([1, 0, 2]);
  });
});

describe("fields that show values of other fields and records", () => {
  test("a field with a fallback shows the fallback's value, and can't be written", async () => {
    const { id, name, localized_name } = await make("/kits", { localized_name: "mine" });
    expect(localized_name).toBe(name);
    const { headers, body } = await admin.patch(`/kits/${id}`, { name: "renamed", localized_name: "mine" });
    expect([headers.get("X-Ignored-Fields"), body.localized_name]).toEqual(["localized_name", "renamed"]);
    expect((await admin.get(`/kits/${id}?fields=localized_name`)).body.localized_name).toBe("renamed");
  });

  test("a field that can't be selected is in the full record and in lists", async () => {
    const sample = await make("/samples", { hidden: "seen" });
    expect(sample.hidden).toBe("seen");
    expect((await admin.get(`/samples/${sample.id}`)).body.hidden).toBe("seen");
    expect((await admin.get(`/samples?id=${sample.id}`)).body[0].hidden).toBe("seen");
    expect(await admin.get(`/samples/${sample.id}?fields=hidden`)).toMatchObject({
      status: 400,
      body: { message: "Unknown fields: hidden" },
    });
  });

  test("a reference shows the references, codes and fallbacks of the referenced record", async () => {
    const grade = await make("/risk_severities", { name: unique("top") });
    const kit = await make("/kits", { provider_id: 6, grade: grade.reference, sourceID: "K-1" });
    const bare = await make("/kits");
    const shown = {
      id: kit.id,
      name: kit.name,
      localized_name: kit.name,
      provider: { id: 6, name: "Printer Supplier", nodeID: expect.any(String) },
      grade: grade.reference,
      sourceID: "K-1",
      nodeID: kit.nodeID,
    };
    const sample = await make("/samples", { kit_id: kit.id, kits: [kit.id, bare.id] });
    expect(sample.kit).toEqual(shown);
    expect(sample.kits).toEqual([
      shown,
      { id: bare.id, name: bare.name, localized_name: bare.name, provider: null, grade: null, nodeID: bare.nodeID },
    ]);
    expect((await admin.get(`/samples?id=${sample.id}`)).body[0].kit).toEqual(shown);
  });

  test("children in their parent's response show references, codes and values as in their own", async () => {
    const { id } = await make("/samples");
    const category = await make("/project_categories", { name: unique("c") });
    const kit = await make("/kits", { provider_id: 6 });
    const part = await make(`/samples/${id}/parts`, {
      maker_id: 6,
      kit_id: kit.id,
      category: category.reference,
      size: "high",
      spare: true,
      held_at: "2031-02-01",
    });
    const { body } = await admin.get(`/samples/${id}?fields=parts`);
    const { body: row } = await admin.get(`/samples/${id}/parts`);
    const { nodeID: _, ...entry } = row[0];
    expect(entry).toMatchObject({
      id: part.id,
      maker: { id: 6 },
      kit: { id: kit.id, provider: { id: 6 } },
      category: category.reference,
      spare: true,
    });
    expect(body.parts).toEqual([entry]);
  });
});

describe("local times", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["2031-02-01T09:00:00",       "2031-02-01T09:00:00"], ["2031-02-01 09:00",     "2031-02-01T09:00:00"],
    ["2031-02-01T09:00:00+05:30", "2031-02-01T09:00:00"], ["2031-02-01T09:00:00Z", "2031-02-01T09:00:00"],
    ["2031-02-28T24:00:00",       "2031-03-01T00:00:00"], ["2031-02-01",           "2031-02-01T00:00:00"],
  ])("%s is %s for every reader", async (given, shown) => {
    const { id, held_at } = await make("/samples", { held_at: given });
    expect(held_at).toBe(shown);
    expect((await as("specialist").get(`/samples/${id}`)).body.held_at).toBe(shown);
    const listIds = async (condition: string) => ids(await as("specialist").get(`/samples?id=${id}&held_at=${encodeURIComponent(condition)}`));
    expect(await listIds(shown)).toEqual([id]);
    expect(await listIds(`>=${shown}<=${shown}`)).toEqual([id]);
    expect(await listIds(`<${shown}`)).toEqual([]);
  });
});

describe("one record of two possible types", () => {
  test("the two types share their ids, and the referenced record is shown", async () => {
    const [kit, tool] = [await make("/kits"), await make("/tools")];
    expect(tool.id).toBe(kit.id + 1);
    const samples: number[] = [];
    for (const each of [kit, tool]) {
      const { id, means } = await make("/samples", { means_id: each.id });
      expect(means).toMatchObject({ id: each.id, name: each.name, nodeID: each.nodeID });
      samples.push(id);
      expect(ids(await admin.get(`/samples?means=${each.id}`))).toEqual([id]);
    }
    expect(ids(await admin.get(`/samples?id=${samples}&sort=means`))).toEqual(samples);
    const { body: foreign } = await as("stranger").post("/tools", { name: "t" });
    for (const wrong of [2_000_000_000, foreign.id])
      expect(readErrors(await admin.post("/samples", { name: "x", means_id: wrong }))[0]).toBe(422);
    const gone = await make("/kits", { disabled: true });
    expect(readErrors(await admin.post("/samples", { name: "x", means: { id: gone.id } }))).toEqual([
      422,
      [["means", "Means is not valid"]],
    ]);
  });
});

describe("conditional lists", () => {
  test("show the rows that match this record's condition or rule, with views, filters and paging", async () => {
    const [one, other] = [await make("/kits"), await make("/kits")];
    const [first, second] = [
      await make("/samples", { kit_id: one.id }),
      await make("/samples", { kit_id: other.id, disabled: true }),
    ];
    expect(ids(await admin.get(`/kits/${one.id}/samples`))).toEqual([first.id]);
    expect(ids(await admin.get(`/kits/${other.id}/samples`))).toEqual([second.id]);
    expect(ids(await admin.get(`/kits/${other.id}/samples/enabled`))).toEqual([]);
    expect(ids(await admin.get(`/kits/${one.id}/foreign_samples?id=${first.id},${second.id}`))).toEqual([second.id]);
    expect((await admin.get(`/kits/${one.id}/samples?per_page=1`)).headers.get("X-Pagination-Total-Entries")).toBe("1");
    expect((await admin.get("/kits/2000000000/samples")).status).toBe(404);
    expect((await admin.post(`/kits/${one.id}/samples`, {})).status).toBe(404);
  });
});

describe("owned records with their own collection", () => {
  test("are read in their own collection by readers of their owner, and written only under the owner", async () => {
    const { id: owner } = await make("/samples");
    const part = await make(`/samples/${owner}/parts`, { spare: true });
    for (const reader of [admin, as("specialist"), as("auditor")]) {
      expect((await reader.get(`/parts/${part.id}`)).body).toEqual(
        (await reader.get(`/samples/${owner}/parts/${part.id}`)).body,
      );
      expect(ids(await reader.get(`/parts?id=${part.id}`))).toEqual([part.id]);
      expect(ids(await reader.get(`/parts/spare?id=${part.id}`))).toEqual([part.id]);
      expect(ids(await reader.get(`/parts/needed?id=${part.id}`))).toEqual([]);
    }
    expect((await admin.get(`/parts/${part.nodeID}`)).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/parts"],
      ["PATCH", `/parts/${part.id}`],
      ["DELETE", `/parts/${part.id}`],
      ["GET", `/parts/${part.id}/audit`],
    ] as const)
      expect((await admin.send(method, path, method === "GET" ? undefined : {})).status, `${method} ${path}`).toBe(404);
  });

  test("are inaccessible to callers who can't access their owner", async () => {
    const { id: owner } = await make("/samples");
    const part = await make(`/samples/${owner}/parts`);
    expect((await as("requester").get("/parts")).status).toBe(403);
    expect((await as("requester").get(`/parts/${part.id}`)).status).toBe(403);
    expect((await as("stranger").get(`/parts/${part.id}`)).status).toBe(404);
    expect((await as("stranger").get(`/parts?id=${part.id}`)).body).toEqual([]);
    await admin.post(`/samples/${owner}/archive`);
    expect((await admin.get(`/parts?id=${part.id}`)).body).toEqual([]);
    expect((await as("specialist").get(`/parts/${part.id}`)).status).toBe(403);
  });
});
