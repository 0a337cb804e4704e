import { beforeEach, describe, expect, test } from "vitest";
import { showCode } from "../support/clients/authenticator-app.ts";
import { FormBrowser, passwordFor, readHiddenFields, setPasswords } from "../support/clients/form-browser.ts";
import { type Forgery, SoftwarePasskey } from "../support/clients/passkey.ts";
import { people, type Role } from "../support/seed.ts";
import { world } from "../support/world.ts";

// D-553, D-554: recent authentication and passkeys. Browsers accept passkeys only for host names, so the test world has
// one.

const at = await world();
await setPasswords(at, "administrator", "specialist");
const url = at.url.replace("127.0.0.1", "localhost");
const applications = "/accounts/widget-it/oauth-applications";

const signIn = async (role: Role) => {
  const browser = new FormBrowser(url);
  expect((await browser.signIn(role)).status).toBe(302);
  return browser;
};
const createToken = async (browser: FormBrowser) =>
  (await browser.api("POST", "/personal-access-tokens", { name: "t", scopes: "me:All" })).status;
const withPassword = (role: Role) => ({ current_password: passwordFor(role) });
const loadLastEvent = async (event: string) =>
  (await at.as("administrator").get(`/security_trail?event=${event}`)).body[0]?.details;

beforeEach(async () => {
  for (const table of ["passkeys", "second_factors", "sign_in_policies", "sign_in_delays"])
    await at.sql(`DELETE FROM ${table}`);
  at.service.oauth.identities.invalidate();
});

