import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { people } from "../support/seed.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type World, world } from "../support/world.ts";

// What administrators see of webhooks, in a real browser.

let the: World;
let there: Receiver;

beforeAll(async () => {
  the = await world();
  there = await startReceiver();
  await setPasswords(the, "administrator");
});

describe("the pages", () => {
  let browser: Chromium;
  let page: Page;
  beforeAll(async () => {
    await buildWeb(() => {});
    browser = await startBrowser();
    page = await (
      await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
    ).newPage();
  });
  afterAll(() => browser?.close());

  test("a webhook is made, tested, and its deliveries are looked at and sent again", async () => {
    await page.goto(`${the.url}/sign_in?return_to=/a/widget-it/webhooks`);
    await page.getByLabel("E-mail address").fill(people.administrator.email);
    await page.getByLabel("Password").fill(passwordFor("administrator"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "New webhook" }).click();
    await page.getByRole("combobox", { name: "Event" }).fill("team.upd");
    await page.getByRole("option").first().click();
    await page.getByLabel("URI").fill(`${there.url}/page`);
    await page
      .getByRole("button", { name: /Save|Create/ })
      .first()
      .click();
    await page.getByText("Not verified yet").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Resend verification" }).click();
    await there.next(() => there.messagesFor("webhook.verify").length === 2);
    await fetch(there.messagesFor("webhook.verify")[1]?.body.payload.callback);
    await page.getByRole("button", { name: "Send test" }).click();
    await there.next(({ body }) => body?.object_id === 12_345);
    await page.getByRole("link", { name: /Test of team.update/ }).click();
    await page.getByText("Try 1: 200").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("Try 2: 200").waitFor();
    await page.goto(`${the.url}/a/widget-it/webhooks`);
    await page.getByText("Active").waitFor();
    await expectAccessible(page);
  });
});
