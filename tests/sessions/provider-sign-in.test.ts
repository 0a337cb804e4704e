import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FormBrowser, type Page, passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import {
  clientSecret,
  type Forgery,
  type Subject,
  startProvider,
} from "../support/identity-provider/identity-provider.ts";
import { people } from "../support/seed.ts";
import { loggedErrors, world } from "../support/world.ts";

// Signing in with an identity provider, against a real one: what is accepted and what is rejected.

const at = await world();
await setPasswords(at, "administrator", "specialist");
const [idp, other] = await Promise.all([startProvider(at.url), startProvider(at.url)]);
const admin = at.as("administrator");

const settings = {
  ...{ name: "Widget login", reference: "widget", issuer: idp.issuer, client_id: "steward" },
  ...{ client_secret: clientSecret, domains: ["widget.example"] },
};
const { id: provider } = (await admin.post("/identity_providers", settings)).body;
await admin.post("/identity_providers", { ...settings, name: "Other login", reference: "other", issuer: other.issuer });
const change = async (members: Record<string, unknown>) =>
  expect((await admin.patch(`/identity_providers/${provider}`, members)).status).toBe(200);

const start = "/a/widget-it/sso/widget";
const sam: Subject = { sub: "subject-of-sam", email: people.specialist.email, email_verified: true, name: "Sam" };

/** Follows redirects until the provider sends the browser back, and returns that address. */
async function walkToCallback(browser: FormBrowser, path = start): Promise<string> {
  await at.clock.moveTo(new Date().toISOString()); // the provider's clock can't be moved
  let page = await browser.get(path);
  for (let step = 0; step < 10 && !page.location.startsWith(`${at.url}/sso/callback`); step++) {
    expect([page.status, page.text.slice(0, 300)]).toEqual([
      expect.toSatisfy((status) => status >= 302 && status <= 303),
      expect.anything(),
    ]);
    page = await browser.get(new URL(page.location, page.location.startsWith("/") ? idp.issuer : undefined).href);
  }
  return page.location;
}
async function signIn(subject: Subject, path = start, browser = new FormBrowser(at.url)) {
  (path.includes("other") ? other : idp).person(subject);
  const page = await browser.get(await walkToCallback(browser, path));
  return { browser, page };
}
const isSignedIn = async (browser: FormBrowser): Promise<boolean> => (await browser.api("GET", "/me")).status === 200;
const loadLastReason = async (): Promise<string | undefined> =>
  (
    await at.sql<{ reason: string }>(
      "SELECT details ->> 'reason' AS reason FROM security_events WHERE event = 'sign-in-failed' ORDER BY id DESC LIMIT 1",
    )
  )[0]?.reason;
async function expectRefused({ browser, page }: { browser: FormBrowser; page: Page }, reason: RegExp | string) {
  expect(page.status).toBe(403);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await loadLastReason()).toMatch(reason);
}

beforeEach(async () => {
  for (const table of ["identity_links", "sessions", "sign_in_delays", "sign_in_policies"])
    await at.sql(`DELETE FROM ${table}`);
  await at.sql("UPDATE people SET disabled = false");
  await change({
    ...settings,
    create_people: false,
    enforced: false,
    disabled: false,
    identifier: "email",
    second_factor_by_provider: false,
  });
});
afterEach(() => {
  idp.forgery = null;
  idp.intercept = null;
});

