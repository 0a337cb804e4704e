import { expect, test } from "vitest";
import { Unavailable } from "../../server/base/errors.ts";
import {
  authorizeAddress,
  callbackUri,
  FormBrowser,
  obtainCode,
  redeemCode,
  refreshToken,
  registerApplication,
  requestToken,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { world } from "../support/world.ts";

// The authorization code grant: AZ6 to AZ10.

const at = await world();
await setPasswords(at, "specialist", "requester");
const signIn = async (role: "specialist" | "requester" = "specialist") => {
  const browser = new FormBrowser(at.url);
  expect((await browser.signIn(role)).status).toBe(302);
  return browser;
};
const readStatus = async (token: string) => (await at.withToken(token).get("/me")).status;

test("a valid call leads to the authorization page, after signing in", async () => {
  const client = await registerApplication(at, {
    name: "First",
    description: "Counts things",
    homepage_url: "https://first.example",
  });
  const browser = new FormBrowser(at.url);
  const valid = await browser.get(authorizeAddress(client, { state: "xyz" }));
  expect(valid.status).toBe(302);
  expect(valid.location).toMatch(new RegExp(`^${at.url}/oauth/authorize_application\\?[A-Za-z0-9]{112}$`));
  const signIn = await browser.get(valid.location);
  expect(signIn.status).toBe(302);
  expect(signIn.location).toMatch(/^\/sign_in\?return_to=/);
  const page = await browser.get(signIn.location);
  expect(page.text).toContain("First");
  const after = await browser.submit(page, "/sign_in", {
    email: "sam@widget.example",
    password: "the secret of specialist",
  });
  expect(after.location).toMatch(/^\/oauth\/authorize_application\?/);
  const prompt = await browser.get(after.location);
  expect(prompt.status).toBe(200);
  for (const text of [
    "First",
    "Counts things",
    "https://first.example",
    "Widget IT",
    "Do everything you can do",
    "Sam Specialist",
  ])
    expect(prompt.text).toContain(text);
  const allowed = await browser.submit(prompt, "/oauth/authorize_application", { decision: "allow" });
  expect(allowed.status).toBe(302);
  const target = new URL(allowed.location);
  expect(target.origin + target.pathname).toBe(callbackUri);
  expect(target.searchParams.get("state")).toBe("xyz");
  const reply = await redeemCode(at.url, client, target.searchParams.get("code") as string);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.body).toEqual({
    access_token: expect.stringMatching(/^[A-Za-z0-9]{112}$/),
    refresh_token: expect.stringMatching(/^[A-Za-z0-9]{112}$/),
    token_type: "bearer",
    expires_in: 3600,
  });
  const { status, body } = await at.withToken(reply.body.access_token).get("/me");
  expect([status, body.name]).toEqual([200, "Sam Specialist"]);
});

test("a user who has already authorized the application isn't asked again", async () => {
  const client = await registerApplication(at);
  const browser = await signIn();
  await obtainCode(browser, client);
  const again = await browser.get(authorizeAddress(client, { state: "s" }));
  expect(again.status).toBe(302);
  expect(again.location).toMatch(/^https:\/\/client\.example\/callback\?code=[A-Za-z0-9]{112}&state=s$/);
});

test("denying redirects back with access_denied and the state", async () => {
  const client = await registerApplication(at);
  const browser = await signIn();
  const prompt = await browser.get((await browser.get(authorizeAddress(client, { state: "a b" }))).location);
  const denied = await browser.submit(prompt, "/oauth/authorize_application", { decision: "deny" });
  const query = new URL(denied.location).searchParams;
  expect([query.get("error"), query.get("state")]).toEqual(["access_denied", "a b"]);
  expect(query.get("error_description")).not.toBe("");
  expect(query.has("code")).toBe(false);
  expect((await browser.submit(prompt, "/oauth/authorize_application", { decision: "allow" })).status).toBe(404); // each prompt can be decided once
});

