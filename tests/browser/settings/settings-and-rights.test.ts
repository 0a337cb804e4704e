import { readFile } from "node:fs/promises";
import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../../support/clients/form-browser.ts";
import { signInClient } from "../../support/clients/session-client.ts";
import { expectUsable, openBrowserAs, visit } from "../../support/clients/signed-in-page.ts";
import { people } from "../../support/seed.ts";
import { until } from "../../support/waiting.ts";
import { world } from "../../support/world.ts";

// An administrator finds a setting, checks a person's rights, follows changes, and draws a calendar's hours.

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
    page = await (await openBrowserAs(the, browser, "administrator")).newPage();
  });
  afterAll(() => browser?.close());

  test("the keyboard search finds pages, single settings and types", async () => {
    await visit(page, `${base}/settings`);
    await page.getByText(/people · \d+ with roles/).waitFor();
    await expectUsable(page, [1440]);
    await page.keyboard.press("/");
    const box = page.getByRole("searchbox", { name: /Search settings, templates/ });
    const first = page.locator(".settings-results a").first();
    await box.fill("history");
    await until(async () => (await first.textContent())?.includes("Audit trail") ?? false);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/audit/);
  });

  test("the change log shows who changed which value, is filtered by type and field, and is exported as a file", async () => {
    await visit(page, `${base}/settings/audit?type=request&field=impact`);
    const line = page.getByRole("list", { name: "Changes" }).getByRole("listitem").first();
    await line.getByText("Ada Admin").waitFor();
    await line.getByRole("link", { name: "Wireless drops" }).waitFor();
    await line.locator(".audit-value", { hasText: /^Low/ }).waitFor();
    expect(await line.locator(".audit-value").allTextContents()).toEqual(
      ["Low - Service Degraded for One User", "High - Service Degraded for Several Users"].map((text) =>
        expect.stringContaining(text.split(" - ")[0] as string),
      ),
    );
    await line
      .locator(".audit-when")
      .getByText(/^API, token /)
      .waitFor();
    // The origin of a change is a filter, too.
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "Origin" }).click();
    await page.getByRole("option", { name: "API", exact: true }).click();
    await page.waitForURL(/origin=api/);
    await line.getByRole("link", { name: "Wireless drops" }).waitFor();
    await expectUsable(page, [1440]);
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Shift+E")]);
    expect(file.suggestedFilename()).toBe("audit.csv");
    expect(await readFile(await file.path(), "utf8")).toMatch(/Origin.*\r\n.*"?API, token /);
    const tabs = page.getByRole("navigation", { name: "Audit trail" });
    await tabs.getByRole("link", { name: /^Changes ?\d+$/ }).waitFor();
    await tabs.getByRole("link", { name: /^Security log ?\d+$/ }).click();
    await page.getByRole("table", { name: "Security log" }).waitFor();
    const [trail] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Shift+E")]);
    expect(trail.suggestedFilename()).toBe("security.csv");
    // The sign-ins tab has only its own events, and the keyboard picks one.
    await tabs.getByRole("link", { name: /^Sign-ins ?\d+$/ }).click();
    await page.getByRole("cell", { name: "Signed in", exact: true }).first().waitFor();
    expect(await page.getByRole("cell", { name: "Roles changed" }).count()).toBe(0);
    await expectAccessible(page);
  });

  test("a person's rights are shown with reasons; a granted role takes effect without a reload", async () => {
    await setPasswords(the, "specialist");
    const sam = await (await openBrowserAs(the, browser, "specialist")).newPage();
    const stream = sam.waitForResponse((response) => response.url().includes("/stream"));
    await visit(sam, `${base}/settings`);
    await stream;
    const menu = sam.getByRole("navigation", { name: "Main" });
    await menu.getByRole("link", { name: "All records" }).waitFor();
    expect(await menu.getByRole("link", { name: "Automation rules" }).count()).toBe(0);
    await visit(page, `${base}/people/3?tab=rights`);
    await page.getByRole("heading", { name: "Sam Specialist", exact: true }).waitFor();
    const answer = page.getByRole("status").filter({ hasText: /The role Specialist/ });
    await answer.getByText("The role Specialist allows this for all requests in the account.").waitFor();
    const record = page.getByRole("combobox", { name: /Record \(leave empty/ });
    await record.click();
    await record.fill("Wireless");
    await page.getByRole("option", { name: /Wireless drops/ }).click();
    await answer
      .getByText("Sam Specialist is a member of the team Networks, which is responsible for the record.")
      .waitFor();
    await answer.getByText("Except these fields: Source and Source ID").waitFor();
    const row = page.getByRole("row", { name: /^Webhooks/ });
    expect(await row.textContent()).toMatch(/requires Account administrator/i);
    await expectUsable(page, [1440]);
    await page.getByRole("button", { name: "Change roles" }).click();
    await page.getByRole("checkbox", { name: /^problem manager$/i }).check();
    await page.getByRole("checkbox", { name: /^account designer$/i }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Roles saved").waitFor();
    await page
      .getByRole("row", { name: /^Problems/ })
      .getByText(/problem manager/i)
      .waitFor();
    await menu.getByRole("link", { name: "Automation rules" }).waitFor();
    await sam.context().close();
  });

  test("the permissions shown for a record agree with an actual change, for 20 pairs of a person and a record", async () => {
    const create = async (path: string, name: string) => (await admin.post(path, { name })).body.id as number;
    // biome-ignore format: a table keeps its columns
    const records = [
      ["Requests",      "requests",      request,                                          "Wireless drops", "subject"],
      ["Teams",         "teams",         await create("/teams", "Rights team"),              "Rights team",    "name"],
      ["Organizations", "organizations", await create("/organizations", "Rights Ltd"),       "Rights Ltd",     "name"],
      ["Sites",         "sites",         await create("/sites", "Rights Yard"),              "Rights Yard",    "name"],
      ["Holidays",      "holidays",      (await admin.post("/holidays", { name: "Rights Day", start_at: "2025-05-01", end_at: "2025-05-02" })).body.id, "Rights Day", "name"],
    ] as const;
    const answers: [pair: string, answer: boolean][] = [];
    const done: [pair: string, answer: boolean][] = [];
    for (const role of ["administrator", "specialist", "auditor", "requester"] as const) {
      await page.goto(`${base}/people/${people[role].id}?tab=rights`);
      const card = page.getByRole("region", { name: "Check a permission" });
      for (const [type, collection, id, name, field] of records) {
        const pair = `${role}, ${name}`;
        const answered = page.waitForResponse((answer) =>
          new URL(answer.url()).search.endsWith(`on=${collection.replace(/s$/, "")}%3A${id}`),
        );
        const types = card.getByRole("combobox", { name: "Record type" });
        if ((await types.inputValue()) !== type) {
          await types.fill(type);
          await page.getByRole("option", { name: type, exact: true }).click();
        }
        await card.getByRole("combobox", { name: /Record \(leave empty/ }).click();
        await page.getByRole("option", { name }).click();
        await answered;
        const status = card.getByRole("status");
        await status.getByText(/^(Yes|No)\.$/).waitFor();
        const text = (await status.textContent()) ?? "";
        answers.push([pair, text.startsWith("Yes") && !text.includes("Only these fields")]);
        const reply = await the.as(role, { account: "widget-it" }).patch(`/${collection}/${id}`, { [field]: name });
        expect([200, 403, 404], `${pair}: ${reply.text}`).toContain(reply.status);
        done.push([pair, reply.status === 200]);
      }
    }
    expect(answers).toHaveLength(20);
    expect(answers).toEqual(done);
  });

  test("a person who leaves: telephone and open work are shown, and the work is handed over before they are disabled", async () => {
    const lea = { name: "Lea Leaving", primary_email: "lea.leaving@widget.example", organization_id: 1 };
    const { id } = (await admin.post("/people", lea)).body;
    await admin.post(`/people/${id}/contacts`, { label: "work", telephone: "+31 40 555 0177" });
    const { id: desk } = (await admin.post("/teams", { name: "Desk" })).body;
    for (const member of [id, 3]) await admin.post(`/teams/${desk}/members/${member}`);
    const members = { subject: "Half done", category: "incident", team_id: desk, member_id: id };
    const { body: work } = await admin.post("/requests", members);
    await visit(page, `${base}/people/${id}`);
    await page.getByRole("complementary").getByRole("link", { name: "+31 40 555 0177" }).waitFor();
    await page.getByRole("tab", { name: "Work 1" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await page.getByRole("menuitem", { name: "Disable" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Disable Lea Leaving?" });
    await dialog.getByText("Lea Leaving has 1 open request or task. Choose who takes it over.").waitFor();
    await dialog.getByRole("combobox", { name: "New assignee" }).fill("Sam");
    await page.getByRole("option", { name: "Sam Specialist" }).click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Reassign and disable" }).press("Enter");
    await page.getByText("Disabled", { exact: true }).first().waitFor();
    expect((await admin.get(`/requests/${work.id}`)).body.member.id).toBe(3);
    expect((await admin.get(`/people/${id}`)).body.disabled).toBe(true);
  });

  test("a week calendar is drawn: Monday to Friday by pointer, Sunday by keyboard, also where the clocks change", async () => {
    const { id } = (await admin.post("/calendars", { name: "Desk hours" })).body;
    const holiday = { name: "Town day", start_at: "2027-03-23T00:00", end_at: "2027-03-24T00:00" };
    const { id: day } = (await admin.post("/holidays", holiday)).body;
    const readHours = async () =>
      (await admin.get(`/calendars/${id}`)).body.calendar_hours.map(
        (each: { weekday: string; time_from: string; time_until: string }) => Object.values(each).join(" "),
      );
    await visit(page, `${base}/calendars/${id}?tab=plan&week=2027-03-22&zone=Amsterdam`);
    await page.getByText("closed").first().waitFor();
    const findHour = async (date: string, hour: number): Promise<[number, number]> => {
      const column = await page.locator(`[data-day="${date}"]`).boundingBox();
      if (column === null) throw new Error("no such day");
      return [column.x + column.width / 2, column.y + (column.height / 24) * hour];
    };
    await page.mouse.move(...(await findHour("2027-03-22", 8.6)));
    await page.mouse.down();
    await page.mouse.move(...(await findHour("2027-03-24", 12)));
    await page.mouse.move(...(await findHour("2027-03-26", 16.9)));
    await page.mouse.up();
    await page.getByText("Open 42 h 30 min this week").waitFor();
    expect(await readHours()).toEqual(["mon", "tue", "wed", "thu", "fri"].map((name) => `${name} 08:30 17:00`));
    expect((await admin.post(`/calendars/${id}/holidays/${day}`)).status).toBeLessThan(300);
    await page.reload();
    await page.getByText("Open 34 h this week").waitFor();
    await page.getByRole("list", { name: "Tuesday, March 23" }).getByText("Town day").waitFor();

    await page.getByRole("button", { name: "Add hours" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add hours" });
    for (const name of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Sunday"])
      await dialog.getByRole("checkbox", { name }).press("Space");
    await dialog.getByLabel("From").fill("00:00");
    await dialog.getByLabel("Until").fill("00:00");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    // The clocks go forward on that Sunday, so it has 23 hours.
    await page.getByText("Open 57 h this week").waitFor();
    const sunday = page.getByRole("list", { name: "Sunday, March 28" });
    await sunday.getByText("Skipped: clocks go forward").waitFor();
    await expectUsable(page, [390, 1440], "calendar-week");
    await page.getByRole("button", { name: "Next week" }).press("Enter");
    await page.getByText("Open 66 h 30 min this week").waitFor();
    await page.getByRole("list", { name: "Friday, April 2" }).getByRole("button").press("Enter");
    await page.getByRole("dialog").getByLabel("Until").fill("12:30");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("Open 62 h this week").waitFor();
    await page.getByRole("list", { name: "Sunday, April 4" }).getByRole("button").press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByText("Open 38 h this week").waitFor();
  });

  test("a person's sign-in methods are shown, and an administrator removes them after authenticating again", async () => {
    await signInClient(the, "specialist");
    await the.clock.pass(601);
    await visit(page, `${base}/people/3`);
    const ways = page.getByRole("region", { name: "Signs in with" });
    await ways.getByText("Password").waitFor();
    await ways.getByText("1 token").waitFor();
    await ways.getByText(", 127.0.0.1").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).press("Enter");
    const proof = page.getByRole("dialog", { name: "Confirm it's you" });
    await proof.getByLabel("Current password").fill(passwordFor("administrator"));
    await page.keyboard.press("Enter");
    await page.getByText(/was signed out everywhere \(sessions: 1, tokens: 1\)/).waitFor();
    await ways.getByText("1 token").waitFor({ state: "detached" });
    expect((await the.as("specialist").get("/me")).status).toBe(401);
    await expectAccessible(page);
  });

  test("the settings menu finds a page by keyboard", async () => {
    await visit(page, `${base}/settings/audit`);
    await page.getByRole("searchbox", { name: "Search settings" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("webho");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Webhooks" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/webhooks/);
    await page.getByRole("searchbox", { name: "Search settings" }).fill("zzzz");
    await page.getByText("No results").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Back to app" }).waitFor();
  });

  test("the account and the email texts are changed", async () => {
    await page.goto(`${base}/settings/account`); // without the previous page's “Saved”
    await page.getByRole("textbox", { name: "Name" }).fill("Widget Desk");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    const [line] = (await admin.get("/security_trail?event=account-changed")).body;
    expect(line).toMatchObject({ person: { id: 1 }, details: { name: [expect.any(String), "Widget Desk"] } });
    // Another administrator changes the name in the meantime, so the slower one is asked.
    await page.getByRole("textbox", { name: "Name" }).fill("Widget Help");
    await admin.patch("/account_settings", { name: "Widget Works" });
    await page.getByRole("button", { name: "Save" }).click();
    const collision = page.getByRole("dialog");
    await collision.locator(".collision-side", { hasText: "Their version" }).getByText("Widget Works").waitFor();
    await expectAccessible(page);
    await collision.getByRole("radio", { name: "Your version" }).check();
    await collision.getByRole("button", { name: /Save/ }).click();
    await until(async () => (await admin.get("/account")).body.name === "Widget Help");
    await expectUsable(page, [1440]);
    await visit(page, `${base}/settings/mail-texts?mail=completed&in=en`);
    await page.getByRole("textbox", { name: "Subject text" }).fill("done at last");
    const record = page.getByRole("combobox", { name: "Preview with" });
    await record.click();
    await page.getByRole("option", { name: /Wireless drops/ }).click();
    await page.getByText(/done at last – Wireless drops/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Template saved").waitFor();
    await page.getByRole("button", { name: "Reset to default" }).click();
    await page.getByText("Template reset to default").waitFor();
    await expectUsable(page, [1440]);
  });
});
