import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { startBrowser } from "../../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../../support/clients/form-browser.ts";
import { createSessionClient, signInForCookie } from "../../support/clients/session-client.ts";
import { expectUsable, openBrowserAs, visit } from "../../support/clients/signed-in-page.ts";
import { people } from "../../support/seed.ts";
import { until } from "../../support/waiting.ts";
import { world } from "../../support/world.ts";

// Settings forms keep typed values until they are saved; secrets are never stored.

const here = await world();
const admin = here.as("administrator");
const base = `${here.url}/a/widget-it`;
let browser: Browser;
let page: Page;
let elsewhere: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(here, "administrator");
  browser = await startBrowser();
  [page, elsewhere] = [await (await openDevice()).newPage(), await (await openDevice()).newPage()];
});
afterAll(() => browser?.close());
// A failed test leaves its draft behind.
beforeEach(() => here.sql("DELETE FROM kept_items WHERE kind = 'draft'"));

/** A browser of the administrator; its clock starts at the world's time and runs. */
async function openDevice(): Promise<BrowserContext> {
  const context = await openBrowserAs(here, browser, "administrator");
  await context.clock.setSystemTime(here.clock.now());
  return context;
}

const listDrafts = async (): Promise<string[]> => {
  const sql = "SELECT value FROM kept_items WHERE kind = 'draft' AND person_id = $1";
  return (await here.sql(sql, [people.administrator.id])).map(({ value }) => String(value));
};

/** A script that reads everything the browser stores, including drafts. */
const readBrowserStorage = `new Promise((done, fail) => {
  const opening = indexedDB.open("keyval-store");
  opening.onerror = () => fail(opening.error);
  opening.onsuccess = () => {
    const reading = opening.result.transaction("keyval").objectStore("keyval").getAll();
    reading.onsuccess = () => done(JSON.stringify([reading.result, { ...localStorage }, { ...sessionStorage }]));
  };
})`;

type Form = {
  /** the page's address, below the account */
  path: string | (() => Promise<string>);
  /** opens the form on the page */
  open?(page: Page): Promise<void>;
  field(page: Page): Locator;
  typed?: string;
  /** fills in the other required fields and saves */
  save(page: Page): Promise<void>;
};

const textbox =
  (name: string | RegExp, exact = true) =>
  (shown: Page) =>
    shown.getByRole("textbox", { name, exact }).first();
const press =
  (name: string | RegExp, exact = true) =>
  (shown: Page) =>
    shown.getByRole("button", { name, exact }).first().click();
const save = press("Save");

async function makeApplication(): Promise<string> {
  const values = { name: "Cash desk", grant_type: "client_credentials", person: people.administrator.email };
  const session = await createSessionClient(here, await signInForCookie(here, "administrator"));
  const { body } = await session.post("/accounts/widget-it/oauth-applications", values);
  return `/settings/applications/${body.id}`;
}
async function makeProvider(): Promise<string> {
  const { body } = await admin.post("/identity_providers", provider);
  return `/settings/identity-providers/${body.id}`;
}
const provider = { name: "Login", reference: "login", issuer: "https://login.example", client_id: "steward" };
async function makeKey(): Promise<string> {
  await admin.post("/webhook_policies", { jwt_alg: "rs256" });
  return "/settings/webhook-keys";
}
async function createApplication(shown: Page): Promise<void> {
  await textbox("Redirect URIs", false)(shown).fill("https://app.example/back");
  await shown
    .getByRole("checkbox", { name: /^Full access to/ })
    .first()
    .check();
  await press("Create")(shown);
}
async function createProvider(shown: Page): Promise<void> {
  await textbox("Short name", false)(shown).fill("new-login");
  await textbox("Issuer", false)(shown).fill("https://new-login.example");
  await textbox("Client ID", false)(shown).fill("steward");
  await shown.getByLabel("Client secret").fill("never stored");
  await press("Create")(shown);
}

