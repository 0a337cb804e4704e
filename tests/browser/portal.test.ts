import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { signInForCookie } from "../support/clients/session-client.ts";
import type { Role } from "../support/seed.ts";
import { type World, world } from "../support/world.ts";

// The portal in real browsers: Rita, who asks for help.

let here: World;
let browser: Browser;
let page: Page;

async function openAs(role: Role, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const cookie = await signInForCookie(here, role);
  await context.addCookies(
    cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return { name, value, url: here.url };
    }),
  );
  // The clock of the world stands still: the page counts from there, too.
  await context.clock.setFixedTime(here.clock.now());
  const opened = await context.newPage();
  await opened.goto(`${here.url}${path}`);
  return opened;
}
const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "requester", "specialist");
  browser = await startBrowser();
  // Rita reads Dutch; the tab is asked to speak English.
  page = await openAs("requester", "/a/widget-it?language=en");
});
afterAll(() => browser?.close());

test("the same address is the portal for a requester and the workspace for a specialist", async () => {
  await heading("Good morning, Rita. How can we help?").waitFor();
  await page.getByRole("link", { name: /Something does not work/ }).waitFor();
  const own = await openAs("requester", "/a/widget-it");
  await own.getByRole("heading", { level: 1, name: /Hoe kunnen we helpen\?/ }).waitFor();
  expect(await own.evaluate("document.documentElement.lang")).toBe("nl");
  await own.context().close();
  const specialist = await openAs("specialist", "/a/widget-it/portal");
  await specialist.getByRole("heading", { level: 1 }).waitFor();
  await specialist.goto(`${here.url}/a/widget-it`);
  await specialist.waitForURL(/\/inbox/);
  await specialist.context().close();
});

test("addresses of the workspace show a requester nothing", async () => {
  for (const path of ["/webhooks", "/people/3", "/settings/account", "/problems", "/automation_rules/1"]) {
    await page.goto(`${here.url}/a/widget-it${path}`);
    await heading("There is nothing here").waitFor();
  }
});
