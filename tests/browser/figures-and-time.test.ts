import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { expectUsable, openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import type { Role } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// Dashboards, timesheet and calendar in a real browser: figures that open their lists, and time entry by keyboard.

let here: World;
let browser: Browser;
let sam: Page;

async function open(role: Role, path: string): Promise<Page> {
  const context = await openBrowserAs(here, browser, role);
  // The world's clock doesn't move, so the browser's clock is fixed at the same time.
  await context.clock.setFixedTime(here.clock.now());
  const page = await context.newPage();
  await page.goto(`${here.url}${path}`);
  return page;
}

const api = () => here.as("administrator");
let request: { id: number };

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "specialist");
  browser = await startBrowser();
  const { instance } = await serviceAgreements(api()).agreed({ resolution_target_low: 60 });
  const make = async (members: Record<string, unknown>) =>
    (await api().post("/requests", { requested_for_id: 5, category: "incident", impact: "low", ...members })).body;
  request = await make({ subject: "Wireless drops on floor 4", service_instance_id: instance.id });
  for (const [subject, category] of [
    ["Printer jams", "incident"],
    ["A new laptop", "rfc"],
    ["How do I scan?", "rfi"],
  ])
    await make({ subject, category, team_id: 1 });
  const done = await make({ subject: "Screen is dark", service_instance_id: instance.id, team_id: 1, member_id: 3 });
  const completed = await here.as("specialist").patch(`/requests/${done.id}`, { status: "completed", note: "Lit." });
  expect(completed.status).toBe(200);
  await here.as("specialist").post(`/requests/${request.id}/notes`, { text: "I looked at the antenna." });
  const { body: meeting } = await api().post("/time_allocations", { name: "Team meeting" });
  expect((await api().post(`/time_allocations/${meeting.id}/organizations/2`)).status).toBe(200);
  sam = await open("specialist", "/a/widget-it/dashboards");
});
afterAll(() => browser?.close());

/** The number of records in the list behind a link on the page. */
async function countBehind(href: string | null): Promise<string | null> {
  const [, collection, query] = /\/a\/widget-it\/(\w+)\?(.*)$/.exec(href ?? "") ?? [];
  const { headers } = await here.as("specialist").get(`/${collection}?${query}&per_page=1`);
  return headers.get("X-Pagination-Total-Entries");
}

