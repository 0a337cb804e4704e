import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs } from "../support/clients/signed-in-page.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// Interruptions of a person's work: concurrent changes, an expired session, a lost network.

const account = "/a/widget-it";
let here: World;
let browser: Browser;
let sam: Page;
let mia: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "specialist", "manager");
  browser = await startBrowser();
  const own = await openBrowserAs(here, browser, "specialist");
  // The test advances the page's clock instead of waiting.
  await own.clock.install({ time: here.clock.now() });
  sam = await own.newPage();
  mia = await openMia();
});
afterAll(() => browser?.close());

/** The world's clock doesn't move, so the second browser's clock is fixed at the same time. */
async function openMia(): Promise<Page> {
  const context = await openBrowserAs(here, browser, "manager");
  await context.clock.setFixedTime(here.clock.now());
  return context.newPage();
}

const make = async (subject: string): Promise<{ id: number }> =>
  (
    await here
      .as("administrator")
      .post("/requests", { category: "incident", subject, team_id: 1, member_id: 3, impact: "low" })
  ).body;
const read = async (made: { id: number }) => (await here.as("administrator").get(`/requests/${made.id}`)).body;
const loadNotes = async (made: { id: number }): Promise<string[]> =>
  (await here.as("administrator").get(`/requests/${made.id}/notes`)).body.map(({ text }: { text: string }) => text);
const open = async (page: Page, made: { id: number }, subject: string) => {
  await page.goto(`${here.url}${account}/requests/${made.id}`);
  await page.getByRole("heading", { level: 1, name: subject }).waitFor();
};
const reply = (page: Page) => page.getByRole("textbox", { name: /^(Reply|Note)/ });
const property = (page: Page, label: string) =>
  page.getByRole("complementary", { name: "Details" }).locator(".property", { hasText: label });

test("two browsers: presence, a change within a second, and another person's note before mine is sent", async () => {
  const made = await make("Two at once");
  await open(mia, made, "Two at once");
  await open(sam, made, "Two at once");
  // The page reports presence two seconds after it is opened.
  await sam.clock.runFor(3000);
  await mia.getByText("Sam Specialist").first().waitFor();
  await here.as("specialist").patch(`/requests/${made.id}`, { impact: "high" });
  await property(mia, "Impact").getByText("High").waitFor();

  await mia.keyboard.press("r");
  await reply(mia).fill("I am on it");
  await here.clock.pass(5);
  await here.as("specialist").post(`/requests/${made.id}/notes`, { text: "It is the cable" });
  await mia.getByRole("status").filter({ hasText: /^Sam/ }).waitFor();
  await mia.keyboard.press("Control+Enter");
  expect(await reply(mia).inputValue()).toBe("I am on it");
  await mia.keyboard.press("Control+Enter");
  await until(async () => (await loadNotes(made)).includes("I am on it"));
});

test("an expired session asks for the password in place and resumes", async () => {
  const made = await make("The session ends");
  await open(sam, made, "The session ends");
  await sam.evaluate("window.stayed = true");
  await sam.keyboard.press("r");
  await reply(sam).fill("Typed before the session ended");
  await here.sql("DELETE FROM sessions WHERE person_id = 3");
  await sam.clock.runFor(2500); // sends the draft to the server
  const dialog = sam.getByRole("dialog", { name: "Sign in again" });
  await dialog.waitFor();
  await expectAccessible(sam);
  const password = dialog.getByLabel("Password", { exact: true });
  await password.fill("not this one");
  await sam.keyboard.press("Enter");
  await dialog.getByText(/incorrect/).waitFor();
  await password.fill(passwordFor("specialist"));
  await sam.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(await sam.evaluate("window.stayed")).toBe(true);
  expect(await reply(sam).inputValue()).toBe("Typed before the session ended");
  await reply(sam).press("Control+Enter");
  await sam.clock.runFor(6000);
  await until(async () => (await loadNotes(made)).length === 1);
  expect(await loadNotes(made)).toEqual(["Typed before the session ended"]);
});

test("60 seconds offline: no change is missed, typed text stays, and changes arrive once and in order", async () => {
  const made = await make("Offline");
  await open(sam, made, "Offline");
  await property(sam, "Impact").getByText("Low").waitFor();
  // The choices are cached after earlier changes.
  await sam.keyboard.press("p");
  await sam.getByRole("option", { name: /^Medium/ }).waitFor();
  await sam.keyboard.press("Escape");
  await sam.getByRole("option", { name: /^Medium/ }).waitFor({ state: "detached" });
  await sam.context().setOffline(true);
  for (const impact of ["Medium", "High"]) {
    await sam.keyboard.press("p");
    await sam.getByRole("option", { name: new RegExp(`^${impact}`) }).click();
    await property(sam, "Impact").getByText(impact).waitFor();
  }
  await sam.keyboard.press("r");
  await reply(sam).fill("Written without a network");
  await sam.getByText(/changes will be sent when you reconnect/).waitFor();
  // Another person works on the request in the meantime.
  await here.as("manager").patch(`/requests/${made.id}`, { subject: "Offline, and renamed" });
  await sam.clock.runFor(60_000);
  expect(await reply(sam).inputValue()).toBe("Written without a network");
  await sam.context().setOffline(false);
  await sam.clock.runFor(6000);
  await until(async () => (await read(made)).impact === "high");
  await until(async () => {
    await sam.clock.runFor(1000);
    return (await sam.getByRole("heading", { level: 1, name: "Offline, and renamed" }).count()) === 1;
  });
  const { body: trail } = await here.as("administrator").get(`/requests/${made.id}/audit`);
  const impacts = trail.flatMap(({ changes }: { changes: { impact?: string[] } }) => changes.impact?.[1] ?? []);
  expect(impacts.filter((impact: string) => impact !== "low").sort()).toEqual(["high", "medium"]);
  await reply(sam).press("Control+Enter");
  await until(async () => {
    await sam.clock.runFor(1000);
    return (await loadNotes(made)).length === 1;
  });
});

story("drafts outlive the browser and the tab", {
  "the next browser has the draft of a browser that was killed": async () => {
    const made = await make("Killed");
    await open(mia, made, "Killed");
    await mia.keyboard.press("i");
    const note = mia.getByRole("textbox", { name: "Internal note" });
    await note.fill("Half a thought");
    await until(
      async () =>
        (await here.sql("SELECT 1 FROM kept_items WHERE kind = 'draft' AND value LIKE '%Half a thought%'")).length ===
        1,
    );
    await mia.context().close();
    mia = await openMia();
    await open(mia, made, "Killed");
    await mia.keyboard.press("i");
    await until(
      async () => (await mia.getByRole("textbox", { name: "Internal note" }).inputValue()) === "Half a thought",
    );
  },
  "the next page sends the changes of two tabs that closed before their changes arrived": async () => {
    const context = mia.context();
    const made = [await make("One tab"), await make("Another tab")] as const;
    const tabs = [mia, await context.newPage()] as const;
    await open(tabs[0], made[0], "One tab");
    await open(tabs[1], made[1], "Another tab");
    await context.route(/\/v1\/requests\/\d+$/, (route) => route.abort());
    for (const tab of tabs) {
      await tab.keyboard.press("p");
      await tab.getByRole("option", { name: /^High/ }).click();
      await tab.getByText(/change will be sent when you reconnect/).waitFor();
    }
    for (const tab of tabs) await tab.close();
    await context.unrouteAll({ behavior: "wait" });
    await open(await context.newPage(), made[0], "One tab");
    for (const each of made) await until(async () => (await read(each)).impact === "high");
  },
});
