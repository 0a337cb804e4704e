import { beforeEach, describe, expect, test } from "vitest";
import { showCode as readApp } from "../support/clients/authenticator-app.ts";
import {
  authorizeAddress,
  FormBrowser,
  type Page,
  passwordFor,
  registerApplication,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { people, type Role } from "../support/seed.ts";
import { world } from "../support/world.ts";

// Two-step verification: codes of an authenticator app, recovery codes, trusted devices, and accounts that require it.

const at = await world();
await setPasswords(at, "administrator", "specialist", "requester");

const showCode = (key: string): string => readApp(key, at.clock.now());
/** A code works once, and the next one is available half a minute later. */
const nextCode = async (key: string) => {
  await at.clock.pass(30);
  return showCode(key);
};

const withPassword = (role: Role) => ({ current_password: passwordFor(role) });

async function setUp(browser: FormBrowser, role: Role): Promise<{ key: string; codes: string[] }> {
  const setup = await browser.api("POST", "/second-factor/setup", withPassword(role));
  expect(setup.status).toBe(200);
  const { token, key } = setup.body;
  const done = await browser.api("POST", "/second-factor", { token, code: await nextCode(key) });
  expect(done.status).toBe(201);
  return { key, codes: done.body.recovery_codes };
}
const signIn = async (role: Role) => {
  const browser = new FormBrowser(at.url);
  expect((await browser.signIn(role)).status).toBe(302);
  return browser;
};
const enterCode = (browser: FormBrowser, page: Page, code: string, more: Record<string, string> = {}) =>
  browser.submit(page, "/sign_in/code", { code, ...more });

beforeEach(async () => {
  for (const table of ["second_factors", "recovery_codes", "trusted_devices", "sign_in_policies", "sign_in_delays"])
    await at.sql(`DELETE FROM ${table}`);
  at.service.oauth.identities.invalidate();
});

describe("a person sets up two-step verification", () => {
  test("with the password and a code of the app; afterwards the password alone starts no session", async () => {
    const browser = await signIn("specialist");
    expect((await browser.api("GET", "/second-factor")).body).toEqual({
      is_required: false,
      enabled_at: null,
      recovery_codes_left: 0,
      trusted_devices: 0,
    });
    const wrong = await browser.api("POST", "/second-factor/setup", { current_password: "wrong" });
    expect([wrong.status, wrong.body]).toEqual([422, expect.objectContaining({ message: expect.any(String) })]);
    const setup = await browser.api("POST", "/second-factor/setup", withPassword("specialist"));
    expect(setup.body.uri).toMatch(/^otpauth:\/\/totp\/Steward%3Asam%40widget\.example\?secret=[A-Z2-7]{32}&issuer=/);
    const refused = await browser.api("POST", "/second-factor", { token: setup.body.token, code: "000000" });
    expect(refused.status).toBe(422);
    expect((await browser.api("GET", "/second-factor")).body.enabled_at).toBeNull();

    const { key, codes } = await setUp(browser, "specialist");
    expect(codes).toHaveLength(10);
    expect((await browser.api("GET", "/second-factor")).body).toMatchObject({ recovery_codes_left: 10 });

    const other = new FormBrowser(at.url);
    const page = await other.signIn("specialist");
    expect(page.status).toBe(200);
    expect(page.text).toContain("Enter your verification code");
    expect((await other.api("GET", "/me")).status).toBe(401);
    expect((await enterCode(other, page, "123456")).status).toBe(422);
    const signedInPage = await enterCode(other, page, await nextCode(key));
    expect([signedInPage.status, signedInPage.location]).toEqual([302, "/"]);
    expect((await other.api("GET", "/me")).body.person.name).toBe("Sam Specialist");
  });

  test("nothing that is stored or shown later contains the key or the codes", async () => {
    const browser = await signIn("specialist");
    const { key, codes } = await setUp(browser, "specialist");
    const stored = JSON.stringify([
      await at.sql("SELECT * FROM second_factors"),
      await at.sql("SELECT * FROM recovery_codes"),
      await at.sql("SELECT * FROM security_events"),
    ]);
    for (const secret of [key.replaceAll(" ", ""), ...codes, ...codes.map((code) => code.replace("-", ""))])
      expect(stored).not.toContain(secret);
    expect(JSON.stringify((await browser.api("GET", "/second-factor")).body)).not.toContain(key);
  });

  test("a setup belongs to one person and expires after half an hour", async () => {
    const browser = await signIn("specialist");
    const { body } = await browser.api("POST", "/second-factor/setup", withPassword("specialist"));
    const stranger = await signIn("requester");
    const stolen = await stranger.api("POST", "/second-factor", { token: body.token, code: showCode(body.key) });
    expect(stolen.status).toBe(422);
    await at.clock.pass(1801);
    const late = await browser.api("POST", "/second-factor", { token: body.token, code: showCode(body.key) });
    expect(late.status).toBe(422);
    expect(await at.sql("SELECT 1 FROM second_factors")).toEqual([]);
  });
});

describe("signing in with a code", () => {
  test("a code works once, even in concurrent calls of two browsers", async () => {
    const { key } = await setUp(await signIn("specialist"), "specialist");
    const code = await nextCode(key);
    const attempts = await Promise.all(
      [1, 2].map(async () => {
        const browser = new FormBrowser(at.url);
        return (await enterCode(browser, await browser.signIn("specialist"), code)).status;
      }),
    );
    expect(attempts.sort()).toEqual([302, 422]);
  });

  test("a recovery code replaces the app, once, with or without its hyphen", async () => {
    const { codes } = await setUp(await signIn("specialist"), "specialist");
    const use = async (code: string) => {
      const browser = new FormBrowser(at.url);
      return (await enterCode(browser, await browser.signIn("specialist"), code)).status;
    };
    expect(await use((codes[0] as string).toUpperCase().replace("-", " "))).toBe(302);
    expect(await use(codes[0] as string)).toBe(422);
    expect(await use(codes[1] as string)).toBe(302);
    expect(await at.sql("SELECT count(*)::integer AS n FROM recovery_codes WHERE used_at IS NOT NULL")).toEqual([
      { n: 2 },
    ]);
    const trail = await at.as("administrator").get("/security_trail?event=recovery-code-used");
    expect(trail.body).toHaveLength(2);
  });

  test("guessing codes is slowed down, across all browsers", async () => {
    await setUp(await signIn("specialist"), "specialist");
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++) {
      const browser = new FormBrowser(at.url);
      statuses.push((await enterCode(browser, await browser.signIn("specialist"), "000000")).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });

  test("the step is bound to the browser and expires after ten minutes; a modified one redirects to the start", async () => {
    const { key } = await setUp(await signIn("specialist"), "specialist");
    const browser = new FormBrowser(at.url);
    const page = await browser.signIn("specialist");
    const step = /name="step" value="([^"]+)"/.exec(page.text)?.[1] as string;
    const thief = new FormBrowser(at.url);
    const own = await thief.get("/sign_in");
    const csrf = /name="csrf" value="([^"]+)"/.exec(own.text)?.[1] as string;
    for (const stolen of [step, `${step}x`, "", "a.b"]) {
      const body = new URLSearchParams({ csrf, step: stolen, code: await nextCode(key) });
      const answer = await thief.send("POST", "/sign_in/code", body, { Origin: at.url });
      expect([answer.status, answer.location]).toEqual([302, "/sign_in"]);
    }
    expect((await thief.api("GET", "/me")).status).toBe(401);
    await at.clock.pass(601);
    const late = await enterCode(browser, page, await nextCode(key));
    expect([late.status, late.location]).toEqual([302, "/sign_in"]);
  });

  test("a trusted device needs no code for 30 days, and its owner can revoke the trust of all devices", async () => {
    const first = await signIn("specialist");
    const { key } = await setUp(first, "specialist");
    const browser = new FormBrowser(at.url);
    const page = await browser.signIn("specialist");
    expect((await enterCode(browser, page, await nextCode(key), { remember: "yes" })).status).toBe(302);
    browser.cookies.delete("steward_session");
    expect((await browser.signIn("specialist")).status).toBe(302);
    // Another person in the same browser needs a code.
    const { key: second } = await setUp(await signIn("requester"), "requester");
    browser.cookies.delete("steward_session");
    expect((await browser.signIn("requester")).text).toContain("Enter your verification code");
    expect((await first.api("GET", "/second-factor")).body.trusted_devices).toBe(1);
    expect((await first.api("DELETE", "/second-factor/devices")).status).toBe(204);
    browser.cookies.delete("steward_session");
    expect((await browser.signIn("specialist")).text).toContain("Enter your verification code");
    const again = await browser.signIn("requester");
    await enterCode(browser, again, await nextCode(second), { remember: "yes" });
    await at.clock.pass(30 * 86_400 + 1);
    browser.cookies.delete("steward_session");
    expect((await browser.signIn("requester")).text).toContain("Enter your verification code");
  });

  test("continues to the application that requested the sign-in", async () => {
    const client = await registerApplication(at);
    const { key } = await setUp(await signIn("specialist"), "specialist");
    const browser = new FormBrowser(at.url);
    let form = await browser.get(authorizeAddress(client));
    while (form.status === 302) form = await browser.get(form.location);
    const { email } = people.specialist;
    const page = await browser.submit(form, "/sign_in", { email, password: passwordFor("specialist") });
    const done = await enterCode(browser, page, await nextCode(key));
    expect(done.location).toContain("/oauth/authorize");
  });

  test("the page that asks for the password in place asks for the code, too", async () => {
    const browser = await signIn("specialist");
    const { key } = await setUp(browser, "specialist");
    const me = (await browser.api("GET", "/me")).body.person.id;
    browser.cookies.delete("steward_session");
    const csrf = (await browser.api("GET", "/sign-in")).body.csrf_token;
    const { email } = people.specialist;
    const signInAgain = (code?: string) => {
      const body = {
        email,
        password: passwordFor("specialist"),
        person_id: me,
        ...(code === undefined ? {} : { code }),
      };
      return browser.send("POST", "/session-api/sign-in", JSON.stringify(body), {
        "Content-Type": "application/json",
        "X-CSRF-Token": csrf,
        Origin: at.url,
      });
    };
    expect((await signInAgain()).status).toBe(422);
    expect((await signInAgain("000000")).status).toBe(422);
    expect((await signInAgain(await nextCode(key))).status).toBe(204);
  });
});

