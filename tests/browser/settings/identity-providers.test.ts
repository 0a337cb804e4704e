import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { expectUsable, openBrowserAs } from "../../support/clients/signed-in-page.ts";
import { clientSecret, startProvider } from "../../support/identity-provider/identity-provider.ts";
import { people } from "../../support/seed.ts";
import { until } from "../../support/waiting.ts";
import { world } from "../../support/world.ts";

// An administrator adds an identity provider, and a person signs in with it.

const here = await world();
const admin = here.as("administrator");
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(here, "administrator");
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "administrator")).newPage();
});
afterAll(() => browser?.close());

test("a provider is added, tested, switched off and on; a person signs in with it, by the domain of the address", async () => {
  const idp = await startProvider(here.url);
  await page.goto(`${here.url}/a/widget-it/settings/identity-providers`);
  await page.getByText("No identity providers yet").waitFor();
  await page.getByRole("link", { name: "Add provider" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("Widget login");
  await page.getByRole("textbox", { name: "Short name" }).fill("Not valid");
  await page.getByRole("textbox", { name: "Issuer" }).fill(idp.issuer);
  await page.getByRole("textbox", { name: "Client ID" }).fill("steward");
  await page.getByLabel("Client secret").fill(clientSecret);
  await page.getByRole("textbox", { name: "Email domains" }).fill("widget.example");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator('[aria-invalid="true"]').first().waitFor();
  await page.getByRole("textbox", { name: "Short name" }).fill("widget");
  await page.getByRole("button", { name: "Create" }).click();

  await page.getByText("A secret is stored").waitFor();
  await page.getByText(`${here.url}/sso/callback`).waitFor();
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText("Connection works").waitFor();
  await expectUsable(page, [1440]);
  const [{ id }] = (await admin.get("/identity_providers")).body;
  const read = async () => (await admin.get(`/identity_providers/${id}`)).body;
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Enable" }).click();
  await until(async () => !(await read()).disabled);
  await page.getByRole("textbox", { name: "Job title" }).fill("title");
  await page.getByRole("button", { name: "Save" }).click();
  await until(async () => (await read()).claims.job_title === "title");
  expect((await read()).has_client_secret).toBe(true);

  await here.clock.moveTo(new Date().toISOString()); // a test can't move the provider's clock
  idp.person({ sub: "sam", email: people.specialist.email, email_verified: true });
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${here.url}/sign_in`);
  await other.getByRole("link", { name: "Sign in with your organization" }).click();
  await expectAccessible(other);
  await other.getByRole("textbox", { name: "Email address" }).fill(people.specialist.email);
  await other.getByRole("button", { name: "Continue" }).click();
  await other.waitForURL(`${here.url}/a/**`);
  const links = (await admin.get(`/identity_providers/${id}/links`)).body;
  expect(links).toMatchObject([{ person: { name: "Sam Specialist" }, subject: "sam" }]);
});
