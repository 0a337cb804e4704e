import { expect, test } from "vitest";
import {
  authorizeAddress,
  FormBrowser,
  obtainCode,
  redeemCode,
  registerApplication,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { loggedErrors, world } from "../support/world.ts";

// Tokens, applications and the security trail, over the interface that the web application uses.

const at = await world();
await setPasswords(at, "administrator", "specialist", "directoryAdmin");
const signIn = async (role: "administrator" | "specialist" | "directoryAdmin") => {
  const browser = new FormBrowser(at.url);
  await browser.signIn(role);
  return browser;
};
const specialist = await signIn("specialist");
const admin = await signIn("administrator");

test("AZ3: a personal access token is shown once, shows its last use, and can be deleted by its owner", async () => {
  const made = await specialist.api("POST", "/personal-access-tokens", {
    name: "Nightly <report>",
    scopes: "me:All, team:Read",
  });
  expect(made.status).toBe(201);
  const { id, token } = made.body;
  const caller = at.withToken(token, { account: "widget-it" });
  expect((await caller.get("/me")).body.name).toBe("Sam Specialist");
  expect((await caller.get("/teams")).status).toBe(200);
  expect((await caller.get("/people")).status).toBe(403);
  const { body: tokens } = await specialist.api("GET", "/personal-access-tokens");
  const listed = tokens.find((each: { id: number }) => each.id === id);
  expect(listed).toMatchObject({ name: "Nightly <report>", last_used_at: expect.any(String) });
  expect(JSON.stringify(tokens)).not.toContain(token);
  expect((await admin.api("DELETE", `/personal-access-tokens/${id}`)).status).toBe(404); // belongs to another person
  expect((await specialist.api("DELETE", `/personal-access-tokens/${id}`)).status).toBe(204);
  expect((await caller.get("/me")).status).toBe(401);
});

test("AZ3, AZ4: a token without scopes can do nothing, one limited to an account works only there, and a denial wins", async () => {
  const make = async (scopes: unknown) =>
    (await specialist.api("POST", "/personal-access-tokens", { name: "t", scopes })).body.token as string;
  const get = async (token: string, path: string, account: string) =>
    (await at.withToken(token, { account }).get(path)).status;
  expect(await get(await make([]), "/me", "widget-it")).toBe(403);
  const only = await make([{ actions: "*:*", accounts: ["widget-it"] }]);
  expect([await get(only, "/teams", "widget-it"), await get(only, "/me", "widget")]).toEqual([200, 403]);
  const denied = await make([{ actions: "*:*" }, { effect: "deny", actions: "team:R" }]);
  expect([await get(denied, "/people", "widget-it"), await get(denied, "/teams", "widget-it")]).toEqual([200, 403]);
  for (const scopes of [
    "nonsense",
    "team:X",
    [{ effect: "maybe", actions: "*:*" }],
    [{ actions: "*:*", accounts: ["nowhere"] }],
    7,
    [[]],
    [{ actions: [7] }],
  ]) {
    const { status, body } = await specialist.api("POST", "/personal-access-tokens", { name: "t", scopes });
    expect([scopes, status, body.errors?.[0]?.[0]]).toEqual([scopes, 422, "scopes"]);
  }
  for (const name of ["", "x".repeat(129), 7, "a\0b"])
    expect((await specialist.api("POST", "/personal-access-tokens", { name, scopes: "*:*" })).body.errors[0][0]).toBe(
      "name",
    );
});

test("AZ3: URLs without an account redirect to the person's own pages, and templated forms keep their query", async () => {
  const before = (await specialist.api("GET", "/personal-access-tokens")).body.length;
  const query = "?name=CI%20%22bot%22&scopes=team:RU,me:All";
  for (const [from, to] of [
    ["/profile", "/a/widget-it/profile/security"],
    ["/personal_access_tokens", "/a/widget-it/profile/tokens"],
  ] as const)
    expect([from, (await specialist.get(from)).location]).toEqual([from, to]);
  const { location } = await specialist.get(`/personal_access_tokens/new${query}`);
  const form = new URL(location, at.url);
  expect(form.pathname).toBe("/a/widget-it/profile/tokens/new");
  expect(Object.fromEntries(form.searchParams)).toEqual({ name: 'CI "bot"', scopes: "team:RU,me:All" });
  expect((await specialist.api("GET", "/personal-access-tokens")).body.length).toBe(before);
  const visitor = await new FormBrowser(at.url).get("/personal_access_tokens/new?name=x&scopes=y");
  expect(visitor.location).toBe(
    `/sign_in?return_to=${encodeURIComponent("/personal_access_tokens/new?name=x&scopes=y")}`,
  );
});

test("only the account's administrators access settings, including directory administrators", async () => {
  const address = "/accounts/widget-it/oauth-applications";
  expect((await specialist.api("GET", address)).status).toBe(403);
  for (const account of ["provider", "nowhere", "constructor"])
    expect((await admin.api("GET", `/accounts/${account}/oauth-applications`)).status).toBe(403);
  const dirk = await signIn("directoryAdmin");
  expect((await dirk.get("/oauth_applications/new")).location).toBe("/a/widget/settings/applications/new");
  expect((await dirk.api("GET", "/accounts/widget/oauth-applications")).status).toBe(200);
  expect((await admin.api("GET", `${address}/99999999999`)).status).toBe(404);
});

test("the security trail records everything, and no secret", async () => {
  const failing = new FormBrowser(at.url);
  await failing.submit(await failing.get("/sign_in"), "/sign_in", {
    email: "sam@widget.example",
    password: "wrong guess",
  });
  const settings = "/accounts/widget-it/oauth-applications";
  const application = {
    name: "Robot",
    grant_type: "client_credentials",
    person: "sam@widget.example",
    scopes: "me:All",
  };
  const { body: robot } = await admin.api("POST", settings, application);
  const { body: pair } = await admin.api("POST", `${settings}/${robot.id}/clients`);
  await admin.api("PATCH", `${settings}/${robot.id}/clients/${pair.id}`, { disabled: true });
  await admin.api("PATCH", `${settings}/${robot.id}`, { name: "Robot 2" });
  await admin.api("DELETE", `${settings}/${robot.id}`);
  const client = await registerApplication(at, { name: "Watched" });
  const denied = await specialist.get((await specialist.get(authorizeAddress(client))).location);
  await specialist.submit(denied, "/oauth/authorize_application", { decision: "deny" });
  const code = await obtainCode(specialist, client);
  const { body: tokens } = await redeemCode(at.url, client, code);
  await redeemCode(at.url, client, code);
  const { body: list } = await specialist.api("GET", "/authorizations");
  await specialist.api("DELETE", `/authorizations/${list[0].id}`);
  await at.as("administrator").post("/people/3/permissions/widget-it?roles=auditor");
  await specialist.api("DELETE", "/session");

  const ada = at.as("administrator");
  const { body: trail, headers } = await ada.get("/security_trail?per_page=50");
  const events = trail.map(({ event }: { event: string }) => event);
  // biome-ignore format: a list
  for (const event of ["sign-in", "sign-in-failed", "sign-out", "token-created", "token-deleted", "application-created", "application-changed", "application-deleted", "client-created", "client-changed", "authorization-given", "authorization-denied", "authorization-revoked", "code-used-twice", "roles-changed"])
    expect(events).toContain(event);
  const roles = trail.find(({ event }: { event: string }) => event === "roles-changed");
  expect(roles).toMatchObject({
    person: { name: "Ada Admin" },
    details: { person: 3, before: ["specialist"], after: ["specialist", "auditor"] },
  });
  const text = JSON.stringify(trail);
  for (const secret of [code, tokens.access_token, tokens.refresh_token, client.client_secret, "wrong guess"])
    expect(text).not.toContain(secret);
  expect(trail[0].id).toBeGreaterThan(trail.at(-1).id);
  expect(headers.get("x-pagination-total-entries")).toBe(String(trail.length));
});

test("pages show errors without a stack trace, and no input causes a 500", async () => {
  const json = { "Content-Type": "application/json" };
  for (const [path, body, headers] of [
    ["/sign_in", "{}", json],
    ["/sign_in", "a=%00&csrf=%ff", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["/password_reset", "name=x", { "Content-Type": "multipart/form-data" }],
    [`/password_reset/${"%00"}`, "", {}],
  ] as const) {
    const page = await admin.send("POST", path, body, headers as Record<string, string>);
    expect([path, page.status >= 400 && page.status < 500]).toEqual([path, true]);
  }
  expect((await admin.get("/password_reset/%00")).status).toBe(404);
  const reset = await admin.get("/password_reset");
  expect((await admin.submit(reset, "/password_reset", { email: "a\0b@x.example" })).status).toBe(200);
  const { application, pair } = await registerApplication(at);
  const client = `/accounts/widget-it/oauth-applications/${application}/clients/${pair}`;
  expect((await admin.api("PATCH", client, {})).status).toBe(422);
  expect(loggedErrors(at.log)).toEqual([]);
});
