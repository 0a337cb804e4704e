import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { showCode } from "../../support/clients/authenticator-app.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../../support/clients/form-browser.ts";
import { openBrowserAs, takePicture } from "../../support/clients/signed-in-page.ts";
import { people } from "../../support/seed.ts";
import { world } from "../../support/world.ts";

// D-523: a person sets up two-step verification, signs in with it, and gets help after losing the phone.

const the = await world();
let browser: Browser;

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(the, "administrator", "specialist");
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const openPage = async (role: "administrator" | "specialist"): Promise<Page> =>
  (await openBrowserAs(the, browser, role)).newPage();

test("a person adds an authenticator app in the profile, signs in with it, and removes it", async () => {
  const sam = await openPage("specialist");
  await sam.goto(`${the.url}/a/widget-it/profile/security`);
  const section = sam.getByRole("region", { name: "Two-step verification" });
  await section.getByText("Off.").waitFor();
  await section.getByRole("button", { name: "Set up two-step verification" }).press("Enter");
  const password = sam.getByRole("dialog").getByLabel("Current password");
  await password.fill("wrong");
  await password.press("Enter");
  await sam.getByText("is incorrect").waitFor();
  await password.fill(passwordFor("specialist"));
  await password.press("Enter");
  const dialog = sam.getByRole("dialog", { name: "Scan with your app" });
  await dialog.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  const key = (await dialog.getByLabel("Key", { exact: true }).textContent()) ?? "";
  await expectAccessible(sam);
  await takePicture(sam, "second-factor-scan");
  await dialog.getByLabel("Code", { exact: true }).fill(showCode(key, the.clock.now()));
  await dialog.getByLabel("Code", { exact: true }).press("Enter");
  const codes = sam.getByRole("dialog", { name: "Recovery codes" });
  const [recovery = ""] = ((await codes.getByLabel("Recovery codes", { exact: true }).textContent()) ?? "").split("\n");
  expect(recovery).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  await codes.getByRole("button", { name: "I've saved my codes" }).press("Enter");
  await section.getByText("10 recovery codes left").waitFor();
  await expectAccessible(sam);

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(`${the.url}/sign_in`);
  await phone.getByLabel("Email address").fill(people.specialist.email);
  await phone.getByLabel("Password", { exact: true }).fill(passwordFor("specialist"));
  await phone.keyboard.press("Enter");
  await phone.getByRole("heading", { name: "Enter your verification code" }).waitFor();
  await expectAccessible(phone);
  await takePicture(phone, "second-factor-code");
  await phone.keyboard.type("000000");
  await phone.keyboard.press("Enter");
  await phone.getByText("Code is incorrect").waitFor();
  await the.clock.pass(30);
  await phone.getByLabel("Code", { exact: true }).fill(showCode(key, the.clock.now()));
  await phone.keyboard.press("Enter");
  await phone.waitForURL(`${the.url}/a/widget-it/**`);

  const ada = await openPage("administrator");
  await ada.goto(`${the.url}/a/widget-it/people/${people.specialist.id}?tab=rights`);
  await ada.getByRole("button", { name: "Reset two-step verification" }).press("Enter");
  await ada.getByRole("dialog").getByRole("button", { name: "Reset two-step verification" }).press("Enter");
  await ada.getByText("Two-step verification reset for").waitFor();
  await sam.reload();
  await section.getByText("Off.").waitFor();
});

test("an account requires two-step verification: the next sign-in sets it up before showing anything else", async () => {
  const ada = await openPage("administrator");
  await ada.goto(`${the.url}/a/widget-it/settings/sign-in`);
  await ada.getByRole("combobox", { name: "Two-step verification" }).click();
  await ada.getByRole("option", { name: "Required for everyone" }).click();
  await ada.getByRole("button", { name: "Save" }).press("Enter");
  await ada.getByText("Sign-in settings saved").waitFor();
  await expectAccessible(ada);

  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await page.goto(`${the.url}/sign_in`);
  await page.getByLabel("Email address").fill(people.specialist.email);
  await page.getByLabel("Password", { exact: true }).fill(passwordFor("specialist"));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Set up two-step verification" }).waitFor();
  await expectAccessible(page);
  await takePicture(page, "second-factor-setup");
  const key = (await page.locator("code").textContent()) ?? "";
  await page.getByLabel("Code", { exact: true }).fill(showCode(key, the.clock.now()));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Save your recovery codes" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "I've saved my codes. Sign in" }).press("Enter");
  await page.waitForURL(`${the.url}/a/widget-it/**`);
});