describe("a person signs in", () => {
  test("with the account's provider, and gets to the requested page; issuer and subject are stored", async () => {
    const { browser, page } = await signIn(sam, `${start}?return_to=/a/widget-it/requests`);
    expect([page.status, page.location]).toEqual([302, "/a/widget-it/requests"]);
    expect((await browser.api("GET", "/me")).body.person.name).toBe("Sam Specialist");
    const links = (await admin.get(`/identity_providers/${provider}/links`)).body;
    expect(links).toMatchObject([{ person: { id: people.specialist.id }, issuer: idp.issuer, subject: sam.sub }]);
    const trail = (await admin.get("/security_trail?event=sign-in&per_page=1")).body;
    expect(trail[0]).toMatchObject({ person: { id: people.specialist.id }, details: { provider } });
  });

  test("by the domain of the email address, and from the provider's own list of applications", async () => {
    const browser = new FormBrowser(at.url);
    const form = await browser.get("/sso?return_to=/a/widget-it");
    const unknown = await browser.submit(form, "/sso", { email: "x@elsewhere.example" });
    expect(unknown.status).toBe(422);
    const choices = await browser.submit(form, "/sso", { email: "nobody@widget.example" });
    expect(choices.text).toContain("Widget login (Widget IT)");
    expect(choices.text).toContain("Other login (Widget IT)");
    expect(choices.text).not.toContain("<script");
    idp.person(sam);
    const link = /href="(\/a\/widget-it\/sso\/widget[^"]*)"/
      .exec(choices.text)?.[1]
      ?.replaceAll("&amp;", "&") as string;
    expect((await browser.get(await walkToCallback(browser, link))).location).toBe("/a/widget-it");

    const target = encodeURIComponent(`${at.url}/a/widget-it/inbox`);
    const issuer = encodeURIComponent(idp.issuer);
    const second = await signIn(sam, `${start}?iss=${issuer}&target_link_uri=${target}`);
    expect(second.page.location).toBe("/a/widget-it/inbox");
    const strange = await new FormBrowser(at.url).get(`${start}?iss=https%3A%2F%2Fevil.example`);
    expect(strange.status).toBe(403);
  });

  test("the sign-in page offers the providers of the account that the person wants to open", async () => {
    const page = await new FormBrowser(at.url).get("/sign_in?return_to=/a/widget-it/inbox");
    expect(page.text).toContain("Sign in with Widget login");
    expect((await new FormBrowser(at.url).get("/sign_in?return_to=/a/stranger")).text).not.toContain("Widget login");
  });

  test("no redirect leads to another host", async () => {
    for (const target of ["//evil.example", "/\\evil.example", "https://evil.example/"]) {
      const query = new URLSearchParams({ return_to: target, target_link_uri: target });
      expect((await signIn(sam, `${start}?${query}`)).page.location).toBe("/");
    }
  });

  test("the session ends after twelve hours, or two without use", async () => {
    const { browser } = await signIn(sam);
    await at.clock.pass(5400);
    expect(await isSignedIn(browser)).toBe(true);
    await at.clock.pass(5400);
    expect(await isSignedIn(browser)).toBe(true);
    await at.clock.pass(7300);
    expect(await isSignedIn(browser)).toBe(false);
    const second = await signIn(sam);
    for (let hour = 0; hour < 12; hour++) {
      expect(await isSignedIn(second.browser)).toBe(true);
      await at.clock.pass(3601);
    }
    expect(await isSignedIn(second.browser)).toBe(false);
  });

  test("a code is required if the account requires one, unless the provider handles the second factor", async () => {
    await admin.patch("/sign_in_policy", { second_factor: "everyone" });
    const { browser, page } = await signIn(sam);
    expect(page.text).toContain("Set up two-step verification");
    expect(await isSignedIn(browser)).toBe(false);
    await change({ second_factor_by_provider: true });
    expect((await signIn(sam)).page.location).toBe("/");
  });
});

