import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import {
  choose,
  click,
  type Form,
  Interruptions,
  inDialog,
  labeled,
  textbox,
} from "../../support/clients/form-interruptions.ts";
import { requestHelpers } from "../../support/records/requests.ts";
import { serviceAgreements } from "../../support/records/service-agreements.ts";
import { serviceDeskTeam, workflowHelpers } from "../../support/records/workflows-and-projects.ts";
import { people } from "../../support/seed.ts";
import { story } from "../../support/story.ts";
import { until } from "../../support/waiting.ts";
import { type World, world } from "../../support/world.ts";

// D-750, D-788: no text typed into a dialog, a cell or a portal offer is lost.

let here: World;
let browser: Browser;
let interruptions: Interruptions;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "requester");
  browser = await startBrowser();
  interruptions = new Interruptions(here, browser);
});
afterAll(() => browser?.close());

const api = () => here.as("administrator");
const create = (type: string, members: Record<string, unknown>) => requestHelpers(here).create(type, members);
const at = (path: string) => async () => path;

async function makeRequest(members: Record<string, unknown> = {}): Promise<number> {
  const subject = "A form";
  return (await requestHelpers(here).request({ subject, team_id: serviceDeskTeam, ...members })).id;
}
const atRequest = async () => `/requests/${await makeRequest()}`;
/** A team's list with a single request. */
async function atList(): Promise<string> {
  const team = await requestHelpers(here).team(people.administrator.id);
  await makeRequest({ team_id: team });
  return `/requests?team=${team}&fields=id,subject`;
}
async function atBoard(): Promise<string> {
  const board = await create("agile_board", { name: "Board", manager_id: people.administrator.id });
  const addColumn = async (column: Record<string, unknown>): Promise<number> =>
    (await api().post(`/agile_boards/${board.id}/agile_board_columns`, column)).body.id;
  const first = await addColumn({ name: "To do" });
  await addColumn({ name: "Doing", dialog_type: "full" });
  await makeRequest({ subject: "A card", agile_board_id: board.id, agile_board_column_id: first });
  return `/agile_boards/${board.id}`;
}
const atAgreement = async () => `/slas/${(await serviceAgreements(api()).agreed()).sla.id}`;
const atCalendarRecord = async () => `/calendars/${(await create("calendar", { name: "Desk hours" })).id}`;
/** A timesheet week with one line. */
async function atTimesheet(): Promise<string> {
  const request_id = await makeRequest({ subject: "Cables" });
  const spent = { date: "2025-03-03", time_spent: 30, service_id: 1, customer_id: 1 };
  await create("time_entry", { ...spent, person_id: people.administrator.id, request_id });
  return "/timesheet";
}
async function atWorkflow(): Promise<string> {
  const helpers = workflowHelpers(api());
  const workflow = await helpers.workflow();
  const task = await helpers.task(workflow, { category: "approval", subject: "Approve it" });
  await api().post(`/tasks/${task.id}/approvals`, { approver_id: people.administrator.id });
  await api().patch(`/tasks/${task.id}`, { status: "assigned" });
  return `/workflows/${workflow.id}`;
}

async function atBasket(): Promise<string> {
  const template = await create("request_template", {
    subject: "Deliver it",
    category: "fulfillment",
    end_users: false,
  });
  const sold = { fulfillment_template_id: template.id, max_quantity: 3, disabled: false, start_at: null, end_at: null };
  const phone = await create("shop_article", { ...sold, name: "Phone", reference: "phone" });
  await here.as("requester").post("/shop_order_lines", { shop_article_id: phone.id });
  return "/portal/shop?language=en";
}
async function atReservations(): Promise<string> {
  const agree = serviceAgreements(api());
  const { instance } = await agree.coverPerson(await agree.service(), people.requester.id);
  const calendar = await agree.calendar(["mon-fri 08:00-18:00"]);
  const room = await create("reservation_offering", {
    ...{ name: "Meeting room", service_instance_id: instance.id, calendar_id: calendar.id, time_zone: "UTC" },
    ...{ min_duration: 30, max_duration: 240, step_duration: 30, initial_status: "confirmed", disabled: false },
  });
  const prism = await create("ci", { name: "Prism", status: "in_production", support_team_id: serviceDeskTeam });
  await api().post(`/reservation_offerings/${room.id}/cis/${prism.id}`);
  return "/portal/reservations?language=en";
}
async function atTemplate(): Promise<string> {
  const agree = serviceAgreements(api());
  const service = await agree.service();
  await agree.coverPerson(service, people.requester.id);
  const fields = [
    { id: "place", type: "choice", label: "Where do you work?", required: true, options: ["Office", "Home"] },
    { id: "street", type: "text", label: "Street", when: { field: "place", is: ["Home"] } },
    { id: "why", type: "long_text", label: "What is it for?" },
  ];
  const extension = await create("ui_extension", {
    ...{ category: "request_template", title: "About you", activate: true },
    form_definition_json: JSON.stringify({ fields }),
  });
  const asks = { service_id: service.id, ui_extension_id: extension.id };
  const template = await create("request_template", { subject: "Access to a folder", category: "rfc", ...asks });
  return `/portal/new/${template.id}?language=en`;
}

