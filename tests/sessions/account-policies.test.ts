import { afterEach, describe, expect, test } from "vitest";
import { isInNetworks, parseNetwork } from "../../server/oauth/policy/networks.ts";
import { FormBrowser, passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { runCommandHere } from "../support/processes/command-line.ts";
import { people, type Role } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// D-550, D-551, D-552: an account's requirements for passwords, sessions, sign-ins, tokens and networks.

const at = await world();
await setPasswords(at, "administrator", "specialist");
const admin = at.as("administrator");
const initial = (await admin.get("/sign_in_policy")).body;

const signIn = async (role: Role) => {
  const browser = new FormBrowser(at.url);
  expect((await browser.signIn(role)).status).toBe(302);
  return browser;
};
/** Creates a client that calls the REST API with the browser's session, as pages do. */
const createSessionClient = async (browser: FormBrowser) =>
  at.withToken((await browser.api("POST", "/access-token")).body.access_token, { account: "widget-it" });
const setPolicy = async (members: Record<string, unknown>) => {
  const { status, body } = await admin.patch("/sign_in_policy", members);
  expect([status, body]).toEqual([200, expect.objectContaining(members)]);
};

afterEach(async () => {
  await at.sql("DELETE FROM sign_in_policies");
  await at.sql("DELETE FROM sign_in_delays");
  at.service.oauth.identities.invalidate();
});

describe("passwords", () => {
  const change = async (browser: FormBrowser, new_password: string) => {
    const answer = await browser.api("PUT", "/password", {
      current_password: passwordFor("specialist"),
      new_password,
    });
    return [answer.status, answer.body?.errors?.[0]?.[1]];
  };

  test("have the account's minimum length, from the next change on", async () => {
    const browser = await signIn("specialist");
    await setPolicy({ minimum_password_length: 20 });
    expect(await change(browser, "nineteen characters")).toEqual([422, expect.stringContaining("at least 20")]);
    expect((await new FormBrowser(at.url).signIn("specialist")).status).toBe(302); // the old one remains valid
    expect((await change(browser, passwordFor("specialist")))[0]).toBe(204);
  });

  test("that are common are rejected, also with digits and symbols appended, unless the account allows them", async () => {
    const browser = await signIn("specialist");
    for (const known of ["password123", "QWERTYUIOP", "Charlotte1987", "iloveyou2!", "aaaaaaaaaaaa"])
      expect([known, ...(await change(browser, known))]).toEqual([
        known,
        422,
        expect.stringContaining("attackers try first"),
      ]);
    await setPolicy({ refuse_common_passwords: false });
    expect((await change(browser, "password123"))[0]).toBe(204);
    await setPasswords(at, "specialist");
  });
});

describe("sessions", () => {
  test("end after the account's idle time, and at the latest after its longest duration", async () => {
    await setPolicy({ idle_session_minutes: 30, longest_session_hours: 2 });
    const browser = await signIn("specialist");
    await at.clock.pass(29 * 60);
    expect((await browser.api("GET", "/me")).status).toBe(200);
    await at.clock.pass(31 * 60);
    expect((await browser.api("GET", "/me")).status).toBe(401);
    const busy = await signIn("specialist");
    for (let quarter = 0; quarter < 7; quarter++) {
      await at.clock.pass(15 * 60);
      expect((await busy.api("GET", "/me")).status).toBe(200);
    }
    await at.clock.pass(16 * 60);
    expect((await busy.api("GET", "/me")).status).toBe(401);
  });

  test("are in use while pages call the REST API with their token", async () => {
    await setPolicy({ idle_session_minutes: 5 });
    const browser = await signIn("specialist");
    const api = await createSessionClient(browser);
    await at.clock.pass(4 * 60);
    expect((await api.get("/inbox")).status).toBe(200);
    const isTouched =
      "SELECT 1 FROM sessions WHERE last_seen_at = $1 AND idle_expires_at = $1::timestamptz + interval '5 minutes'";
    await until(async () => (await at.sql(isTouched, [at.clock.now().toISOString()])).length === 1);
    await at.clock.pass(4 * 60);
    expect((await browser.api("GET", "/me")).status).toBe(200);
    await setPolicy({ idle_session_minutes: 480 });
  });

  test("that are active end earlier when the account shortens the limits, and so do their tokens", async () => {
    const browser = await signIn("specialist");
    const api = await createSessionClient(browser);
    expect((await api.get("/me")).status).toBe(200);
    await at.clock.pass(9 * 60);
    await setPolicy({ idle_session_minutes: 5 });
    expect((await api.get("/me")).status).toBe(401);
    expect((await browser.api("GET", "/me")).status).toBe(401);
  });
});

describe("sign-in methods", () => {
  test("a disallowed correct password starts no session and shows the reason; the command line allows it again", async () => {
    const refused = await admin.patch("/sign_in_policy", { sign_in_methods: ["passkey"] });
    expect([refused.status, refused.body.errors[0][0]]).toEqual([422, "sign_in_methods"]);
    await at.sql(
      `INSERT INTO passkeys (account_id, person_id, name, credential_id, public_key, sign_count, transports, created_at)
VALUES ('widget-it', $1, 'key', 'x', 'x', 0, '{}', now())`,
      [people.administrator.id],
    );
    await setPolicy({ sign_in_methods: ["passkey"] });
    const page = await new FormBrowser(at.url).signIn("specialist");
    expect([page.status, page.text]).toEqual([403, expect.stringContaining("doesn&#39;t allow this sign-in method")]);
    const trail = await admin.get("/security_trail?event=sign-in-failed");
    expect(trail.body[0].details).toEqual({ refused: "method", method: "password" });
    const env = { DATABASE_URL: at.databaseUrl };
    const opened = await runCommandHere(["sign-in-policy", "reset", "--account", "widget-it"], env);
    expect([opened.code, opened.err]).toEqual([0, expect.stringContaining("can now sign in with a password")]);
    at.service.oauth.identities.invalidate();
    expect((await new FormBrowser(at.url).signIn("specialist")).status).toBe(302);
    await at.sql("DELETE FROM passkeys");
  });
});

describe("networks", () => {
  test("are addresses and ranges, in IPv4 and IPv6", () => {
    const office = ["203.0.113.0/24", "2001:db8::/32", "198.51.100.7"];
    for (const [address, isInside] of [
      ["203.0.113.9", true],
      ["203.0.114.9", false],
      ["198.51.100.7", true],
      ["198.51.100.8", false],
      ["2001:db8:1::5", true],
      ["2001:db9::5", false],
      ["", false],
    ] as const)
      expect([address, isInNetworks(office, address)]).toEqual([address, isInside]);
    expect(isInNetworks([], "192.0.2.1")).toBe(true);
    for (const wrong of ["10.0.0.0/33", "10.0.0", "::/129", "fe80::1%eth0", "10.0.0.0/8/8", "10.0.0.0/", "office"])
      expect([wrong, parseNetwork(wrong)]).toEqual([wrong, null]);
  });

  test("can exclude API clients while browsers keep access, and no one can exclude their own interface", async () => {
    const browser = await createSessionClient(await signIn("administrator"));
    const own = await browser.patch("/sign_in_policy", { web_networks: ["203.0.113.0/24"] });
    expect([own.status, own.body.errors[0]]).toEqual([
      422,
      ["web_networks", expect.stringContaining("your address 127.0.0.1")],
    ]);
    const { status, body } = await admin.post("/scim/tokens");
    expect(status).toBe(201);
    const users = async () => (await admin.get(`${at.url}/scim/v2/Users`)).status;
    const headers = { Authorization: `Bearer ${body.token}` };
    const pushUsers = async () => (await fetch(`${at.url}/scim/v2/Users`, { headers })).status;
    expect([await users(), await pushUsers()]).toEqual([200, 200]);
    expect((await browser.patch("/sign_in_policy", { api_networks: ["203.0.113.0/24"] })).status).toBe(200);
    expect([await users(), await pushUsers()]).toEqual([401, 403]);
    const refused = await admin.get("/teams");
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("this network")]);
    expect((await admin.post("/graphql", { query: "{ me { name } }" })).status).not.toBe(200);
    expect((await browser.get("/teams")).status).toBe(200);
    expect((await browser.patch("/sign_in_policy", { api_networks: ["127.0.0.0/8", "::1"] })).status).toBe(200);
    expect((await admin.get("/teams")).status).toBe(200);
  });

  test("can exclude browsers while API clients keep access: no session, no sign-in, no page of the account", async () => {
    const browser = await signIn("specialist");
    const api = await createSessionClient(browser);
    const own = await admin.patch("/sign_in_policy", { api_networks: ["203.0.113.0/24"] });
    expect([own.status, own.body.errors[0][0]]).toEqual([422, "api_networks"]);
    await setPolicy({ web_networks: ["203.0.113.0/24", "2001:db8::/32"] });
    expect((await browser.api("GET", "/me")).status).toBe(401);
    expect((await api.get("/teams")).status).toBe(403);
    const page = await new FormBrowser(at.url).signIn("specialist");
    expect([page.status, page.text]).toEqual([403, expect.stringContaining("from this network")]);
    await setPolicy({ web_networks: [] });
    expect((await browser.api("GET", "/me")).status).toBe(200); // the session was not ended
  });
});