describe("matching a subject to a person", () => {
  test("a changed address at the provider keeps the person, and another subject with the former address gets its own link", async () => {
    await signIn(sam);
    const moved = await signIn({ ...sam, email: people.manager.email });
    expect((await moved.browser.api("GET", "/me")).body.person.name).toBe("Sam Specialist");
  });

  test("an address counts if it is verified, in an allowed domain, and of this account", async () => {
    await expectRefused(await signIn({ ...sam, email_verified: false }), "not verified");
    await expectRefused(await signIn({ sub: "s1", email: "pat@provider.example" }), "domain");
    // Rita belongs to the directory account, so a provider of the support domain can't sign her in.
    await expectRefused(await signIn({ sub: "s2", email: people.requester.email }), "no person");
    await expectRefused(await signIn({ sub: "s3" }), "no email");
    await change({ domains: [] });
    await expectRefused(await signIn(sam), "domain");
  });

  test("an administrator is linked with their password, once", async () => {
    const ada: Subject = { sub: "subject-of-ada", email: people.administrator.email, email_verified: true };
    const { browser, page } = await signIn(ada);
    expect([page.status, await isSignedIn(browser)]).toEqual([200, false]);
    expect(page.text).toContain("Confirm it's you");
    const wrong = await browser.submit(page, "/sso/link", { password: "guess" });
    expect([wrong.status, await isSignedIn(browser)]).toEqual([422, false]);
    const right = await browser.submit(page, "/sso/link", { password: passwordFor("administrator") });
    expect([right.status, await isSignedIn(browser)]).toEqual([302, true]);
    expect(await isSignedIn((await signIn(ada)).browser)).toBe(true);
    const again = await signIn({ ...ada, sub: "somebody else" });
    expect(again.page.text).toContain("Confirm it's you");
  });

  test("an administrator links and unlinks a subject", async () => {
    const links = `/identity_providers/${provider}/links`;
    const ada: Subject = { sub: "linked-by-hand" };
    const { body } = await admin.post(links, { person_id: people.administrator.id, subject: ada.sub });
    expect(await isSignedIn((await signIn(ada)).browser)).toBe(true);
    expect((await admin.post(links, { person_id: people.specialist.id, subject: ada.sub })).status).toBe(422);
    expect((await admin.post(links, { person_id: people.stranger.id, subject: "x" })).status).toBe(422);
    expect((await admin.delete(`${links}/${body.id}`)).status).toBe(204);
    await expectRefused(await signIn(ada), "no email");
  });

  test("the authenticationID identifies the person if the provider is set up so", async () => {
    await at.sql(`UPDATE people SET "authenticationID" = 'E-3' WHERE id = $1`, [people.specialist.id]);
    await change({ identifier: "authenticationID", identifier_claim: "sub" });
    expect(await isSignedIn((await signIn({ sub: "E-3" })).browser)).toBe(true);
    await expectRefused(await signIn({ sub: "E-4" }), "no person");
  });

  test("unknown people are created without roles, once, if that is enabled", async () => {
    const nina: Subject = {
      ...{
        sub: "subject-of-nina",
        email: "Nina@widget.example",
        name: "Nina New",
        jobTitle: "Buyer",
        locale: "nl",
        zoneinfo: "Europe/Paris",
        manager: people.manager.email.toUpperCase(),
        picture: "https://pictures.example/nina.png",
      },
    };
    await expectRefused(await signIn(nina), "no person");
    await change({ create_people: true });
    const results = await Promise.all([signIn(nina), signIn(nina)]);
    expect(await isSignedIn(results[1]?.browser as FormBrowser)).toBe(true);
    const found = await at.sql(
      "SELECT name, job_title, locale, time_zone, account_id, manager_id, picture_uri, (SELECT count(*)::int FROM permissions r WHERE r.person_id = p.id) AS roles FROM people p WHERE lower(primary_email) = 'nina@widget.example'",
    );
    expect(found).toEqual([
      {
        ...{
          name: "Nina New",
          job_title: "Buyer",
          locale: "nl",
          time_zone: "Paris",
          account_id: "widget-it",
          roles: 0,
        },
        ...{ manager_id: people.manager.id, picture_uri: "https://pictures.example/nina.png" },
      },
    ]);
    await expectRefused(await signIn({ sub: "s4", email: "x@elsewhere.example" }), "domain");
  });

  test("disabled people and disabled providers are rejected", async () => {
    const { browser } = await signIn(sam);
    await at.sql("UPDATE people SET disabled = true WHERE id = $1", [people.specialist.id]);
    expect(await isSignedIn(browser)).toBe(false);
    await expectRefused(await signIn(sam), "disabled");
    await at.sql("UPDATE people SET disabled = false WHERE id = $1", [people.specialist.id]);
    const late = new FormBrowser(at.url);
    const callback = await walkToCallback(late);
    await change({ disabled: true });
    await expectRefused({ browser: late, page: await late.get(callback) }, "disabled");
    expect((await late.get(start)).status).toBe(403);
  });
});

