import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../../support/clients/form-browser.ts";
import { takePicture } from "../../support/clients/signed-in-page.ts";
import { people, type Role } from "../../support/seed.ts";
import { world } from "../../support/world.ts";

// D-553, D-554: a passkey from the profile to the next sign-in, with the browser's virtual authenticator, and the dialog that
// asks for recent authentication. Browsers require a host name for passkeys, so the pages are opened at localhost.

const the = await world();
const url = the.url.replace("127.0.0.1", "localhost");
let browser: Browser;

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(the, "administrator", "specialist");
  browser = await startBrowser();
});
afterAll(() => browser?.close());

async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
}

async function signInByPassword(page: Page, role: Role, path: string): Promise<void> {
  await page.goto(`${url}/sign_in?return_to=${encodeURIComponent(path)}`);
  await page.getByLabel("Email address").fill(people[role].email);
  await page.getByLabel("Password", { exact: true }).fill(passwordFor(role));
  await page.keyboard.press("Enter");
}

test("a person adds a passkey after authenticating again, and signs in without a password", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  await addAuthenticator(context, page);
  await signInByPassword(page, "specialist", "/a/widget-it/profile/security");
  const section = page.getByRole("region", { name: "Passkeys" });
  await section.getByText("No passkeys yet").waitFor();
  await the.clock.pass(601);
  await section.getByRole("button", { name: "Add passkey" }).press("Enter");
  const adding = page.getByRole("dialog", { name: "Add passkey" });
  await adding.getByLabel("Name").fill("My laptop");
  await adding.getByLabel("Name").press("Enter");
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByLabel("Current password").fill("wrong");
  await proof.getByLabel("Current password").press("Enter");
  await proof.getByText("is incorrect").waitFor();
  await expectAccessible(page);
  await takePicture(page, "step-up");
  await proof.getByLabel("Current password").fill(passwordFor("specialist"));
  await proof.getByLabel("Current password").press("Enter");
  await section.getByRole("cell", { name: "My laptop", exact: true }).waitFor();
  await adding.waitFor({ state: "hidden" });
  await expectAccessible(page);
  await takePicture(page, "passkeys");

  await context.clearCookies();
  await page.goto(`${url}/sign_in?return_to=%2Fa%2Fwidget-it%2Fprofile%2Ftokens`);
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.waitFor();
  await expectAccessible(page);
  await takePicture(page, "passkey-sign-in");
  await button.press("Enter");
  await page.waitForURL(`${url}/a/widget-it/profile/tokens`);

  await page.getByRole("link", { name: "Generate token" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Nightly report");
  await page.getByRole("button", { name: "Requests" }).press("Enter");
  await expectAccessible(page);
  await takePicture(page, "new-token");
  await page.getByRole("button", { name: "Generate token" }).press("Enter");
  await page.getByRole("link", { name: "I've copied it" }).press("Enter");
  await page.getByRole("columnheader", { name: "Expires" }).waitFor();
  await page.getByRole("region", { name: "Call the API with a token" }).waitFor();
  await takePicture(page, "tokens");
  const [token] = await the.sql(
    "SELECT expires_at - created_at = interval '90 days' AS usual, scopes FROM tokens WHERE name = 'Nightly report'",
  );
  expect([token?.usual, JSON.stringify(token?.scopes)]).toEqual([true, expect.stringContaining("request:Create")]);
});

test("an administrator sets the account's sign-in requirements and can't lock themselves out", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  await signInByPassword(page, "administrator", "/a/widget-it/settings/sign-in");
  const networks = page.getByLabel("Networks allowed for browsers");
  await networks.fill("203.0.113.0/24");
  await page.getByLabel("Minimum password length (characters)").fill("14");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByText("would lock you out").waitFor();
  await expectAccessible(page);
  await takePicture(page, "sign-in-policy");
  await networks.fill("127.0.0.0/8\n::1");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByText("Sign-in settings saved").waitFor();
  const { body } = await the.as("administrator").get("/sign_in_policy");
  expect(body).toMatchObject({ minimum_password_length: 14, web_networks: ["127.0.0.0/8", "::1"] });
});