describe("turning it off and losing the phone", () => {
  test("the person needs the password to turn it off or to get new recovery codes", async () => {
    const browser = await signIn("specialist");
    const { codes } = await setUp(browser, "specialist");
    for (const path of ["/second-factor/removal", "/second-factor/recovery-codes"])
      expect((await browser.api("POST", path, { current_password: "wrong" })).status).toBe(422);
    const renewed = await browser.api("POST", "/second-factor/recovery-codes", withPassword("specialist"));
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect(renewed.body.recovery_codes).not.toContain(codes[0]);
    expect((await browser.api("POST", "/second-factor/removal", withPassword("specialist"))).status).toBe(204);
    expect((await new FormBrowser(at.url).signIn("specialist")).status).toBe(302);
    const events = (await at.as("administrator").get("/security_trail")).body.map(
      ({ event }: { event: string }) => event,
    );
    expect(events).toEqual(
      expect.arrayContaining(["second-factor-enabled", "recovery-codes-renewed", "second-factor-removed"]),
    );
  });

  test("only an administrator of the person's account resets it", async () => {
    await setUp(await signIn("specialist"), "specialist");
    const path = `/people/${people.specialist.id}/second_factor`;
    expect((await at.as("specialist").delete(path)).status).toBe(403);
    expect((await at.as("requester").delete(path)).status).toBe(403);
    expect((await at.as("administrator").delete(path)).status).toBe(204);
    expect((await at.as("administrator").delete(path)).status).toBe(404);
    expect((await at.as("administrator").delete("/people/999999/second_factor")).status).toBe(404);
    expect((await new FormBrowser(at.url).signIn("specialist")).status).toBe(302);
  });
});