describe("the policy", () => {
  test("is changed only by administrators, with the old and new values in the security trail", async () => {
    expect(initial).toMatchObject({ minimum_password_length: 8, longest_token_days: 365, web_networks: [] });
    expect((await at.as("specialist").patch("/sign_in_policy", { idle_session_minutes: 60 })).status).toBe(403);
    await setPolicy({ idle_session_minutes: 60, web_networks: ["127.0.0.1"] });
    const [line] = (await admin.get("/security_trail?event=sign-in-policy-changed")).body;
    expect(line.details).toEqual({ idle_session_minutes: [480, 60], web_networks: [[], ["127.0.0.1"]] });
    for (const [name, value] of [
      ["minimum_password_length", 7],
      ["minimum_password_length", "12"],
      ["refuse_common_passwords", "yes"],
      ["idle_session_minutes", 4],
      ["longest_session_hours", 721],
      ["longest_token_days", 0],
      ["longest_token_days", 1.5],
      ["sign_in_methods", []],
      ["sign_in_methods", ["password", "password"]],
      ["sign_in_methods", ["magic"]],
      ["web_networks", ["127.0.0.1/40"]],
      ["web_networks", [7]],
      ["api_networks", Array.from({ length: 201 }, () => "127.0.0.1")],
      ["api_networks", null],
      ["named_networks", ["10.0.0.0/8"]],
      ["named_networks", ["Eindhoven 10.0.0.0/8"]],
      ["named_networks", [`10.0.0.0/8 ${"x".repeat(61)}`]],
    ] as const) {
      const { status, body } = await admin.patch("/sign_in_policy", { [name]: value });
      expect([name, value, status, body.errors?.[0]?.[0]]).toEqual([name, value, 422, name]);
    }
  });
});

