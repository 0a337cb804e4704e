import { expect, test } from "vitest";
import { accessChanges } from "../../server/database/access-changes/access-changes.ts";
import { Database, statement } from "../../server/database/database.ts";
import { setPassword } from "../../server/oauth/passwords/change-password.ts";
import { PasswordHasher } from "../../server/oauth/passwords/passwords.ts";
import { atFileEnd } from "../support/cleanup.ts";
import {
  callbackUri,
  FormBrowser,
  obtainCode,
  passwordFor,
  redeemCode,
  refreshToken,
} from "../support/clients/form-browser.ts";
import { serverProcesses } from "../support/processes/server-processes.ts";
import { patchOp } from "../support/scim/scim-client.ts";
import { people, type Role, tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { createClient } from "../support/world.ts";

// Two processes on one database, each with its own cache of credentials. A revocation in one must apply to both.

const processes = await serverProcesses();
const [here, there] = [await processes.start(), await processes.start()];
const urls = [here, there].map(({ base }) => base.replace(/\/v1$/, "")) as [string, string];

const database = new Database(processes.env.DATABASE_URL as string);
atFileEnd(() => database.close());
const cheap = new PasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 });
const signIn = async (role: Role) => {
  const { email, account } = people[role];
  await setPassword(database, new Date(), { email, account, password: passwordFor(role) }, cheap);
  const browser = new FormBrowser(urls[0]);
  expect((await browser.signIn(role)).status).toBe(302);
  return browser;
};

