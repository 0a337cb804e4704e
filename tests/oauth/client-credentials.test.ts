import { expect, test } from "vitest";
import { Invalid } from "../../server/base/errors.ts";
import {
  clientSecretFields,
  FormBrowser,
  passwordFor,
  registerApplication,
  requestClientCredentialsToken,
  requestToken,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { world } from "../support/world.ts";

// The client credentials grant: AZ4 to AZ6.

const at = await world();
await setPasswords(at, "administrator");
const admin = new FormBrowser(at.url);
await admin.signIn("administrator");
const settings = "/accounts/widget-it/oauth-applications";
const registerRobot = (more: Record<string, unknown> = {}) =>
  registerApplication(at, { name: "Robot", grant_type: "client_credentials", person: "sam@widget.example", ...more });
const readStatus = async (token: string) => (await at.withToken(token).get("/me")).status;

test("a valid call returns an access token that acts as the linked person for one hour, and no refresh token", async () => {
  const client = await registerRobot();
  const { status, headers, body } = await requestClientCredentialsToken(at.url, client);
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[A-Za-z0-9]{112}$/),
    token_type: "bearer",
    expires_in: 3600,
  });
  expect((await at.withToken(body.access_token).get("/me")).body.name).toBe("Sam Specialist");
  await at.clock.pass(3599);
  expect(await readStatus(body.access_token)).toBe(200);
  await at.clock.pass(1);
  expect(await readStatus(body.access_token)).toBe(401);
  expect((await requestClientCredentialsToken(at.url, client)).status).toBe(200); // asking again returns a new token
  await admin.api("POST", "/proof", { current_password: passwordFor("administrator") }); // the calls below need a recent proof of identity
});

