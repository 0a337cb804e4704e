import { expect, test } from "vitest";
import {
  authorizeAddress,
  FormBrowser,
  obtainCode,
  type Page,
  redeemCode,
  registerApplication,
  requestClientCredentialsToken,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { world } from "../support/world.ts";

// The pages of the profile and of the settings, as somebody without JavaScript uses them.

const at = await world();
await setPasswords(at, "administrator", "specialist", "directoryAdmin");
const entered = async (role: "administrator" | "specialist" | "directoryAdmin") => {
  const browser = new FormBrowser(at.url);
  await browser.signIn(role);
  return browser;
};
const secretIn = (page: Page, label: string) =>
  new RegExp(`data-secret="${label}"[^>]*>([A-Za-z0-9]+)<`).exec(page.text)?.[1] as string;
const specialist = await entered("specialist");
const admin = await entered("administrator");

test("AZ3: Personal Access Tokens: Generate token, the secret once, last used, delete", async () => {
  const list = await specialist.get("/personal_access_tokens");
  expect(list.text).toContain("<h1>Personal Access Tokens</h1>");
  expect(list.text).toContain(">Generate token</a>");
  const form = await specialist.get("/personal_access_tokens/new");
  const made = await specialist.submit(form, "/personal_access_tokens", {
    name: "Nightly <report>",
    action: ["me:All", "team:Read"],
  });
  expect(made.status).toBe(201);
  expect(made.text).toContain("Nightly &lt;report&gt;");
  const token = secretIn(made, "Token");
  const caller = at.withToken(token, { account: "widget-it" });
  expect((await caller.get("/me")).body.name).toBe("Sam Specialist");
  expect((await caller.get("/teams")).status).toBe(200);
  expect((await caller.get("/people")).status).toBe(403);
  const after = await specialist.get("/personal_access_tokens");
  expect(after.text).not.toContain(token);
  expect(after.text).toContain("See teams");
  const { body: tokens } = await specialist.api("GET", "/personal-access-tokens");
  const { id } = tokens.find(({ name }: { name: string }) => name.startsWith("Nightly"));
  expect((await admin.send("POST", `/personal_access_tokens/${id}/delete`)).status).toBe(403);
  expect((await admin.api("DELETE", `/personal-access-tokens/${id}`)).status).toBe(404); // somebody else's
  const deleted = await specialist.submit(after, `/personal_access_tokens/${id}/delete`);
  expect(deleted.location).toContain("done=deleted");
  expect((await caller.get("/me")).status).toBe(401);
});

test("AZ3, AZ4: a token without scopes may do nothing, one limited to an account works there alone, and a denial wins", async () => {
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

test("templated forms fill in name and scopes, and save nothing by themselves", async () => {
  const before = (await specialist.api("GET", "/personal-access-tokens")).body.length;
  const page = await specialist.get("/personal_access_tokens/new?name=CI%20%22bot%22&scopes=team:RU,me:All");
  expect(page.text).toContain('value="CI &quot;bot&quot;"');
  for (const action of ["team:Read", "team:Update", "me:All"])
    expect(page.text).toMatch(new RegExp(`value="${action}"[^>]* checked`));
  expect(page.text).not.toMatch(/value="team:Delete"[^>]* checked/);
  expect((await specialist.api("GET", "/personal-access-tokens")).body.length).toBe(before);
  expect((await specialist.get("/personal_access_tokens/new?name=x&scopes=nonsense")).text).toContain("not valid");
  expect((await specialist.get("/a/widget-it/personal_access_tokens/new?name=x&scopes=me:All")).location).toBe(
    "/personal_access_tokens/new?name=x&scopes=me%3AAll",
  );
  const app = await admin.get("/oauth_applications/new?name=Portal&scopes=person:Read&grant_type=client_credentials");
  const form = await admin.get(app.location);
  expect(form.text).toMatch(/value="client_credentials" checked/);
  expect(form.text).toMatch(/value="person:Read"[^>]* checked/);
  const again = await new FormBrowser(at.url).get("/personal_access_tokens/new?name=x&scopes=y");
  expect(again.location).toBe(
    `/sign_in?return_to=${encodeURIComponent("/personal_access_tokens/new?name=x&scopes=y")}`,
  );
});

test("an administrator makes an application with the forms, and it works", async () => {
  const address = "/a/widget-it/oauth_applications";
  const form = await admin.get(`${address}/new`);
  const wrong = await admin.submit(form, address, {
    name: "",
    grant_type: "client_credentials",
    person: "nobody@x.example",
    action: "me:All",
  });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toMatch(/id="name"[^>]*aria-describedby="name-error"[^>]*aria-invalid="true"/);
  expect(wrong.text).toMatch(/value="me:All" checked/); // nothing typed is lost
  const made = await admin.submit(wrong, address, {
    name: "Robot",
    grant_type: "client_credentials",
    person: "sam@widget.example",
    action: "me:All",
    endpoints: "",
  });
  expect(made.status).toBe(201);
  const client = {
    client_id: secretIn(made, "client_id"),
    client_secret: secretIn(made, "client_secret"),
    application: 0,
    pair: 0,
  };
  expect((await requestClientCredentialsToken(at.url, client)).status).toBe(200);
  const list = await admin.get(address);
  const own = /href="(\/a\/widget-it\/oauth_applications\/\d+)">Robot/.exec(list.text)?.[1] as string;
  const page = await admin.get(own);
  expect(page.text).toContain(client.client_id);
  expect(page.text).not.toContain(client.client_secret);
  await admin.submit(page, `${own}/clients/`, { disabled: "true" });
  expect((await requestClientCredentialsToken(at.url, client)).body.error).toBe("invalid_client");
  expect((await admin.submit(page, `${own}/clients/`, { disabled: "false" })).status).toBe(302);
  expect((await requestClientCredentialsToken(at.url, client)).status).toBe(200);
  const saved = await admin.submit(page, own, {
    name: "Robot 2",
    person: "sam@widget.example",
    action: "me:All",
    disabled: "true",
  });
  expect(saved.location).toBe(`${own}?done=saved`);
  expect((await requestClientCredentialsToken(at.url, client)).body.error).toBe("invalid_client");
  expect((await admin.submit(page, `${own}/delete`)).location).toBe(address);
  expect((await admin.get(own)).status).toBe(404);
});

test("settings are for administrators of the account, directory administrators among them", async () => {
  for (const path of [
    "/a/widget-it/oauth_applications",
    "/a/widget-it/oauth_applications/new",
    "/a/widget-it/security_trail",
    "/oauth_applications",
    "/security_trail",
  ])
    expect([path, (await specialist.get(path)).status]).toEqual([path, 403]);
  for (const path of ["/a/provider/oauth_applications", "/a/nowhere/security_trail", "/a/constructor/security_trail"])
    expect([path, (await admin.get(path)).status]).toEqual([path, 403]);
  const dirk = await entered("directoryAdmin");
  expect((await dirk.get("/oauth_applications")).location).toBe("/a/widget/oauth_applications");
  expect((await dirk.get("/a/widget/oauth_applications")).status).toBe(200);
  expect((await admin.get("/a/widget-it/oauth_applications/99999999999")).status).toBe(404);
});

test("the security trail tells everything, and no secret", async () => {
  const failing = new FormBrowser(at.url);
  await failing.submit(await failing.get("/sign_in"), "/sign_in", {
    email: "sam@widget.example",
    password: "wrong guess",
  });
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

  const { body: trail } = await admin.api("GET", "/accounts/widget-it/security-trail");
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
  const { body: older } = await admin.api("GET", `/accounts/widget-it/security-trail?before=${trail[2].id}`);
  expect(older[0].id).toBe(trail[3].id);
  const page = await admin.get("/a/widget-it/security_trail");
  expect(page.text).toContain("authorization revoked");
});

test("pages say what is wrong without a stack, and never a 500 for what people send", async () => {
  expect((await admin.get("/a/widget-it/oauth_applications/0")).status).toBe(404);
  const json = { "Content-Type": "application/json" };
  for (const [path, body, headers] of [
    ["/sign_in", "{}", json],
    ["/sign_in", "a=%00&csrf=%ff", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["/personal_access_tokens", "name=x", { "Content-Type": "multipart/form-data" }],
    [`/password_reset/${"%00"}`, "", {}],
  ] as const) {
    const page = await admin.send("POST", path, body, headers as Record<string, string>);
    expect([path, page.status >= 400 && page.status < 500]).toEqual([path, true]);
  }
  expect((await admin.get("/password_reset/%00")).status).toBe(404);
  const reset = await admin.get("/password_reset");
  expect((await admin.submit(reset, "/password_reset", { email: "a\0b@x.example" })).status).toBe(200);
  for (const before of ["1e400", "1.5", "-1", "99999999999", "x"])
    expect((await admin.api("GET", `/accounts/widget-it/security-trail?before=${before}`)).status).toBe(200);
  const { application, pair } = await registerApplication(at);
  const client = `/accounts/widget-it/oauth-applications/${application}/clients/${pair}`;
  expect((await admin.api("PATCH", client, {})).status).toBe(422);
  expect(at.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
