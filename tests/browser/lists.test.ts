import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { expectFits, openBrowserAs, takePicture, visit } from "../support/clients/signed-in-page.ts";
import { people, type Role } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// Lists of records in a real browser: filters, columns, saved views, selection, bulk change with undo, cells, API call.

let here: World;
let browser: Browser;
let team: { id: number };
let ids: number[];

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist", "manager");
  browser = await startBrowser();
  const admin = here.as("administrator");
  team = (await admin.post("/teams", { name: "Cabling", manager_id: people.manager.id })).body;
  for (const member of [people.manager, people.specialist]) await admin.post(`/teams/${team.id}/members/${member.id}`);
  ids = [];
  for (let n = 1; n <= 12; n++)
    ids.push(
      (
        await admin.post("/requests", {
          subject: `Cable ${String(n).padStart(2, "0")}`,
          category: "rfi",
          team_id: team.id,
        })
      ).body.id,
    );
  await admin.post("/requests", { subject: "Printer", category: "incident", impact: "low" });
});
afterAll(() => browser?.close());

const browsers = new Map<Role, BrowserContext>();

/** Opens an address in a signed-in person's page; opens the page if necessary. */
async function enter(role: Role, path: string, width = 1440): Promise<Page> {
  const context = browsers.get(role) ?? (await openBrowserAs(here, browser, role));
  browsers.set(role, context);
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width, height: 900 });
  await visit(page, here.url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}
const requests = "/a/widget-it/requests";
const titles = (page: Page) => page.locator(".list-row .list-title").allTextContents();
const members = async () =>
  (await here.as("administrator").get(`/requests?id=${ids.join(",")}&fields=member&sort=id&per_page=100`)).body.map(
    (row: { member: { id: number } | null }) => row.member?.id ?? null,
  );