test("HTTP Basic is accepted, too, but not together with a secret in the body", async () => {
  const { client_id, client_secret } = await registerRobot();
  const post = (body: Record<string, string>, id = client_id, secret = client_secret) =>
    fetch(`${at.url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(body),
      headers: { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    });
  const grant_type = "client_credentials";
  expect((await post({ grant_type })).status).toBe(200);
  expect((await post({ grant_type, client_id })).status).toBe(200);
  for (const [reply, error] of [
    [await post({ grant_type, client_id, client_secret }), "invalid_request"],
    [await post({ grant_type, client_id: "other" }), "invalid_request"],
    [await post({ grant_type }, client_id, "wrong"), "invalid_client"],
    [await post({ grant_type }, "unknown"), "invalid_client"],
    [await post({ grant_type }, "", ""), "invalid_request"],
    [await post({ grant_type }, "%zz", "x"), "invalid_request"],
  ] as const)
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([400, error]);
});

test("wrong secrets slow down only the client at the address that sent them", async () => {
  const proxied = await world({ env: { TRUST_PROXY: "127.0.0.1" } });
  const input = { grant_type: "client_credentials", person: "sam@widget.example" };
  const [client, other] = [await registerApplication(proxied, input), await registerApplication(proxied, input)];
  const ask = async (from: string, fields: Record<string, string>) => {
    const headers = { "X-Forwarded-For": from, "X-Forwarded-Proto": "https" };
    const body = new URLSearchParams({ grant_type: "client_credentials", ...fields });
    const response = await fetch(`${proxied.url}/oauth/token`, { method: "POST", headers, body });
    return { status: response.status, headers: response.headers, body: (await response.json()) as { error?: string } };
  };
  const right = clientSecretFields(client);
  const wrong = { ...right, client_secret: "wrong" };
  for (let n = 0; n < 10; n++) expect((await ask("203.0.113.5", wrong)).status).toBe(400);
  const blocked = await ask("203.0.113.5", wrong);
  expect([blocked.status, blocked.body.error]).toEqual([429, "temporarily_unavailable"]);
  expect(blocked.headers.get("retry-after")).toBe("5");
  expect((await ask("203.0.113.5", right)).status).toBe(429);
  expect((await ask("203.0.113.6", right)).status).toBe(200); // from other addresses the client keeps working
  expect((await ask("203.0.113.5", clientSecretFields(other))).status).toBe(200);
  await proxied.clock.pass(5);
  expect((await ask("203.0.113.5", right)).status).toBe(200);
  // Many different clients: the whole address is slowed down.
  for (let n = 0; n < 45; n++) await ask("203.0.113.5", { client_id: `client${n}`, client_secret: "x" });
  expect((await ask("203.0.113.5", right)).status).toBe(429);
  expect((await ask("203.0.113.6", right)).status).toBe(200);
});

test("AZ6: an invalid call returns 400 with the code of the reason", async () => {
  const client = await registerRobot();
  const good = { ...clientSecretFields(client), grant_type: "client_credentials" };
  for (const [change, error] of [
    [{ client_secret: "x" }, "invalid_client"],
    [{ client_id: "x" }, "invalid_client"],
    [{ grant_type: "authorization_code" }, "unauthorized_client"],
    [{ grant_type: "refresh_token" }, "unauthorized_client"],
    [{ grant_type: "x" }, "unsupported_grant_type"],
    [{ client_secret: "" }, "invalid_request"],
  ] as [Record<string, string>, string][]) {
    const { status, body } = await requestToken(at.url, { ...good, ...change });
    expect([status, body.error]).toEqual([400, error]);
  }
});

test("a token is revoked when the pair is disabled or deleted, the application is disabled, or its scopes or person change", async () => {
  const changes: ((client: Awaited<ReturnType<typeof registerRobot>>) => [string, string, unknown?])[] = [
    ({ application, pair }) => ["PATCH", `/${application}/clients/${pair}`, { disabled: true }],
    ({ application, pair }) => ["DELETE", `/${application}/clients/${pair}`],
    ({ application }) => ["PATCH", `/${application}`, { disabled: true }],
    ({ application }) => ["PATCH", `/${application}`, { scopes: "me:All" }],
    ({ application }) => ["PATCH", `/${application}`, { person: "mia@widget.example" }],
    ({ application }) => ["DELETE", `/${application}`],
  ];
  for (const change of changes) {
    const client = await registerRobot();
    const { body } = await requestClientCredentialsToken(at.url, client);
    expect(await readStatus(body.access_token)).toBe(200);
    const [method, path, input] = change(client);
    expect((await admin.api(method, settings + path, input)).status).toBeLessThan(300);
    expect([path, input, await readStatus(body.access_token)]).toEqual([path, input, 401]);
  }
});

test("disabling the linked person revokes the token, and no new one is issued", async () => {
  const client = await registerRobot({ person: "mia@widget.example" });
  const { body } = await requestClientCredentialsToken(at.url, client);
  await at.as("administrator").patch("/people/9", { disabled: true });
  expect(await readStatus(body.access_token)).toBe(401);
  expect((await requestClientCredentialsToken(at.url, client)).body.error).toBe("invalid_client");
  await at.as("administrator").patch("/people/9", { disabled: false });
});

test("an administrator can't link a person to gain access to other accounts", async () => {
  await at.sql(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('provider', 3, 'account_administrator', now())",
  );
  const input = { name: "Escalation", grant_type: "client_credentials", scopes: "*:*" };
  for (const person of [
    "sam@widget.example",
    "stella@stranger.example",
    "dirk@widget.example",
    "nobody@widget.example",
    "",
    7,
  ]) {
    const { status, body } = await admin.api("POST", settings, { ...input, person });
    expect([person, status, body.errors[0][0]]).toEqual([person, 422, "person"]);
  }
  expect((await admin.api("POST", settings, { ...input, person: "rita@widget.example" })).status).toBe(201);
  expect((await admin.api("GET", "/accounts/stranger/oauth-applications")).status).toBe(403);
  expect((await admin.api("GET", "/accounts/nowhere/oauth-applications")).status).toBe(403);
  await at.sql("DELETE FROM permissions WHERE account_id = 'provider' AND person_id = 3");
});

test("an application must have valid redirect URIs, scopes and a person", async () => {
  await expect(registerApplication(at, { endpoints: [] })).rejects.toThrow(Invalid);
  // biome-ignore format: a list
  for (const endpoint of ["/relative", "https://x.example/#fragment", "javascript:alert(1)", "data:text/html,x", "https://", "https://u:p@x.example/", "https://x.example/ü", "https://x.example/ a"])
    await expect(registerApplication(at, { endpoints: [endpoint] }), endpoint).rejects.toThrow(Invalid);
  for (const endpoint of [
    "http://127.0.0.1:9/cb",
    "https://x.example/cb?a=b",
    "com.example.app:/cb",
    "http://localhost/cb",
  ])
    await registerApplication(at, { endpoints: [endpoint] });
  const { status, body } = await admin.api("POST", settings, { name: "", grant_type: "implicit", scopes: "nonsense" });
  expect(status).toBe(422);
  expect(body.message).toBe("Validation Failed");
  expect(body.errors.map(([field]: [string]) => field).sort()).toEqual(["grant_type", "name", "scopes"]);
});

test("introspection returns a token's scopes to its bearer", async () => {
  const client = await registerRobot({
    scopes: [{ actions: "me:All, team:RU" }, { effect: "deny", actions: ["team:Delete"] }],
  });
  const { body } = await requestClientCredentialsToken(at.url, client);
  const introspect = async (headers: Record<string, string>, query = "") => {
    const response = await fetch(`${at.url}/oauth/introspect${query}`, { headers });
    return [response.status, await response.json()];
  };
  expect(await introspect({ Authorization: `Bearer ${body.access_token}` })).toEqual([
    200,
    { scopes: ["me:All", "team:Read", "team:Update"] },
  ]);
  expect(await introspect({})).toEqual([401, { message: "Unauthorized" }]);
  expect(await introspect({ Authorization: `Bearer ${"x".repeat(112)}` })).toEqual([401, { message: "Unauthorized" }]);
  expect((await introspect({}, `?token=${body.access_token}`))[0]).toBe(400);
});

test("secrets are stored only as hashes, and neither the log nor the trail contains one", async () => {
  const client = await registerRobot();
  const { body } = await requestClientCredentialsToken(at.url, client);
  const tables = await at.sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of tables) {
    const rows = await at.sql<{ text: string }>(`SELECT x::text AS text FROM "${name}" x`);
    for (const { text } of rows)
      for (const secret of [client.client_secret, body.access_token]) expect(text).not.toContain(secret);
  }
  expect(at.log.join("")).not.toContain(client.client_secret);
});