async function saveRetention(shown: Page): Promise<void> {
  await save(shown);
  await shown.getByRole("dialog").getByRole("button", { name: "Delete older records" }).click();
}
async function startExport(shown: Page): Promise<void> {
  await shown.getByRole("combobox", { name: "Record types" }).click();
  await shown.getByRole("option", { name: "People", exact: true }).click();
  await shown.keyboard.press("Escape");
  await press("Export")(shown);
}

// biome-ignore format: a table keeps its columns
const forms: Record<string, Form> = {
  account:             { path: "/settings/account",                field: textbox("Name", false), save },
  "sign-in policy":    { path: "/settings/sign-in",                field: textbox("Network names", false), typed: "10.20.0.0/16 Head office", save },
  portal:              { path: "/settings/portal",                 field: textbox("Text below the greeting"), save: press(/^Save/, false) },
  "email policy":      { path: "/settings/received-mails",         field: textbox(/^Days after completion/), typed: "41", save },
  "email wording":     { path: "/settings/mail-texts?in=en",       field: textbox("Opening sentence"), save },
  "new application":   { path: "/settings/applications/new",       field: textbox("Name", false), save: createApplication },
  application:         { path: makeApplication,                    field: textbox("Name", false), save },
  "new provider":      { path: "/settings/identity-providers/new", field: textbox("Name", false), save: createProvider },
  provider:            { path: makeProvider,                       field: textbox("Job title"), typed: "title", save },
  "new token":         { path: "/profile/tokens/new",              field: textbox("Name", false), save: press("Generate token") },
  retention:           { path: "/settings/privacy",                field: textbox(/^Days to keep/), typed: "3650", save: saveRetention },
  "key rotation":      { path: makeKey,                            field: textbox("Overlap (hours)"), typed: "48", save: press("Rotate key") },
  export:              { path: "/settings/exchange",               field: (shown) => shown.getByLabel("Changed since"), typed: "2025-01-31", save: startExport },
  import:              { path: "/settings/exchange/new?type=people", field: textbox("Or paste rows", false), typed: "name,primary_email\nDora Draft,dora@widget.example", save: press("Next") },
  "call to try":       { path: "/settings/api?operation=createTeam", field: textbox("Body"), save: press("Discard") },
  redelivery:          { path: "/settings/webhook-deliveries",     open: press("Redeliver failed…"), field: (shown) => shown.getByLabel("Failed since"), typed: "2025-01-31T08:00", save: press("Discard") },
  passkey:             { path: "/profile/security",                open: press("Add passkey"), field: (shown) => shown.getByRole("dialog").getByRole("textbox"), save: press("Discard") },
};

test.each(Object.keys(forms))("D-790: %s: typed values survive leaving, a reload and another device", async (name) => {
  const { path, open = async () => {}, field, typed = `Typed into ${name}`, save: submit } = forms[name] as Form;
  const address = `${base}${typeof path === "string" ? path : await path()}`;
  const isKept = async () =>
    (await listDrafts()).some((draft) => {
      const { text } = JSON.parse(draft) as { text: string };
      return text.includes(JSON.stringify(typed)) || text.includes(`:${typed}`);
    });
  const expectTyped = async (shown: Page) => {
    await open(shown);
    await until(async () => (await field(shown).inputValue()) === typed);
  };
  await visit(page, address);
  await open(page);
  await field(page).fill(typed);
  // Leaving the form saves the draft on the server immediately.
  await visit(page, `${base}/settings/archive`);
  await page.goBack();
  await expectTyped(page);
  await until(isKept);
  await page.reload();
  await expectTyped(page);
  await page.getByRole("status").filter({ hasText: "Your unsaved changes" }).getByText("Discard").waitFor();
  await visit(elsewhere, address);
  await expectTyped(elsewhere);
  await submit(elsewhere);
  await until(async () => !(await isKept()));
});