story("a list is filtered, arranged, and saved as a view of the team", {
  "filters appear as chips with the API's operators, and the address contains them": async () => {
    const page = await enter("manager", requests);
    await page.getByText("13 requests").waitFor();
    await page.keyboard.press("f");
    await page.getByRole("textbox", { name: "Search fields" }).fill("team");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Team" }).fill("cabl");
    await page.getByRole("option", { name: "Cabling" }).click();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("12 requests").waitFor();
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "Status", exact: true }).click();
    await page.getByRole("combobox", { name: "Condition" }).click();
    await page.getByRole("option", { name: "is not", exact: true }).click();
    await page.getByRole("combobox", { name: "Status", exact: true }).click();
    await page.getByRole("option", { name: "Completed" }).click();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Status is not Completed" }).waitFor();
    await page.getByRole("button", { name: "Team is Cabling" }).waitFor();
    const query = new URL(page.url()).searchParams;
    expect([query.get("team"), query.get("status")]).toEqual([String(team.id), "!completed"]);

    // Text search, and a hint when nothing matches.
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "Text contains" }).click();
    await page.getByRole("textbox", { name: "Text contains" }).fill("nothing like this");
    await page.keyboard.press("Enter");
    await page.getByText("No matching requests").waitFor();
    await page.getByRole("button", { name: "Remove text filter" }).click();
    await page.getByText("12 requests").waitFor();
  },
  "a team view stores columns and sort, and a colleague opens it": async () => {
    const page = await enter("manager", `${requests}?team=${team.id}`);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Requested for" }).click(); // the address changes before the checkbox
    for (let step = 1; step <= 5; step++) await page.getByRole("button", { name: "Move Requested for left" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Requested for" }).waitFor();
    await page.getByRole("button", { name: "Sort by Next target" }).click();
    await page.getByRole("button", { name: "Sort by Impact" }).click({ modifiers: ["Shift"] });
    await until(() => new URL(page.url()).searchParams.get("sort") === "next_target_at,impact");
    await page.getByRole("button", { name: "Sort by Subject" }).click();
    await until(async () => (await titles(page))[0] === "Cable 01");
    await page.getByRole("button", { name: /^View:/ }).click();
    await page.getByRole("menuitem", { name: "Save as new view…" }).click();
    const dialog = page.getByRole("dialog", { name: "Save as new view…" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Cabling, by name");
    await dialog.getByRole("radio", { name: "Team Cabling" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Team view").first().waitFor();

    const second = await enter("specialist", requests);
    await second.getByRole("button", { name: "View: All" }).click();
    await second.getByRole("menuitem", { name: /Cabling, by name/ }).click();
    await second.getByRole("columnheader", { name: "Requested for" }).waitFor();
    await second.getByText("12 requests").first().waitFor();
    await until(async () => (await titles(second)).slice(0, 2).join() === "Cable 01,Cable 02");
    await second.reload();
    await second.getByRole("columnheader", { name: "Requested for" }).waitFor();
    await second.close();
  },
});

story("rows are changed in bulk and by cell, and read by the API as they are shown", {
  "keys select rows, and a bulk assignment has a preview, a report and undo": async () => {
    const page = await enter("manager", `${requests}?team=${team.id}&sort=subject`);
    await page.getByRole("link", { name: "Cable 01" }).waitFor();
    const before = await members();
    for (const key of ["j", "x", "j", "x", "Shift+J"]) await page.keyboard.press(key);
    await page.getByText("3 selected").waitFor();
    expect(await page.getByRole("row", { selected: true }).count()).toBe(3);
    await takePicture(page, "list-bulk");
    await page.getByRole("button", { name: "Select all 12" }).click();
    await page.getByText("12 selected").waitFor();
    await page.keyboard.press("m");
    const dialog = page.getByRole("dialog", { name: "Assignee for 12 requests" });
    await dialog.getByRole("combobox", { name: "Assignee" }).fill("sam");
    await page.getByRole("option", { name: "Sam Specialist" }).click();
    await dialog.getByText("12 requests can be updated").waitFor();
    await dialog.getByRole("button", { name: "Update 12 records" }).click();
    await page.getByText("12 requests updated", { exact: true }).waitFor();
    expect(await members()).toEqual(ids.map(() => people.specialist.id));
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("12 requests reverted").waitFor();
    expect(await members()).toEqual(before);
    await page.close(); // its focus stays in a row
  },
  "Enter edits a cell; a conflict asks; a refused value is reverted with the reason": async () => {
    const page = await enter("manager", `${requests}?team=${team.id}&sort=subject&fields=id,subject,member`);
    await page.getByRole("link", { name: "Cable 01" }).waitFor();
    await page.keyboard.press("j");
    for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("textbox", { name: "Subject" }).fill("Cable 01, patched");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Cable 01, patched" }).waitFor();
    const subject = async () => (await here.as("administrator").get(`/requests/${ids[0]}`)).body.subject;
    await until(async () => (await subject()) === "Cable 01, patched");

    // Another person changed the same cell, and this page has no stream to learn of it.
    await page.route("**/stream?**", (route) => route.abort());
    await page.reload();
    await page.getByRole("link", { name: "Cable 01, patched" }).waitFor();
    await here.as("administrator").patch(`/requests/${ids[0]}`, { subject: "Cable 01, replaced" });
    await page.keyboard.press("j");
    for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("textbox", { name: "Subject" }).fill("Cable 01, removed");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Someone else changed this too" });
    await dialog.locator(".collision-side", { hasText: "Your version" }).getByText("Cable 01, removed").waitFor();
    await dialog.locator(".collision-side", { hasText: "Their version" }).getByText("Cable 01, replaced").waitFor();
    expect(await subject()).toBe("Cable 01, replaced");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("link", { name: "Cable 01, removed" }).waitFor();
    await until(async () => (await subject()) === "Cable 01, removed");

    // A refused change restores the other person's value.
    await here.as("administrator").patch(`/requests/${ids[0]}`, { subject: "Cable 01, replaced again" });
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Subject" }).fill("Refused");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.route("**/v1/requests/*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 422, json: { message: "Validation Failed", errors: [["subject", "is taken"]] } })
        : route.continue(),
    );
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("link", { name: "Cable 01, replaced again" }).waitFor();
    await page.close(); // it would keep sending refused changes
  },
  "the copied API call returns the same ids in the same order": async () => {
    const page = await enter("manager", `${requests}?team=${team.id}&sort=-subject`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("link", { name: "Cable 12" }).waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("menuitem", { name: "Copy as API call" }).click();
    await page.getByText("API call copied").waitFor();
    const call = (await page.evaluate("navigator.clipboard.readText()")) as string;
    const path = /"http[^"]*\/v1([^"]*)"$/.exec(call)?.[1] ?? "";
    const answered = (await here.as("manager").get(path)).body.map(({ subject }: { subject: string }) => subject);
    expect(await titles(page)).toEqual(answered);
  },
});

/** Responds as if the request lists had 12,345 records, counted 20 seconds ago. */
async function makeTotalsOld(page: Page): Promise<void> {
  const old = { "x-pagination-total-entries": "12345", "x-pagination-total-age": "20" };
  await page.route(/\/v1\/requests\?/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), ...old } });
  });
  await page.route(/\/session-api\/reads$/, async (route) => {
    const { paths } = route.request().postDataJSON() as { paths: string[] };
    const response = await route.fetch();
    const answers = (await response.json()) as { headers: Record<string, string> }[];
    for (const [at, answer] of answers.entries())
      if (paths[at]?.startsWith("/v1/requests?")) Object.assign(answer.headers, old);
    await route.fulfill({ response, json: answers });
  });
}

story("boards, calendars, first views and old totals of a list", {
  "keys and the menu move cards on a board, a calendar shows a month, and a bulk change adds tags": async () => {
    const page = await enter("manager", `${requests}?team=${team.id}&sort=subject`);
    await page.getByRole("link", { name: "Cable 02" }).waitFor();
    await page.getByRole("button", { name: "Board by status" }).click();
    const column = (name: string) => page.getByRole("region", { name, exact: true });
    const status = async (at: number) => (await here.as("administrator").get(`/requests/${ids[at]}`)).body.status;
    await column("Assigned").getByRole("link", { name: "Cable 02" }).focus();
    await page.keyboard.press("Shift+ArrowRight");
    await column("Accepted").getByRole("link", { name: "Cable 02" }).waitFor();
    await until(async () => (await status(1)) === "accepted");
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await status(1)) === "assigned");
    await page.getByRole("button", { name: "Actions for Cable 03" }).click();
    await page.getByRole("menuitem", { name: "Completed" }).click();
    await page.getByRole("textbox", { name: "What was done?" }).fill("Replaced");
    await page.keyboard.press("Control+Enter");
    await until(async () => (await status(2)) === "completed");
    await column("Completed").getByRole("link", { name: "Cable 03" }).waitFor();

    // Another person moves the same card at the same moment: the second person is asked, and nothing is overwritten silently.
    let isMoved = false;
    await page.route(`**/v1/requests/${ids[3]}`, async (route) => {
      if (route.request().method() === "PATCH" && !isMoved) {
        isMoved = true;
        await here.as("administrator").patch(`/requests/${ids[3]}`, { status: "in_progress" });
      }
      await route.continue();
    });
    await column("Assigned").getByRole("link", { name: "Cable 04" }).focus();
    await page.keyboard.press("Shift+ArrowRight");
    const collision = page.getByRole("dialog", { name: "Someone else changed this too" });
    await collision.locator(".collision-side", { hasText: "Your version" }).getByText("Accepted").waitFor();
    await collision.locator(".collision-side", { hasText: "Their version" }).getByText("In progress").waitFor();
    expect(await status(3)).toBe("in_progress");
    await collision.getByRole("radio", { name: "Their version" }).check();
    await collision.getByRole("button", { name: "Save changes" }).click();
    await column("In progress").getByRole("link", { name: "Cable 04" }).waitFor();
    expect(await status(3)).toBe("in_progress");

    await page.getByRole("button", { name: "Calendar", exact: true }).click();
    await page.getByRole("combobox", { name: "Date field" }).click();
    await page.getByRole("option", { name: "Created" }).click();
    const created = (await here.as("administrator").get(`/requests/${ids[0]}`)).body.created_at.slice(0, 10);
    await visit(
      page,
      `${here.url}${requests}?team=${team.id}&layout=calendar&by=created_at&month=${created.slice(0, 7)}`,
    );
    await page.getByRole("button", { name: /^\d+ more$/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("link", { name: /Cable 12/ })
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Next month" }).click();
    await page.getByRole("link", { name: /Cable 12/ }).waitFor({ state: "detached" });

    await visit(page, `${here.url}${requests}?team=${team.id}&sort=subject`);
    await page.getByRole("link", { name: "Cable 02" }).waitFor();
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Tag" }).click();
    const dialog = page.getByRole("dialog", { name: "Tags for 2 requests" });
    await dialog.locator("input").first().fill("floor 5");
    await page.keyboard.press("Enter");
    await dialog.getByText("2 requests can be updated").waitFor();
    await dialog.getByRole("button", { name: "Update 2 records" }).click();
    await page.getByText("2 requests updated", { exact: true }).waitFor();
    const tags = (await here.as("administrator").get(`/requests/${ids[1]}/tags`)).body;
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(["floor 5"]);
  },
  "an address without a query opens the team's default view; a row has a menu": async () => {
    const page = await enter("manager", `${requests}?team=${team.id}&sort=-subject`);
    await page.getByRole("link", { name: "Cable 12" }).waitFor();
    await page.getByRole("button", { name: /^View:/ }).click();
    await page.getByRole("menuitem", { name: "Save as new view…" }).click();
    const dialog = page.getByRole("dialog", { name: "Save as new view…" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Cabling first");
    await dialog.getByRole("radio", { name: "Team Cabling" }).check();
    await dialog.getByRole("checkbox", { name: "Set as team default" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Team view").first().waitFor();

    const second = await enter("specialist", requests);
    await second.getByRole("button", { name: "View: Cabling first" }).waitFor();
    await until(async () => (await titles(second))[0] === "Cable 12");
    await second.getByRole("button", { name: "View: Cabling first" }).click();
    await second.getByRole("menuitem", { name: "All", exact: true }).click();
    await second.getByText("13 requests").first().waitFor();

    await second.getByRole("link", { name: "Cable 11" }).click({ button: "right" });
    await second.getByRole("menuitem", { name: "Select" }).click();
    await second.getByText("1 selected").waitFor();
    await second.setViewportSize({ width: 390, height: 844 });
    await second.getByRole("button", { name: "Filter", exact: true }).click();
    const sheet = second.getByRole("dialog", { name: "Filter" });
    await sheet.getByRole("button", { name: "Filter" }).click();
    await second.getByRole("menuitem", { name: "Text contains" }).click();
    await second.getByRole("textbox", { name: "Text contains" }).fill("printer");
    await second.keyboard.press("Enter");
    await second.getByRole("button", { name: "Show results", exact: true }).click();
    await second.getByRole("button", { name: "Filters, 1 active" }).waitFor();
    await second.getByText("1 request", { exact: true }).first().waitFor();
    await second.close();
  },
  "an old total is shown as approximate in the list, its selection and a tile": async () => {
    const page = await enter("manager", `${requests}?sort=subject`);
    await page.getByRole("link", { name: "Cable 01" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Select all 13" }).waitFor();
    await page.keyboard.press("s");
    await page.getByRole("dialog", { name: "Status for 1 request", exact: true }).waitFor();
    await page.keyboard.press("Escape");

    await makeTotalsOld(page);
    await visit(page, `${here.url}${requests}?sort=-subject`);
    await page.getByText("about 12,300 requests").waitFor();
    await page.getByRole("button", { name: "Select all, about 12,300" }).waitFor(); // the row is still selected
    await expectFits(page, [390, 1440]);
    await page.getByRole("button", { name: "Select all, about 12,300" }).click();
    await page.getByText("about 12,300 selected").waitFor();
    await page.keyboard.press("s");
    await page.getByRole("dialog", { name: "Status for about 12,300 requests" }).waitFor();
    await page.getByRole("button", { name: "Update about 12,300 records" }).waitFor();
    await takePicture(page, "bulk-about");
    await page.keyboard.press("Escape");

    await visit(page, `${here.url}/a/widget-it/dashboards/service-desk`);
    await page.locator(".tile-head").getByText("about 12,300").first().waitFor();
    await expectFits(page, [390, 1440]);
    expect(await page.getByText("12,345").count()).toBe(0);
    await page.close();
  },
});
