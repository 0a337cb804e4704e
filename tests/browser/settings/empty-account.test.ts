import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSetupPath } from "../../../server/oauth/first-account/setup-address.ts";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { world } from "../../support/world.ts";

// An administrator sets up an empty instance in the browser alone: account, teams, a calendar with a holiday.

const the = await world({ empty: true });
let browser: Chromium;
let page: Page;
/** what a person presses and fills in */
let actions = 0;
const act = async (work: Promise<unknown>): Promise<void> => {
  actions++;
  await work;
};

beforeAll(async () => {
  await buildWeb(() => {});
  browser = await startBrowser();
  page = await (
    await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1440, height: 900 } })
  ).newPage();
});
afterAll(() => browser?.close());

test("the first account is made at the printed address, and an error says at its field what is wrong", async () => {
  await page.goto(`${the.url}${buildSetupPath(the.service.oauth)}`);
  await expectAccessible(page);
  await act(page.getByLabel("Name", { exact: true }).fill("Acme"));
  await act(page.getByLabel("Time zone").selectOption("Amsterdam"));
  await act(page.getByLabel("Your name").fill("Ada Quill"));
  await act(page.getByLabel("E-mail address").fill("ada@acme.example"));
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByText("Password is too short").waitFor();
  expect(await page.getByLabel("Your name").inputValue()).toBe("Ada Quill");
  await expectAccessible(page);
  await act(page.getByLabel("Password", { exact: true }).fill("correct horse battery"));
  await act(page.getByLabel("Password again").fill("correct horse battery"));
  await act(page.getByRole("button", { name: "Create the account" }).click());
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await page.getByText("1 calendars · 0 holidays").waitFor();
  await expectAccessible(page);
});

test("three teams and a holiday in the calendar", async () => {
  for (const team of ["Service Desk", "Networks", "Workplace"]) {
    await page.goto(`${the.url}/a/acme/teams/new`);
    await act(page.getByRole("textbox", { name: "Name" }).fill(team));
    await act(page.getByRole("button", { name: "Create", exact: true }).click());
    await page.getByRole("heading", { name: team }).waitFor();
  }
  await page.goto(`${the.url}/a/acme/holidays/new`);
  await act(page.getByRole("textbox", { name: "Name" }).fill("New Year"));
  await act(page.getByLabel(/^Start/).fill("2027-01-01T00:00"));
  await act(page.getByLabel(/^End/).fill("2027-01-02T00:00"));
  await act(page.getByRole("button", { name: "Create", exact: true }).click());
  await page.getByRole("heading", { name: "New Year" }).waitFor();
  const [calendar] = await the.sql<{ id: number }>("SELECT id FROM calendars");
  await page.goto(`${the.url}/a/acme/calendars/${calendar?.id}?tab=holidays`);
  await page.getByRole("heading", { name: "Working hours" }).waitFor();
  await act(page.getByRole("button", { name: "Add", exact: true }).click());
  const dialog = page.getByRole("dialog");
  await act(dialog.getByRole("combobox", { name: "Holiday" }).click());
  await act(page.getByRole("option", { name: "New Year" }).click());
  await act(dialog.getByRole("button", { name: "Add", exact: true }).click());
  await page.getByRole("link", { name: "New Year" }).waitFor();
  const rows = await the.sql("SELECT name FROM teams ORDER BY id");
  expect(rows.map(({ name }) => name)).toEqual(["Service Desk", "Networks", "Workplace"]);
  expect(actions).toBeLessThan(25);
});