test("D-790: drafts contain no passwords, one-time codes or client secrets", async () => {
  const secret = "correct horse battery staple";
  const nameOfProvider = textbox("Name", false);
  await visit(page, `${base}/settings/identity-providers/new`);
  await page.getByLabel("Client secret").fill(secret);
  await nameOfProvider(page).fill("Login with a secret");
  await visit(page, `${base}/settings/received-mails`);
  await page.getByLabel("Allow #from and X-Xurrent-From").check();
  await page.getByLabel("X-Xurrent-Auth secret").fill(secret);
  await visit(page, `${base}/profile/security`);
  await page.getByLabel("Current password").fill(secret);
  await page.getByLabel("New password").fill(secret);
  await page.getByRole("button", { name: "Set up two-step verification" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password").fill(passwordFor("administrator"));
  await page.keyboard.press("Enter");
  await dialog.getByRole("textbox", { name: "Code", exact: true }).fill("987123");

  await visit(page, `${base}/settings/identity-providers/new`);
  await until(async () => (await nameOfProvider(page).inputValue()) === "Login with a secret");
  expect(await page.getByLabel("Client secret").inputValue()).toBe("");
  await until(async () => (await listDrafts()).length === 2);
  const stored = `${await listDrafts()} ${await page.evaluate(readBrowserStorage)}`;
  expect(stored).toContain("Login with a secret");
  expect(stored).toContain("allow_from");
  for (const typed of [secret, passwordFor("administrator"), "987123"]) expect(stored).not.toContain(typed);
  for (const path of ["identity-providers/new", "received-mails"]) {
    await visit(page, `${base}/settings/${path}`);
    await press("Discard")(page);
  }
  await until(async () => (await listDrafts()).length === 0);
});

test("D-790: an outdated draft says so and doesn't revert other values", async () => {
  const days = textbox(/^Days after completion/);
  const replies = page.getByLabel("Add replies as notes");
  const address = `${base}/settings/received-mails`;
  await visit(page, address);
  await days(page).fill("55");
  const wasChecked = await replies.isChecked();
  await admin.patch("/email_policy", { days_after_completion: 77, replies_as_notes: !wasChecked });
  await page.goto(address);
  const note = page.getByRole("status").filter({ hasText: "Someone saved newer values" });
  await note.waitFor();
  expect([await days(page).inputValue(), await replies.isChecked()]).toEqual(["55", !wasChecked]);
  await expectUsable(page, [390, 1440], "settings-draft-outdated");
  await note.getByRole("button", { name: "Use the saved values" }).click();
  await until(async () => (await days(page).inputValue()) === "77");
  await note.waitFor({ state: "detached" });
  await until(async () => (await listDrafts()).length === 0);
});

test("D-790: the account form resumes after its session has expired", async () => {
  const field = textbox("Name", false);
  await visit(page, `${base}/settings/account`);
  // The page first shows this browser's cached state from before another device saved: the old name and an old draft.
  const { name } = (await admin.get("/account")).body;
  const oldDraft = page.getByRole("status").filter({ hasText: "Your unsaved changes" });
  await until(async () => (await field(page).inputValue()) === name && !(await oldDraft.isVisible()));
  await field(page).fill("Typed before the session ended");
  await here.sql("DELETE FROM sessions WHERE person_id = $1", [people.administrator.id]);
  await page.reload();
  await page.getByLabel("Email address").fill(people.administrator.email);
  await page.getByLabel("Password", { exact: true }).fill(passwordFor("administrator"));
  await page.keyboard.press("Enter");
  await until(async () => (await field(page).inputValue()) === "Typed before the session ended");
  await here.sql("DELETE FROM sessions WHERE person_id = $1", [people.administrator.id]);
  // The first call reveals the expired session. That may be a call before the button's, so the dialog may already be open.
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  const trySave = () =>
    page
      .getByRole("button", { name: "Save", exact: true })
      .click({ timeout: 1000 })
      .catch(() => {});
  await until(async () => {
    if (!(await dialog.isVisible())) await trySave();
    return dialog.isVisible();
  });
  await dialog.getByLabel("Password", { exact: true }).fill(passwordFor("administrator"));
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await until(async () => {
    if ((await admin.get("/account")).body.name === "Typed before the session ended") return true;
    await trySave();
    return false;
  });
  await until(async () => (await listDrafts()).length === 0);
});
