import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catchRequest, expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import {
  authorizeAddress,
  callbackUri,
  passwordFor,
  redeemCode,
  registerApplication,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { people } from "../support/seed.ts";
import { type World, world } from "../support/world.ts";

// The authorization code grant in a real browser that runs no scripts.

describe("consent", () => {
  let at: World;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    at = await world();
    await setPasswords(at, "specialist");
    browser = await startBrowser();
    context = await browser.newContext({ javaScriptEnabled: false });
    page = await context.newPage();
  });
  afterAll(() => browser?.close());

  /** axe needs a page that may run scripts, so the same page is opened in a second context. */
  async function checkAccessibility(path: string): Promise<void> {
    const beside = await browser.newContext({ storageState: await context.storageState(), bypassCSP: true });
    const second = await beside.newPage();
    await second.goto(path);
    await expectAccessible(second);
    await beside.close();
  }

  test("a person signs in, denies, later allows, isn't asked again, and revokes the authorization", async () => {
    const client = await registerApplication(at, { name: "Planner", description: "Shows your week." });
    const address = at.url + authorizeAddress(client, { state: "week 7" });

    await page.goto(address);
    await checkAccessibility(page.url());
    await page.getByLabel("Email address").fill(people.specialist.email);
    await page.getByLabel("Password").fill(passwordFor("specialist"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Allow Planner?" }).waitFor();
    expect(await page.textContent("main")).toContain("Shows your week.");
    await checkAccessibility(page.url());

    const press = (name: string) => () => page.getByRole("button", { name }).click();
    const denied = await catchRequest(page, callbackUri, press("Deny"));
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      error: "access_denied",
      state: "week 7",
    });

    await page.goto(address);
    const allowed = await catchRequest(page, callbackUri, press("Allow"));
    const { body } = await redeemCode(at.url, client, allowed.searchParams.get("code") as string);
    const asPlanner = at.withToken(body.access_token);
    expect((await asPlanner.get("/me")).body.name).toBe(people.specialist.name);

    // Playwright can't intercept the target of a redirect, so this call uses the browser's API client.
    const again = await context.request.get(address, { maxRedirects: 0 });
    expect([again.status(), again.headers().location]).toEqual([302, expect.stringContaining(`${callbackUri}?code=`)]);

    const authorizations = await context.request.get(`${at.url}/session-api/authorizations`);
    const { csrf_token: csrf } = await (await context.request.get(`${at.url}/session-api/me`)).json();
    for (const { id } of await authorizations.json())
      await context.request.delete(`${at.url}/session-api/authorizations/${id}`, { headers: { "X-CSRF-Token": csrf } });
    expect((await asPlanner.get("/me")).status).toBe(401);
    await page.goto(address);
    await page.getByRole("heading", { name: "Allow Planner?" }).waitFor();
  });

  if (existsSync("/usr/bin/curl"))
    test("a token created in the profile works with curl", async () => {
      const { csrf_token: csrf } = await (await context.request.get(`${at.url}/session-api/me`)).json();
      const made = await context.request.post(`${at.url}/session-api/personal-access-tokens`, {
        headers: { "X-CSRF-Token": csrf },
        data: { name: "Nightly", scopes: "me:All, team:Read" },
      });
      const { token } = await made.json();
      expect(token).toMatch(/^[A-Za-z0-9]{112}$/);
      // execFileSync would block the server, which runs in this process.
      const curl = async (path: string) => {
        const headers = ["-H", `Authorization: Bearer ${token}`, "-H", "account: widget-it"];
        const { stdout } = await promisify(execFile)("curl", [
          "-s",
          "-o",
          "/dev/null",
          "-w",
          "%{http_code}",
          ...headers,
          at.base + path,
        ]);
        return stdout;
      };
      expect([await curl("/me"), await curl("/teams"), await curl("/people")]).toEqual(["200", "200", "403"]);
    });

  test("every page is accessible", async () => {
    await setPasswords(at, "administrator");
    await checkAccessibility(`${at.url}/password_reset`);
    await context.clearCookies();
    await page.goto(`${at.url}/sign_in`);
    await page.getByLabel("Email address").fill(people.administrator.email);
    await page.getByLabel("Password").fill("not the secret");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").first().waitFor();
    await page.getByLabel("Email address").fill(people.administrator.email);
    await page.getByLabel("Password").fill(passwordFor("administrator"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL((url) => url.pathname !== "/sign_in");
  });
});