describe("an account requires a second factor", () => {
  test("from everyone: the next sign-in sets it up before a session starts", async () => {
    const admin = at.as("administrator");
    const early = await signIn("administrator");
    expect((await admin.get("/sign_in_policy")).body).toMatchObject({
      second_factor: "optional",
      second_factor_roles: [],
    });
    expect((await admin.patch("/sign_in_policy", { second_factor: "everyone" })).body.second_factor).toBe("everyone");
    const browser = new FormBrowser(at.url);
    const page = await browser.signIn("specialist");
    expect(page.text).toContain("Set up two-step verification");
    expect(page.text).toContain("<svg ");
    const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] as string;
    const wrong = await browser.submit(page, "/sign_in/setup", { code: "000000" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain(key); // the app has it already
    const shown = await browser.submit(wrong, "/sign_in/setup", { code: showCode(key) });
    expect(shown.text.match(/^(<pre>)?[a-z2-9]{5}-[a-z2-9]{5}/gm)).toHaveLength(10);
    expect((await browser.api("GET", "/me")).status).toBe(401);
    expect((await browser.submit(shown, "/sign_in/done")).status).toBe(302);
    expect((await browser.api("GET", "/second-factor")).body).toMatchObject({ is_required: true });
    // A setup page can't replace an existing factor.
    const late = new FormBrowser(at.url);
    const opened = await late.signIn("administrator");
    await setUp(early, "administrator");
    const other = /<code>([A-Z2-7 ]+)<\/code>/.exec(opened.text)?.[1] as string;
    const refused = await late.submit(opened, "/sign_in/setup", { code: await nextCode(other) });
    expect([refused.status, refused.location]).toEqual([302, "/sign_in"]);
  });

  test("from some roles only", async () => {
    await at.as("administrator").patch("/sign_in_policy", {
      second_factor: "roles",
      second_factor_roles: ["account_administrator"],
    });
    expect((await new FormBrowser(at.url).signIn("requester")).status).toBe(302);
    expect((await new FormBrowser(at.url).signIn("administrator")).text).toContain("Set up two-step verification");
  });

  test("only administrators read and change the policy, and invalid values are rejected at their member", async () => {
    expect((await at.as("specialist").get("/sign_in_policy")).status).toBe(403);
    expect((await at.as("specialist").patch("/sign_in_policy", { second_factor: "everyone" })).status).toBe(403);
    for (const body of [
      { second_factor: "sometimes" },
      { second_factor: null },
      { second_factor_roles: ["king"] },
      { second_factor_roles: "specialist" },
      { nosuch: true },
    ])
      expect((await at.as("administrator").patch("/sign_in_policy", body)).status).toBe(422);
    expect(await at.sql("SELECT 1 FROM sign_in_policies")).toEqual([]);
  });
});