describe("creating credentials that outlive the session requires authentication within the last ten minutes", () => {
  test("so do providers, provisioning and the sign-in policy in the REST API, only for browsers", async () => {
    const browser = await signIn("administrator");
    await at.clock.pass(601);
    const { body: exchanged } = await browser.api("POST", "/access-token");
    const rest = at.withToken(exchanged.access_token, { account: "widget-it" });
    for (const [method, path] of [
      ["POST", "/scim/tokens"],
      ["PATCH", "/sign_in_policy"],
      ["POST", "/identity_providers"],
      ["PATCH", "/identity_providers/1"],
      ["DELETE", "/identity_providers/1"],
      ["POST", "/identity_providers/1/links"],
      ["DELETE", "/identity_providers/1/links/1"],
      ["DELETE", `/people/${people.specialist.id}/second_factor`],
      ["POST", `/people/${people.specialist.id}/sign_out`],
    ] as const) {
      const { status, body } = await rest.send(method, path, {});
      expect([path, status, body.proof_methods]).toEqual([path, 403, ["password"]]);
    }
    for (const path of [
      "/scim",
      "/sign_in_policy",
      "/identity_providers",
      `/people/${people.specialist.id}/sign_in_methods`,
    ])
      expect((await rest.get(path)).status).toBe(200);
    // A program has no session that a person could have left open.
    expect((await at.as("administrator").post("/scim/tokens")).status).toBe(201);
    // Revoking access can be urgent, so it requires no proof.
    expect((await rest.delete("/scim")).status).toBe(204);
    expect((await browser.api("POST", "/proof", withPassword("administrator"))).status).toBe(204);
    expect((await rest.post("/scim/tokens")).status).toBe(201);
    expect((await rest.delete("/scim")).status).toBe(204);
  });

  test("this covers tokens, applications, their keys and passkeys; a wrong password is rejected, the right one covers all of them", async () => {
    const browser = await signIn("administrator");
    expect(await createToken(browser)).toBe(201);
    const { body: robot } = await browser.api("POST", applications, {
      name: "Robot",
      grant_type: "client_credentials",
      person: people.specialist.email,
      scopes: "me:All",
    });
    await at.clock.pass(601);
    for (const [method, path] of [
      ["POST", "/personal-access-tokens"],
      ["POST", applications],
      ["PATCH", `${applications}/${robot.id}`],
      ["POST", `${applications}/${robot.id}/clients`],
      ["POST", "/passkeys/options"],
      ["DELETE", "/passkeys/1"],
    ] as const) {
      const { status, body } = await browser.api(method, path, {});
      expect([path, status, body]).toEqual([
        path,
        403,
        { message: "Forbidden: confirm your identity again", proof_methods: ["password"] },
      ]);
    }
    expect((await browser.api("GET", applications)).status).toBe(200); // reading needs no proof
    const wrong = await browser.api("POST", "/proof", { current_password: "wrong" });
    expect([wrong.status, wrong.body.errors[0][0]]).toEqual([422, "current_password"]);
    expect((await browser.api("POST", "/proof", {})).status).toBe(422);
    expect(await createToken(browser)).toBe(403);
    expect((await browser.api("POST", "/proof", withPassword("administrator"))).status).toBe(204);
    expect(await createToken(browser)).toBe(201);
    expect(await loadLastEvent("identity-proven")).toEqual({ method: "password" });
    await at.clock.pass(601);
    expect(await createToken(browser)).toBe(403);
  });

  test("callers without permission aren't asked for a proof; guesses are slowed down; each session has its own proof", async () => {
    const browser = await signIn("specialist");
    const other = await signIn("specialist");
    await at.clock.pass(601);
    const refused = await browser.api("POST", applications, {});
    expect([refused.status, refused.body.proof_methods]).toEqual([403, undefined]);
    expect((await browser.api("POST", "/proof", withPassword("specialist"))).status).toBe(204);
    expect([await createToken(browser), await createToken(other)]).toEqual([201, 403]);
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++)
      statuses.push((await other.api("POST", "/proof", { current_password: "wrong" })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });

  test("a code of the second factor is a proof, too", async () => {
    const browser = await signIn("specialist");
    const { token, key } = (await browser.api("POST", "/second-factor/setup", withPassword("specialist"))).body;
    await browser.api("POST", "/second-factor", { token, code: showCode(key, at.clock.now()) });
    await at.clock.pass(601);
    const refused = await browser.api("POST", "/personal-access-tokens", {});
    expect(refused.body.proof_methods).toEqual(["password", "code"]);
    expect((await browser.api("POST", "/proof", { code: "000000" })).status).toBe(422);
    expect((await browser.api("POST", "/proof", { code: showCode(key, at.clock.now()) })).status).toBe(204);
    expect(await createToken(browser)).toBe(201);
  });
});

async function register(browser: FormBrowser, name = "Laptop") {
  const passkey = new SoftwarePasskey(url);
  const { body } = await browser.api("POST", "/passkeys/options");
  const answer = { challenge: body.challenge, name, passkey: passkey.create(body.options) };
  const made = await browser.api("POST", "/passkeys", answer);
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ name, last_used_at: null })]);
  return { passkey, id: made.body.id as number, answer };
}

/** Clicks the page's button, as its script does. */
async function signInByPasskey(browser: FormBrowser, passkey: SoftwarePasskey, forged: Forgery = {}, page?: string) {
  const text = page ?? (await browser.get("/sign_in")).text;
  const { options, challenge } = JSON.parse((await browser.get("/sign_in/passkey")).text);
  const fields = readHiddenFields({ text } as never, "/sign_in/passkey");
  fields.set("challenge", challenge);
  fields.set("response", JSON.stringify(passkey.get(options, forged)));
  const send = () => browser.send("POST", "/sign_in/passkey", new URLSearchParams(fields), { Origin: url });
  return { answer: await send(), repeat: send };
}

