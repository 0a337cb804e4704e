import { expect, test } from "vitest";
import { FormBrowser, setPasswords } from "../support/clients/form-browser.ts";
import { people } from "../support/seed.ts";
import { loggedErrors, world } from "../support/world.ts";

// What the web interface stores for a person, a team or the account (D-230).

const at = await world();
await setPasswords(at, "administrator", "specialist", "manager", "requester", "stranger");
const entered = async (role: "administrator" | "specialist" | "manager" | "requester" | "stranger") => {
  const browser = new FormBrowser(at.url);
  await browser.signIn(role);
  return browser;
};
const sam = await entered("specialist");
const mia = await entered("manager");
const ada = await entered("administrator");
const kept = (rest: string, account = "widget-it") => `/accounts/${account}/kept/${rest}`;

test("a person's items are read, replaced, listed newest first and deleted, and nobody else sees them", async () => {
  expect((await sam.api("GET", kept("view/open"))).status).toBe(404);
  const made = await sam.api("PUT", kept("view/open"), { name: "Open", query: "state=open", text: "a\u0000b \ud800" });
  expect([made.status, made.body.owner, made.body.may_change]).toEqual([200, "me", true]);
  expect(made.body).toMatchObject({ key: "open", value: { name: "Open" }, updated_by: { name: "Sam Specialist" } });
  await at.clock.pass(1);
  await sam.api("PUT", kept(`view/${encodeURIComponent("a/b ü")}`), { name: "Slash" });
  const list = (await sam.api("GET", kept("view"))).body as { key: string }[];
  expect(list.map(({ key }) => key)).toEqual(["a/b ü", "open"]);
  await sam.api("PUT", kept("view/open"), { name: "Open again" });
  expect((await sam.api("GET", kept("view/open"))).body.value).toEqual({ name: "Open again" });
  expect((await mia.api("GET", kept("view"))).body).toEqual([]);
  expect((await mia.api("GET", kept("view/open"))).status).toBe(404);
  expect((await sam.api("DELETE", kept("view/open"))).status).toBe(204);
  expect((await sam.api("DELETE", kept("view/open"))).status).toBe(404);
});

test("items of a team are for its people, and its manager, managers and designers change them", async () => {
  const team = (await at.as("administrator").post("/teams", { name: "Networks", manager_id: people.manager.id })).body;
  await at.as("administrator").post(`/teams/${team.id}/members/${people.specialist.id}`);
  const owner = `?owner=team:${team.id}`;
  expect((await sam.api("PUT", kept(`view/networks${owner}`), { name: "Networks" })).status).toBe(403);
  expect((await mia.api("PUT", kept(`view/networks${owner}`), { name: "Networks" })).status).toBe(200);
  const [seen] = (await sam.api("GET", kept("view"))).body.filter((item: { key: string }) => item.key === "networks");
  expect(seen).toMatchObject({ owner: `team:${team.id}`, team: { name: "Networks" }, may_change: false });
  expect((await ada.api("PUT", kept(`view/networks${owner}`), { name: "Renamed" })).status).toBe(200);
  const other = (await at.as("administrator").post("/teams", { name: "Others" })).body;
  expect((await sam.api("GET", kept(`view?owner=team:${other.id}`))).status).toBe(403);
  expect((await sam.api("GET", kept("view?owner=team:2147483"))).status).toBe(404);
  expect((await mia.api("DELETE", kept(`view/networks${owner}`))).status).toBe(204);
});

test("items of the account are for everybody in it, and for nobody outside it", async () => {
  expect((await ada.api("PUT", kept("portal/tiles?owner=account"), { tiles: ["laptop"] })).status).toBe(200);
  expect((await sam.api("PUT", kept("portal/tiles?owner=account"), {})).status).toBe(403);
  const rita = await entered("requester");
  expect((await rita.api("GET", kept("portal/tiles?owner=account"))).body.value).toEqual({ tiles: ["laptop"] });
  const stella = await entered("stranger");
  for (const [method, rest] of [
    ["GET", "portal"],
    ["GET", "portal/tiles?owner=account"],
    ["PUT", "pin/x"],
  ] as const)
    expect((await stella.api(method, kept(rest), method === "PUT" ? {} : undefined)).status).toBe(403);
  expect((await rita.api("GET", kept("pin", "nowhere"))).status).toBe(403);
  expect((await new FormBrowser(at.url).api("GET", kept("pin"))).status).toBe(401);
});

test("wrong kinds, owners, keys, bodies and sizes are refused with a reason", async () => {
  expect((await sam.api("GET", kept("nonsense"))).status).toBe(404);
  expect((await sam.api("GET", kept("constructor"))).status).toBe(404);
  expect((await sam.api("PUT", kept("draft/x?owner=account"), {})).status).toBe(400);
  expect((await sam.api("PUT", kept("view/x?owner=everybody"), {})).status).toBe(400);
  expect((await sam.api("PUT", kept(`view/${"x".repeat(201)}`), {})).status).toBe(400);
  expect((await sam.api("PUT", kept("view/a%00b"), {})).status).toBe(404);
  expect((await sam.api("PUT", kept("view/x"), [1])).status).toBe(400);
  expect((await sam.api("PUT", kept("view/x"), { text: "x".repeat(65_000) })).status).toBe(200);
  expect((await sam.api("PUT", kept("view/x"), { text: "x".repeat(66_000) })).status).toBe(413);
  expect((await sam.api("PUT", kept("view/x"), {}, { "X-CSRF-Token": "wrong" })).status).toBe(403);
});

test("the number of items is limited: recent ones drop the oldest, pins are refused", async () => {
  await at.sql(
    `INSERT INTO kept_items (account_id, owner, kind, key, value, person_id, updated_at)
     SELECT 'widget-it', 'me 3', kind, 'k' || n, '{}', 3, timestamptz '2025-01-01' + n * interval '1 minute'
     FROM generate_series(1, 50) n, unnest(ARRAY['recent', 'pin']) kind`,
  );
  expect((await sam.api("PUT", kept("recent/new"), { id: 1 })).status).toBe(200);
  const recent = (await sam.api("GET", kept("recent"))).body as { key: string }[];
  expect([recent.length, recent[0]?.key, recent.some(({ key }) => key === "k1")]).toEqual([50, "new", false]);
  const refused = await sam.api("PUT", kept("pin/new"), {});
  expect([refused.status, refused.body.errors[0][0]]).toEqual([422, "base"]);
  expect((await sam.api("PUT", kept("pin/k7"), { order: 1 })).status).toBe(200);
  expect(loggedErrors(at.log)).toEqual([]);
});
