import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { choose, click, type Form, Interruptions, labeled, textbox } from "../../support/clients/form-interruptions.ts";
import { workflowHelpers } from "../../support/records/workflows-and-projects.ts";
import { people } from "../../support/seed.ts";
import { story } from "../../support/story.ts";
import { until } from "../../support/waiting.ts";
import { type World, world } from "../../support/world.ts";

// D-750, D-788: no text typed on a request, problem, task, workflow or board page is lost.

let here: World;
let browser: Browser;
let interruptions: Interruptions;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator");
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
async function atRequest(members: Record<string, unknown> = {}): Promise<string> {
  const made = await make("/requests", { category: "incident", subject: "A form", team_id: 1, ...members });
  return `/requests/${made.id}`;
}
async function atProblem(): Promise<string> {
  const problem = await make("/problems", {
    subject: "Desks without network",
    impact: "low",
    service_id: 1,
    team_id: 1,
  });
  await make("/requests", { category: "incident", subject: "No network", team_id: 1, problem_id: problem.id });
  return `/problems/${problem.id}`;
}
async function atApproval(): Promise<string> {
  const helpers = workflowHelpers(api());
  const task = await helpers.task(await helpers.workflow(), { category: "approval", subject: "Approve it" });
  await api().post(`/tasks/${task.id}/approvals`, { approver_id: people.administrator.id });
  await api().patch(`/tasks/${task.id}`, { status: "assigned" });
  return `/tasks/${task.id}`;
}
async function atWorkflow(): Promise<string> {
  const helpers = workflowHelpers(api());
  const workflow = await helpers.workflow();
  await helpers.task(workflow, { subject: "Order" });
  return `/workflows/${workflow.id}`;
}
async function atProject(): Promise<string> {
  const project = await workflowHelpers(api()).project();
  await make(`/projects/${project.id}/phases`, { name: "Design" });
  return `/projects/${project.id}`;
}
async function atBoard(): Promise<string> {
  const board = await make("/agile_boards", { name: "Board", manager_id: people.administrator.id });
  const columns = [{ name: "To do" }, { name: "Doing", dialog_type: "full" }];
  const made: number[] = [];
  for (const column of columns) made.push((await make(`/agile_boards/${board.id}/agile_board_columns`, column)).id);
  await make("/requests", {
    category: "rfc",
    subject: "A card",
    team_id: 1,
    agile_board_id: board.id,
    agile_board_column_id: made[0],
  });
  return `/agile_boards/${board.id}`;
}
async function atBacklog(): Promise<string> {
  const owner = { product_goal: "Certificates", product_owner_id: people.administrator.id };
  return `/product_backlogs/${(await make("/product_backlogs", { name: "Backlog", ...owner })).id}`;
}

const reply = textbox(/^(Reply|Note)/);
/** Waits for the page, because shortcuts work only after it has rendered. */
const press = (key: string) => async (page: Page) => {
  await reply(page).waitFor();
  await page.keyboard.press(key);
};
const firstCard = (page: Page) => page.locator(".card-subject").first();
const subject = (page: Page) => page.getByRole("dialog").getByRole("textbox", { name: "Subject" });
const inDetails = (label: string) => (page: Page) =>
  page.getByRole("complementary", { name: "Details" }).locator(".property", { hasText: label });
const log = { name: "printer.log", mimeType: "text/plain", buffer: Buffer.from("paper jam on tray 2") };