async function registerApplication() {
  const administrator = await signIn("administrator");
  const path = "/accounts/widget-it/oauth-applications";
  const made = await administrator.api("POST", path, {
    ...{ name: "Reporter", grant_type: "authorization_code", endpoints: [callbackUri], scopes: "*:*" },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const pair = await administrator.api("POST", `${path}/${made.body.id}/clients`);
  expect(pair.status, JSON.stringify(pair.body)).toBe(201);
  return { application: made.body.id, pair: pair.body.id, ...pair.body };
}

const account = { account: "widget-it" };
const createAdministrator = () =>
  createClient(here.base, { Authorization: `Bearer ${tokenFor("administrator")}`, ...account });

/** Tries each kind of credential at a process and returns the statuses. */
async function tryCredentials(url: string, role: Role, accessToken: string, browser: FormBrowser) {
  const loadStatus = async (token: string) =>
    (await createClient(`${url}/v1`, { Authorization: `Bearer ${token}`, ...account }).get("/me")).status;
  const same = new FormBrowser(url);
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return {
    personal: await loadStatus(tokenFor(role)),
    access: await loadStatus(accessToken),
    session: (await same.api("GET", "/me")).status,
  };
}

test("a person signed out everywhere by an administrator loses access within a second and can sign in again", async () => {
  const application = await registerApplication();
  const browser = await signIn("manager");
  const { body: granted } = await redeemCode(urls[0], application, await obtainCode(browser, application));
  const tryAt = (url: string) => tryCredentials(url, "manager", granted.access_token, browser);
  for (const url of urls) expect(await tryAt(url)).toEqual({ personal: 200, access: 200, session: 200 });

  const response = await createAdministrator().post(`/people/${people.manager.id}/sign_out`);
  const answeredAt = performance.now();
  expect([response.status, response.body]).toEqual([200, { sessions: 1, tokens: 1, applications: 1 }]);
  for (const url of urls) await until(async () => Object.values(await tryAt(url)).every((status) => status === 401));
  expect(performance.now() - answeredAt).toBeLessThan(1000);
  for (const url of urls) {
    expect((await refreshToken(url, application, granted.refresh_token)).status).toBe(400);
    expect((await new FormBrowser(url).signIn("manager")).status).toBe(302);
  }
});

test("a person deactivated by the identity provider loses access at every process within a second", async () => {
  const application = await registerApplication();
  const browser = await signIn("specialist");
  const { body: granted } = await redeemCode(urls[0], application, await obtainCode(browser, application));

  const admin = createAdministrator();
  const { body: provisioning } = await admin.post("/scim/tokens");
  const scim = createClient(urls[0], { Authorization: `Bearer ${provisioning.token}` });
  const user = await scim.post("/scim/v2/Users", { userName: people.specialist.email, displayName: "Somebody" });
  expect(user.status, user.text).toBe(201);
  const { id } = JSON.parse(user.text) as { id: string };
  await until(async () => (await admin.get(`/scim_users/${id}`)).body.person !== null);

  const tryAt = (url: string) => tryCredentials(url, "specialist", granted.access_token, browser);
  // Both processes have cached all credentials by now.
  for (const url of urls) expect(await tryAt(url)).toEqual({ personal: 200, access: 200, session: 200 });

  const off = await scim.patch(`/scim/v2/Users/${id}`, {
    ...patchOp({ op: "Replace", path: "active", value: "False" }),
  });
  const answeredAt = performance.now();
  expect(off.status, off.text).toBe(200);
  for (const url of urls)
    await until(async () => Object.values(await tryAt(url)).every((status) => status === 401 || status === 403));
  expect(performance.now() - answeredAt).toBeLessThan(1000);
  for (const url of urls) {
    expect((await refreshToken(url, application, granted.refresh_token)).status).toBe(400);
    expect((await new FormBrowser(url).signIn("specialist")).status).not.toBe(302);
  }
  const { rows } = await processes.sql.query(
    "SELECT 1 FROM sessions WHERE person_id = $1 UNION ALL SELECT 1 FROM tokens WHERE person_id = $1 AND kind <> 'personal'",
    [people.specialist.id],
  );
  expect(rows).toEqual([]);
});

test("every change of access reaches other processes within a second, once per transaction", async () => {
  const client = await processes.sql.connect();
  atFileEnd(() => client.release(true));
  const received: string[] = [];
  client.on("notification", ({ channel }) => received.push(channel));
  await client.query("LISTEN access_changed; LISTEN all_arrived");
  /** PostgreSQL delivers notifications in commit order, so this one comes after all earlier ones. */
  const receiveAll = async () => {
    await client.query("NOTIFY all_arrived");
    await until(() => received.includes("all_arrived"));
    return received.splice(0).filter((channel) => channel !== "all_arrived");
  };
  const application = await registerApplication();
  const administrator = await signIn("administrator");
  const applicationPath = `/accounts/widget-it/oauth-applications/${application.application}`;
  await obtainCode(administrator, application);
  const [authorization] = (await administrator.api("GET", "/authorizations")).body;
  const token = await administrator.api("POST", "/personal-access-tokens", { name: "Mine", scopes: "*:*" });
  const admin = createAdministrator();
  const directory = createClient(here.base, {
    ...{ Authorization: `Bearer ${tokenFor("directoryAdmin")}`, account: "widget" },
  });
  const { body: provisioning } = await admin.post("/scim/tokens");
  const { body: instance } = await admin.post("/service_instances", { name: "Network", service_id: 1 });
  const { body: offering } = await admin.post("/service_offerings", { name: "Gold", service_id: 1 });
  const agreement = { service_offering_id: offering.id, service_instance_id: instance.id, customer_id: 1 };
  const trust = statement("UPDATE account_trusts SET status = status WHERE account_id = $1");
  // Each process removes expired tokens and sessions once after its start, which also sends notifications.
  await until(
    async () => (await client.query("SELECT FROM jobs WHERE run_at <= now() AND dead_at IS NULL")).rowCount === 0,
  );
  // biome-ignore format: a table keeps its columns
  const changes: [table: string, change: () => Promise<unknown>][] = [
    ["accounts",             () => admin.patch("/account_settings", { name: "Widget" })],
    ["account_trusts",       () => database.change(trust, ["widget-it"])],
    ["permissions",          () => admin.post(`/people/${people.manager.id}/permissions/widget-it?roles=auditor`)],
    ["permissions",          () => admin.delete(`/people/${people.manager.id}/permissions`)],
    ["sign_in_policies",     () => admin.patch("/sign_in_policy", { idle_session_minutes: 60 })],
    ["people",               () => directory.patch(`/people/${people.requester.id}`, { locale: "de" })],
    ["people",               () => directory.patch(`/people/${people.requester.id}`, { disabled: true })],
    ["slas",                 () => admin.post("/slas", { name: "Gold", ...agreement, coverage: "people" })],
    ["oauth_clients",        () => administrator.api("PATCH", `${applicationPath}/clients/${application.pair}`, { disabled: true })],
    ["oauth_applications",   () => administrator.api("PATCH", applicationPath, { disabled: true })],
    ["oauth_authorizations", () => administrator.api("DELETE", `/authorizations/${authorization.id}`)],
    ["tokens",               () => administrator.api("DELETE", `/personal-access-tokens/${token.body.id}`)],
    ["scim_tokens",          () => admin.delete(`/scim/tokens/${provisioning.id}`)],
    ["sessions",             () => administrator.api("DELETE", "/session")],
  ];
  expect([...new Set(changes.map(([table]) => table))].sort()).toEqual(Object.keys(accessChanges).sort());
  for (const [table, change] of changes) {
    await receiveAll();
    const reply = (await change()) as { status?: number; text?: string };
    const answeredAt = performance.now();
    expect(reply.status ?? 200, `${table} ${reply.text}`).toBeLessThan(300);
    await until(() => received.length > 0, { what: () => `a notification of ${table}` });
    expect(performance.now() - answeredAt, table).toBeLessThan(1000);
    expect(await receiveAll(), table).toEqual(["access_changed"]);
  }
});
