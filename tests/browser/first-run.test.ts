import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { people } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// The first visit, a person's own profile, and notifications on the page.

const account = "/a/widget-it";
let here: World;
let browser: Browser;
let ada: Page;
let sam: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist");
  browser = await startBrowser();
  ada = await (await openBrowserAs(here, browser, "administrator")).newPage();
  sam = await (await openBrowserAs(here, browser, "specialist")).newPage();
});
afterAll(() => browser?.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

story("the first visit: the sign-in page, five first steps, and the end of the sample work", {
  "the sign-in page: a wrong password and an unknown address get the same message; it lists no demo people":
    async () => {
      const page = await browser.newPage();
      const answer = async (email: string) => {
        await page.goto(`${here.url}/sign_in`);
        await page.getByLabel("Email address").fill(email);
        await page.getByLabel("Password").fill("not my password");
        await page.getByRole("button", { name: "Sign in" }).click();
        return page.getByRole("alert").textContent();
      };
      expect(await answer(people.auditor.email)).toBe(await answer("nobody@widget.example"));
      await expectAccessible(page);
      expect(await page.getByText("explore the demo").count()).toBe(0);
      expect([403, 404]).toContain((await fetch(`${here.url}/sign_in/demo`, { method: "POST" })).status);
      await page.close();
    },
  "five first steps are completed by doing them, skipped, hidden and resumed; a reload keeps them": async () => {
    const steps = ada.getByRole("region", { name: "First steps" });
    const made = (await here.as("administrator").post("/requests", { category: "incident", subject: "Look at me" }))
      .body;
    await visit(ada, `${here.url}${account}/settings`);
    await steps.getByText("0 of 5").waitFor();
    await steps.getByRole("button", { name: "Skip: Add a webhook" }).press("Enter");
    await steps.getByText("1 of 5").waitFor();

    await steps.getByRole("link", { name: /^Open a request/ }).press("Enter");
    await ada.waitForURL(/\/requests/);
    await visit(ada, `${here.url}${account}/requests/${made.id}`);
    await heading(ada, "Look at me").waitFor();
    await ada.getByRole("button", { name: /^First steps/ }).waitFor();
    await ada.keyboard.press("c");
    await ada.getByRole("textbox", { name: "Subject" }).fill("My first request");
    await ada.keyboard.press("Control+Enter");
    await ada.getByText(/^Request \d+ created/).waitFor();
    await ada
      .getByRole("button", { name: /^First steps/ })
      .getByText("2 of 5")
      .or(ada.getByText("3 of 5"))
      .waitFor();

    await visit(ada, `${here.url}${account}/settings`);
    await until(async () => /[23] of 5/.test((await steps.textContent()) ?? ""));
    await steps.getByRole("button", { name: "Hide" }).press("Enter");
    await steps.waitFor({ state: "detached" });
    await ada.reload();
    await heading(ada, "Settings").waitFor();
    await ada.keyboard.press("Control+k");
    await ada.getByRole("combobox", { name: "Command palette" }).fill(">first");
    await ada.getByRole("option", { name: "First steps" }).waitFor();
    await ada.keyboard.press("Enter");
    await steps.waitFor();
  },
  "sample work is removed once the account's name is typed; newer records stay": async () => {
    const admin = here.as("administrator");
    const sample = (await admin.post("/requests", { category: "incident", subject: "A sample", note: "Look" })).body;
    const ownWork = (await admin.post("/requests", { category: "incident", subject: "My own work" })).body;
    // Records created while the sample work loads have ids within its range; the creation time tells them apart.
    await here.sql("UPDATE requests SET created_at = created_at - interval '1 day' WHERE id = $1", [sample.id]);
    const ranges = JSON.stringify([
      ["request", sample.id - 1, ownWork.id, sample.created_at.replace(/T.*/, "T00:00:00Z")],
    ]);
    await here.sql(
      "INSERT INTO instance_facts (name, value) VALUES ('sample work', $1), ('work to load', '[]'), ('work progress', '40')",
      [ranges],
    );
    await ada.reload();
    const arriving = ada.getByRole("status").filter({ hasText: "three months of sample work" });
    expect(await arriving.getByRole("progressbar").getAttribute("value")).toBe("40");
    await here.sql("DELETE FROM instance_facts WHERE name = 'work to load'");
    await arriving.waitFor({ state: "detached" });
    const card = ada.getByRole("region", { name: "Sample data" });
    await card.getByRole("button", { name: "Remove sample data…" }).press("Enter");
    const dialog = ada.getByRole("dialog", { name: "Remove the sample data from Widget IT?" });
    await dialog.getByText("Requests").waitFor();
    const remove = dialog.getByRole("button", { name: "Remove 1 record" });
    expect(await remove.isDisabled()).toBe(true);
    await expectAccessible(ada);
    await dialog.getByRole("textbox").fill("Widget IT");
    await ada.keyboard.press("Enter");
    await ada.getByText("Sample data removed").waitFor();
    await card.waitFor({ state: "detached" });
    expect((await admin.get(`/requests/${sample.id}`)).status).toBe(404);
    expect((await admin.get(`/requests/${ownWork.id}`)).status).toBe(200);
  },
});

story("changes of language, time zone and theme take effect immediately", {
  "another language changes every word without a reload; another zone changes the times": async () => {
    await visit(sam, `${here.url}${account}/profile/general`);
    await heading(sam, "Profile").waitFor();
    await sam.evaluate("window.stayed = true");
    const saving = Promise.withResolvers<void>();
    await sam.route("**/v1/me", (route) => saving.promise.then(() => route.continue()), { times: 1 });
    await sam.getByRole("combobox", { name: "Language" }).click();
    await sam.getByRole("option", { name: "Deutsch" }).click();
    // A person who continues immediately keeps the focus, the selection and the typed text, although the page renders again.
    const zone = sam.locator("[data-field=zone]");
    await zone.selectText();
    saving.resolve();
    await heading(sam, "Profil").waitFor();
    expect(await zone.inputValue()).toBe(await sam.evaluate("getSelection().toString()"));
    await sam.getByRole("link", { name: "Anfragen", exact: true }).waitFor();
    expect(await sam.evaluate("window.stayed")).toBe(true);
    expect((await here.as("specialist").get("/me")).body.locale).toBe("de");
    await heading(sam, "Profil").evaluate((element) => element.setAttribute("data-before", ""));
    await sam.getByRole("combobox", { name: "Sprache" }).click();
    await sam.getByRole("option", { name: /^American English|^English \(United States\)|^US English/ }).click();
    await zone.fill("Eastern Time");
    // New texts may appear in the old page just before the new one renders.
    await sam.locator("h1:not([data-before])", { hasText: "Profile" }).waitFor();
    const choice = sam.getByRole("option", { name: /Eastern Time/ }).first();
    await choice.waitFor();
    expect(await zone.inputValue()).toBe("Eastern Time");
    expect(await sam.locator("[data-field=zone]:focus").count()).toBe(1);
    await choice.click();
    await until(async () => (await here.as("specialist").get("/me")).body.time_zone !== "Kolkata");
  },
  "the dark theme is set before the first paint": async () => {
    await sam.getByRole("radio", { name: "Dark" }).click();
    await until(async () => (await sam.locator("html").getAttribute("data-mantine-color-scheme")) === "dark");
    await sam.goto(`${here.url}${account}/notifications`, { waitUntil: "commit" });
    await sam.locator("body").waitFor({ state: "attached" });
    expect(await sam.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
    await heading(sam, "Notifications").waitFor();
  },
});

test("a mention arrives without a reload and opens at the note; a muted record creates no notifications", async () => {
  const made = (
    await here.as("administrator").post("/requests", { category: "incident", subject: "Mentions", team_id: 1 })
  ).body;
  const mention = async (text: string) => {
    const note = { text: `<@3|Sam Specialist> ${text}`, internal: true };
    await here.as("administrator").post(`/requests/${made.id}/notes`, note);
    await here.service.notificationDispatcher.runDue();
  };
  const stream = sam.waitForResponse((response) => response.url().includes("/stream"));
  await sam.goto(`${here.url}${account}/notifications`);
  await stream;
  await mention("please look");
  const notice = sam.getByRole("listitem").filter({ hasText: "Mentions" });
  await notice.first().getByText("Ada Admin mentioned you in").waitFor();
  await notice
    .first()
    .getByRole("button", { name: /^Mute this record/ })
    .press("Enter");
  await until(async () => (await here.sql("SELECT 1 FROM muted_records WHERE person_id = 3")).length === 1);
  const count = async () => (await here.sql("SELECT 1 FROM page_notifications WHERE person_id = 3")).length;
  const before = await count();
  await mention("and again");
  expect(await count()).toBe(before);
  await sam.keyboard.press("j");
  await sam.locator(".notices a:focus", { hasText: "Mentions" }).waitFor();
  await sam.keyboard.press("Enter");
  await sam.waitForURL(new RegExp(`/requests/${made.id}#note-\\d+`));
  await heading(sam, "Mentions").waitFor();
});
