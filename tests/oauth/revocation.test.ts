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

// What revokes tokens, immediately and in every process.

const at = await world();
await setPasswords(at, "administrator", "specialist");
const browser = new FormBrowser(at.url);
await browser.signIn("specialist");
const admin = new FormBrowser(at.url);
await admin.signIn("administrator");
const settings = "/accounts/widget-it/oauth-applications";

// A second process of the same instance, with its own cache.
const second = await assembleService({
  configuration: { ...readConfiguration({ RATE_LIMIT: "0", RATE_BURST: "0", DATA_DIR: "/tmp/unused" }), port: 0 },
  databaseUrl: at.databaseUrl,
  clock: at.clock,
  log: createJsonLog(() => {}),
});

const readStatus = async (token: string) => (await at.withToken(token).get("/me")).status;

type Tokens = { access_token: string; refresh_token: string };
async function grant(client: RegisteredClient): Promise<Tokens> {
  const { body } = await redeemCode(at.url, client, await obtainCode(browser, client));
  expect(await readStatus(body.access_token)).toBe(200);
  return body;
}
async function expectRevoked(client: RegisteredClient, tokens: Tokens): Promise<void> {
  expect(await readStatus(tokens.access_token)).toBe(401);
  expect((await refreshToken(at.url, client, tokens.refresh_token)).status).toBe(400);
}

test("a user revokes the authorization: tokens and codes are revoked, and the next time the user is asked again", async () => {
  const client = await registerApplication(at, { name: "Revoked" });
  const tokens = await grant(client);
  const code = await obtainCode(browser, client);
  const { body: list } = await browser.api("GET", "/authorizations");
  const { id } = list.find((line: { application: { name: string } }) => line.application.name === "Revoked");
  expect((await admin.api("DELETE", `/authorizations/${id}`)).status).toBe(404); // not the administrator's own
  expect((await browser.api("DELETE", `/authorizations/${id}`)).status).toBe(204);
  await expectRevoked(client, tokens);
  expect((await redeemCode(at.url, client, code)).body.error).toBe("invalid_grant");
  expect(
    (
      await browser.get(
        `/oauth/authorize?client_id=${client.client_id}&response_type=code&redirect_uri=https://client.example/callback`,
      )
    ).location,
  ).toContain("authorize_application");
});

test("AZ5: changing the application's scopes revokes tokens, and users must authorize again", async () => {
  const client = await registerApplication(at);
  const tokens = await grant(client);
  expect((await admin.api("PATCH", `${settings}/${client.application}`, { description: "New words" })).status).toBe(
    200,
  );
  expect(await readStatus(tokens.access_token)).toBe(200); // only scopes matter
  expect((await admin.api("PATCH", `${settings}/${client.application}`, { scopes: "me:All" })).status).toBe(200);
  await expectRevoked(client, tokens);
  const again = await browser.get(
    `/oauth/authorize?client_id=${client.client_id}&response_type=code&redirect_uri=https://client.example/callback`,
  );
  expect(again.location).toContain("authorize_application");
  await grant(client);
});

test("disabling the application revokes its tokens", async () => {
  const client = await registerApplication(at);
  const tokens = await grant(client);
  await admin.api("PATCH", `${settings}/${client.application}`, { disabled: true });
  await expectRevoked(client, tokens);
  expect((await refreshToken(at.url, client, tokens.refresh_token)).body.error).toBe("invalid_client");
  expect(
    (
      await browser.get(
        `/oauth/authorize?client_id=${client.client_id}&response_type=code&redirect_uri=https://client.example/callback`,
      )
    ).status,
  ).toBe(400);
  await admin.api("PATCH", `${settings}/${client.application}`, { disabled: false });
  expect(await readStatus(tokens.access_token)).toBe(401); // enabling it doesn't restore the token
});

test("disabling or deleting a pair revokes its tokens, and another pair of the application keeps working", async () => {
  const client = await registerApplication(at);
  const { body: pair } = await admin.api("POST", `${settings}/${client.application}/clients`);
  const other = { ...client, ...pair, pair: pair.id };
  const [tokens, others] = [await grant(client), await grant(other)];
  await admin.api("PATCH", `${settings}/${client.application}/clients/${client.pair}`, { disabled: true });
  await expectRevoked(client, tokens);
  expect((await requestClientCredentialsToken(at.url, client)).body.error).toBe("invalid_client");
  expect(await readStatus(others.access_token)).toBe(200);
  expect((await admin.api("DELETE", `${settings}/${client.application}/clients/${other.pair}`)).status).toBe(204);
  await expectRevoked(other, others);
});

test("deleting the application revokes its tokens", async () => {
  const client = await registerApplication(at);
  const tokens = await grant(client);
  expect((await admin.api("DELETE", `${settings}/${client.application}`)).status).toBe(204);
  await expectRevoked(client, tokens);
});

