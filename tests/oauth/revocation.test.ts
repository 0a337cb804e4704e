import { expect, test } from "vitest";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import { assembleService } from "../../server/service.ts";
import { EventStream } from "../support/clients/event-stream.ts";
import {
  FormBrowser,
  obtainCode,
  passwordFor,
  type RegisteredClient,
  redeemCode,
  refreshToken,
  registerApplication,
  requestClientCredentialsToken,
  requestToken,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// What makes tokens invalid, at once and in every process.

const at = await world();
await setPasswords(at, "administrator", "specialist");
const browser = new FormBrowser(at.url);
await browser.signIn("specialist");
const admin = new FormBrowser(at.url);
await admin.signIn("administrator");
const settings = "/accounts/widget-it/oauth-applications";

// A second process of the same instance, with a memory of its own.
const second = await assembleService({
  configuration: { ...readConfiguration({ RATE_LIMIT: "0", RATE_BURST: "0", DATA_DIR: "/tmp/unused" }), port: 0 },
  databaseUrl: at.databaseUrl,
  clock: at.clock,
  log: createJsonLog(() => {}),
});

const works = async (token: string) => (await at.withToken(token).get("/me")).status;

type Tokens = { access_token: string; refresh_token: string };
async function grant(client: RegisteredClient): Promise<Tokens> {
  const { body } = await redeemCode(at.url, client, await obtainCode(browser, client));
  expect(await works(body.access_token)).toBe(200);
  return body;
}
async function dead(client: RegisteredClient, tokens: Tokens): Promise<void> {
  expect(await works(tokens.access_token)).toBe(401);
  expect((await refreshToken(at.url, client, tokens.refresh_token)).status).toBe(400);
}

test("the user revokes the authorization: tokens and codes die, and the next time the user is asked again", async () => {
  const client = await registerApplication(at, { name: "Revoked" });
  const tokens = await grant(client);
  const code = await obtainCode(browser, client);
  const { body: list } = await browser.api("GET", "/authorizations");
  const { id } = list.find((line: { application: { name: string } }) => line.application.name === "Revoked");
  expect((await admin.api("DELETE", `/authorizations/${id}`)).status).toBe(404); // not the administrator's own
  expect((await browser.api("DELETE", `/authorizations/${id}`)).status).toBe(204);
  await dead(client, tokens);
  expect((await redeemCode(at.url, client, code)).body.error).toBe("invalid_grant");
  expect(
    (
      await browser.get(
        `/oauth/authorize?client_id=${client.client_id}&response_type=code&redirect_uri=https://client.example/callback`,
      )
    ).location,
  ).toContain("authorize_application");
});

test("AZ5: the scopes of the application change: tokens die, and users authorize again", async () => {
  const client = await registerApplication(at);
  const tokens = await grant(client);
  expect((await admin.api("PATCH", `${settings}/${client.application}`, { description: "New words" })).status).toBe(
    200,
  );
  expect(await works(tokens.access_token)).toBe(200); // only scopes count
  expect((await admin.api("PATCH", `${settings}/${client.application}`, { scopes: "me:All" })).status).toBe(200);
  await dead(client, tokens);
  const again = await browser.get(
    `/oauth/authorize?client_id=${client.client_id}&response_type=code&redirect_uri=https://client.example/callback`,
  );
  expect(again.location).toContain("authorize_application");
  await grant(client);
});

test("the application is disabled", async () => {
  const client = await registerApplication(at);
  const tokens = await grant(client);
  await admin.api("PATCH", `${settings}/${client.application}`, { disabled: true });
  await dead(client, tokens);
  expect((await refreshToken(at.url, client, tokens.refresh_token)).body.error).toBe("invalid_client");
  expect(
    (
      await browser.get(
        `/oauth/authorize?client_id=${client.client_id}&response_type=code&redirect_uri=https://client.example/callback`,
      )
    ).status,
  ).toBe(400);
  await admin.api("PATCH", `${settings}/${client.application}`, { disabled: false });
  expect(await works(tokens.access_token)).toBe(401); // it does not come back
});

test("the pair is disabled or deleted, while another pair of the application goes on", async () => {
  const client = await registerApplication(at);
  const { body: pair } = await admin.api("POST", `${settings}/${client.application}/clients`);
  const other = { ...client, ...pair, pair: pair.id };
  const [tokens, others] = [await grant(client), await grant(other)];
  await admin.api("PATCH", `${settings}/${client.application}/clients/${client.pair}`, { disabled: true });
  await dead(client, tokens);
  expect((await requestClientCredentialsToken(at.url, client)).body.error).toBe("invalid_client");
  expect(await works(others.access_token)).toBe(200);
  expect((await admin.api("DELETE", `${settings}/${client.application}/clients/${other.pair}`)).status).toBe(204);
  await dead(other, others);
});

test("the application is deleted", async () => {
  const client = await registerApplication(at);
  const tokens = await grant(client);
  expect((await admin.api("DELETE", `${settings}/${client.application}`)).status).toBe(204);
  await dead(client, tokens);
});

test("the person is disabled: every token and session ends, and only personal access tokens come back", async () => {
  await setPasswords(at, "manager");
  const visitor = new FormBrowser(at.url);
  await visitor.signIn("manager");
  const client = await registerApplication(at);
  const { body: tokens } = await redeemCode(at.url, client, await obtainCode(visitor, client));
  const code = await obtainCode(visitor, client);
  const boss = at.as("administrator");
  expect((await boss.patch("/people/9", { disabled: true })).status).toBe(200);
  await dead(client, tokens);
  expect((await at.as("manager").get("/me")).status).toBe(401);
  expect((await visitor.get("/profile")).location).toContain("/sign_in");
  expect((await redeemCode(at.url, client, code)).body.error).toBe("invalid_grant");
  expect((await visitor.signIn("manager")).status).toBe(422);
  await boss.patch("/people/9", { disabled: false });
  expect(await works(tokens.access_token)).toBe(401);
  expect((await at.as("manager").get("/me")).status).toBe(200);
});

test("RFC 7009: a refresh token takes its family with it, an access token only itself, and only the own client may", async () => {
  const client = await registerApplication(at);
  const other = await registerApplication(at, { name: "Other" });
  const tokens = await grant(client);
  const revoke = (who: RegisteredClient, token: string) =>
    requestToken(at.url, { client_id: who.client_id, client_secret: who.client_secret, token }, "/oauth/revoke");
  expect((await revoke(other, tokens.access_token)).body.error).toBe("invalid_grant");
  expect(await works(tokens.access_token)).toBe(200);
  expect((await revoke(client, tokens.access_token)).status).toBe(200);
  expect(await works(tokens.access_token)).toBe(401);
  const { body: renewed } = await refreshToken(at.url, client, tokens.refresh_token);
  expect((await revoke(client, renewed.refresh_token)).status).toBe(200);
  await dead(client, renewed);
  expect((await revoke(client, "x".repeat(112))).status).toBe(200);
  expect((await requestToken(at.url, { token: "x" }, "/oauth/revoke")).body.error).toBe("invalid_request");
  expect((await revoke({ ...client, client_secret: "x" }, "y")).body.error).toBe("invalid_client");
});

test("another process of the instance learns of it at once, also of a person who is disabled", async () => {
  const port = await second.start();
  try {
    const seen = async (token: string) =>
      (await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
    const client = await registerApplication(at, { name: "Elsewhere" });
    const tokens = await grant(client);
    expect(await seen(tokens.access_token)).toBe(200); // it remembers now
    const { body: list } = await browser.api("GET", "/authorizations");
    const line = list.find((each: { application: { name: string } }) => each.application.name === "Elsewhere");
    await browser.api("DELETE", `/authorizations/${line.id}`);
    // The clock of the test stands still: without the notification the token would be good for ever.
    await until(async () => (await seen(tokens.access_token)) !== 200);
    expect(await seen(tokens.access_token)).toBe(401);
    const exchanged = (await browser.api("POST", "/access-token")).body.access_token;
    expect(await seen(exchanged)).toBe(200);
    await at.clock.pass(600); // what it remembers ends with the lifetime too
    expect(await seen(exchanged)).toBe(401);

    // A person who is disabled loses everything in every process.
    const there = `http://127.0.0.1:${port}`;
    const visitor = new FormBrowser(there);
    visitor.cookies.set("steward_session", browser.cookies.get("steward_session") as string);
    const own = (await at.sql("SELECT id FROM people WHERE primary_email = 'sam@widget.example'"))[0]?.id;
    await browser.api("POST", "/proof", { current_password: passwordFor("specialist") });
    const wanted = { name: "Script", scopes: "me:All" };
    const { token } = (await browser.api("POST", "/personal-access-tokens", wanted)).body;
    const session = (await visitor.api("POST", "/access-token")).body.access_token;
    const given = await grant(client);
    const cookie = `steward_session=${visitor.cookies.get("steward_session")}`;
    const stream = await EventStream.open({ url: there }, cookie, "/accounts/widget-it/stream?topics=inbox");
    const every = [token, session, given.access_token];
    const ask = () => Promise.all(every.map(seen));
    expect([await ask(), (await visitor.api("GET", "/me")).status, stream.status]).toEqual([[200, 200, 200], 200, 200]);
    expect((await at.as("administrator").patch(`/people/${own}`, { disabled: true })).status).toBe(200);
    // Only the notification can end them while the clock stands still.
    await until(async () => stream.isEnded && (await ask()).every((status) => status === 401));
    expect((await visitor.api("GET", "/me")).status).toBe(401);
    expect((await refreshToken(there, client, given.refresh_token)).body.error).toBe("invalid_grant");
    await at.as("administrator").patch(`/people/${own}`, { disabled: false });
  } finally {
    await second.stop();
  }
});
