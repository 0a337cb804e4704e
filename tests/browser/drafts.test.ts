import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs } from "../support/clients/signed-in-page.ts";
import { people, type Role } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// Drafts keep text, files, minutes, the next status and mentions across a reload and on another device.

const account = "/a/widget-it";
let here: World;
let browser: Browser;
let sam: BrowserContext;
let samElsewhere: BrowserContext;
let rita: BrowserContext;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "specialist", "requester");
  browser = await startBrowser();
  [sam, samElsewhere, rita] = [
    await openDevice("specialist"),
    await openDevice("specialist"),
    await openDevice("requester"),
  ];
});
afterAll(() => browser?.close());

/** The person's browser, with the world's clock. */
async function openDevice(role: Role): Promise<BrowserContext> {
  const context = await openBrowserAs(here, browser, role);
  await context.clock.setFixedTime(here.clock.now());
  return context;
}

/** A request from Rita that Sam works on. */
async function makeRequest(subject: string): Promise<{ id: number }> {
  const { body } = await here.as("requester").post("/requests", { category: "incident", subject });
  await here.as("administrator").patch(`/requests/${body.id}`, { team_id: 1, member_id: 3, status: "assigned" });
  return body;
}

async function openIn(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${here.url}${account}${path}`);
  return page;
}

const log = { name: "printer.log", mimeType: "text/plain", buffer: Buffer.from("paper jam on tray 2") };
const reply = (page: Page) => page.getByRole("textbox", { name: /^(Reply|Note)/ });
const listDrafts = async (role: Role): Promise<string[]> => {
  const sql = "SELECT value FROM kept_items WHERE kind = 'draft' AND person_id = $1";
  return (await here.sql(sql, [people[role].id])).map(({ value }) => String(value));
};

/** Presses Send and returns the body of the page's PATCH call. */
async function send(page: Page): Promise<Record<string, unknown>> {
  const sent = page.waitForRequest((call) => call.method() === "PATCH" && /\/v1\/requests\/\d+$/.test(call.url()));
  await page.getByRole("button", { name: /^Send/ }).click();
  return (await sent).postDataJSON();
}

story("D-750: drafts in the workspace are complete after a reload and on another device", {
  "D-750: a reply with a file, minutes, a status and a mention is complete after a reload and on another device":
    async () => {
      const made = await makeRequest("The printer jams");
      const page = await openIn(sam, `/requests/${made.id}`);
      await reply(page).pressSequentially("Please ask @Mia");
      await page.getByRole("option", { name: "Mia Manager" }).waitFor();
      await page.keyboard.press("Enter");
      await page.locator(".composer input[type=file]").setInputFiles(log);
      await page.locator(".composer-files").getByText("19 B").waitFor();
      await page.getByRole("button", { name: /^Status after sending/ }).click();
      await page.getByRole("menuitem", { name: "Waiting for customer" }).click();
      await page.getByRole("button", { name: "Log time" }).click();
      await page.getByLabel("Time spent", { exact: true }).fill("25");
      await page.getByText("Draft saved").waitFor();
      await until(async () =>
        (await listDrafts("specialist")).some((draft) => draft.includes("printer.log") && draft.includes("25")),
      );

      const expectWhole = async (shown: Page) => {
        await shown.locator(".composer-files").getByText("printer.log").waitFor();
        expect(await reply(shown).inputValue()).toBe("Please ask @Mia Manager ");
        await shown.getByRole("button", { name: "Time spent: 25 min" }).waitFor();
        await shown.getByRole("button", { name: "Status after sending: Waiting for customer" }).waitFor();
      };
      await page.reload();
      await expectWhole(page);
      const elsewhere = await openIn(samElsewhere, `/requests/${made.id}`);
      await expectWhole(elsewhere);
      const change = await send(elsewhere);
      expect(change).toMatchObject({
        note: `Please ask <@${people.manager.id}|Mia Manager>`,
        status: "waiting_for_customer",
        time_spent: 25,
        note_attachments: [{ filesize: 19, key: expect.stringMatching(/printer\.log$/) }],
      });
      const mentions = "SELECT 1 FROM mails WHERE recipient = $1 AND subject LIKE '%mentioned%'";
      await until(async () => (await here.sql(mentions, [people.manager.email])).length === 1);
      await until(async () => (await listDrafts("specialist")).length === 0);
    },
  "D-750: minutes typed without Enter are sent, and an unreadable duration is not dropped": async () => {
    const made = await makeRequest("Time is typed");
    const page = await openIn(sam, `/requests/${made.id}`);
    await reply(page).fill("Done on site");
    await page.getByRole("button", { name: "Log time" }).click();
    const time = page.getByLabel("Time spent", { exact: true });
    await time.fill("abc");
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.getByText("Enter a time like 90, 1:30 or 1.5 h.").waitFor();
    expect(await reply(page).inputValue()).toBe("Done on site");
    await time.fill("1:15");
    expect(await send(page)).toMatchObject({ note: "Done on site", time_spent: 75 });
  },
  "D-750: the draft of an internal note stays internal": async () => {
    const made = await makeRequest("Between us");
    const page = await openIn(sam, `/requests/${made.id}`);
    await page.getByRole("tab", { name: /Internal note/ }).click();
    await page.getByRole("textbox", { name: "Internal note" }).fill("Only for colleagues");
    await page.getByText("Draft saved").waitFor();
    await page.reload();
    await until(
      async () =>
        (await page.getByRole("tab", { name: /Internal note/ }).getAttribute("aria-selected")) === "true" &&
        (await page.getByRole("textbox", { name: "Internal note" }).inputValue()) === "Only for colleagues",
    );
  },
});

test("D-750: files in the portal's reply and form survive a reload and are sent", async () => {
  const made = await makeRequest("Portal reply");
  const page = await openIn(rita, `/requests/${made.id}?language=en`);
  const input = page.getByRole("textbox", { name: /Write a message/ });
  await input.fill("The log is attached");
  await page.locator(".composer input[type=file]").setInputFiles(log);
  await page.locator(".composer .files").getByText("19 B").waitFor();
  await page.reload();
  await page.locator(".composer .files").getByText("printer.log").waitFor();
  expect(await input.inputValue()).toBe("The log is attached");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".bubble[data-mine]").filter({ hasText: "printer.log" }).waitFor();

  await page.goto(`${here.url}${account}/portal/new`);
  await page.getByLabel("What is it about?").fill("Paper jam");
  await page.locator("form.form input[type=file]").setInputFiles(log);
  await page.locator("form.form .files").getByText("19 B").waitFor();
  await page.reload();
  await page.locator("form.form .files").getByText("printer.log").waitFor();
  const sent = page.waitForRequest((call) => call.method() === "POST" && call.url().endsWith("/requests"));
  await page.getByRole("button", { name: "Send request" }).click();
  expect((await sent).postDataJSON()).toMatchObject({ subject: "Paper jam", note_attachments: [{ filesize: 19 }] });
  await until(async () => (await listDrafts("requester")).length === 0);
});