test("a person who signed in with a provider proves their identity with it", async () => {
  const { browser } = await signIn(sam);
  await at.sql("UPDATE sessions SET created_at = created_at - interval '11 minutes'");
  const create = () => browser.api("POST", "/personal-access-tokens", { name: "t", scopes: "me:All" });
  const address = `${start}?mode=proof`;
  expect(await create()).toMatchObject({
    status: 403,
    body: { proof_methods: ["password", "provider"], proof_providers: [{ name: "Widget login", address }] },
  });
  const prove = async (subject: Subject) => {
    // If another person signs in, the provider asks whether to end the former session. Here it is a new one.
    for (const name of browser.cookies.keys()) if (name.startsWith("_")) browser.cookies.delete(name);
    const { page } = await signIn(subject, `${address}&return_to=/a/widget-it/settings`, browser);
    return [page.status, page.location];
  };
  // Another person at the same desk, and a provider that did not ask for authentication.
  expect(await prove({ sub: "subject-of-mia", email: people.manager.email, email_verified: true })).toEqual([403, ""]);
  idp.forgery = (claims, { sign }) => sign({ ...claims, auth_time: Number(claims.iat) - 3600 });
  expect(await prove(sam)).toEqual([403, ""]);
  idp.forgery = null;
  expect((await create()).status).toBe(403);
  expect(await prove(sam)).toEqual([302, "/a/widget-it/settings"]);
  expect((await create()).status).toBe(201);
  expect((await at.sql("SELECT id FROM sessions")).length).toBe(1);
  expect((await new FormBrowser(at.url).get(address)).status).toBe(404); // without a session there is nothing to prove
});

describe("invalid responses of a provider or an attacker in between are rejected", () => {
  const swap = (address: string, name: string, value: string | null): string => {
    const url = new URL(address);
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return url.href;
  };
  test.each([
    ["no state", (address: string) => swap(address, "state", null), /state/],
    ["another state", (address: string) => swap(address, "state", "x".repeat(43)), /state/],
    ["no code", (address: string) => swap(address, "code", null), /code/],
    ["another code", (address: string) => swap(address, "code", "x"), /invalid_grant/],
    ["no issuer", (address: string) => swap(address, "iss", null), /iss/],
    ["the issuer of another provider", (address: string) => swap(address, "iss", other.issuer), /iss/],
  ])("%s in the URL", async (_name, forge, reason) => {
    idp.person(sam);
    const browser = new FormBrowser(at.url);
    const page = await browser.get(forge(await walkToCallback(browser)));
    await expectRefused({ browser, page }, reason);
  });

  test("a response without a sign-in, one that is repeated, and one after ten minutes", async () => {
    idp.person(sam);
    const browser = new FormBrowser(at.url);
    const callback = await walkToCallback(browser);
    const stranger = new FormBrowser(at.url);
    expect((await stranger.get(callback)).status).toBe(403);
    expect(await isSignedIn(stranger)).toBe(false);
    const cookie = browser.cookies.get("steward_sso") as string;
    expect((await browser.get(callback)).status).toBe(302);
    const thief = new FormBrowser(at.url);
    expect((await thief.get(callback)).status).toBe(403);
    thief.cookies.set("steward_sso", cookie);
    await expectRefused({ browser: thief, page: await thief.get(callback) }, /invalid_grant/);
    const late = new FormBrowser(at.url);
    const lateCallback = await walkToCallback(late);
    await at.clock.pass(601);
    expect((await late.get(lateCallback)).status).toBe(403);
  });

  test("a provider's code in another provider's flow", async () => {
    other.person(sam);
    const browser = new FormBrowser(at.url);
    idp.person(sam);
    const own = await walkToCallback(browser);
    // The browser's flow began with the other provider, but the response is from this one.
    await browser.get("/a/widget-it/sso/other");
    const page = await browser.get(own);
    await expectRefused({ browser, page }, /state|iss/);
    const mixed = new URL(await walkToCallback(new FormBrowser(at.url)));
    const victim = new FormBrowser(at.url);
    const begun = new URL((await victim.get("/a/widget-it/sso/other")).location);
    mixed.searchParams.set("state", begun.searchParams.get("state") as string);
    const calls = other.calls.length;
    await expectRefused({ browser: victim, page: await victim.get(mixed.href) }, /iss/);
    expect(other.calls.slice(calls)).not.toContain("/token");
  });

  const seconds = () => at.clock.now().getTime() / 1000;
  const unsigned = (header: object, claims: object): string =>
    [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const forgeries: Record<string, [Forgery, RegExp]> = {
    "another nonce": [(claims, { sign }) => sign({ ...claims, nonce: "x" }), /nonce/],
    "no nonce": [({ nonce: _, ...claims }, { sign }) => sign(claims), /nonce/],
    "another audience": [(claims, { sign }) => sign({ ...claims, aud: "another client" }), /aud/],
    "an authorized party that is another client": [
      (claims, { sign }) => sign({ ...claims, aud: ["steward", "other"], azp: "other" }),
      /azp/,
    ],
    "another issuer": [(claims, { sign }) => sign({ ...claims, iss: other.issuer }), /iss/],
    "an end 61 seconds ago": [(claims, { sign }) => sign({ ...claims, exp: Math.floor(seconds()) - 61 }), /exp/],
    "a beginning in 61 seconds and more": [
      (claims, { sign }) => sign({ ...claims, iat: Math.ceil(seconds()) + 61 }),
      /future/,
    ],
    "no signature": [(claims) => `${unsigned({ alg: "none" }, claims)}.`, /alg/],
    "the public key as a shared secret": [
      (claims, { key }) => {
        const text = unsigned({ alg: "HS256", kid: key.jwk.kid }, claims);
        const { d: _, ...open } = key.jwk;
        return `${text}.${createHmac("sha256", JSON.stringify(open)).update(text).digest("base64url")}`;
      },
      /alg/,
    ],
    "another provider's key": [(claims, { sign }) => sign(claims, other.key), /key|signature|kid|JWK/i],
    "another provider's key under this provider's key id": [
      (claims, { sign, key }) => sign(claims, { ...other.key, jwk: { ...other.key.jwk, kid: String(key.jwk.kid) } }),
      /signature/,
    ],
  };
  test.each(Object.entries(forgeries))("an ID token with %s", async (_name, [forgery, reason]) => {
    idp.forgery = forgery;
    await expectRefused(await signIn(sam), reason);
  });

  test("a clock less than a minute off is accepted", async () => {
    idp.forgery = (claims, { sign }) =>
      sign({ ...claims, exp: Math.floor(seconds()) - 50, iat: Math.floor(seconds()) + 59 });
    expect(await isSignedIn((await signIn(sam)).browser)).toBe(true);
  });

  test("characters that can't be stored are removed, or rejected if they identify the person", async () => {
    idp.forgery = (claims, { sign }) => sign({ ...claims, amr: ["a\0b", 7], acr: "\0", sid: "\0" });
    expect(await isSignedIn((await signIn(sam)).browser)).toBe(true);
    await change({ create_people: true });
    const odd: Subject = {
      sub: "odd",
      email: "odd@widget.example",
      name: "\0",
      given_name: "\0",
      jobTitle: "\ud800",
      locale: "x",
    };
    expect(await isSignedIn((await signIn(odd)).browser)).toBe(true);
    await expectRefused(await signIn({ sub: "s5", email: "a\0b@widget.example" }), "no email");
  });

  test("UserInfo about another person", async () => {
    const { handle } = idp;
    idp.handle = (request, response) => {
      if (!request.url?.startsWith("/me")) return handle(request, response);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...sam, sub: "somebody else" }));
    };
    try {
      await expectRefused(await signIn(sam), /sub/);
    } finally {
      idp.handle = handle;
    }
  });
});

