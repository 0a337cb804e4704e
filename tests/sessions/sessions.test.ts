import { expect, test } from "vitest";
import {
  FormBrowser,
  passwordFor,
  readHiddenFields,
  registerApplication,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { people } from "../support/seed.ts";
import { world } from "../support/world.ts";

// Sessions, and the JSON interface that uses them.

const at = await world();
await setPasswords(at, "administrator", "specialist", "requester");
const signIn = async (role: "administrator" | "specialist" | "requester" | "manager" = "specialist", headers = {}) => {
  const browser = new FormBrowser(at.url, headers);
  await browser.signIn(role);
  return browser;
};
const isSignedIn = async (browser: FormBrowser) => (await browser.api("GET", "/me")).status === 200;
const hour = 3600;

test("a session ends eight hours after its last use", async () => {
  const browser = await signIn();
  for (let i = 0; i < 3; i++) {
    await at.clock.pass(8 * hour - 1);
    expect(await isSignedIn(browser)).toBe(true);
  }
  await at.clock.pass(8 * hour);
  expect(await isSignedIn(browser)).toBe(false);
});

test("a session ends after thirty days, even if it is used", async () => {
  const browser = await signIn();
  for (let passed = 0; passed < 30 * 24 - 7; passed += 7) {
    await at.clock.pass(7 * hour);
    expect(await isSignedIn(browser)).toBe(true);
  }
  await at.clock.pass(7 * hour);
  expect(await isSignedIn(browser)).toBe(false);
});

test("signing in again creates a new secret and invalidates the old one", async () => {
  const browser = await signIn();
  const old = browser.cookies.get("steward_session") as string;
  const csrf = readHiddenFields(await browser.get("/password_reset"), "/sign_out").get("csrf") as string;
  const fields = { csrf, email: "sam@widget.example", password: passwordFor("specialist") };
  expect((await browser.send("POST", "/sign_in", new URLSearchParams(fields))).status).toBe(302);
  expect(browser.cookies.get("steward_session")).not.toBe(old);
  expect(await isSignedIn(browser)).toBe(true);
  browser.cookies.set("steward_session", old);
  expect(await isSignedIn(browser)).toBe(false);
});

test("signing in doesn't use a secret that was planted in the browser", async () => {
  const browser = new FormBrowser(at.url);
  browser.cookies.set("steward_session", "p".repeat(43));
  await browser.signIn("specialist");
  expect(browser.cookies.get("steward_session")).not.toBe("p".repeat(43));
  const planted = new FormBrowser(at.url);
  planted.cookies.set("steward_session", "p".repeat(43));
  expect(await isSignedIn(planted)).toBe(false);
});

test("signing out ends the session on the server, and requires the form", async () => {
  const browser = await signIn();
  const copy = new FormBrowser(at.url);
  copy.cookies.set("steward_session", browser.cookies.get("steward_session") as string);
  expect((await browser.send("POST", "/sign_out")).status).toBe(403);
  expect(await isSignedIn(browser)).toBe(true);
  const out = await browser.submit(await browser.get("/password_reset"), "/sign_out");
  expect(out.location).toBe("/sign_in");
  expect(browser.cookies.has("steward_session")).toBe(false);
  expect(await isSignedIn(copy)).toBe(false);
});

test("people list and end their own sessions only", async () => {
  const [here, there] = [
    await signIn("requester", { "User-Agent": "Here/1" }),
    await signIn("requester", { "User-Agent": "There/1" }),
  ];
  const { body } = await here.api("GET", "/sessions");
  expect(body.map((line: { user_agent: string; current: boolean }) => [line.user_agent, line.current]).sort()).toEqual([
    ["Here/1", true],
    ["There/1", false],
  ]);
  expect(JSON.stringify(body)).not.toContain(here.cookies.get("steward_session"));
  const { id } = body.find((line: { current: boolean }) => !line.current);
  expect((await (await signIn()).api("DELETE", `/sessions/${id}`)).status).toBe(404);
  expect((await here.api("DELETE", `/sessions/${id}`)).status).toBe(204);
  expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
});

test("changing the password signs out every other browser", async () => {
  const [here, there] = [await signIn("requester"), await signIn("requester")];
  const change = (current_password: string, new_password: string) =>
    here.api("PUT", "/password", { current_password, new_password });
  expect((await change("wrong", "long enough now")).body.errors[0][0]).toBe("current_password");
  expect((await change(passwordFor("requester"), "short")).body.errors[0][0]).toBe("new_password");
  expect((await change(passwordFor("requester"), "long enough now")).status).toBe(204);
  expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
  expect((await change("long enough now", passwordFor("requester"))).status).toBe(204);
});

test("/me returns the person, the accounts and the roles", async () => {
  const { status, body } = await (await signIn("administrator")).api("GET", "/me");
  expect(status).toBe(200);
  expect(body.person).toMatchObject({ id: 1, name: "Ada Admin", email: "ada@widget.example", account: "widget-it" });
  expect(body.accounts).toContainEqual({
    ...{ id: "widget-it", name: "Widget IT", roles: ["account_administrator"] },
    manages_team: false,
  });
  expect(body.accounts.map(({ id }: { id: string }) => id).sort()).toEqual(["widget", "widget-it"]);
});

test("D-280: a page whose session has ended signs in its person again, and no one else", async () => {
  const browser = await signIn();
  await at.sql("DELETE FROM sessions WHERE person_id = 3");
  expect(await isSignedIn(browser)).toBe(false);
  const ask = async (members: Record<string, unknown>, csrf?: string) => {
    const form = await browser.send("GET", "/session-api/sign-in");
    return browser.send("POST", "/session-api/sign-in", JSON.stringify(members), {
      ...{ "Content-Type": "application/json", "X-CSRF-Token": csrf ?? JSON.parse(form.text).csrf_token },
    });
  };
  const right = { person_id: 3, email: "sam@widget.example", password: passwordFor("specialist") };
  const wrong = await ask({ ...right, password: "a guess" });
  expect([wrong.status, JSON.parse(wrong.text).errors]).toEqual([422, [["password", expect.any(String)]]]);
  expect((await ask({})).status).toBe(422);
  expect((await ask(right, "")).status).toBe(403);
  expect((await ask({ ...right, person_id: 1 })).status).toBe(403);
  expect(await isSignedIn(browser)).toBe(false);
  expect((await ask(right)).status).toBe(204);
  expect(await isSignedIn(browser)).toBe(true);
  const trail = await at.sql<{ event: string }>("SELECT event FROM security_events WHERE person_id = 3 ORDER BY id");
  expect(trail.at(-1)?.event).toBe("sign-in");
});

test("/me shows that the person manages a team, even without a role for it", async () => {
  const { body: team } = await at.as("administrator").post("/teams", { name: "Led", manager_id: 3 });
  const managesTeam = async () =>
    (await (await signIn()).api("GET", "/me")).body.accounts.find(({ id }: { id: string }) => id === "widget-it")
      .manages_team;
  expect(await managesTeam()).toBe(true);
  await at.as("administrator").patch(`/teams/${team.id}`, { disabled: true });
  expect(await managesTeam()).toBe(false);
});

test("the interface requires a session, and changes require the token in the header", async () => {
  const nobody = new FormBrowser(at.url);
  expect(await nobody.api("GET", "/me")).toMatchObject({ status: 401, body: { message: "Unauthorized" } });
  const browser = await signIn();
  const bare = await browser.send("POST", "/session-api/access-token", "{}", { "Content-Type": "application/json" });
  expect([bare.status, JSON.parse(bare.text).message]).toEqual([403, "Forbidden"]);
  expect((await browser.api("POST", "/access-token", {}, { Origin: "https://evil.example" })).status).toBe(403);
  expect((await browser.api("POST", "/personal-access-tokens", "no object")).status).toBe(400);
  expect((await browser.api("GET", "/nothing")).status).toBe(404);
});

test("a session is exchanged for a short-lived token that ends with it", async () => {
  const browser = await signIn();
  const { status, body } = await browser.api("POST", "/access-token");
  expect(status).toBe(201);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[A-Za-z0-9]{112}$/),
    token_type: "bearer",
    expires_in: 600,
  });
  const call = async (token: string) => (await at.withToken(token).get("/me")).status;
  expect(await call(body.access_token)).toBe(200);
  await at.clock.pass(600);
  expect(await call(body.access_token)).toBe(401);
  const { body: next } = await browser.api("POST", "/access-token");
  expect(await call(next.access_token)).toBe(200);
  await browser.api("DELETE", "/session");
  expect(await call(next.access_token)).toBe(401);
});

