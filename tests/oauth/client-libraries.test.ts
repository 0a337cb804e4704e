import * as openid from "openid-client";
import { AuthorizationCode, ClientCredentials } from "simple-oauth2";
import { expect, test } from "vitest";
import {
  callbackUri,
  FormBrowser,
  type RegisteredClient,
  registerApplication,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { world } from "../support/world.ts";

// Two independent client libraries complete every grant unmodified.

const at = await world();
await setPasswords(at, "specialist");
const browser = new FormBrowser(at.url);
await browser.signIn("specialist");
const loadName = async (token: string) => (await at.withToken(token).get("/me")).body?.name;
const registerRobot = () => registerApplication(at, { grant_type: "client_credentials", person: "sam@widget.example" });

/** Acts as the person: follows the library's address, allows, and returns the callback. */
async function consent(address: string): Promise<string> {
  const page = await browser.get(address);
  if (!page.location.includes("authorize_application")) return page.location;
  return (await browser.submit(await browser.get(page.location), "/oauth/authorize_application", { decision: "allow" }))
    .location;
}

const discover = ({ client_id, client_secret }: RegisteredClient, issuer: string, auth: openid.ClientAuth) =>
  openid.discovery(new URL(issuer), client_id, { client_secret }, auth, {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  });

test("openid-client: metadata, authorization code with PKCE and state, refresh, revocation", async () => {
  for (const [issuer, method] of [
    [at.url, openid.ClientSecretPost],
    [`${at.url}/oauth`, openid.ClientSecretBasic],
  ] as const) {
    const client = await registerApplication(at);
    const configuration = await discover(client, issuer, method(client.client_secret));
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: callbackUri,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const back = new URL(await consent(address.href));
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await openid.authorizationCodeGrant(configuration, back, checks);
    expect(await loadName(tokens.access_token)).toBe("Sam Specialist");
    expect(tokens.expiresIn()).toBeGreaterThan(3500);
    const renewed = await openid.refreshTokenGrant(configuration, tokens.refresh_token as string);
    expect(renewed.access_token).not.toBe(tokens.access_token);
    expect(await loadName(renewed.access_token)).toBe("Sam Specialist");
    await expect(openid.authorizationCodeGrant(configuration, back, checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await openid.tokenRevocation(configuration, renewed.refresh_token as string);
    expect(await loadName(renewed.access_token)).toBeUndefined();
  }
});

test("openid-client: discovery as RFC 8414 places it for an issuer with a path", async () => {
  const response = await fetch(`${at.url}/.well-known/oauth-authorization-server/oauth`);
  expect(await response.json()).toMatchObject({
    issuer: `${at.url}/oauth`,
    code_challenge_methods_supported: ["S256"],
  });
});

test("openid-client: client credentials, and its handling of errors", async () => {
  const client = await registerRobot();
  for (const method of [openid.ClientSecretPost, openid.ClientSecretBasic]) {
    const configuration = await discover(client, at.url, method(client.client_secret));
    const tokens = await openid.clientCredentialsGrant(configuration);
    expect(await loadName(tokens.access_token)).toBe("Sam Specialist");
    expect(tokens.refresh_token).toBeUndefined();
  }
  const wrong = await discover(client, at.url, openid.ClientSecretPost("wrong"));
  await expect(openid.clientCredentialsGrant(wrong)).rejects.toMatchObject({ error: "invalid_client" });
});

const settings = ({ client_id, client_secret }: RegisteredClient, options: Record<string, string>) => ({
  client: { id: client_id, secret: client_secret },
  auth: {
    tokenHost: at.url,
    tokenPath: "/oauth/token",
    authorizePath: "/oauth/authorize",
    revokePath: "/oauth/revoke",
  },
  options,
});
// biome-ignore format: a table
const ways = [
  { authorizationMethod: "body",   bodyFormat: "form" },
  { authorizationMethod: "body",   bodyFormat: "json" },
  { authorizationMethod: "header", bodyFormat: "form" },
  { authorizationMethod: "header", bodyFormat: "json" },
];

test("simple-oauth2: authorization code, refresh, revocation, with every way of sending them", async () => {
  for (const way of ways) {
    const library = new AuthorizationCode(settings(await registerApplication(at), way));
    const back = new URL(await consent(library.authorizeURL({ redirect_uri: callbackUri, state: "s t" })));
    expect(back.searchParams.get("state")).toBe("s t");
    const token = await library.getToken({ code: back.searchParams.get("code") as string, redirect_uri: callbackUri });
    expect(token.expired()).toBe(false);
    expect(await loadName(token.token.access_token)).toBe("Sam Specialist");
    const renewed = await token.refresh();
    expect(await loadName(renewed.token.access_token)).toBe("Sam Specialist");
    await renewed.revokeAll();
    expect(await loadName(renewed.token.access_token)).toBeUndefined();
  }
});

const buildTokenSettings = (client: RegisteredClient, options: Record<string, string>) => ({
  ...settings(client, options),
  auth: { tokenHost: at.url, tokenPath: "/oauth/token" },
});

test("simple-oauth2: client credentials", async () => {
  for (const way of ways) {
    const token = await new ClientCredentials(buildTokenSettings(await registerRobot(), way)).getToken({});
    expect(await loadName(token.token.access_token)).toBe("Sam Specialist");
  }
});