describe("personal access tokens", () => {
  type Made = { id: number; token: string; expires_at: string | null };
  const create = (browser: FormBrowser, more: Record<string, unknown> = {}) =>
    browser.api("POST", "/personal-access-tokens", { name: "Nightly report", scopes: "me:All", ...more });

  test("expire after 90 days unless their owner chooses less or, if the account allows it, never", async () => {
    const browser = await signIn("specialist");
    expect((await browser.api("GET", "/token-rules")).body).toEqual({
      usual_days: 90,
      longest_days: 365,
      may_never_expire: false,
    });
    const usual = (await create(browser)).body as Made;
    expect(Date.parse(usual.expires_at as string) - at.clock.now().getTime()).toBe(90 * 86_400_000);
    for (const expires_in_days of [null, 0, 366, 1.5, "30", true])
      expect([expires_in_days, (await create(browser, { expires_in_days })).status]).toEqual([expires_in_days, 422]);
    await setPolicy({ tokens_without_expiry: true, longest_token_days: 30 });
    expect((await create(browser, { expires_in_days: null })).body.expires_at).toBeNull();
    const capped = (await create(browser)).body as Made;
    expect(Date.parse(capped.expires_at as string) - at.clock.now().getTime()).toBe(30 * 86_400_000);
  });

  test("are rejected from the second they expire, and stay listed for a month; their owner gets two reminders", async () => {
    const browser = await signIn("specialist");
    const { id, token } = (await create(browser, { name: "Nightly “report”", expires_in_days: 10 })).body as Made;
    const removed = (await create(browser, { name: "Removed", expires_in_days: 10 })).body as Made;
    await browser.api("DELETE", `/personal-access-tokens/${removed.id}`);
    const program = at.withToken(token, { account: "widget-it" });
    const reminders = async () =>
      (await at.sql("SELECT subject, body FROM mails WHERE recipient = $1 AND subject LIKE '%token%' ORDER BY id", [
        people.specialist.email,
      ])) as { subject: string; body: string }[];
    await at.clock.pass(3 * 86_400 - 60);
    expect(await reminders()).toEqual([]);
    await at.clock.pass(120);
    expect((await program.get("/me")).status).toBe(200);
    await expect.poll(reminders).toHaveLength(1);
    await at.clock.pass(6 * 86_400);
    await expect.poll(reminders).toHaveLength(2);
    const [first] = await reminders();
    expect(first?.subject).toContain("Your token “Nightly “report”” expires on");
    expect(first?.body).toContain("/personal_access_tokens");
    expect(first?.body).not.toContain(token);
    await at.clock.pass(86_400);
    expect((await program.get("/me")).status).toBe(401);
    const list = async () => (await (await signIn("specialist")).api("GET", "/personal-access-tokens")).body as Made[];
    expect((await list()).map((each) => each.id)).toContain(id);
    await at.clock.pass(32 * 86_400);
    await expect.poll(async () => (await list()).map((each) => each.id)).not.toContain(id);
  });
});
