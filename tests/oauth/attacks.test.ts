import { expect, test } from "vitest";
import {
  authorizeAddress,
  callbackUri,
  FormBrowser,
  obtainCode,
  readHiddenFields,
  redeemCode,
  refreshToken,
  registerApplication,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { world } from "../support/world.ts";

// Attacks, each of which is rejected.

const at = await world();
await setPasswords(at, "specialist", "requester", "stranger");
const browser = new FormBrowser(at.url);
await browser.signIn("specialist");
const readStatus = async (token: string) => (await at.withToken(token).get("/me")).status;

test("AZ9: redirects never go to a variant of a registered redirect URI", async () => {
  const registered = "https://client.example/app/callback";
  const client = await registerApplication(at, { endpoints: [registered] });
  // biome-ignore format: a list
  const variants = [
    "https://client.example/app/callback/", "https://client.example/app/callback/more", "https://client.example/app/callbac",
    "https://client.example/app/callback?x=1", "https://client.example/app/callback#x", "https://client.example/app/callback%00",
    "https://client.example/app/../app/callback", "https://client.example/app/%2e%2e/app/callback", "https://client.example//app/callback",
    "https://client.example:443/app/callback", "https://client.example:8443/app/callback", "http://client.example/app/callback",
    "https://user@client.example/app/callback", "https://client.example@evil.example/app/callback", "https://client.example.evil.example/app/callback",
    "https://CLIENT.example/app/callback", "https://client.example/APP/callback", "HTTPS://client.example/app/callback",
    "https://evil.example/?https://client.example/app/callback", "//client.example/app/callback", "/app/callback", "javascript:alert(1)",
    " https://client.example/app/callback", "https://client.example/app/callback ", "https://client.example/app/callback\\", "https://client.example/app/callback;x",
    "https://client.example/app/callback\r\nX: y", "https://client.example\t/app/callback", "",
  ];
  for (const redirect_uri of variants)
    for (const response_type of ["code", "nonsense"]) {
      const page = await browser.get(authorizeAddress(client, { redirect_uri, response_type }));
      expect([redirect_uri, page.status, page.location]).toEqual([redirect_uri, 400, ""]);
    }
  const twice = await browser.get(
    `${authorizeAddress(client, { redirect_uri: registered })}&redirect_uri=https://evil.example`,
  );
  expect([twice.status, twice.location]).toEqual([400, ""]);
  const json = await browser.get(authorizeAddress(client, { redirect_uri: "https://evil.example" }), { Accept: "*/*" });
  expect(JSON.parse(json.text)).toEqual({ message: expect.stringContaining("redirect_uri") });
  for (const client_id of ["", "unknown", "a\0b"])
    expect((await browser.get(authorizeAddress({ ...client, client_id }, { redirect_uri: registered }))).status).toBe(
      400,
    );
});

test("a code used by another client is rejected, and remains valid for its own client", async () => {
  const [own, other] = [await registerApplication(at), await registerApplication(at, { name: "Other" })];
  const code = await obtainCode(browser, own);
  expect((await redeemCode(at.url, other, code)).body.error).toBe("invalid_grant");
  const { status, body } = await redeemCode(at.url, own, code);
  expect(status).toBe(200);
  expect((await refreshToken(at.url, other, body.refresh_token)).body.error).toBe("invalid_grant");
  expect(await readStatus(body.access_token)).toBe(200);
});

test("AZ7: a second use of a code revokes every token from it, including refreshed ones", async () => {
  const client = await registerApplication(at);
  const code = await obtainCode(browser, client);
  const { body: first } = await redeemCode(at.url, client, code);
  const { body: second } = await refreshToken(at.url, client, first.refresh_token);
  const { body: other } = await redeemCode(at.url, client, await obtainCode(browser, client));
  expect((await redeemCode(at.url, client, code)).body.error).toBe("invalid_grant");
  for (const token of [first.access_token, second.access_token]) expect(await readStatus(token)).toBe(401);
  expect((await refreshToken(at.url, client, second.refresh_token)).body.error).toBe("invalid_grant");
  expect(await readStatus(other.access_token)).toBe(200); // another code, another family
});

test("of fifty parallel uses of a code exactly one succeeds, and then its tokens are revoked", async () => {
  const client = await registerApplication(at);
  const code = await obtainCode(browser, client);
  const replies = await Promise.all(Array.from({ length: 50 }, () => redeemCode(at.url, client, code)));
  const won = replies.filter(({ status }) => status === 200);
  expect(won.length).toBe(1);
  for (const { status, body } of replies.filter((reply) => reply !== won[0]))
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
  expect(await readStatus(won[0]?.body.access_token)).toBe(401);
  expect((await refreshToken(at.url, client, won[0]?.body.refresh_token)).body.error).toBe("invalid_grant");
  const rows = await at.sql("SELECT event FROM security_events WHERE event = 'code-used-twice'");
  expect(rows.length).toBeGreaterThan(0);
});

test("AZ8: if a response is lost, the same client gets the same pair again within ten seconds", async () => {
  const client = await registerApplication(at);
  const { body: first } = await redeemCode(at.url, client, await obtainCode(browser, client));
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => refreshToken(at.url, client, first.refresh_token)),
  );
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.access_token} ${body.refresh_token}`)).size).toBe(
    1,
  );
  await at.clock.pass(10);
  const again = await refreshToken(at.url, client, first.refresh_token);
  expect(again.body).toEqual({ ...replies[0]?.body, expires_in: 3590 });
  const other = await registerApplication(at, { name: "Thief" });
  expect((await refreshToken(at.url, other, first.refresh_token)).body.error).toBe("invalid_grant");
  expect(await readStatus(again.body.access_token)).toBe(200);
});

test("AZ8: using a stolen refresh token later revokes the whole family", async () => {
  const client = await registerApplication(at);
  const { body: first } = await redeemCode(at.url, client, await obtainCode(browser, client));
  const { body: second } = await refreshToken(at.url, client, first.refresh_token);
  await at.clock.pass(11);
  expect((await refreshToken(at.url, client, first.refresh_token)).body.error).toBe("invalid_grant");
  for (const token of [first.access_token, second.access_token]) expect(await readStatus(token)).toBe(401);
  expect((await refreshToken(at.url, client, second.refresh_token)).body.error).toBe("invalid_grant");
});

test("another site can't forge consent", async () => {
  const client = await registerApplication(at);
  const prompt = await browser.get((await browser.get(authorizeAddress(client))).location);
  const path = "/oauth/authorize_application";
  const fields = readHiddenFields(prompt, path);
  fields.set("decision", "allow");
  const send = (change: (form: URLSearchParams) => void, headers: Record<string, string> = {}, who = browser) => {
    const form = new URLSearchParams(fields);
    change(form);
    return who.send("POST", path, form, headers);
  };
  const refused = [
    await send((form) => form.delete("csrf")),
    await send((form) => form.set("csrf", "x".repeat(43))),
    await send(() => {}, { Origin: "https://evil.example" }),
    await send(() => {}, { Origin: "null" }),
    await send(() => {}, { "Sec-Fetch-Site": "cross-site" }),
  ];
  const other = new FormBrowser(at.url);
  await other.signIn("requester");
  refused.push(await send(() => {}, {}, other)); // one session's token in another session
  for (const page of refused) expect([page.status, page.location]).toEqual([403, ""]);
  expect((await send((form) => form.set("seen", "else"))).location).toBe(""); // the form is shown again, because it allows something else than was shown
  expect((await send(() => {})).location).toContain("code=");
});

test("consent covers only the scopes shown: scopes that change in the meantime are shown again", async () => {
  const client = await registerApplication(at, { scopes: "person:Read" });
  const prompt = await browser.get((await browser.get(authorizeAddress(client))).location);
  await at.sql("UPDATE oauth_applications SET scopes = $2 WHERE id = $1", [
    client.application,
    JSON.stringify([{ effect: "allow", actions: ["*:*"], accounts: [] }]),
  ]);
  const again = await browser.submit(prompt, "/oauth/authorize_application", { decision: "allow" });
  expect([again.status, again.location]).toEqual([200, ""]);
  expect(again.text).toContain("Do everything you can do");
});

test("pages can't be framed and run no scripts", async () => {
  const client = await registerApplication(at);
  const prompt = (await browser.get(authorizeAddress(client))).location;
  for (const path of [prompt, "/sign_in", "/password_reset", "/password_reset/unknown"]) {
    const { headers, text } = await browser.get(path);
    const policy = headers.get("content-security-policy") as string;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toMatch(/<script|style="|javascript:| on\w+="/i);
  }
});

test("an application's name and description are shown as text", async () => {
  const evil = '<img src=x onerror="alert(1)">"\'';
  const client = await registerApplication(at, {
    name: evil,
    description: evil,
    homepage_url: "https://x.example/?a=<b>",
  });
  const { text } = await browser.get((await browser.get(authorizeAddress(client))).location);
  expect(text).not.toContain("<img");
  expect(text).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
});

test("AZ1: scopes limit the token, and no parameter extends them", async () => {
  const client = await registerApplication(at, { scopes: "me:All, person:Read" });
  const { body } = await redeemCode(at.url, client, await obtainCode(browser, client, { scope: "*:*" }), {
    scope: "*:*",
  });
  const caller = at.withToken(body.access_token, { account: "widget-it" });
  expect((await caller.get("/people")).status).toBe(200);
  expect((await caller.get("/teams")).status).toBe(403);
  expect((await caller.patch("/people/3", { name: "X" })).status).toBe(403);
});

test("AZ2: tokens are accepted only as bearer tokens in the header", async () => {
  const client = await registerApplication(at);
  const { body } = await redeemCode(at.url, client, await obtainCode(browser, client));
  const token = body.access_token;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const tries: [string, Record<string, string>][] = [
    [`/me?access_token=${token}`, {}],
    ["/me", { Authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` }],
    ["/me", { Authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` }],
    ["/me", { Authorization: token }],
    ["/me", { Authorization: `Bearer ${token} x` }],
    ["/me", { Authorization: `Bearer ${token.slice(0, -1)}` }],
    ["/me", { Cookie: cookie }], // a session is no credential of the REST API
    ["/me", { "X-Access-Token": token }],
  ];
  for (const [path, headers] of tries)
    expect([path, headers, (await at.nobody.get(path, headers)).status]).toEqual([path, headers, 401]);
  expect(await readStatus(token)).toBe(200);
});

test("a person without access to the account can't allow its applications", async () => {
  const client = await registerApplication(at);
  const stranger = new FormBrowser(at.url);
  await stranger.signIn("stranger");
  const prompt = await stranger.get((await stranger.get(authorizeAddress(client))).location);
  expect(prompt.text).not.toContain('value="allow"');
  const forced = await stranger.submit(prompt, "/oauth/authorize_application", { decision: "allow" });
  expect(new URL(forced.location).searchParams.get("error")).toBe("access_denied");
});

test("sign-in redirects only to pages of this server", async () => {
  for (const returnTo of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "/%0d%0aX",
  ]) {
    const visitor = new FormBrowser(at.url);
    const { status, location } = await visitor.signIn("specialist", returnTo);
    expect([returnTo, status, location]).toEqual([returnTo, 302, returnTo === "/%0d%0aX" ? returnTo : "/"]);
  }
  expect(callbackUri).toMatch(/^https:/);
});
