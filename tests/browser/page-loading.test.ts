import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { signInForCookie } from "../support/clients/session-client.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// What pages load and miss nothing of, what happens when two people write, and a language with long words.

let here: World;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "specialist");
  browser = await startBrowser();
  context = await newContext();
});
afterAll(() => browser?.close());

async function newContext(): Promise<BrowserContext> {
  const made = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  if (process.env.SHORT) made.setDefaultTimeout(12000);
  const cookie = await signInForCookie(here, "specialist");
  await made.addCookies(
    cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return { name, value, url: here.url };
    }),
  );
  return made;
}

const request = async (subject: string, members: Record<string, unknown> = {}): Promise<number> => {
  const values = { subject, category: "incident", impact: "low", team_id: 1, member_id: 3, ...members };
  return (await here.as("administrator").post("/requests", values)).body.id;
};
const change = (id: number, values: Record<string, unknown>) =>
  here.as("administrator").patch(`/requests/${id}`, values);
const at = (path: string) => `${here.url}/a/widget-it${path}`;
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("a change between the loading of the data and the opening of the stream is shown", async () => {
  const id = await request("Before the stream");
  const page = await context.newPage();
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/stream?**", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(at(`/requests/${id}`));
  await heading(page, "Before the stream").waitFor();
  await change(id, { subject: "Changed before the stream was open" });
  release();
  await heading(page, "Changed before the stream was open").waitFor();
  await page.close();
});

test("opening a request is few calls, none in vain", async () => {
  const id = await request("Few calls", { note: "Please look" });
  const page = await context.newPage();
  await page.goto(at("/inbox/my_teams"));
  await page.getByRole("option").filter({ hasText: "Few calls" }).click();
  await page.locator('.inbox-live[data-state="live"]').waitFor();
  const calls: { at: number; url: string }[] = [];
  const failures: string[] = [];
  page.on("request", (sent) => {
    if (/\/(v1|session-api)\//.test(sent.url()) && !sent.url().includes("/stream"))
      calls.push({ at: Date.now(), url: `${sent.method()} ${new URL(sent.url()).pathname}` });
  });
  page.on("response", (answer) => answer.status() >= 400 && failures.push(`${answer.status()} ${answer.url()}`));
  await page.keyboard.press("Enter");
  await heading(page, "Few calls").waitFor();
  await page.getByRole("feed").getByText("Please look").waitFor();
  // The last thing that a page does by itself: it tells others that somebody is there.
  await until(() => calls.some(({ url }) => url.endsWith("/presence")));
  const most = Math.max(
    ...calls.map((one) => calls.filter((other) => other.at >= one.at && other.at < one.at + 2000).length),
  );
  expect(most, calls.map(({ url }) => url).join("\n")).toBeLessThan(12);
  expect(failures).toEqual([]);
  expect(id).toBeGreaterThan(0);
  await page.close();
});

test("two people change the same field of a request: the second one is asked", async () => {
  const id = await request("Both of us");
  const page = await context.newPage();
  // Without the stream the page does not hear of the other change.
  await page.route("**/stream?**", (route) => route.abort());
  await page.goto(at(`/requests/${id}`));
  await heading(page, "Both of us").waitFor();
  await change(id, { impact: "high" });
  await page.keyboard.press("i");
  await page.getByRole("combobox", { name: /Impact/ }).waitFor();
  await page.getByRole("option", { name: /Medium/ }).click();
  const dialog = page.getByRole("dialog", { name: /changed/i });
  await dialog.waitFor();
  await expectAccessible(page);
  await dialog.getByRole("radio", { name: /theirs/i }).check();
  await dialog.getByRole("button", { name: /apply|save/i }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await here.as("administrator").get(`/requests/${id}`)).body.impact).toBe("high");
  await page.close();
});

test("a list hears of changes, and asks before it overwrites one", async () => {
  const id = await request("In a list");
  const page = await context.newPage();
  await page.goto(at(`/requests?id=${id}&fields=subject,status`));
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  await row("In a list").waitFor();
  await change(id, { subject: "Changed by somebody else" });
  await row("Changed by somebody else").waitFor();
  await page.route("**/stream?**", (route) => route.abort());
  await page.reload();
  await row("Changed by somebody else").waitFor();
  await change(id, { subject: "Changed once more" });
  await row("Changed by somebody else").getByText("Changed by somebody else").dblclick();
  await page.getByRole("textbox", { name: "Subject" }).fill("My own words");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /changed/i });
  await dialog.getByText("Changed once more").waitFor();
  await dialog.getByRole("button", { name: /apply|save/i }).click();
  await row("My own words").waitFor();
  await until(async () => (await here.as("administrator").get(`/requests/${id}`)).body.subject === "My own words");
  await page.close();
});

const clipped = `[...document.querySelectorAll("button, .mantine-Button-label")].filter((each) =>
  each.checkVisibility() && each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1 &&
  each.querySelector(".truncate, .menu-label") === null && getComputedStyle(each).textOverflow !== "ellipsis",
).map((each) => each.textContent)`;

test.each([1440, 390])(
  "with long words nothing is wider than the page and no button is cut off at %i",
  async (width) => {
    const id = await request("Long words", { note: "Please look" });
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 844 });
    await page.goto(at("/inbox/my_teams?language=pseudo"));
    for (const [path, shown] of [
      ["/inbox/my_teams", ".inbox-row"],
      [`/requests/${id}`, ".request-page"],
      ["/requests", ".list-frame"],
      ["/inbox/my_teams?new=request", "[role=dialog]"],
      ["/profile/general", "h1"],
      ["/notifications", "h1"],
    ] as const) {
      await page.goto(at(path));
      await page.locator(shown).first().waitFor();
      await page.getByText("~]").first().waitFor();
      expect([path, await page.evaluate("document.documentElement.scrollWidth > innerWidth")]).toEqual([path, false]);
      expect([path, await page.evaluate(clipped)]).toEqual([path, []]);
    }
    await page.close();
  },
);
