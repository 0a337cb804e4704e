import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../../support/clients/form-browser.ts";
import { signInClient } from "../../support/clients/session-client.ts";
import { expectUsable, openBrowserOf } from "../../support/clients/signed-in-page.ts";
import { until } from "../../support/waiting.ts";
import { world } from "../../support/world.ts";

// An administrator: find a setting, see what a person may do and why, follow changes, bring
// records back from the trash.

const the = await world();
const admin = the.as("administrator");
const base = `${the.url}/a/widget-it`;

describe("the settings", () => {
  let browser: Chromium;
  let page: Page;
  let request = 0;
  beforeAll(async () => {
    await buildWeb(() => {});
    browser = await startBrowser();
    await setPasswords(the, "administrator");
    const team = (await admin.post("/teams", { name: "Networks" })).body;
    await admin.post(`/teams/${team.id}/members/3`);
    const made = await admin.post("/requests", { subject: "Wireless drops", category: "incident", team_id: team.id });
    request = made.body.id;
    await admin.patch(`/requests/${request}`, { impact: "high" });
    for (const name of ["Otto Old", "Greta Gone"]) {
      const email = `${name.replace(" ", ".").toLowerCase()}@widget.example`;
      const { id } = (await admin.post("/people", { name, primary_email: email, organization_id: 1, disabled: true }))
        .body;
      await admin.post(`/people/${id}/trash`);
    }
    page = await (await openBrowserOf(the, browser, "administrator")).newPage();
  });
  afterAll(() => browser?.close());

  test("the search finds pages, single settings and types by keyboard", async () => {
    await page.goto(`${base}/settings`);
    await page.getByText(/people · \d+ with roles/).waitFor();
    await expectUsable(page, [1440]);
    await page.keyboard.press("/");
    const box = page.getByRole("searchbox", { name: /Find a setting, a template/ });
    const first = page.locator(".settings-results a").first();
    for (const [words, found] of [
      ["holiday", "Calendars and holidays"],
      ["colour", "Portal"],
      ["permissions", "People and roles"],
      ["sla", "Service levels"],
      ["undelete", "Archive and trash"],
      ["time zone", "Time zone"],
      ["login", "Identity providers"],
      ["login history", "Security trail"],
      ["history", "Audit"],
      ["webhook", "Webhooks"],
      ["csv", "Import and export"],
      ["scim", "Directory sync"],
    ] as const) {
      await box.fill(words);
      await until(async () => (await first.textContent())?.includes(found) ?? false, { what: () => words });
    }
    await box.fill("history");
    await until(async () => (await first.textContent())?.includes("Audit") ?? false);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/audit/);
  });

  test("changes show who changed what from what to what, filtered by type and field, and leave as a file", async () => {
    await page.goto(`${base}/settings/audit?type=request&field=impact`);
    const line = page.getByRole("list", { name: "Changes" }).getByRole("listitem").first();
    await line.getByText("Ada Admin").waitFor();
    await line.getByRole("link", { name: "Wireless drops" }).waitFor();
    await line.locator(".audit-value", { hasText: /^Low/ }).waitFor();
    expect(await line.locator(".audit-value").allTextContents()).toEqual(
      ["Low - Service Degraded for One User", "High - Service Degraded for Several Users"].map((text) =>
        expect.stringContaining(text.split(" - ")[0] as string),
      ),
    );
    await expectUsable(page, [1440]);
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Shift+E")]);
    expect(file.suggestedFilename()).toBe("audit.csv");
    const tabs = page.getByRole("navigation", { name: "Audit" });
    await tabs.getByRole("link", { name: /^Changes ?\d+$/ }).waitFor();
    await tabs.getByRole("link", { name: /^Security trail ?\d+$/ }).click();
    await page.getByRole("table", { name: "Security trail" }).waitFor();
    const [trail] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Shift+E")]);
    expect(trail.suggestedFilename()).toBe("security.csv");
    // The tab of sign-ins has no other events, and one of them is chosen by keyboard.
    await tabs.getByRole("link", { name: /^Sign-ins ?\d+$/ }).click();
    await page.getByRole("cell", { name: "Signed in", exact: true }).first().waitFor();
    expect(await page.getByRole("cell", { name: "Roles changed" }).count()).toBe(0);
    await expectAccessible(page);
  });

  test("a person's rights say yes or no, and why", async () => {
    await page.goto(`${base}/people/3?tab=rights`);
    await page.getByRole("heading", { name: "Sam Specialist", exact: true }).waitFor();
    const answer = page.getByRole("status").filter({ hasText: /The role Specialist/ });
    await answer.getByText("The role Specialist allows it for all requests of the account.").waitFor();
    const record = page.getByRole("combobox", { name: /Which record/ });
    await record.click();
    await record.fill("Wireless");
    await page.getByRole("option", { name: /Wireless drops/ }).click();
    await answer.getByText("Sam Specialist is a member of the team Networks, which has it.").waitFor();
    await answer.getByText("Not these fields: Source and Source ID").waitFor();
    const row = page.getByRole("row", { name: /^Webhooks/ });
    expect(await row.textContent()).toMatch(/needs Account administrator/i);
    await expectUsable(page, [1440]);
    await page.getByRole("button", { name: "Change roles" }).click();
    await page.getByRole("checkbox", { name: /^problem manager$/i }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("The roles were saved").waitFor();
    await page
      .getByRole("row", { name: /^Problems/ })
      .getByText(/problem manager/i)
      .waitFor();
  });

  test("a person's ways to sign in are shown, and an administrator ends them after proving who they are", async () => {
    await signInClient(the, "specialist");
    await the.clock.pass(601);
    await page.goto(`${base}/people/3`);
    const ways = page.getByRole("region", { name: "Signs in with" });
    await ways.getByText("Password").waitFor();
    await ways.getByText("1 token").waitFor();
    await ways.getByText(", 127.0.0.1").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).press("Enter");
    const proof = page.getByRole("dialog", { name: "Is it still you?" });
    await proof.getByLabel("Current password").fill(passwordFor("administrator"));
    await page.keyboard.press("Enter");
    await page.getByText(/is signed out everywhere \(sessions: 1, tokens: 1\)/).waitFor();
    await ways.getByText("1 token").waitFor({ state: "detached" });
    expect((await the.as("specialist").get("/me")).status).toBe(401);
    await expectAccessible(page);
  });

  test("the menu of the settings finds a page by keyboard", async () => {
    await page.goto(`${base}/settings/audit`);
    await page.getByRole("searchbox", { name: "Find a setting" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("webho");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Webhooks" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/webhooks/);
    await page.getByRole("searchbox", { name: "Find a setting" }).fill("zzzz");
    await page.getByText("Nothing found").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Back to work" }).waitFor();
  });

  test("what is in the trash comes back, one and many", async () => {
    await page.goto(`${base}/settings/trash`);
    await page.getByText(/erased for good after 28 days/).waitFor();
    await page.getByRole("link", { name: "Otto Old" }).waitFor();
    await page
      .getByText(/^Erased on/)
      .first()
      .waitFor();
    await expectUsable(page, [1440]);
    await page.getByRole("checkbox", { name: "Choose all shown" }).check();
    await page.getByRole("button", { name: "Restore chosen (2)" }).click();
    await page.getByText("2 records are back").waitFor();
    await page.getByText("The trash is empty").waitFor();
  });

  test("a colour of the portal on which white words cannot be read is refused with the nearest that can", async () => {
    await page.goto(`${base}/settings/portal`);
    const color = page.getByRole("textbox", { name: "Colour" });
    await color.fill("#f4c430");
    await page.getByText("White words on this colour cannot be read.").waitFor();
    await page.getByRole("button", { name: /^Use #[0-9a-f]{6} instead$/ }).press("Enter");
    await page.getByText("White words on this colour cannot be read.").waitFor({ state: "detached" });
    expect(await color.inputValue()).not.toBe("#f4c430");
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
  });

  test("the account and the words of mails are changed", async () => {
    await page.goto(`${base}/settings/account`);
    await page.getByRole("textbox", { name: "Name" }).fill("Widget Desk");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await expectUsable(page, [1440]);
    await page.goto(`${base}/settings/mail-texts?mail=completed&in=en`);
    await page.getByRole("textbox", { name: "In the subject" }).fill("done at last");
    const record = page.getByRole("combobox", { name: "With this record" });
    await record.click();
    await page.getByRole("option", { name: /Wireless drops/ }).click();
    await page.getByText(/done at last – Wireless drops/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The text was saved").waitFor();
    await page.getByRole("button", { name: "Reset to the default" }).click();
    await page.getByText("The default text is back").waitFor();
    await expectUsable(page, [1440]);
  });
});