test("disabling a person ends every token and session, and only personal access tokens are restored", async () => {
  await setPasswords(at, "manager");
  const visitor = new FormBrowser(at.url);
  await visitor.signIn("manager");
  const client = await registerApplication(at);
  const { body: tokens } = await redeemCode(at.url, client, await obtainCode(visitor, client));
  const code = await obtainCode(visitor, client);
  const boss = at.as("administrator");
  expect((await boss.patch("/people/9", { disabled: true })).status).toBe(200);
  await expectRevoked(client, tokens);
  expect((await at.as("manager").get("/me")).status).toBe(401);
  expect((await visitor.get("/profile")).location).toContain("/sign_in");
  expect((await redeemCode(at.url, client, code)).body.error).toBe("invalid_grant");
  expect((await visitor.signIn("manager")).status).toBe(422);
  await boss.patch("/people/9", { disabled: false });
  expect(await readStatus(tokens.access_token)).toBe(401);
  expect((await at.as("manager").get("/me")).status).toBe(200);
});

test("RFC 7009: revoking a refresh token revokes its family, an access token only itself, and only by their own client", async () => {
  const client = await registerApplication(at);
  const other = await registerApplication(at, { name: "Other" });
  const tokens = await grant(client);
  const revoke = (who: RegisteredClient, token: string) =>
    requestToken(at.url, { client_id: who.client_id, client_secret: who.client_secret, token }, "/oauth/revoke");
  expect((await revoke(other, tokens.access_token)).body.error).toBe("invalid_grant");
  expect(await readStatus(tokens.access_token)).toBe(200);
  expect((await revoke(client, tokens.access_token)).status).toBe(200);
  expect(await readStatus(tokens.access_token)).toBe(401);
  const { body: renewed } = await refreshToken(at.url, client, tokens.refresh_token);
  expect((await revoke(client, renewed.refresh_token)).status).toBe(200);
  await expectRevoked(client, renewed);
  expect((await revoke(client, "x".repeat(112))).status).toBe(200);
  expect((await requestToken(at.url, { token: "x" }, "/oauth/revoke")).body.error).toBe("invalid_request");
  expect((await revoke({ ...client, client_secret: "x" }, "y")).body.error).toBe("invalid_client");
});

test("another process of the instance learns immediately of a revocation and of a disabled person", async () => {
  const port = await second.start();
  try {
    const readStatusThere = async (token: string) =>
      (await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
    const client = await registerApplication(at, { name: "Elsewhere" });
    const tokens = await grant(client);
    expect(await readStatusThere(tokens.access_token)).toBe(200); // it is cached now
    const { body: list } = await browser.api("GET", "/authorizations");
    const line = list.find((each: { application: { name: string } }) => each.application.name === "Elsewhere");
    await browser.api("DELETE", `/authorizations/${line.id}`);
    // The test clock doesn't move, so without the notification the token would stay valid.
    await until(async () => (await readStatusThere(tokens.access_token)) !== 200);
    expect(await readStatusThere(tokens.access_token)).toBe(401);
    const exchanged = (await browser.api("POST", "/access-token")).body.access_token;
    expect(await readStatusThere(exchanged)).toBe(200);
    await at.clock.pass(600); // the cache entry expires with the token, too
    expect(await readStatusThere(exchanged)).toBe(401);

    // A disabled person loses everything in every process.
    const there = `http://127.0.0.1:${port}`;
    const visitor = new FormBrowser(there);
    visitor.cookies.set("steward_session", browser.cookies.get("steward_session") as string);
    const own = (await at.sql("SELECT id FROM people WHERE primary_email = 'sam@widget.example'"))[0]?.id;
    await browser.api("POST", "/proof", { current_password: passwordFor("specialist") });
    const wanted = { name: "Script", scopes: "me:All" };
    const { token } = (await browser.api("POST", "/personal-access-tokens", wanted)).body;
    const session = (await visitor.api("POST", "/access-token")).body.access_token;
    const tokensToLose = await grant(client);
    const cookie = `steward_session=${visitor.cookies.get("steward_session")}`;
    const stream = await EventStream.open({ url: there }, cookie, "/accounts/widget-it/stream?topics=inbox");
    const every = [token, session, tokensToLose.access_token];
    const ask = () => Promise.all(every.map(readStatusThere));
    expect([await ask(), (await visitor.api("GET", "/me")).status, stream.status]).toEqual([[200, 200, 200], 200, 200]);
    expect((await at.as("administrator").patch(`/people/${own}`, { disabled: true })).status).toBe(200);
    // While the clock doesn't move, only the notification can end them.
    await until(async () => stream.isEnded && (await ask()).every((status) => status === 401));
    expect((await visitor.api("GET", "/me")).status).toBe(401);
    expect((await refreshToken(there, client, tokensToLose.refresh_token)).body.error).toBe("invalid_grant");
    await at.as("administrator").patch(`/people/${own}`, { disabled: false });
  } finally {
    await second.stop();
  }
});
