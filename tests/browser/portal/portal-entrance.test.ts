import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { openBrowserAs } from "../../support/clients/signed-in-page.ts";
import { story } from "../../support/story.ts";
import { until } from "../../support/waiting.ts";
import { type World, world } from "../../support/world.ts";

// How employees reach the portal, and its language.

let here: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "requester");
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "requester")).newPage();
});
afterAll(() => browser?.close());

story("employees reach the portal repeatedly, in the language they choose", {
  "an employee who opens / again within seconds gets the portal each time": async () => {
    for (let time = 0; time < 3; time++) {
      await page.goto(`${here.url}/`);
      await page.locator(".portal").waitFor();
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
  },
  "the language can be switched and switched back": async () => {
    await page.goto(`${here.url}/a/widget-it`);
    const locale = async () => (await here.as("requester").get("/me?fields=locale")).body.locale;
    for (const [name, code] of [
      ["Nederlands", "nl"],
      ["English", "en"],
    ] as const) {
      await page.locator("select", { has: page.locator("option[lang=nl]") }).selectOption({ label: name });
      await page.locator(`html[lang="${code}"]`).waitFor({ state: "attached" });
      await until(async () => String(await locale()).startsWith(code));
    }
    expect(await page.getByRole("alert").count()).toBe(0);
  },
});
