import { expect, test } from "vitest";
import { people } from "../support/seed.ts";
import { type Client, loggedErrors, world } from "../support/world.ts";

// Items that the web interface stores for a person, a team or the account (D-230).

const at = await world();
const [sam, mia, ada] = [at.as("specialist"), at.as("manager"), at.as("administrator")];
const buildPath = (rest: string) => `/kept_items/${rest}`;
const put = (client: Client, rest: string, value: unknown) => client.put(buildPath(rest), { value });

test("a person's items can be read, replaced, listed newest first and deleted, only by that person", async () => {
  expect((await sam.get(buildPath("view/open"))).status).toBe(404);
  const made = await put(sam, "view/open", { name: "Open", query: "state=open", text: "a\u0000b \ud800" });
  expect([made.status, made.body.owner, made.body.may_change]).toEqual([200, "me", true]);
  expect(made.body).toMatchObject({ key: "open", value: { name: "Open" }, updated_by: { name: "Sam Specialist" } });
  await at.clock.pass(1);
  await put(sam, `view/${encodeURIComponent("a/b ü")}`, { name: "Slash" });
  const list = (await sam.get(buildPath("view"))).body as { key: string }[];
  expect(list.map(({ key }) => key)).toEqual(["a/b ü", "open"]);
  await put(sam, "view/open", { name: "Open again" });
  expect((await sam.get(buildPath("view/open"))).body.value).toEqual({ name: "Open again" });
  expect((await mia.get(buildPath("view"))).body).toEqual([]);
  expect((await mia.get(buildPath("view/open"))).status).toBe(404);
  expect((await sam.delete(buildPath("view/open"))).status).toBe(204);
  expect((await sam.delete(buildPath("view/open"))).status).toBe(404);
});

test("team members read a team's items, and its manager, managers and designers change them", async () => {
  const team = (await at.as("administrator").post("/teams", { name: "Networks", manager_id: people.manager.id })).body;
  await at.as("administrator").post(`/teams/${team.id}/members/${people.specialist.id}`);
  const owner = `?owner=team:${team.id}`;
  expect((await put(sam, `view/networks${owner}`, { name: "Networks" })).status).toBe(403);
  expect((await put(mia, `view/networks${owner}`, { name: "Networks" })).status).toBe(200);
  const [seen] = (await sam.get(buildPath("view"))).body.filter((item: { key: string }) => item.key === "networks");
  expect(seen).toMatchObject({ owner: `team:${team.id}`, team: { name: "Networks" }, may_change: false });
  expect((await put(ada, `view/networks${owner}`, { name: "Renamed" })).status).toBe(200);
  const other = (await at.as("administrator").post("/teams", { name: "Others" })).body;
  expect((await sam.get(buildPath(`view?owner=team:${other.id}`))).status).toBe(403);
  expect((await sam.get(buildPath("view?owner=team:2147483"))).status).toBe(404);
  expect((await mia.delete(buildPath(`view/networks${owner}`))).status).toBe(204);
});

test("everyone in the account reads its items, and no one else", async () => {
  expect((await put(ada, "portal/tiles?owner=account", { tiles: ["laptop"] })).status).toBe(200);
  expect((await put(sam, "portal/tiles?owner=account", {})).status).toBe(403);
  const rita = at.as("requester");
  expect((await rita.get(buildPath("portal/tiles?owner=account"))).body.value).toEqual({ tiles: ["laptop"] });
  const stella = at.as("stranger", { account: "widget-it" });
  for (const rest of ["portal", "portal/tiles?owner=account"])
    expect((await stella.get(buildPath(rest))).status).toBe(403);
  expect((await put(stella, "pin/x", {})).status).toBe(403);
  expect((await at.as("requester", { account: "nowhere" }).get(buildPath("pin"))).status).toBe(403);
  expect((await at.nobody.get(buildPath("pin"))).status).toBe(401);
});

test("invalid kinds, owners, keys, bodies and sizes are rejected with a reason", async () => {
  expect((await sam.get(buildPath("nonsense"))).status).toBe(404);
  expect((await sam.get(buildPath("constructor"))).status).toBe(404);
  expect((await put(sam, "draft/x?owner=account", {})).status).toBe(400);
  expect((await put(sam, "view/x?owner=everybody", {})).status).toBe(400);
  expect((await put(sam, `view/${"x".repeat(201)}`, {})).status).toBe(400);
  expect((await put(sam, "view/a%00b", {})).status).toBe(404);
  expect((await sam.put(buildPath("view/x"), [1])).status).toBe(400);
  for (const value of [[1], "x", null, undefined]) expect((await put(sam, "view/x", value)).status).toBe(422);
  expect((await put(sam, "view/x", { text: "x".repeat(65_000) })).status).toBe(200);
  expect((await put(sam, "view/x", { text: "x".repeat(66_000) })).status).toBe(413);
});

test("the number of items is limited: new recent items replace the oldest, new pins are rejected", async () => {
  await at.sql(
    `INSERT INTO kept_items (account_id, owner, kind, key, value, person_id, updated_at)
     SELECT 'widget-it', 'me 3', kind, 'k' || n, '{}', 3, timestamptz '2025-01-01' + n * interval '1 minute'
     FROM generate_series(1, 50) n, unnest(ARRAY['recent', 'pin']) kind`,
  );
  expect((await put(sam, "recent/new", { id: 1 })).status).toBe(200);
  const recent = (await sam.get(buildPath("recent"))).body as { key: string }[];
  expect([recent.length, recent[0]?.key, recent.some(({ key }) => key === "k1")]).toEqual([50, "new", false]);
  const refused = await put(sam, "pin/new", {});
  expect([refused.status, refused.body.errors[0][0]]).toEqual([422, "base"]);
  expect((await put(sam, "pin/k7", { order: 1 })).status).toBe(200);
  expect(loggedErrors(at.log)).toEqual([]);
});
