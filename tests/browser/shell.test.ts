import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { people } from "../support/seed.ts";
import { type World, world } from "../support/world.ts";

// The frame around every page, by keyboard: palette, shortcuts, pins, profile; in both themes and in another language.

const account = "/a/widget-it";
let here: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "specialist");
  browser = await startBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page = await context.newPage();
  await page.goto(`${here.url}/sign_in?return_to=${account}/settings/records`);
  await page.getByLabel("E-mail address").fill(people.specialist.email);
  await page.getByLabel("Password").fill(passwordFor("specialist"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "All records" }).waitFor();
});
afterAll(() => browser?.close());

const palette = () => page.getByRole("combobox", { name: "Find, go, do" });

test("the palette opens a record by its number, and shows only actions after >", async () => {
  const { body } = await here.as("specialist").post("/requests", { category: "incident", subject: "Palette" });
  await page.keyboard.press("Control+k");
  await palette().fill(String(body.id));
  await page.getByRole("option", { name: new RegExp(`^${body.id} `) }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${here.url}${account}/requests/${body.id}`);

  await page.keyboard.press("Control+k");
  await palette().fill(">undo");
  await page.getByRole("option", { name: "Undo" }).waitFor();
  expect(await page.getByRole("group", { name: "Records" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await palette().waitFor({ state: "detached" });
});

test("the sheet lists every key once; without single keys, letters do nothing", async () => {
  await page.goto(`${here.url}${account}/settings/records`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.waitFor();
  expect(await sheet.getByText("New request", { exact: true }).count()).toBe(1);
  await expectAccessible(page);
  await sheet.getByLabel("Single keys").click();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  expect(new URL(page.url()).pathname).toBe(`${account}/settings/records`);
  await page.keyboard.press("Control+k"); // keys with Ctrl stay
  await palette().fill(">keyboard");
  await page.keyboard.press("Enter");
  await sheet.getByLabel("Single keys").click();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.waitForURL(`${here.url}${account}/knowledge_articles`);
});

test("a page that is pinned stays in the menu, in both themes without a serious finding", async () => {
  await page.goto(`${here.url}${account}/settings/records`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await palette().fill(">pin this");
  await page.keyboard.press("Enter");
  await page.goto(`${here.url}${account}/profile/general`);
  const pinned = page.getByRole("region", { name: "Pinned" });
  await pinned.getByRole("link", { name: "All records" }).waitFor();
  await page.getByRole("heading", { name: "Language and time" }).waitFor();
  for (const scheme of ["Dark", "Light"]) {
    await page.getByRole("radio", { name: scheme }).click();
    await expectAccessible(page);
  }
});

test("another language changes every word without a reload", async () => {
  await page.evaluate("window.stayed = true");
  await page.getByRole("combobox", { name: "Language" }).click();
  await page.getByRole("option", { name: "Nederlands" }).click();
  await page.getByRole("heading", { level: 1, name: "Profiel" }).waitFor();
  await page.getByRole("link", { name: "Aanvragen" }).waitFor();
  expect(await page.evaluate("window.stayed")).toBe(true);
  expect((await here.as("specialist").get("/me")).body.locale).toBe("nl");
});