test("an invalid call redirects back with invalid_request, a description and the state", async () => {
  const client = await registerApplication(at);
  const browser = new FormBrowser(at.url);
  const broken: Record<string, string>[] = [
    { response_type: "token" },
    { response_type: "" },
    { code_challenge: "x".repeat(43), code_challenge_method: "plain" },
    { code_challenge: "x".repeat(43) },
    { code_challenge: "short", code_challenge_method: "S256" },
    { code_challenge_method: "S256" },
  ];
  for (const more of broken) {
    const { status, location } = await browser.get(authorizeAddress(client, { state: "z", ...more }));
    expect(status).toBe(302);
    const target = new URL(location);
    expect(target.origin + target.pathname).toBe(callbackUri);
    expect([target.searchParams.get("error"), target.searchParams.get("state")]).toEqual(["invalid_request", "z"]);
    expect(target.searchParams.get("error_description")).toMatch(/\w/);
  }
  const absent = await browser.get(authorizeAddress(client, { response_type: "token" }));
  expect(new URL(absent.location).searchParams.has("state")).toBe(false);
  const repeated = await browser.get(`${authorizeAddress(client)}&response_type=code`);
  expect(repeated.location).toContain("error=invalid_request");
});

test("if the server fails, it redirects back with server_error or temporarily_unavailable", async () => {
  const client = await registerApplication(at);
  const browser = await signIn();
  const prompt = await browser.get((await browser.get(authorizeAddress(client))).location);
  const readError = ({ status, location }: { status: number; location: string }) => {
    const query = new URL(location).searchParams;
    expect([status, query.get("state"), query.get("error_description")]).toEqual([
      302,
      "q",
      expect.stringMatching(/\w/),
    ]);
    return query.get("error");
  };
  await at.sql("ALTER TABLE oauth_authorizations RENAME TO away");
  expect(readError(await browser.get(authorizeAddress(client, { state: "q" })))).toBe("server_error");
  await at.sql("ALTER TABLE away RENAME TO oauth_authorizations");
  const { database } = at.service.engine;
  const transaction = database.transaction;
  database.transaction = () => Promise.reject(new Unavailable("the database is away"));
  expect(readError(await browser.get(authorizeAddress(client, { state: "q" })))).toBe("temporarily_unavailable");
  expect((await browser.submit(prompt, "/oauth/authorize_application", { decision: "allow" })).location).toContain(
    "temporarily_unavailable",
  );
  database.transaction = transaction;
  expect((await browser.submit(prompt, "/oauth/authorize_application", { decision: "allow" })).location).toContain(
    "code=",
  );
});

test("AZ9: state is returned byte for byte, and the redirect URI keeps its query", async () => {
  const client = await registerApplication(at, { endpoints: [`${callbackUri}?tenant=7&x=%2F`] });
  const browser = await signIn();
  const address = (state: string) =>
    `/oauth/authorize?client_id=${client.client_id}&response_type=code&state=${state}&redirect_uri=${encodeURIComponent(`${callbackUri}?tenant=7&x=%2F`)}`;
  for (const state of ["a+b%20c%2Bd", "%E9%00%FF", "%22%3Cscript%3E", "=%26", "~!*()"]) {
    let page = await browser.get(address(state));
    if (page.location.includes("authorize_application"))
      page = await browser.submit(await browser.get(page.location), "/oauth/authorize_application", {
        decision: "allow",
      });
    expect(page.location).toMatch(/^https:\/\/client\.example\/callback\?tenant=7&x=%2F&code=[A-Za-z0-9]{112}&state=/);
    expect(page.location.slice(page.location.indexOf("&state=") + 7)).toBe(state);
    const error = await browser.get(address(state).replace("response_type=code", "response_type=no"));
    expect(error.location.slice(error.location.indexOf("&state=") + 7)).toBe(state);
  }
});

test("AZ7: a code is valid for ten minutes", async () => {
  const client = await registerApplication(at);
  const browser = await signIn();
  const [early, late] = [await obtainCode(browser, client), await obtainCode(browser, client)];
  await at.clock.pass(599);
  expect((await redeemCode(at.url, client, early)).status).toBe(200);
  await at.clock.pass(1);
  expect((await redeemCode(at.url, client, late)).body).toEqual({
    error: "invalid_grant",
    error_description: expect.any(String),
  });
});

test("an access token is valid for one hour, a refresh token for two weeks and exchangeable for a new pair", async () => {
  const client = await registerApplication(at);
  const { body: first } = await redeemCode(at.url, client, await obtainCode(await signIn(), client));
  await at.clock.pass(3599);
  expect(await readStatus(first.access_token)).toBe(200);
  await at.clock.pass(1);
  expect(await readStatus(first.access_token)).toBe(401);
  const { status, body: second } = await refreshToken(at.url, client, first.refresh_token);
  expect(status).toBe(200);
  expect(second.access_token).toMatch(/^[A-Za-z0-9]{112}$/);
  expect(new Set([first.access_token, first.refresh_token, second.access_token, second.refresh_token]).size).toBe(4);
  expect(await readStatus(second.access_token)).toBe(200);
  await at.clock.pass(14 * 24 * 3600 - 1);
  const { status: inTime, body: third } = await refreshToken(at.url, client, second.refresh_token);
  expect(inTime).toBe(200);
  await at.clock.pass(14 * 24 * 3600);
  expect((await refreshToken(at.url, client, third.refresh_token)).body.error).toBe("invalid_grant");
});

