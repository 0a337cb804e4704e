import type { Browser } from "playwright-core";
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
  openUnless,
  textbox,
  tryClick,
} from "../../support/clients/form-interruptions.ts";
import { workflowHelpers } from "../../support/records/workflows-and-projects.ts";
import { people } from "../../support/seed.ts";
import { story } from "../../support/story.ts";
import { type World, world } from "../../support/world.ts";

// D-750, D-788: no text typed into a form of the portal or of other workspace pages is lost.

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
async function make(path: string, members: Record<string, unknown>): Promise<{ id: number }> {
  const { status, body, text } = await api().post(path, members);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body;
}
const at = (path: string) => async () => path;

async function atOffering(): Promise<string> {
  const targets = { response_target_medium: 60, resolution_target_medium: 480 };
  const offering = { name: "Network Gold", service_id: 1, status: "available", time_zone: "Amsterdam", ...targets };
  return `/service_offerings/${(await make("/service_offerings", offering)).id}`;
}
async function atArticle(): Promise<string> {
  const article = { subject: "VPN", description: "It does not connect.", instructions: "Restart it.", service_id: 1 };
  return `/knowledge_articles/${(await make("/knowledge_articles", article)).id}`;
}
async function atSurvey(): Promise<string> {
  const survey = await make("/surveys", { name: "Ask them", type: "service", service_id: 1 });
  await make(`/surveys/${survey.id}/survey_questions`, { question: "Was it fast?", type: "star_rating" });
  return `/surveys/${survey.id}?tab=questions`;
}
async function atItem(): Promise<string> {
  const category = { name: "Printer", group: "Office", rule_set: "physical_asset" };
  const { body } = await api().post("/product_categories", category);
  const product = { name: "Jet", brand: "Ink", model: "J1", category: body.reference };
  const { id } = await make("/products", product);
  const item = { label: "PRN-1", product_id: id, status: "in_stock", support_team_id: 1 };
  return `/cis/${(await make("/cis", item)).id}`;
}
async function atTimesheet(): Promise<string> {
  const allocation = await make("/time_allocations", { name: "Team meeting", description_category: "required" });
  await api().post(`/time_allocations/${allocation.id}/organizations/2`);
  return "/timesheet";
}
async function atCalendar(): Promise<string> {
  return `/calendars/${(await make("/calendars", { name: "Desk hours" })).id}?tab=plan`;
}

async function atOwnRequest(change: Record<string, unknown> = {}): Promise<string> {
  const { body } = await here.as("requester").post("/requests", { category: "incident", subject: "A form" });
  await api().patch(`/requests/${body.id}`, { team_id: 1, member_id: 3, status: "assigned", ...change });
  return `/requests/${body.id}?language=en`;
}
const atSolvedRequest = () => atOwnRequest({ status: "completed", completion_reason: "solved", note: "Restarted" });
async function atOwnApproval(): Promise<string> {
  const helpers = workflowHelpers(api());
  const task = await helpers.task(await helpers.workflow(), { category: "approval", subject: "Approve it" });
  await api().post(`/tasks/${task.id}/approvals`, { approver_id: people.requester.id });
  await api().patch(`/tasks/${task.id}`, { status: "assigned" });
  return `/tasks/${task.id}?language=en`;
}

const reason = textbox("What went wrong?");
const target = textbox("Medium, Resolve within");
const feedback = textbox("What's outdated?");
const log = { name: "printer.log", mimeType: "text/plain", buffer: Buffer.from("paper jam on tray 2") };
const withFile = (place: string): Form["more"] => ({
  async enter(page) {
    await page.locator(`${place} input[type=file]`).setInputFiles(log);
    await page.locator(`${place} .files`).getByText("19 B").waitFor();
  },
  expect: (page) => page.locator(`${place} .files`).getByText("printer.log").waitFor(),
});

const by = "administrator";
const asksBeforeLeaving = true;
// biome-ignore format: a table keeps its columns
const forms: Record<string, Form> = {
  "new request":       { by, path: at("/inbox?new=request"),      field: textbox("Subject") },
  "new record":        { by, path: at("/teams/new"),              field: textbox("Name"), asksBeforeLeaving },
  "changed record":    { by, path: at("/teams/1/edit"),           field: textbox("Name"), asksBeforeLeaving },
  "knowledge article": { by, path: at("/knowledge_articles/new"), field: textbox("What to do"), asksBeforeLeaving },
  broadcast:           { by, path: at("/broadcasts/new"),         field: textbox(/English/), asksBeforeLeaving },
  feedback:            { by, path: atArticle,                     open: openUnless(feedback, tryClick("Outdated")), field: feedback },
  target:              { by, path: atOffering,                    open: openUnless(target, tryClick(/^Medium, Resolve within/)), field: target },
  "survey question":   { by, path: atSurvey,                      field: textbox("Question") },
  fault:               { by, path: atItem,                        open: click("Report incident"), field: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Subject" }) },
  view:                { by, path: at("/teams"),                  open: choose(/^View|All/, "Save as new view…"), field: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Name" }) },
  "dashboard copy":    { by, path: at("/dashboards"),             open: choose("Dashboard actions", "Duplicate…"), field: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Name" }) },
  "timesheet line":    { by, path: atTimesheet,                   open: openUnless(textbox(/add a description/), async (page) => { await tryClick("Add line")(page); await page.getByRole("option", { name: "Team meeting" }).click(); }), field: textbox(/add a description/) },
  "calendar hours":    { by, path: atCalendar,                    open: click("Add hours"), field: (page) => page.getByRole("dialog").getByLabel("From"), typed: ["07:10", "07:20"] },
  "portal request":    { by: "requester", path: at("/portal/new?language=en"), field: (page) => page.getByLabel("What is it about?"), more: withFile("form.form") },
  "portal reply":      { by: "requester", path: atOwnRequest,     field: textbox(/Write a message/), more: withFile(".composer") },
  "portal withdrawal": { by: "requester", path: atOwnRequest,     open: click("I no longer need this"), field: inDialog },
  "portal rating":     { by: "requester", path: atSolvedRequest,  open: openUnless(reason, tryClick("No", true)), field: reason },
  "portal rejection":  { by: "requester", path: atOwnApproval,    open: click(/^Reject/), field: inDialog },
  "portal follower":   { by: "requester", path: atOwnRequest,     open: click("Share with a colleague"), field: inDialog },
};

const throughEverything = ["new record", "calendar hours", "portal request", "portal rating"];

const steps = Object.entries(forms).map(([name, form]): [string, () => Promise<void>] =>
  throughEverything.includes(name)
    ? [`${name}: through every interruption`, () => interruptions.tryAll(name, form)]
    : [`${name}: typed offline, and across a reload`, () => interruptions.tryReload(name, form)],
);
story("D-750: forms of pages and of the portal keep the typed text", Object.fromEntries(steps));