describe("passkeys", () => {
  test("sign in without a password or code, even if the account requires two steps", async () => {
    const owner = await signIn("specialist");
    const { passkey } = await register(owner);
    expect((await owner.api("GET", "/passkeys")).body).toEqual([expect.objectContaining({ name: "Laptop" })]);
    await at.as("administrator").patch("/sign_in_policy", { second_factor: "everyone" });
    const browser = new FormBrowser(url);
    const { answer } = await signInByPasskey(browser, passkey);
    expect([answer.status, answer.location]).toEqual([302, "/"]);
    expect((await browser.api("GET", "/me")).body.person.name).toBe("Sam Specialist");
    expect(await loadLastEvent("sign-in")).toEqual({ method: "passkey" });
    expect((await owner.api("GET", "/passkeys")).body[0].last_used_at).not.toBeNull();
  });

  test("can be the second step after the password", async () => {
    const { passkey } = await register(await signIn("specialist"));
    const { passkey: stranger } = await register(await signIn("administrator"));
    await at.as("administrator").patch("/sign_in_policy", { second_factor: "everyone" });
    const browser = new FormBrowser(url);
    const page = await browser.signIn("specialist");
    expect(page.text).toContain("Use your passkey");
    expect((await browser.api("GET", "/me")).status).toBe(401);
    expect((await signInByPasskey(browser, stranger, {}, page.text)).answer.status).toBe(422);
    expect((await signInByPasskey(browser, passkey, {}, page.text)).answer.status).toBe(302);
  });

  test("prove the identity again, except other people's passkeys", async () => {
    const browser = await signIn("specialist");
    const { passkey } = await register(browser);
    const { passkey: stranger } = await register(await signIn("administrator"));
    await at.clock.pass(601);
    const prove = async (by: SoftwarePasskey) => {
      const { options, challenge } = (await browser.api("POST", "/proof/passkey")).body;
      return (await browser.api("POST", "/proof", { challenge, passkey: by.get(options) })).status;
    };
    expect(await prove(stranger)).toBe(403);
    expect(await createToken(browser)).toBe(403);
    expect(await prove(passkey)).toBe(204);
    expect(await createToken(browser)).toBe(201);
  });

  test("a response is accepted once, in the browser that asked for it, for ten minutes", async () => {
    const { passkey } = await register(await signIn("specialist"));
    const browser = new FormBrowser(url);
    const { answer, repeat } = await signInByPasskey(browser, passkey);
    expect(answer.status).toBe(302);
    browser.cookies.delete("steward_session");
    expect((await repeat()).status).toBe(422);
    expect((await browser.api("GET", "/me")).status).toBe(401);

    const victim = new FormBrowser(url);
    const { options, challenge } = JSON.parse((await victim.get("/sign_in/passkey")).text);
    const response = JSON.stringify(passkey.get(options));
    const send = async (by: FormBrowser) => {
      const fields = readHiddenFields(await by.get("/sign_in"), "/sign_in/passkey");
      fields.set("challenge", challenge);
      fields.set("response", response);
      return (await by.send("POST", "/sign_in/passkey", fields, { Origin: url })).status;
    };
    expect(await send(new FormBrowser(url))).toBe(422);
    await at.clock.pass(601);
    expect(await send(victim)).toBe(422);
  });

  test("concurrent use of one passkey in two browsers: the counter reveals a copied key", async () => {
    const { passkey } = await register(await signIn("specialist"));
    const uses = await Promise.all([1, 2].map(() => signInByPasskey(new FormBrowser(url), passkey, { counter: 7 })));
    expect(uses.map(({ answer }) => answer.status).sort()).toEqual([302, 422]);
    expect(await loadLastEvent("passkey-refused")).toMatchObject({ reason: "signature counter went backwards" });
  });

  test("a wrong origin or host, a decreased counter, missing verification or another owner starts no session", async () => {
    const { passkey } = await register(await signIn("specialist"));
    passkey.counter = 10;
    expect((await signInByPasskey(new FormBrowser(url), passkey)).answer.status).toBe(302);
    for (const [forged, reason] of [
      [{ origin: "https://evil.example" }, "not valid"],
      [{ origin: at.url }, "not valid"],
      [{ rpId: "evil.example" }, "not valid"],
      [{ counter: 11 }, "signature counter went backwards"],
      [{ counter: 3 }, "signature counter went backwards"],
      [{ counter: 0 }, "signature counter went backwards"],
      [{ flags: 1 }, "not valid"],
      [{ flags: 0 }, "not valid"],
      [{ userHandle: "c29tZWJvZHkgZWxzZQ" }, "another person"],
    ] as const) {
      const browser = new FormBrowser(url);
      expect([forged, (await signInByPasskey(browser, passkey, forged)).answer.status]).toEqual([forged, 422]);
      expect((await browser.api("GET", "/me")).status).toBe(401);
      expect([forged, (await loadLastEvent("passkey-refused")).reason]).toEqual([forged, reason]);
    }
    passkey.counter = 20;
    expect((await signInByPasskey(new FormBrowser(url), passkey)).answer.status).toBe(302);
    expect((await signInByPasskey(new FormBrowser(url), new SoftwarePasskey(url))).answer.status).toBe(422);
  });

  test("a registration is checked as well, and can be used once", async () => {
    const browser = await signIn("specialist");
    const { answer } = await register(browser);
    expect((await browser.api("POST", "/passkeys", answer)).status).toBe(422);
    const begin = async () => (await browser.api("POST", "/passkeys/options")).body;
    for (const forged of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { flags: 65 }]) {
      const { options, challenge } = await begin();
      const passkey = new SoftwarePasskey(url).create(options, forged);
      const made = await browser.api("POST", "/passkeys", { challenge, name: "x", passkey });
      expect([forged, made.status]).toEqual([forged, 422]);
    }
    const { options, challenge } = await begin();
    const good = new SoftwarePasskey(url).create(options);
    for (const [body, status] of [
      [{ challenge, passkey: good, name: "" }, 422],
      [{ challenge, passkey: good, name: "x".repeat(81) }, 422],
      [{ challenge: "a.b", passkey: good, name: "x" }, 422],
      [{ challenge, passkey: { id: "x" }, name: "x" }, 400],
      [{ challenge, passkey: { id: "x", response: {} }, name: "x" }, 422],
      [{ challenge, passkey: "text", name: "x" }, 400],
      [{ challenge, passkey: null, name: "x" }, 400],
    ] as const)
      expect([body, (await browser.api("POST", "/passkeys", body)).status]).toEqual([body, status]);
    const stranger = await signIn("administrator");
    expect((await stranger.api("POST", "/passkeys", { challenge, passkey: good, name: "x" })).status).toBe(422);
    expect((await browser.api("GET", "/passkeys")).body).toHaveLength(1);
  });

  test("a disabled person, a deleted passkey or a disallowed method starts no session", async () => {
    const owner = await signIn("specialist");
    const { passkey, id } = await register(owner);
    await at.as("administrator").patch("/sign_in_policy", { sign_in_methods: ["password"] });
    const refused = (await signInByPasskey(new FormBrowser(url), passkey)).answer;
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("this sign-in method")]);
    await at.as("administrator").patch("/sign_in_policy", { sign_in_methods: ["passkey", "password"] });
    expect((await (await signIn("administrator")).api("DELETE", `/passkeys/${id}`)).status).toBe(404);
    expect((await owner.api("DELETE", `/passkeys/${id}`)).status).toBe(204);
    expect((await signInByPasskey(new FormBrowser(url), passkey)).answer.status).toBe(422);
    const { passkey: second } = await register(owner, "Phone");
    expect((await at.as("administrator").delete(`/people/${people.specialist.id}/second_factor`)).status).toBe(204);
    expect((await signInByPasskey(new FormBrowser(url), second)).answer.status).toBe(422);
    const { passkey: third } = await register(owner, "Tablet");
    await at.sql("UPDATE people SET disabled = true WHERE id = $1", [people.specialist.id]);
    expect((await signInByPasskey(new FormBrowser(url), third)).answer.status).toBe(422);
    await at.sql("UPDATE people SET disabled = false WHERE id = $1", [people.specialist.id]);
  });

  test("the page allows one script of its own, and none where passkeys can't be used", async () => {
    const policy = (page: { headers: Headers }) => page.headers.get("content-security-policy") ?? "";
    const named = await new FormBrowser(url).get("/sign_in");
    expect(policy(named)).toContain("script-src 'self'; connect-src 'self'");
    const [, script = ""] = /<script src="([^"]+)" defer><\/script>/.exec(named.text) ?? [];
    const answer = await new FormBrowser(url).get(script);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(policy(await new FormBrowser(at.url).get("/sign_in"))).not.toContain("script-src");
  });
});