test("a refresh token can't be used for access, and an access token can't be used to refresh", async () => {
  const client = await registerApplication(at);
  const { body } = await redeemCode(at.url, client, await obtainCode(await signIn(), client));
  expect(await readStatus(body.refresh_token)).toBe(401);
  expect((await refreshToken(at.url, client, body.access_token)).body.error).toBe("invalid_grant");
});

test("CO6: the same paths without the folder work, too, and so do JSON bodies", async () => {
  const client = await registerApplication(at);
  const browser = await signIn();
  const code = await obtainCode(browser, client);
  expect((await browser.get(authorizeAddress(client).replace("/oauth/authorize", "/authorize"))).location).toContain(
    "code=",
  );
  const response = await fetch(`${at.url}/token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_id: client.client_id,
      client_secret: client.client_secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: callbackUri,
    }),
  });
  expect(response.status).toBe(200);
});

test("AZ10: PKCE is verified whenever it was sent, and can't be omitted or added later", async () => {
  const client = await registerApplication(at);
  const browser = await signIn();
  const verifier = "v".repeat(50);
  const challenge = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(verifier))).toString("base64url");
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const code = await obtainCode(browser, client, pkce);
  expect((await redeemCode(at.url, client, code)).body.error).toBe("invalid_grant");
  expect((await redeemCode(at.url, client, code, { code_verifier: "w".repeat(50) })).body.error).toBe("invalid_grant");
  expect((await redeemCode(at.url, client, code, { code_verifier: verifier })).status).toBe(200);
  const without = await obtainCode(browser, client);
  expect((await redeemCode(at.url, client, without, { code_verifier: verifier })).body.error).toBe("invalid_grant");
});

test("AZ6: the token endpoint returns the reason for an error, always with 400", async () => {
  const client = await registerApplication(at);
  const code = await obtainCode(await signIn(), client);
  const good = {
    client_id: client.client_id,
    client_secret: client.client_secret,
    redirect_uri: callbackUri,
    code,
    grant_type: "authorization_code",
  };
  // biome-ignore format: a table keeps its columns
  const cases: [Record<string, string>, string][] = [
    [{ grant_type: "" },                        "invalid_request"],
    [{ client_id: "" },                         "invalid_request"],
    [{ client_secret: "" },                     "invalid_request"],
    [{ redirect_uri: "" },                      "invalid_request"],
    [{ code: "" },                              "invalid_request"],
    [{ grant_type: "password" },                "unsupported_grant_type"],
    [{ grant_type: "constructor" },             "unsupported_grant_type"],
    [{ grant_type: "client_credentials" },      "unauthorized_client"],
    [{ client_id: "unknown" },                  "invalid_client"],
    [{ client_secret: "wrong" },                "invalid_client"],
    [{ code: "x".repeat(112) },                 "invalid_grant"],
    [{ redirect_uri: `${callbackUri}/` },          "invalid_grant"],
    [{ client_id: "a\0b" },                     "invalid_request"],
  ];
  for (const [change, error] of cases) {
    const reply = await requestToken(at.url, { ...good, ...change });
    expect([change, reply.status, reply.body]).toEqual([
      change,
      400,
      { error, error_description: expect.stringMatching(/\w/) },
    ]);
    expect(reply.headers.get("cache-control")).toBe("no-store");
  }
  const raw = (body: string, type = "application/x-www-form-urlencoded") =>
    fetch(`${at.url}/oauth/token?${new URLSearchParams(good)}`, {
      method: "POST",
      body,
      headers: { "Content-Type": type },
    });
  for (const [body, type] of [
    ["", undefined],
    [`${new URLSearchParams(good)}&code=x`, undefined],
    ["{", "application/json"],
    ["[]", "application/json"],
    ['{"grant_type":7}', "application/json"],
    ["a=b", "text/plain"],
    ["x".repeat(1_100_000), undefined],
  ] as const) {
    const response = await raw(body, type);
    expect([body.slice(0, 20), response.status, ((await response.json()) as { error: string }).error]).toEqual([
      body.slice(0, 20),
      400,
      "invalid_request",
    ]);
  }
  expect((await requestToken(at.url, good)).status).toBe(200); // none of these used the code up
});