describe("the provider itself", () => {
  test("may change its keys at any time", async () => {
    const old = idp.key;
    await signIn(sam);
    await idp.rotateKey();
    expect(await isSignedIn((await signIn(sam)).browser)).toBe(true);
    idp.forgery = (claims, { sign }) => sign(claims, old);
    await expectRefused(await signIn(sam), /key|signature|kid|JWK/i);
  });

  test("if it is down, too slow or sends too much, a page shows the reason, and passwords keep working", async () => {
    idp.person(sam);
    const browser = new FormBrowser(at.url);
    const callback = await walkToCallback(browser);
    idp.intercept = (request) => request.socket.destroy();
    const page = await browser.get(callback);
    expect([page.status, await loadLastReason()]).toEqual([502, "the provider cannot be reached"]);
    expect(page.text).toContain("We can&#39;t reach Widget login right now");
    expect(await isSignedIn(browser)).toBe(false);
    idp.intercept = (_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ filling: "x".repeat(600_000) }));
    };
    const test = await admin.post(`/identity_providers/${provider}/test`);
    expect(test.body).toMatchObject({ works: false, problem: "the response is too large" });
    const byPassword = new FormBrowser(at.url);
    await byPassword.signIn("specialist");
    expect(await isSignedIn(byPassword)).toBe(true);
  });
});

