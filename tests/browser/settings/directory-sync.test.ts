import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { expectUsable, openBrowserAs } from "../../support/clients/signed-in-page.ts";
import { runDueRules, scimClient } from "../../support/scim/scim-client.ts";
import { world } from "../../support/world.ts";

// An administrator connects an identity provider and checks the provisioned records.

const here = await world({ env: { SCIM_RATE_LIMIT: "0", SCIM_RATE_BURST: "0" } });
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(here, "administrator");
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "administrator")).newPage();
});
afterAll(() => browser?.close());

test("directory sync is turned on, shows its token once, shows provisioned records and failures, and is turned off", async () => {
  const address = `${here.url}/a/widget-it/settings/provisioning`;
  await page.goto(address);
  await page.getByRole("button", { name: "Turn on" }).click();
  const token = await page.getByRole("status").getByLabel("Token", { exact: true }).textContent();
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(await page.getByLabel("Base URL", { exact: true }).textContent()).toBe(`${here.url}/scim/v2`);

  const scim = scimClient(here, token);
  const user = await scim.user({ userName: "paula@widget.example", displayName: "Paula Pushed" });
  await scim.user({ userName: "wrong@widget.example", displayName: "W".repeat(300) });
  await scim.group({ displayName: "Pushed People", members: [{ value: user.id }] });
  await runDueRules(here);
  await page.goto(address);
  const arrived = page.getByRole("table", { name: "Recently synced" });
  await arrived.getByRole("link", { name: "Paula Pushed" }).waitFor();
  await page.getByRole("table", { name: "Groups" }).getByText("Pushed People").waitFor();
  await page.getByRole("table", { name: "Rule runs" }).getByText("Failed").first().waitFor();
  expect(await page.getByText(token as string).count()).toBe(0);
  await expectUsable(page, [1440]);

  await page.getByRole("button", { name: "Show only errors" }).click();
  await arrived.getByRole("link", { name: "Paula Pushed" }).waitFor({ state: "detached" });
  await arrived.getByText("Person of a SCIM user: ").waitFor();
  await scim.patch("/Users/".concat(String(Number(user.id) + 1)), { displayName: "Willem" });
  await runDueRules(here);
  await page.getByRole("button", { name: "Show all" }).click();
  await page.reload();
  await arrived.getByRole("link", { name: "Willem" }).waitFor();

  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await page.getByText("Directory sync is off", { exact: true }).waitFor();
  expect((await scim.get("/Users")).status).toBe(401);
});