const { name: mentioned } = people.manager;
/** Finds the person that the text mentions in the server's copy of its draft. */
async function findMentioned(text: string): Promise<number | undefined> {
  const sql = "SELECT value FROM kept_items WHERE kind = 'draft' AND person_id = $1";
  const drafts = (await here.sql(sql, [people.administrator.id])).map(({ value }) => JSON.parse(String(value)));
  const mark = drafts.find((draft) => draft.text === text && text.includes(`@${mentioned}`))?.mentions[`@${mentioned}`];
  return mark === undefined ? undefined : Number(/^<@(\d+)\|/.exec(mark)?.[1]);
}
/** The draft's other parts: a file, minutes, a status and a mention. */
const more: Form["more"] = {
  async enter(page) {
    await reply(page).press("End");
    await reply(page).pressSequentially(" @Mia");
    await page.getByRole("option", { name: mentioned }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".composer input[type=file]").setInputFiles(log);
    await page.locator(".composer-files").getByText("19 B").waitFor();
    await page.getByRole("button", { name: /^Status after sending/ }).click();
    await page.getByRole("menuitem", { name: "Waiting for customer" }).click();
    await page.getByRole("button", { name: "Log time" }).click();
    await page.getByLabel("Time spent", { exact: true }).fill("25");
    await page.keyboard.press("Enter");
  },
  async expect(page) {
    await page.locator(".composer-files").getByText("printer.log").waitFor();
    await page.getByRole("button", { name: "Time spent: 25 min" }).waitFor();
    await page.getByRole("button", { name: "Status after sending: Waiting for customer" }).waitFor();
    await until(async () => (await findMentioned(await reply(page).inputValue())) === people.manager.id);
  },
};

const by = "administrator";
// biome-ignore format: a table keeps its columns
const forms: Record<string, Form> = {
  reply:             { by, path: atRequest,     field: reply, more, typed: [`reply 1 for @${mentioned} today`, `reply 2 for @${mentioned} today`] },
  "internal note":   { by, path: atRequest,     open: (page) => page.getByRole("tab", { name: /Internal note/ }).click(), field: textbox("Internal note") },
  completion:        { by, path: atRequest,     open: press("e"), field: textbox("What was done?") },
  "waiting time":    { by, path: atRequest,     open: async (page) => { await reply(page).waitFor(); await choose(/^Status after sending/, "Wait until…")(page); }, field: labeled("Custom date and time"), typed: ["2027-03-01T09:00", "2027-03-02T09:00"] },
  snippet:           { by, path: atRequest,     open: async (page) => { await reply(page).fill("Restart it"); await click("Insert snippet")(page); await click("Save text as snippet")(page); }, field: (page) => page.locator(".snippets").getByRole("textbox", { name: "Name" }) },
  property:          { by, path: () => atRequest({ supplier_id: 1, supplier_requestID: "S-1" }), open: async (page) => { await inDetails("Supplier request ID")(page).getByRole("button").click(); }, field: (page) => page.locator(".property-edit").getByRole("textbox") },
  "custom field":    { by, path: () => atRequest({ custom_fields: { socket: "2.14" } }), open: async (page) => { await inDetails("Socket")(page).getByRole("button").click(); }, field: (page) => page.locator(".property-edit").getByRole("textbox") },
  "problem text":    { by, path: atProblem,     open: click("Add text"), field: textbox("Workaround") },
  "message to all":  { by, path: atProblem,     open: click("Notify all requesters"), field: textbox("Message") },
  approval:          { by, path: atApproval,    field: (page) => page.locator(".decision-card textarea").first() },
  "new task":        { by, path: atWorkflow,    open: click("Add task"), field: textbox("Subject") },
  "new phase":       { by, path: atProject,     open: async (page) => { await page.getByRole("tab", { name: /^Tasks/ }).click(); await click("Add phase")(page); }, field: textbox("Phase name") },
  "phase name":      { by, path: atProject,     open: async (page) => { await page.getByRole("tab", { name: /^Tasks/ }).click(); await click(/^Rename /)(page); }, field: textbox("Phase name") },
  "new card":        { by, path: atBoard,       open: click("Add card"), field: subject },
  "card":            { by, path: atBoard,       open: (page) => firstCard(page).click(), field: subject },
  column:            { by, path: atBoard,       open: choose("Actions for column To do", "Edit column"), field: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Name" }) },
  "backlog item":    { by, path: atBacklog,     open: async (page) => { await page.getByRole("heading", { level: 1 }).waitFor(); await page.keyboard.press("n"); }, field: subject },
};

const throughEverything = ["reply", "property", "new task"];

const steps = Object.entries(forms).map(([name, form]): [string, () => Promise<void>] =>
  throughEverything.includes(name)
    ? [`${name}: through every interruption`, () => interruptions.tryAll(name, form)]
    : [`${name}: typed offline, and across a reload`, () => interruptions.tryReload(name, form)],
);
story("D-750: forms of work records keep the typed text", Object.fromEntries(steps));
