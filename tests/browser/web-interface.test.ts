import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { catchRequest, expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import {
  authorizeAddress,
  callbackUri,
  passwordFor,
  redeemCode,
  registerApplication,
  setPasswords,
} from "../support/clients/form-browser.ts";
import { separateReads, visit } from "../support/clients/signed-in-page.ts";
import { people, type Role } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { type World, world } from "../support/world.ts";

// The web interface, in a real browser.

const account = "/a/widget-it";
let here: World;
let browser: Browser;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist", "requester");
  browser = await startBrowser();
});
afterAll(() => browser?.close());

describe("the pages", () => {
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  // One context for all stories, so the browser keeps its cache.
  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  });
  afterAll(() => context?.close());
  const openPage = async (): Promise<void> => {
    await context.clearCookies();
    page = await context.newPage();
    complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      // A story may provoke 4xx errors, which the page explains. A blocked script or style is always an error.
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
  };
  const closePage = async (): Promise<void> => {
    await page.close();
    expect(complaints).toEqual([]);
  };

  async function fillIn(form: Page, role: Role): Promise<void> {
    await form.getByLabel("Email address").fill(people[role].email);
    await form.getByLabel("Password").fill(passwordFor(role));
    await form.getByRole("button", { name: "Sign in" }).click();
    await form.waitForURL((url) => url.pathname !== "/sign_in");
  }
  const cookies = new Map<Role, Awaited<ReturnType<BrowserContext["cookies"]>>>();
  /** Opens a page in a role. Each role signs in once, and later stories reuse the cookie. */
  async function open(role: Role, path: string): Promise<void> {
    const held = cookies.get(role);
    if (held !== undefined) {
      await context.addCookies(held);
      await page.goto(here.url + path);
      return;
    }
    await page.goto(`${here.url}/sign_in?return_to=${encodeURIComponent(path)}`);
    await fillIn(page, role);
    cookies.set(role, await context.cookies());
  }
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });

  story(
    "from the sign-in page to search results and permitted pages",
    {
      "a person without a session signs in and returns to the requested page; signing out ends the session":
        async () => {
          await page.goto(`${here.url}${account}/teams?sort=-name`);
          await page.waitForURL(/\/sign_in\?return_to=/);
          await fillIn(page, "administrator");
          await heading("Teams").waitFor();
          expect(new URL(page.url()).search).toBe("?sort=-name");
          expect(await page.getByRole("columnheader", { name: "Sort by Name" }).getAttribute("aria-sort")).toBe(
            "descending",
          );

          await page.getByRole("button", { name: /User menu/ }).click();
          await page.getByRole("menuitem", { name: "Sign out" }).click();
          await page.waitForURL(/\/sign_in/);
          await page.goto(here.url + account);
          await page.waitForURL(/\/sign_in\?return_to=/);
        },
      "the key / opens the search everywhere; results are highlighted links": async () => {
        const { body } = await here.as("administrator").post("/requests", {
          category: "incident",
          subject: "Zeppelin <i>café</i>",
          note: "The zeppelin is late & slow.",
        });
        await open("administrator", `${account}/teams`);
        await heading("Teams").waitFor();
        await page.keyboard.press("/");
        await page.keyboard.type("zeppelin caf");
        await page.keyboard.press("Enter");
        const found = page.getByRole("link", { name: "Zeppelin <i>café</i>" });
        await found.waitFor();
        expect(await page.locator("mark").allTextContents()).toEqual(["Zeppelin", "café", "zeppelin"]);
        const box = page.getByRole("searchbox", { name: "Search" });
        await page.keyboard.press("ArrowDown");
        await page.locator("a:focus", { hasText: "Zeppelin" }).waitFor();
        await page.keyboard.press("ArrowUp");
        await page.locator("input[type=search]:focus").waitFor();
        await page.keyboard.press("End");
        await page.keyboard.type(" nowhere");
        await page.getByText("No results for").waitFor();
        await box.fill("cafe");
        await found.click();
        await page.waitForURL(`${here.url}${account}/requests/${body.id}`);
      },
      "/ leads to the person's own account, the skip link to the content, and the menu to permitted pages":
        async () => {
          await open("specialist", `${account}/profile/security`);
          await page.goto(`${here.url}/`);
          await page.waitForURL(`${here.url}${account}/**`);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.keyboard.press("Tab");
          expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
          await page.keyboard.press("Enter");
          expect(await page.evaluate("document.activeElement.id")).toBe("content");
          const menu = page.getByRole("navigation", { name: "Main" });
          expect(await menu.getByRole("link", { name: "People" }).count()).toBe(1);
          await page.getByRole("link", { name: "Settings" }).click();
          await heading("Settings").waitFor();
          expect(await menu.getByRole("link", { name: "OAuth applications" }).count()).toBe(0);
          await menu.getByRole("link", { name: "All records" }).click();
          await heading("All records").waitFor();
          await page.getByRole("searchbox", { name: "Search record types" }).fill("day off");
          await page.getByRole("main").getByRole("link", { name: "Holidays" }).waitFor();
          expect(await page.getByRole("main").getByRole("link", { name: "Sites" }).count()).toBe(0);
          await page.getByRole("searchbox", { name: "Search record types" }).fill("");
          expect(await page.getByRole("main").getByRole("link", { name: "Audit lines" }).count()).toBe(0);
        },
    },
    { before: openPage, after: closePage },
  );

  story(
    "lists and forms of records: views, filters, refusals, unsaved changes",
    {
      "a view and filters list people, and the address contains both": async () => {
        const admin = here.as("administrator");
        const wanted = Array.from({ length: 45 }, (_, number) => ({
          name: `Person ${String(number).padStart(2, "0")}`,
          primary_email: `p${number}@widget.example`,
          disabled: number >= 25,
          ...(number < 3 ? { organization_id: 6 } : {}),
        }));
        for (const body of wanted) expect((await admin.post("/people", body)).status).toBe(201);
        await open("administrator", `${account}/people`);
        await page.getByRole("button", { name: "View: All" }).click();
        await page.getByRole("menuitem", { name: "Enabled" }).click();
        await page.getByText(/^\d+ people$/).waitFor();
        await page.getByRole("link", { name: "Person 24" }).waitFor();
        expect(page.url()).toContain("?state=enabled");
        await page.reload();
        await page.getByRole("link", { name: "Person 24" }).waitFor();

        await page.keyboard.press("f");
        await page.getByRole("menuitem", { name: "Organization" }).click();
        await page.getByRole("combobox", { name: "Organization" }).fill("printer");
        await page.getByRole("option", { name: "Printer Supplier" }).click();
        await page.getByRole("button", { name: "Apply" }).click();
        await page.getByText("3 people").waitFor();
        expect(new URL(page.url()).search).toBe("?state=enabled&organization=6");
        await page.getByRole("button", { name: "Organization is Printer Supplier" }).waitFor();
        await page.goBack();
        await page.getByRole("link", { name: "Person 24" }).waitFor();
      },
      "a team is created: refused values show errors at their fields, then it is saved, edited and disabled":
        async () => {
          await open("administrator", `${account}/teams`);
          await page.getByRole("link", { name: "New team" }).click();
          await heading("New team").waitFor();
          await page.getByRole("button", { name: "More fields" }).click();
          await page.getByLabel("Inbound email local part").fill("desk");
          await page.getByRole("button", { name: "Create", exact: true }).click();
          await page.getByText("Name can't be blank").waitFor();
          expect(await page.getByRole("textbox", { name: "Name" }).getAttribute("aria-invalid")).toBe("true");
          expect(await page.getByRole("alert").textContent()).toBe("One field needs your attention");

          await page.getByRole("textbox", { name: "Name" }).fill("Storage");
          await page.getByRole("combobox", { name: "Manager", exact: true }).fill("mia");
          await page.getByRole("option", { name: "Mia Manager" }).click();
          await page.getByRole("button", { name: "Create", exact: true }).click();
          await heading("Storage").waitFor();
          const id = Number(/\/teams\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1]);
          const saved = await here.as("administrator").get(`/teams/${id}`);
          expect(saved.body).toMatchObject({ name: "Storage", inbound_email_local_part: "desk", manager: { id: 9 } });

          await page.getByRole("link", { name: "Edit", exact: true }).click();
          await heading("Edit Storage").waitFor();
          await page.getByRole("textbox", { name: "Name" }).fill("Storage and Backup");
          await page.getByRole("button", { name: "More fields" }).click();
          await page.getByRole("combobox", { name: "Time zone" }).fill("lond");
          await page.getByRole("option", { name: /London/ }).click();
          await page.getByRole("button", { name: "Save" }).click();
          await heading("Storage and Backup").waitFor();
          const changed = await here.as("administrator").get(`/teams/${id}/audit`);
          expect(changed.body[0].changes).toEqual({
            name: ["Storage", "Storage and Backup"],
            time_zone: [null, "London"],
          });

          await page.getByRole("button", { name: "More actions" }).click();
          await page.getByRole("menuitem", { name: "Disable" }).click();
          await page.getByText("Disabled", { exact: true }).waitFor();
          await page.getByRole("tab", { name: "Members" }).click();
          await page.getByRole("button", { name: "Add" }).click();
          await page.getByRole("combobox", { name: "Person" }).fill("sam");
          await page.getByRole("option", { name: "Sam Specialist" }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
          await page.getByRole("link", { name: "Sam Specialist" }).waitFor();
          await page.getByRole("tab", { name: "Audit trail" }).click();
          await page.getByRole("cell", { name: "Storage and Backup" }).waitFor();
        },
      "a form with changes asks before it is left": async () => {
        await open("administrator", `${account}/teams/new`);
        await page.getByRole("textbox", { name: "Name" }).fill("Half");
        await page.getByRole("link", { name: "People" }).click();
        await page.getByRole("dialog", { name: "Discard changes?" }).waitFor();
        await page.getByRole("button", { name: "Cancel" }).last().click();
        expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Half");
        await page.getByRole("link", { name: "People" }).click();
        await page.getByRole("button", { name: "Discard changes" }).click();
        await heading("People").waitFor();
      },
    },
    { before: openPage, after: closePage },
  );

  story(
    "the profile and applications: tokens, sessions, consent, client pairs",
    {
      "a personal access token is generated, works, and is shown once": async () => {
        await open("specialist", `${account}/profile/tokens`);
        await page.getByRole("link", { name: "Generate token" }).click();
        await page.getByRole("button", { name: "Generate token" }).click();
        await page.getByText("Name can't be blank").waitFor();
        await page.getByRole("textbox", { name: "Name" }).fill("My script");
        await page.getByLabel("See people").check();
        await page.getByRole("button", { name: "Generate token" }).click();
        await heading("Your new token").waitFor();
        await expectAccessible(page);
        const token = (await page.getByLabel("Your new token", { exact: true }).textContent()) as string;
        const headers = { Authorization: `Bearer ${token}`, account: "widget-it" };
        expect((await fetch(`${here.base}/people`, { headers })).status).toBe(200);
        expect((await fetch(`${here.base}/teams`, { headers })).status).toBe(403);

        await page.getByRole("link", { name: "I've copied it" }).click();
        await page.getByRole("cell", { name: "See people" }).waitFor();
        expect(await page.content()).not.toContain(token);
        await page.getByRole("button", { name: "Delete My script" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await page.getByText("Token deleted").waitFor();
        expect((await fetch(`${here.base}/people`, { headers })).status).toBe(401);
      },
      "the profile ends another session": async () => {
        const other = await browser.newContext();
        const elsewhere = await other.newPage();
        await elsewhere.goto(`${here.url}/sign_in`);
        await fillIn(elsewhere, "requester");

        await open("requester", "/a/widget/profile/security");
        // Rita's language is Dutch.
        await page.getByText("Deze browser").waitFor();
        await page.getByRole("button", { name: /^Uitloggen: / }).click();
        await page.getByText("Browser uitgelogd").waitFor();
        await elsewhere.goto(`${here.url}/a/widget`);
        await elsewhere.waitForURL(/\/sign_in/);
        await other.close();
      },
      "an authorized application is listed in the profile; revoked there, its next call gets a 401": async () => {
        const application = await registerApplication(here, { name: "Planner" });
        await open("specialist", authorizeAddress(application));
        const allow = () => page.getByRole("button", { name: "Allow" }).click();
        const code = (await catchRequest(page, callbackUri, allow)).searchParams.get("code") as string;
        const { access_token } = (await redeemCode(here.url, application, code)).body;
        const planner = here.withToken(access_token, { account: "widget-it" });
        expect((await planner.get("/teams")).status).toBe(200);

        await page.goto(`${here.url}${account}/profile/security`);
        await page.getByRole("button", { name: "Revoke Planner" }).click();
        await expectAccessible(page);
        await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
        await page.getByText("Planner can no longer act for you").waitFor();
        expect((await planner.get("/teams")).status).toBe(401);
      },
      "an administrator registers an application, adds a pair and finds both in the security trail": async () => {
        await open("administrator", `${account}/settings/applications/new`);
        await page.getByRole("button", { name: "Create" }).click();
        await page
          .getByText(/can't be blank/)
          .first()
          .waitFor();
        await page.getByRole("textbox", { name: "Name" }).fill("Dashboard");
        await page.getByLabel("Redirect URIs").fill("https://dashboard.example/callback");
        await page.getByRole("radio", { name: "Everything you can do" }).check();
        await page.getByRole("button", { name: "Create" }).click();
        await heading("Dashboard").waitFor();
        await page.getByRole("button", { name: "Add credentials" }).click();
        const dialog = page.getByRole("dialog", { name: "New credentials" });
        expect(await dialog.getByLabel("Client secret", { exact: true }).textContent()).toMatch(/^\w{64,}$/);
        await expectAccessible(page);
        await dialog.getByRole("button", { name: "I've copied it" }).click();
        await page.getByRole("button", { name: /^Disable credentials/ }).click();
        await page.getByRole("button", { name: /^Enable credentials/ }).waitFor();
        await page.getByRole("link", { name: "Security log" }).click();
        await page.getByRole("row", { name: /^Application created .*Dashboard/ }).waitFor();
        await page.getByRole("cell", { name: "Client credentials changed" }).waitFor();
      },
    },
    { before: openPage, after: closePage },
  );

  story(
    "missing and failing pages explain themselves, and a phone shows everything",
    {
      "missing and forbidden pages explain themselves": async () => {
        await open("specialist", `${account}/teams/999999`);
        await heading("Not found").waitFor();
        await visit(page, `${here.url}${account}/audit_lines`);
        await heading("You don't have access").waitFor();
        await visit(page, `${here.url}/a/stranger`);
        await heading("Not found").waitFor();
        await visit(page, `${here.url}${account}/nothing`);
        await heading("Not found").waitFor();
      },
      "a busy, failing or unavailable server is explained, and a retry helps": async () => {
        await open("specialist", `${account}/inbox`);
        const combineReads = await separateReads(page);
        const answers: [status: number, headers: Record<string, string>, text: RegExp][] = [
          [500, {}, /Something went wrong on the server/],
          [429, { "Retry-After": "40" }, /Try again in 40 seconds/],
        ];
        for (const [status, headers, text] of answers) {
          await page.route("**/v1/sites*", (route) => route.fulfill({ status, headers, json: { message: "" } }));
          await visit(page, `${here.url}${account}/sites`);
          await page.getByRole("alert").getByText(text).waitFor();
          await page.unroute("**/v1/sites*");
        }
        await expectAccessible(page);
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByRole("link", { name: "Amsterdam Office" }).waitFor();
        await page.route("**/v1/problems*", (route) => route.abort());
        await page.getByRole("link", { name: "Problems" }).click();
        await page.getByText("Can't reach the server.").waitFor();
        await combineReads();
        complaints = complaints.filter((text) => !/status of 500|ERR_FAILED/.test(text));
      },
      "everything fits on a phone, in the dark theme too": async () => {
        await page.setViewportSize({ width: 360, height: 740 });
        await page.emulateMedia({ colorScheme: "dark" });
        await open("administrator", `${account}/inbox`);
        for (const path of ["/people", "/people/9/edit", "/profile/tokens/new", "/settings/account"]) {
          await visit(page, here.url + account + path);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
          expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(360);
          // Names and roles are the same as in a wide window. A page with hundreds of checkboxes takes axe five seconds.
          if (path !== "/profile/tokens/new") await expectAccessible(page, ["color-contrast"]);
        }
        await page.getByRole("button", { name: "Menu", exact: true }).click();
        await page.getByRole("dialog").getByRole("link", { name: "Sites" }).click();
        await heading("Sites").waitFor();
      },
    },
    { before: openPage, after: closePage },
  );
});