async function openRefusal(page: Page): Promise<void> {
  await textbox(/^(Reply|Note)/)(page).waitFor();
  await page.keyboard.press("s");
  await page.getByRole("option", { name: "Declined" }).click();
}
async function openAbsence(page: Page): Promise<void> {
  await page.getByRole("table", { name: "Days of the month" }).waitFor();
  await page.keyboard.press("n");
}
async function openTileSettings(page: Page): Promise<void> {
  await click("Edit")(page);
  await click(/: Chart settings/)(page);
}
const goToRow = async (page: Page) => {
  await page.getByRole("link", { name: "A form" }).waitFor();
  await page.keyboard.press("j");
};
async function openCell(page: Page): Promise<void> {
  await goToRow(page);
  for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
}
async function openBulkNote(page: Page): Promise<void> {
  await goToRow(page);
  await page.keyboard.press("x");
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("i");
}

const from = (page: Page) => page.getByLabel("From", { exact: true });
/** Picks another start time than the first free one. */
const laterStart: Form["more"] = {
  async enter(page) {
    await from(page).selectOption({ label: "11:00" });
  },
  expect: (page) => from(page).locator("option:checked", { hasText: "11:00" }).waitFor({ state: "attached" }),
};
const home = (page: Page) => page.getByRole("radio", { name: "Home" });
const street = (page: Page) => page.getByRole("textbox", { name: /^Street/ });
/** A choice, and a field that it reveals. */
const answers: Form["more"] = {
  async enter(page) {
    await home(page).check();
    await street(page).fill("Harbor Street 4");
  },
  expect: (page) =>
    until(async () => (await home(page).isChecked()) && (await street(page).inputValue()) === "Harbor Street 4"),
};

const by = "administrator";
// biome-ignore format: a table keeps its columns
const forms: Record<string, Form> = {
  "board move":     { by, path: atBoard,            open: choose(/^Actions for (?!column)/, "Doing"), field: labeled("Note") },
  refusal:          { by, path: atRequest,          open: openRefusal, field: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Why?" }) },
  absence:          { by, path: at("/calendar"),    open: openAbsence, field: labeled("Reason") },
  renewal:          { by, path: atAgreement,        open: click("Renew SLA"), field: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Name" }) },
  "tile settings":  { by, path: at("/dashboards"),  open: openTileSettings, field: labeled("Title") },
  "timesheet cell": { by, path: atTimesheet,        field: textbox(/^Cables, Tuesday/), typed: ["1:10", "1:20"] },
  "list cell":      { by, path: atList,             open: openCell, field: textbox("Subject") },
  "record field":   { by, path: atCalendarRecord,   open: click("Edit Name"), field: (page) => page.locator(".property-edit").getByRole("textbox") },
  "bulk note":      { by, path: atList,             open: openBulkNote, field: labeled("Note") },
  "approval bar":   { by, path: atWorkflow,         open: click(/^Reject/), field: inDialog },
  "portal basket":  { by: "requester", path: atBasket,       field: (page) => page.getByLabel(/^Why do you need it/) },
  "portal reservation": { by: "requester", path: atReservations, open: click(/^Prism, /), field: textbox("What is it for?"), more: laterStart },
  "portal template": { by: "requester", path: atTemplate,    field: textbox(/^What is it for/), more: answers },
};

const throughEverything = ["board move", "list cell", "portal basket"];

const steps = Object.entries(forms).map(([name, form]): [string, () => Promise<void>] =>
  throughEverything.includes(name)
    ? [`${name}: through every interruption`, () => interruptions.tryAll(name, form)]
    : [`${name}: typed offline, and across a reload`, () => interruptions.tryReload(name, form)],
);
story("D-750: forms in cells, tiles, bars and the portal keep what was typed", Object.fromEntries(steps));
