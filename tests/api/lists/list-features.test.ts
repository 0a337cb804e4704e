import { expect, test } from "vitest";
import { FormBrowser, setPasswords } from "../../support/clients/form-browser.ts";
import { people } from "../../support/seed.ts";
import { loggedErrors, world } from "../../support/world.ts";

// REST API features for the lists and the profile of the web interface (D-231, D-232).

const at = await world({ env: { RATE_LIMIT: "3600", RATE_BURST: "20/2" } });
await setPasswords(at, "specialist");
const ada = at.as("administrator");
const ids = (reply: { body: { id: number }[] }) => reply.body.map(({ id }) => id);
/** The test clock doesn't move by itself, so the burst window must be passed explicitly. */
const passBurstWindow = () => at.clock.pass(3);

test("q finds the words of a record, combines with filters, and respects read permissions", async () => {
  const sam = at.as("specialist");
  const make = async (subject: string, more = {}) =>
    (await sam.post("/requests", { subject, category: "rfi", ...more })).body.id as number;
  const vpn = await make("VPN drops the connection");
  const wifi = await make("Wireless drops on floor 4", { category: "incident", impact: "low" });
  await make("Printer is out of paper");
  await passBurstWindow();
  expect(ids(await sam.get("/requests?q=drops&sort=id"))).toEqual([vpn, wifi]);
  expect(ids(await sam.get("/requests?q=drops%20conn"))).toEqual([vpn]); // the last word may be a prefix
  expect(ids(await sam.get("/requests?q=vpn|wireless&sort=id"))).toEqual([vpn, wifi]);
  expect(ids(await sam.get("/requests?q=drops&category=incident"))).toEqual([wifi]);
  expect(ids(await sam.get(`/requests?q=${vpn}`))).toEqual([vpn]);
  const page = await sam.get("/requests?q=drops&per_page=1&sort=id");
  expect(page.headers.get("x-pagination-total-entries")).toBe("2");
  expect(
    ids(
      await sam.get(`/requests?q=drops&per_page=1&sort=id&search_after=${page.headers.get("x-pagination-end-cursor")}`),
    ),
  ).toEqual([wifi]);
  expect((await sam.get("/requests?q=%21%21")).body).toEqual([]);
  expect((await sam.get(`/requests?q=${"x".repeat(256)}`)).status).toBe(400);
  expect((await sam.get("/calendars?q=x")).status).toBe(400);
  await passBurstWindow();
  expect((await at.as("requester").get("/requests?q=drops")).body).toEqual([]);
  expect((await at.as("stranger").get("/requests?q=drops")).body).toEqual([]);
  expect(ids(await ada.get("/people?q=sam"))).toEqual([people.specialist.id]);
});

test("requests, problems, project tasks and audit lines have the filters that the interface uses", async () => {
  await passBurstWindow();
  const sam = at.as("specialist");
  const urgent = (await sam.post("/requests", { subject: "Now", category: "rfi", urgent: true })).body.id;
  expect(ids(await sam.get("/requests?urgent=true"))).toEqual([urgent]);
  for (const filter of ["agile_board=1", "problem=1", "project=1"])
    expect((await sam.get(`/requests?${filter}`)).body).toEqual([]);
  for (const filter of ["team=1", "member=1", "manager=!", "manager_id=1"])
    expect((await sam.get(`/problems?${filter}`)).status).toBe(200);
  for (const filter of ["project=1", "manager=1"]) expect((await sam.get(`/project_tasks?${filter}`)).status).toBe(200);
  await passBurstWindow();
  const lines = await ada.get(`/audit_lines?person=${people.specialist.id}&audited=request&record=${urgent}`);
  expect(lines.body).toHaveLength(1);
  expect(lines.body[0]).toMatchObject({ action: "create", audited: "request", request: { id: urgent } });
  expect((await ada.get(`/audit_lines?person=${people.manager.id}&record=${urgent}`)).body).toEqual([]);
  expect((await ada.get("/audit_lines?audited=team,site")).status).toBe(200);
  for (const filter of ["person=x", "record=99999999999", "audited=%27", "person="])
    expect((await ada.get(`/audit_lines?${filter}`)).status).toBe(400);
});

test("people change their own settings through /me, and nothing else", async () => {
  await passBurstWindow();
  const rita = at.as("requester");
  const settings = { locale: "de", time_zone: "London", time_format_24h: true, send_email_notifications: "never" };
  const changed = await rita.patch("/me", settings);
  expect(changed.status).toBe(200);
  expect((await rita.get("/me")).body).toMatchObject({ ...settings, locale: "de" });
  expect((await rita.patch("/me", { name: "Queen" })).status).toBe(403);
  expect((await rita.patch("/me", { vip: true, locale: "nl" })).status).toBe(403);
  expect((await rita.patch("/me", { locale: "xx" })).body.errors[0][0]).toBe("locale");
  expect((await rita.patch("/me", { nonsense: 1 })).headers.get("x-ignored-fields")).toBe("nonsense");
  expect((await at.nobody.patch("/me", {})).status).toBe(401);
  expect((await ada.get(`/people/${people.requester.id}/audit`)).status).toBe(200);
});

test("CV20: session tokens have their own rate limit", async () => {
  await passBurstWindow();
  const browser = new FormBrowser(at.url);
  await browser.signIn("specialist");
  const { access_token: token } = (await browser.api("POST", "/access-token")).body;
  const session = at.withToken(token, { account: "widget-it" });
  const direct = at.as("specialist");
  const before = Number((await direct.get("/me")).headers.get("x-ratelimit-remaining"));
  expect((await session.get("/me")).headers.get("x-ratelimit-limit")).toBe("20000");
  for (let n = 1; n < 100; n++) expect((await session.get("/teams?per_page=1")).status).toBe(200);
  expect((await session.get("/me")).status).toBe(429);
  expect((await session.get("/rate_limit")).body.limit).toBe(20_000);
  const after = await direct.get("/me");
  expect([after.headers.get("x-ratelimit-limit"), after.headers.get("x-ratelimit-remaining")]).toEqual([
    "3600",
    String(before - 1),
  ]);
  expect(loggedErrors(at.log)).toEqual([]);
});