test("administrators manage applications, and the secret is shown once", async () => {
  const admin = await signIn("administrator");
  const base = "/accounts/widget-it/oauth-applications";
  const { status, body: made } = await admin.api("POST", base, {
    name: "Portal",
    grant_type: "authorization_code",
    endpoints: ["https://portal.example/cb"],
    scopes: [{ effect: "allow", actions: ["person:R"], accounts: ["widget-it"] }],
  });
  expect(status).toBe(201);
  expect(made).toMatchObject({
    name: "Portal",
    disabled: false,
    clients: [],
    scopes: [{ actions: ["person:Read"], accounts: ["widget-it"] }],
  });
  const { body: pair } = await admin.api("POST", `${base}/${made.id}/clients`);
  expect(pair.client_secret).toMatch(/^[A-Za-z0-9]{112}$/);
  const { body: shown } = await admin.api("GET", `${base}/${made.id}`);
  expect(shown.clients).toEqual([
    expect.objectContaining({ client_id: pair.client_id, disabled: false, last_used_at: null }),
  ]);
  expect(JSON.stringify(shown)).not.toContain(pair.client_secret);
  expect((await admin.api("GET", base)).body.map(({ name }: { name: string }) => name)).toContain("Portal");
  const other = await signIn("specialist");
  for (const [method, path] of [
    ["GET", base],
    ["POST", base],
    ["GET", `${base}/${made.id}`],
    ["DELETE", `${base}/${made.id}`],
  ] as const)
    expect([path, (await other.api(method, path, method === "GET" ? undefined : {})).status]).toEqual([path, 403]);
  const foreign = await registerApplication(at, {}, "provider");
  expect((await admin.api("GET", `${base}/${foreign.application}`)).status).toBe(404);
  expect((await admin.api("DELETE", `${base}/${made.id}`)).status).toBe(204);
});

