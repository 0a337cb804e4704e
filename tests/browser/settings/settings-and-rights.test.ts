import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
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
    const box = page.getByRole("searchbox", { name: /Find a setting/ });
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
    await page.getByRole("link", { name: "Security trail", exact: true }).last().click();
    await page.getByRole("table", { name: "Security trail" }).waitFor();
    const [trail] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Shift+E")]);
    expect(trail.suggestedFilename()).toBe("security.csv");
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
