import type { Page } from "playwright-core";
import type { DemoRole } from "../demo-world.ts";

// States that an address alone doesn't show: dialogs, menus, phone sheets and errors, each with its screen and the steps to it.
// every-screen.test.ts checks all of them; a new dialog is one line here.

/** `in`: the address below the account; `{requests}` is the first record of a list. `widths`: the widths that have this state. */
export type State = {
  name: string;
  in: string;
  as?: DemoRole;
  widths?: readonly number[];
  open: (page: Page) => Promise<unknown>;
};

const dialog = (page: Page) => page.getByRole("dialog").first().waitFor();
const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };
const click = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const choose = (name: string | RegExp) => (page: Page) => page.getByRole("menuitem", { name }).first().click();
/** Runs the steps one after the other. */
const steps =
  (...all: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of all) await step(page);
  };
const firstRow = (page: Page) => page.locator(".list-row").first().waitFor();
const feed = (page: Page) => page.getByRole("feed").waitFor();

const wide = [1440];

const frame: readonly State[] = [
  {
    name: "the palette",
    in: "notifications",
    open: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Command palette" }).fill("request");
      await page.getByRole("option").first().waitFor();
    },
  },
  { name: "the sheet of keys", in: "notifications", open: steps(press("?"), dialog) },
  { name: "the menu behind More", in: "notifications", widths: wide, open: click("More") },
  {
    name: "a new request",
    in: "notifications",
    open: async (page) => {
      await page.keyboard.press("c");
      await page.getByRole("textbox", { name: "Subject" }).fill("no network at desk");
    },
  },
  { name: "what a search finds", in: "search?q=printer", open: async () => {} },
  { name: "an address of nothing", in: "teams/999999", open: async () => {} },
];

const lists: readonly State[] = [
  {
    name: "a filter",
    in: "requests",
    widths: wide,
    open: async (page) => {
      await firstRow(page);
      await page.keyboard.press("f");
      await page.getByRole("menuitem", { name: "Status", exact: true }).click();
      await page.getByRole("combobox", { name: "Condition" }).waitFor();
    },
  },
  {
    name: "a filter that nothing meets",
    in: "requests",
    open: async (page) => {
      await firstRow(page);
      await page.keyboard.press("f");
      await page.getByRole("menuitem", { name: "Text contains" }).click();
      await page.getByRole("textbox", { name: "Text contains" }).fill("xyzzy plugh");
      await page.keyboard.press("Enter");
      await page.getByText(/No matching requests/).waitFor();
    },
  },
  { name: "filters on a phone", in: "requests", widths: [390], open: steps(click("Filter"), dialog) },
  { name: "the columns", in: "requests", widths: wide, open: steps(firstRow, click("Columns")) },
  {
    name: "a view that is saved",
    in: "requests?sort=subject",
    open: steps(firstRow, click(/^View:/), choose(/Save as new view/), dialog),
  },
  { name: "selected rows", in: "requests", open: steps(firstRow, press("j", "x", "j", "x")) },
  { name: "a bulk change", in: "requests", open: steps(firstRow, press("j", "x", "m"), dialog) },
  {
    name: "a board by status",
    in: "requests?layout=board",
    open: (page) => page.getByRole("region").first().waitFor(),
  },
  { name: "a list as a calendar", in: "requests?layout=calendar&by=created_at", open: async () => {} },
];

const work: readonly State[] = [
  {
    name: "a peek from the inbox",
    in: "inbox/my_teams",
    open: steps(
      (page) => page.getByRole("option").first().waitFor(),
      press("j", "Space"),
      (page) => page.getByRole("complementary", { name: "Preview" }).waitFor(),
    ),
  },
  { name: "completing a request", in: "{requests}", open: steps(feed, press("e"), dialog) },
  {
    name: "declining a request",
    in: "{requests}",
    open: async (page) => {
      await feed(page);
      await page.keyboard.press("s");
      await page.getByRole("option", { name: "Declined" }).click();
      await page.getByRole("dialog", { name: "Set to Declined" }).waitFor();
    },
  },
  { name: "a property that is changed", in: "{requests}", widths: wide, open: steps(feed, press("p")) },
  {
    name: "the status on a phone",
    in: "{requests}",
    widths: [390],
    open: steps(feed, (page) => page.locator(".phone-chip").first().click(), dialog),
  },
  { name: "a reply", in: "{requests}", open: steps(feed, press("r")) },
  {
    name: "snippets",
    in: "{requests}",
    widths: wide,
    open: steps(feed, press("r"), click("Insert snippet"), (page) => page.getByText("Greeting").waitFor()),
  },
  {
    name: "a link to a problem",
    in: "{requests}",
    open: steps(feed, click("Add link"), choose("Problem"), dialog),
  },
];

const records: readonly State[] = [
  {
    name: "a form with mistakes",
    in: "teams/new",
    as: "administrator",
    open: steps(click("Create"), (page) => page.getByRole("alert").first().waitFor()),
  },
  {
    name: "a form that is left with changes",
    in: "teams/new",
    as: "administrator",
    open: async (page) => {
      await page.getByRole("textbox", { name: "Name" }).fill("Half");
      await page.getByRole("link", { name: "People" }).click();
      await dialog(page);
    },
  },
  { name: "the tasks of a workflow", in: "{workflows}?tab=list", open: async () => {} },
  { name: "the tasks of a workflow over time", in: "{workflows}?tab=gantt", open: async () => {} },
  { name: "the tasks of a project", in: "{projects}?tab=tasks", open: async () => {} },
  { name: "the plan of a workflow template", in: "{workflow_templates}?tab=plan", open: async () => {} },
  { name: "the plan of a project template", in: "{project_templates}?tab=plan", open: async () => {} },
  { name: "the questions of a survey", in: "{surveys}?tab=questions", as: "administrator", open: async () => {} },
  { name: "the sprints of a board", in: "{agile_boards}?tab=sprints", open: async () => {} },
  { name: "the reports of a board", in: "{agile_boards}?tab=reports", open: async () => {} },
  {
    name: "who a broadcast reaches",
    in: "broadcasts/new",
    as: "administrator",
    open: steps((page) => page.getByText(/\d+ people/).waitFor(), click("Show people")),
  },
  {
    name: "a project compared with its baseline",
    in: "{projects}",
    widths: wide,
    open: steps(click("Baseline"), (page) => page.locator(".gantt-baseline").first().waitFor()),
  },
  {
    name: "a failed email",
    in: "settings/mails",
    as: "administrator",
    open: steps(click(/Your request.*Failed/), (page) => page.getByText("550 5.1.1 User unknown").waitFor()),
  },
  { name: "the relations of an item", in: "{cis}?tab=ci_relations", open: async () => {} },
];

export const states: readonly State[] = [...frame, ...lists, ...work, ...records];