/** On a phone the action bar has one row, in view and edit mode, and the charts have one column. */
async function expectOneRowAndColumn(): Promise<void> {
  const bar = async () => (await sam.locator(".tiles-bar").boundingBox())?.height;
  await sam.setViewportSize({ width: 390, height: 844 });
  const more = sam.getByRole("button", { name: "Dashboard actions" });
  await more.click();
  await sam.getByRole("menuitem", { name: "Show as table" }).waitFor();
  expect(await bar()).toBeLessThanOrEqual(48);
  const lefts = await sam
    .locator(".dashboard-grid > *")
    .evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
  await sam.getByRole("menuitem", { name: "Edit" }).click();
  await sam.getByRole("button", { name: "Done" }).waitFor();
  await sam.getByRole("menuitem", { name: "Edit" }).waitFor({ state: "detached" });
  expect(await bar()).toBeLessThanOrEqual(48);
  expect(await sam.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
  await sam.getByRole("button", { name: "Cancel" }).click();
  await sam.setViewportSize({ width: 1440, height: 900 });
  await more.waitFor();
}

test("every dashboard figure equals the number of records in the list that it opens", async () => {
  const tile = (name: string) => sam.getByRole("region", { name, exact: true });
  const openFigure = tile("Open requests").locator("a.tile-number");
  await openFigure.filter({ hasText: /^4$/ }).waitFor();
  expect(await countBehind(await openFigure.getAttribute("href"))).toBe("4");
  await tile("SLA targets met").getByText("100%").waitFor();
  await sam.getByRole("img", { name: "Created and completed: Created 5, Completed 1" }).waitFor();
  await expectUsable(sam);
  await expectOneRowAndColumn();

  await sam.keyboard.press("t");
  const tables = sam.locator("table.chart-table");
  await tables.first().waitFor();
  const links = await tables
    .locator("td a")
    .evaluateAll((all) => all.map((link) => ({ text: link.textContent, href: link.getAttribute("href") })));
  const counts = links.filter(({ text }) => /^\d+$/.test(text ?? ""));
  expect(counts.length).toBeGreaterThanOrEqual(5);
  for (const { text, href } of counts) expect([href, await countBehind(href)]).toEqual([href, text]);

  const more = () => sam.getByRole("button", { name: "Requests by category: more actions" }).click();
  await more();
  const [csv] = await Promise.all([
    sam.waitForEvent("download"),
    sam.getByRole("menuitem", { name: "Download as CSV" }).click(),
  ]);
  expect(csv.suggestedFilename()).toBe("Requests by category.csv");
  await sam.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await more();
  await sam.getByRole("menuitem", { name: "Copy table" }).click();
  await sam.getByText("Copied", { exact: true }).waitFor();
  const copied = ((await sam.evaluate("navigator.clipboard.readText()")) as string).trim().split(/\r?\n/);
  expect(copied.slice(1).map((line) => line.split("\t")[1])).toEqual(["3", "1", "1"]);
  await more();
  const [png] = await Promise.all([
    sam.waitForEvent("download"),
    sam.getByRole("menuitem", { name: "Download as image" }).click(),
  ]);
  expect(png.suggestedFilename()).toBe("Requests by category.png");

  await sam.getByRole("button", { name: "Last 14 days" }).click();
  await sam.getByRole("menuitem", { name: "Last 30 days" }).click();
  await sam.waitForURL(/range=30/);
  await sam.getByRole("button", { name: "All teams" }).click();
  await sam.getByRole("menuitem", { name: "Networks" }).click();
  await tile("Requests by category").getByText("No data for this period.").waitFor();
  await sam.goto(`${here.url}/a/widget-it/dashboards`);
  await tile("Age of open requests").getByRole("link", { name: "Today" }).click();
  await sam.getByText("Printer jams").waitFor();
  await sam
    .getByRole("button", { name: /^Created/ })
    .first()
    .waitFor();
});

test("a dashboard is edited by key, button and pointer, undone, saved for the person, and copied", async () => {
  await visit(sam, `${here.url}/a/widget-it/dashboards`);
  const region = (name: string) => sam.getByRole("region", { name, exact: true });
  const tile = (name: string) => sam.getByRole("group", { name, exact: true });
  await region("Requests by category").waitFor();
  await sam.keyboard.press("e");
  await tile("Age of open requests, position 3 of 5").focus();
  await sam.keyboard.press("Shift+ArrowLeft");
  await tile("Age of open requests, position 2 of 5").waitFor();
  await sam.keyboard.press("+");
  await sam.keyboard.press("+");
  const age = tile("Age of open requests, position 2 of 5");
  await until(async () => (await age.getAttribute("style"))?.includes("--tile-width: 9") ?? false);
  expect(await sam.locator(":focus").getAttribute("aria-label")).toBe("Age of open requests, position 2 of 5");
  await sam.keyboard.press("Enter");
  const settings = sam.getByRole("dialog", { name: "Settings for “Age of open requests”" });
  await settings.getByRole("textbox", { name: "Title" }).fill("How old");
  await settings.getByText("Donut", { exact: true }).click();
  await settings.getByRole("button", { name: "Apply" }).click();
  await tile("How old, position 2 of 5").locator("svg[role=img]").waitFor();
  await settings.waitFor({ state: "detached" });
  await sam.getByRole("button", { name: "Undo" }).click();
  await age.waitFor();
  await tile("Requests by category, position 4 of 5").focus();
  await sam.keyboard.press("Delete");
  await tile("Requests by category, position 4 of 5").waitFor({ state: "detached" });
  await sam.keyboard.press("n");
  const offers = sam.getByRole("dialog", { name: "Add chart…" });
  await offers.getByRole("textbox", { name: "Search charts" }).fill("open requests by person");
  await sam.keyboard.press("Enter");
  const people = tile("Open requests by person, position 5 of 5");
  await people.waitFor();
  await offers.waitFor({ state: "detached" });
  await expectAccessible(sam);
  await people.dragTo(tile("Created and completed, position 1 of 5"), {
    sourcePosition: { x: 10, y: 60 },
    targetPosition: { x: 10, y: 60 },
  });
  await tile("Open requests by person, position 1 of 5").waitFor();
  await sam.getByRole("button", { name: "Done" }).click();
  await sam.getByText("Dashboard saved for you only").waitFor();
  const names = () =>
    sam.locator(".dashboard-grid section").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
  const changed = [
    "Open requests by person",
    "Created and completed",
    "Age of open requests",
    "SLA targets met by service",
    "Overdue requests",
  ];
  await sam.reload();
  await region("Open requests by person").waitFor();
  expect(await names()).toEqual(changed);

  const more = () => sam.getByRole("button", { name: "Dashboard actions" }).click();
  await more();
  await sam.getByRole("menuitem", { name: "Share…" }).click();
  const share = sam.getByRole("dialog", { name: "Share “Service desk”" });
  await share.getByRole("radio", { name: "Team Service Desk" }).check();
  await share.getByRole("button", { name: "Save" }).click();
  await share.getByText("You don't have permission to do this", { exact: false }).waitFor(); // he isn't the team's coordinator
  await sam.keyboard.press("Escape");
  await share.waitFor({ state: "detached" });
  await more();
  await sam.getByRole("menuitem", { name: "Duplicate…" }).click();
  const copy = sam.getByRole("dialog", { name: "Duplicate “Service desk”" });
  await copy.getByRole("textbox", { name: "Name" }).fill("My mornings");
  await copy.getByRole("button", { name: "Save" }).click();
  await sam.getByRole("heading", { name: "My mornings", level: 1 }).waitFor();
  expect(await names()).toEqual(changed);

  await visit(sam, `${here.url}/a/widget-it/dashboards/service-desk`);
  await region("Open requests by person").waitFor();
  await more();
  await sam.getByRole("menuitem", { name: "Reset to default" }).click();
  await region("Requests by category").waitFor();
  await sam.keyboard.press("z");
  await region("Open requests by person").waitFor();
});

test("a scheduled report is emailed to people who may see it, and then stopped", async () => {
  await visit(sam, `${here.url}/a/widget-it/reports/attainment`);
  await sam.getByRole("button", { name: "Send by email…" }).click();
  const dialog = sam.getByRole("dialog", { name: "Send “SLA attainment” by email" });
  const to = dialog.getByRole("combobox", { name: "To" });
  const add = async (name: string) => {
    await to.fill(name);
    await sam.getByRole("option", { name }).click();
  };
  await add("Rita Requester");
  await dialog.getByRole("button", { name: "Schedule report" }).click();
  await dialog.getByText(/Recipients is not valid/).waitFor();
  await expectAccessible(sam);
  await dialog.locator(".mantine-Pill-root", { hasText: "Rita" }).getByRole("button", { includeHidden: true }).click();
  await add("Mia Manager");
  await dialog.getByText("Every month", { exact: true }).click();
  await dialog.getByRole("button", { name: "Schedule report" }).click();
  await dialog.waitFor({ state: "detached" });
  await visit(sam, `${here.url}/a/widget-it/reports`);
  const list = sam.getByRole("list", { name: "Scheduled reports" });
  await list.getByText("Every month · to Mia Manager, Sam Specialist").waitFor();
  await expectUsable(sam);
  await list.getByRole("button", { name: "Stop sending SLA attainment" }).click();
  await sam.getByText("No scheduled reports yet.").waitFor();
});

const loadMinutes = async (day: string): Promise<number> => {
  const { body } = await here.as("specialist").get(`/timesheets/day_totals?person_id=3&week_of=2025-03-03`);
  return Number(body[day] ?? 0);
};

test("the keyboard fills in a week; a timer and a suggestion add to it; a locked week says why", async () => {
  await visit(sam, `${here.url}/a/widget-it/timesheet`);
  await sam.getByRole("button", { name: "Add line" }).waitFor();
  await sam.keyboard.press("n");
  await sam.getByRole("option", { name: "Team meeting" }).click();
  const cell = (day: string) => sam.getByRole("textbox", { name: new RegExp(`^Team meeting, ${day}`) });
  await cell("Monday").click();
  for (const text of ["90", "1:30", "1.5", "1,5 h"]) {
    await sam.keyboard.type(text);
    await sam.keyboard.press("ArrowRight");
  }
  for (const day of ["Monday", "Tuesday", "Wednesday", "Thursday"]) {
    await until(async () => (await cell(day).inputValue()) === "1:30");
  }
  await until(async () => (await loadMinutes("2025-03-06")) === 90);
  await cell("Friday").fill("soon");
  await sam.keyboard.press("Enter");
  await sam.getByRole("alert").getByText("Enter a time like").waitFor();
  await cell("Friday").press("Escape");

  await sam.getByRole("button", { name: "Start timer for Team meeting" }).click();
  await sam.getByText(/Running since/).waitFor();
  await sam.mouse.move(700, 800); // off the button, which shows its name on hover
  await expectUsable(sam);
  const elsewhere = await open("specialist", "/a/widget-it/timesheet");
  await elsewhere.setViewportSize({ width: 390, height: 844 });
  const button = await elsewhere.getByRole("button", { name: "Log time" }).boundingBox();
  expect((button?.x ?? 390) + (button?.width ?? 0)).toBeLessThanOrEqual(390);
  await elsewhere.getByText(/Running since/).waitFor();
  await elsewhere.context().close();
  await sam.reload();
  await sam.getByRole("button", { name: "Stop timer" }).click();
  await until(async () => (await loadMinutes("2025-03-03")) === 95);

  const forgotten = sam.getByRole("region", { name: "Suggested entries" });
  await forgotten.getByRole("button", { name: "Log 10 min for Wireless drops on floor 4" }).click();
  await until(async () => (await loadMinutes("2025-03-03")) === 105);
  const { body: entries } = await here.as("specialist").get(`/requests/${request.id}/time_entries`);
  expect(entries.map(({ time_spent }: { time_spent: number }) => time_spent)).toEqual([10]);
  await sam.getByRole("textbox", { name: /^Wireless drops on floor 4, Monday/ }).waitFor();

  await sam.getByRole("button", { name: "Submit and lock week" }).click();
  await until(async () => (await cell("Monday").getAttribute("readonly")) !== null);
  await cell("Monday").focus();
  await sam.getByText("This day is locked because the week was submitted.", { exact: false }).last().waitFor();
});

test("an absence is entered by keyboard or drawn over days or hours, and appears in month, week and day", async () => {
  await visit(sam, `${here.url}/a/widget-it/calendar`);
  await sam.getByRole("table", { name: "Days of the month" }).waitFor();
  await sam.keyboard.press("n");
  const dialog = sam.getByRole("dialog", { name: "Add absence" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("A wedding");
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await sam.getByRole("option", { name: "Team meeting" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await sam.getByRole("table").getByRole("button", { name: "A wedding" }).waitFor();
  await expectUsable(sam);

  const box = async (day: string) => {
    const found = await sam.locator(`td[data-day="${day}"]`).boundingBox();
    if (found === null) throw new Error(day);
    return { x: found.x + found.width / 2, y: found.y + found.height - 8 };
  };
  const [from, until_] = [await box("2025-03-11"), await box("2025-03-13")];
  await sam.mouse.move(from.x, from.y);
  await sam.mouse.down();
  await sam.mouse.move(until_.x, until_.y, { steps: 6 });
  await sam.mouse.up();
  expect(await dialog.getByLabel("From").inputValue()).toBe("2025-03-11T08:00");
  expect(await dialog.getByLabel("Until").inputValue()).toBe("2025-03-13T17:00");
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await sam.getByRole("option", { name: "Team meeting" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await until(async () => (await here.as("specialist").get("/out_of_office_periods?person=3")).body.length === 2);
  await dialog.waitFor({ state: "detached" });
  // It appears once, across its three days.
  await sam.locator('td[data-day="2025-03-11"] .calendar-event[data-over]').waitFor();
  expect(await sam.locator('td[data-day="2025-03-12"] .calendar-event').count()).toBe(0);

  await sam.keyboard.press("w");
  await sam.waitForURL(/view=week/);
  const wedding = sam.locator('.day-column[data-day="2025-03-03"]').getByRole("button", { name: "A wedding" });
  await wedding.waitFor();
  await expectUsable(sam);
  // The three-day absence fills the middle day and parts of the others.
  await sam.keyboard.press("]");
  await sam.getByRole("list", { name: "Wednesday, March 12, all day" }).getByRole("button").waitFor();
  await sam.getByRole("link", { name: "Fri 14" }).click();
  await sam.waitForURL(/2025-03-14\?view=day/);
  const friday = sam.locator('.day-column[data-day="2025-03-14"]');
  await friday.waitFor();
  const at = await friday.boundingBox();
  if (at === null) throw new Error("no column");
  await sam.mouse.move(at.x + 40, at.y + 9 * 44 + 4);
  await sam.mouse.down();
  await sam.mouse.move(at.x + 40, at.y + 11 * 44 - 4, { steps: 4 });
  await sam.mouse.up();
  expect(await dialog.getByLabel("From").inputValue()).toBe("2025-03-14T09:00");
  expect(await dialog.getByLabel("Until").inputValue()).toBe("2025-03-14T11:00");
  await sam.keyboard.press("Escape");
});

test("a month with 300 entries shows a few per day and counts the rest", async () => {
  await here.sql(`INSERT INTO out_of_office_periods (account_id, person_id, reason, start_at, end_at, created_at, updated_at)
SELECT 'widget-it', 3, 'Away ' || n, day + interval '8 hours', day + interval '9 hours', now(), now()
FROM generate_series(0, 299) n, LATERAL (SELECT timestamptz '2025-03-03 00:00+00' + n % 25 * interval '1 day' AS day) d`);
  const pages: string[] = [];
  sam.on("request", (each) => void (each.url().includes("out_of_office_periods") && pages.push(each.url())));
  const started = Date.now();
  await sam.goto(`${here.url}/a/widget-it/calendar`);
  const busy = sam.locator('td[data-day="2025-03-20"]');
  await busy.getByRole("link", { name: "9 more" }).waitFor();
  console.log(`300 entries: the month after ${Date.now() - started} ms`);
  expect(await busy.locator(".calendar-event").count()).toBe(3);
  // The first hundred entries are part of the page's first combined call.
  expect(pages.length).toBeLessThanOrEqual(3);
});