describe("signing out", () => {
  test("offers to sign out at the provider, too", async () => {
    const { browser } = await signIn(sam);
    const profile = await browser.get("/sign_out");
    const out = await browser.submit(profile, "/sign_out");
    expect(await isSignedIn(browser)).toBe(false);
    const page = await browser.get(out.location);
    expect(page.text).toContain("Sign out of Widget login too");
    const there = new URL((await browser.get("/sso/sign_out")).location);
    expect(there.origin + there.pathname).toBe(`${idp.issuer}/session/end`);
    expect(there.searchParams.get("post_logout_redirect_uri")).toBe(`${at.url}/sign_in`);
    expect(there.searchParams.get("id_token_hint")?.split(".")).toHaveLength(3);
    expect((await browser.get("/sign_in")).text).not.toContain("Sign out of");
  });

  const logout = (token: string) =>
    fetch(`${at.url}/sso/back_channel_logout`, { method: "POST", body: new URLSearchParams({ logout_token: token }) });

  test("at the provider ends the session here", async () => {
    const { browser } = await signIn(sam);
    const [{ sid }] = (await at.sql<{ sid: string }>("SELECT sid FROM provider_sessions")) as [{ sid: string }];
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const now = Math.floor(at.clock.now().getTime() / 1000);
    const good = { iss: idp.issuer, aud: "steward", iat: now, exp: now + 100, jti: "1", events, sub: sam.sub };
    for (const wrong of [
      await idp.sign({ ...good, nonce: "x" }),
      await idp.sign({ ...good, events: {} }),
      await idp.sign({ ...good, aud: "other" }),
      await idp.sign({ ...good, iat: now - 4000, exp: now - 3000 }),
      await idp.sign({ ...good, sub: undefined }),
      await idp.sign(good, other.key),
      "x.y.z",
      "",
    ])
      expect((await logout(wrong)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await logout(await idp.sign({ ...good, sub: "somebody else" }))).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await logout(await idp.sign({ ...good, ...(sid === null ? {} : { sid }) }))).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe("an account that requires its provider", () => {
  test("accepts no password except its owner's for emergencies, and notifies all administrators of its use", async () => {
    await change({ enforced: true });
    const browser = new FormBrowser(at.url);
    const page = await browser.signIn("specialist");
    expect([page.status, await isSignedIn(browser)]).toEqual([403, false]);
    expect(page.text).toContain("Your organization requires sign-in with");
    const door = await browser.get("/access/normal");
    const refused = await browser.submit(door, "/access/normal", {
      email: people.specialist.email,
      password: passwordFor("specialist"),
    });
    expect([refused.status, await isSignedIn(browser)]).toEqual([422, false]);
    const owner = await browser.submit(door, "/access/normal", {
      email: people.administrator.email,
      password: passwordFor("administrator"),
    });
    expect([owner.status, await isSignedIn(browser)]).toEqual([302, true]);
    const mails = await at.sql("SELECT recipient FROM mails WHERE subject = 'Emergency sign-in to your account'");
    expect(mails).toEqual([{ recipient: people.administrator.email }]);
    expect((await at.as("specialist").get("/requests")).status).toBe(200);
    expect(await isSignedIn((await signIn(sam)).browser)).toBe(true);
  });
});

test("administrators test a provider: they see the claims, and no one is signed in", async () => {
  const browser = new FormBrowser(at.url);
  await browser.signIn("administrator");
  const { page } = await signIn(sam, `${start}?mode=test`, browser);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`This would sign in ${people.specialist.email}`);
  expect((await browser.api("GET", "/me")).body.person.name).toBe("Ada Admin");
  expect(await at.sql("SELECT 1 FROM identity_links")).toEqual([]);
  expect((await new FormBrowser(at.url).get(`${start}?mode=test`)).status).toBe(404);
});

test("neither the log, the security trail nor the administrators' pages contain a secret or a token", async () => {
  await signIn(sam);
  const stored = JSON.stringify([
    at.log,
    await at.sql("SELECT * FROM security_events"),
    await at.sql("SELECT * FROM identity_providers"),
    await at.sql("SELECT * FROM provider_sessions"),
    await at.sql("SELECT * FROM mails"),
    (await admin.get("/identity_providers")).body,
  ]);
  expect(stored).not.toContain(clientSecret);
  expect(stored).not.toMatch(/eyJ[\w-]+\.eyJ/);
  expect(loggedErrors(at.log)).toEqual([]);
});