test("administrators see how a person signs in, and sign them out everywhere", async () => {
  const { id } = people.manager;
  await setPasswords(at, "manager");
  const [first, second] = [await signIn("manager", { "User-Agent": "Reader 1" }), await signIn("manager")];
  await first.api("POST", "/personal-access-tokens", { name: "Script", scopes: "me:All" });
  const admin = at.as("administrator");
  for (const role of ["specialist", "requester"] as const) {
    expect((await at.as(role).get(`/people/${id}/sign_in_methods`)).status).toBe(403);
    expect((await at.as(role).post(`/people/${id}/sign_out`)).status).toBe(403);
  }
  expect((await admin.post("/people/999999/sign_out")).status).toBe(404);
  // Rita belongs to another account, with other administrators.
  expect((await admin.post(`/people/${people.requester.id}/sign_out`)).status).toBe(403);
  const facts = await admin.get(`/people/${id}/sign_in_methods`);
  expect([facts.status, facts.body]).toEqual([
    200,
    {
      password: { changed_at: expect.any(String) },
      second_factor: null,
      passkeys: [],
      identity_providers: [],
      sessions: expect.arrayContaining([expect.objectContaining({ user_agent: "Reader 1", address: "127.0.0.1" })]),
      // one from the test data, one created here
      personal_access_tokens: { count: 2, last_used_at: null },
      applications: { count: 0, last_used_at: null },
    },
  ]);
  expect(facts.text).not.toMatch(/hash|secret/);
  const sessions = facts.body.sessions.length;
  expect((await admin.post(`/people/${id}/sign_out`)).body).toEqual({ sessions, tokens: 2, applications: 0 });
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, false]);
  expect((await at.as("manager").get("/me")).status).toBe(401);
  const after = (await admin.get(`/people/${id}/sign_in_methods`)).body;
  expect([after.sessions, after.personal_access_tokens.count]).toEqual([[], 0]);
  const [event] = (await admin.get("/security_trail?event=signed-out-everywhere")).body;
  expect(event).toMatchObject({
    person: { id: people.administrator.id },
    details: { person: id, sessions, tokens: 2, applications: 0 },
  });
  expect(await isSignedIn(await signIn("manager"))).toBe(true);
});
