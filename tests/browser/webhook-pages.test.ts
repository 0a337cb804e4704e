import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { visit } from "../support/clients/signed-in-page.ts";
import { people } from "../support/seed.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type World, world } from "../support/world.ts";

// The webhook pages for administrators, in a real browser.

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

  test("a webhook is created for a public address only, tested, copied as curl, and its deliveries are inspected and resent", async () => {
    await page.goto(`${the.url}/sign_in?return_to=/a/widget-it/webhooks`);
    await page.getByLabel("Email address").fill(people.administrator.email);
    await page.getByLabel("Password").fill(passwordFor("administrator"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "New webhook" }).click();
    await page.getByRole("combobox", { name: "Event" }).fill("Team: upd");
    await page.getByRole("option").first().click();
    const create = page.getByRole("button", { name: /Save|Create/ }).first();
    await page.getByLabel("URI").fill("http://10.20.30.40/page");
    await create.click();
    await page.getByText("is not a public address").waitFor();
    await expectAccessible(page);
    await page.getByLabel("URI").fill(`${there.url}/page`);
    await create.click();
    await page.getByText("Not verified yet").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Resend verification" }).click();
    await there.next(() => there.messagesFor("webhook.verify").length === 2);
    await fetch(there.messagesFor("webhook.verify")[1]?.body.payload.callback);
    await page.getByRole("button", { name: "Send test" }).click();
    await there.next(({ body }) => body?.object_id === 12_345);
    await page.getByRole("button", { name: /Test: team.update/ }).click();
    const panel = page.getByRole("complementary", { name: "Delivery" });
    await panel.getByText("Attempt 1: 200").waitFor();
    await panel.getByText("Response to attempt 1").waitFor();
    await expectAccessible(page);
    if (existsSync("/usr/bin/curl")) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await panel.getByRole("button", { name: "curl" }).click();
      const line = String(await page.evaluate("navigator.clipboard.readText()"));
      const before = there.messagesFor("team.update").length;
      // execFileSync would block the receiver, which runs in this process.
      await promisify(execFile)("sh", ["-c", `${line.trim()} --silent --fail`]);
      const messages = there.messagesFor("team.update");
      expect(messages).toHaveLength(before + 1);
      expect(messages.at(-1)?.text).toBe(messages[0]?.text);
    }
    await panel.getByRole("button", { name: "Redeliver", exact: true }).click();
    await panel.getByText("Attempt 2: 200").waitFor();
    // The delivery's former address still leads to it.
    const { searchParams, pathname } = new URL(page.url());
    await visit(page, `${the.url}${pathname}/deliveries/${searchParams.get("delivery")}`);
    await panel.getByText("Attempt 2: 200").waitFor();
    // Selected deliveries are resent together.
    await page
      .getByRole("row", { name: /Test: team.update/ })
      .getByRole("checkbox")
      .press("Space");
    await page.getByRole("button", { name: "Redeliver selected (1)" }).press("Enter");
    await panel.getByText("Attempt 3: 200").waitFor();
    await page.getByRole("link", { name: "Settings", exact: true }).last().press("Enter");
    await page.getByRole("button", { name: "Edit Description" }).or(page.getByText("Add field…")).first().waitFor();
    await page.getByRole("link", { name: "Signature" }).press("Enter");
    await page.getByText("This message is not signed").waitFor();
    await expectAccessible(page);
    await visit(page, `${the.url}/a/widget-it/webhooks`);
    await page.getByText("Active").waitFor();
    await expectAccessible(page);
  });
});
