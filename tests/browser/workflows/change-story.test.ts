import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../../support/clients/signed-in-page.ts";
import { type DeliveredMail, type MailServer, startMailServer } from "../../support/mail/mail-server.ts";
import { workflowHelpers } from "../../support/records/workflows-and-projects.ts";
import { people, type Role } from "../../support/seed.ts";
import { until } from "../../support/waiting.ts";
import { type World, world } from "../../support/world.ts";

// A change from the request to its completion: everything after the templates happens in browsers.

const account = "/a/widget-it";
const [ada, sam, mia] = [people.administrator.id, people.specialist.id, people.manager.id];
let here: World;
let mails: MailServer;
let browser: Browser;
const contexts = new Map<Role, BrowserContext>();

async function open(role: Role, path: string): Promise<Page> {
  const known = contexts.get(role);
  const context = known ?? (await openBrowserAs(here, browser, role));
  if (known === undefined) await context.clock.setFixedTime(here.clock.now());
  contexts.set(role, context);
  const page = await context.newPage();
  await page.goto(`${here.url}${account}${path}`);
  return page;
}

/** Returns the newest email to a role with this subject, after everything that is due was sent. */
async function waitForMail(role: Role, subject: RegExp): Promise<DeliveredMail> {
  let found: DeliveredMail | undefined;
  await until(async () => {
    await here.service.worker.runDue();
    await here.service.notificationDispatcher.runDue();
    await here.service.mailWorker.runDue();
    found = mails.received.findLast((mail) => mail.to === people[role].email && subject.test(mail.subject));
    return found !== undefined;
  });
  return found as DeliveredMail;
}

/** The templates of a change: assess, two approvals, replace; on failure, put the old switch back and retry. */
async function seedTemplates(): Promise<void> {
  const admin = here.as("administrator");
  const make = workflowHelpers(admin);
  const template = await make.workflowTemplate({
    subject: "Replace network equipment",
    category: "non_standard",
    justification: "maintenance",
    workflow_type: (await make.workflowType()).reference,
    service_id: 1,
    workflow_manager_id: mia,
  });
  const relate = async (subject: string, members: object, relation: object = {}): Promise<[number, number]> => {
    const task = await make.taskTemplate({ subject, team_id: 1, ...members });
    const body = { task_template_id: task.id, ...relation };
    const reply = await admin.post(`/workflow_templates/${template.id}/task_template_relations`, body);
    if (reply.status !== 201) throw new Error(reply.text);
    return [reply.body.id, task.id];
  };
  const [assess] = await relate("Assess the risk", { category: "risk_and_impact", member_id: sam });
  const [approve, approval] = await relate(
    "Approve the replacement",
    { category: "approval", required_approvals: 2 },
    { predecessor_ids: [assess] },
  );
  for (const approver_id of [ada, mia]) await admin.post(`/task_templates/${approval}/approvals`, { approver_id });
  const [back, backTemplate] = await relate("Put the old switch back", { member_id: sam });
  await relate(
    "Replace the switch",
    { member_id: sam },
    { predecessor_ids: [approve, back], failure_task_template_id: backTemplate },
  );
  const offer = await admin.post("/request_templates", {
    subject: "New network equipment",
    category: "rfc",
    workflow_template_id: template.id,
    workflow_manager_id: mia,
    copy_subject_to_requests: false,
  });
  if (offer.status !== 201) throw new Error(offer.text);
}

beforeAll(async () => {
  await buildWeb(() => {});
  mails = await startMailServer();
  here = await world({ env: { SMTP_URL: mails.url, MAIL_FROM: "desk@widget.example", NOTICES_PER_HOUR: "1000" } });
  await here.sql("UPDATE people SET locale = 'en-US'");
  await setPasswords(here, "administrator", "specialist", "requester");
  await seedTemplates();
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const step = (page: Page, subject: string) => page.getByRole("button", { name: new RegExp(subject) }).first();
const state = (page: Page, subject: string, is: string) =>
  page.locator(`.graph-node[data-state="${is}"]`, { hasText: subject }).waitFor();
/** Reports a task's result in the dialog that the key opens. */
async function finish(page: Page, key: string, note: string): Promise<void> {
  // A page that was open before shows its cached state until the response arrives.
  await page.getByRole("button", { name: /^Mark as failed/ }).waitFor();
  await page.locator("body").press(key);
  await page.getByRole("textbox", { name: "What was done?" }).fill(note);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("a change: requested, planned from a template, assessed, approved twice, failed, repeated and completed, and the requester is notified", async () => {
  // Rita describes it in her own words.
  const rita = await open("requester", "");
  const box = rita.getByRole("combobox", { name: "How can we help?" });
  await box.fill("The switch in the laboratory is too slow");
  await rita.getByRole("option", { name: "None of this helps" }).click();
  await rita.getByLabel("What happened?").fill("Measurements take minutes to arrive.");
  await rita.getByRole("button", { name: "Send request" }).click();
  await rita.getByRole("list", { name: "Progress" }).waitFor();
  const request = rita.url().split("/").at(-1) ?? "";

  // Sam turns it into a change.
  const desk = await open("specialist", `/requests/${request}`);
  await heading(desk, "The switch in the laboratory is too slow").waitFor();
  const details = desk.getByRole("complementary", { name: "Details" });
  await details.getByRole("button", { name: "Add field…" }).click();
  await desk.getByRole("menuitem", { name: "Template" }).click();
  await desk.getByRole("option", { name: "New network equipment" }).click();
  await details.getByText("Workflow pending").first().waitFor();
  await details.getByRole("link", { name: "Replace network equipment" }).click();
  await heading(desk, "Replace network equipment").waitFor();
  await state(desk, "Assess the risk", "active");

  // The risk assessment, on its task's page.
  const task = await open("specialist", new URL(desk.url()).pathname.slice(account.length));
  await step(task, "Assess the risk").press("Enter");
  await heading(task, "Assess the risk").waitFor();
  await finish(task, "e", "Ten minutes without network. The old switch stays ready.");
  await state(desk, "Assess the risk", "done");
  await state(desk, "Approve the replacement", "active");
  await rita.reload();
  const progress = rita.getByRole("list", { name: "Progress" });
  await progress.getByText("Waiting for approval from Ada Admin, Mia Manager").waitFor();

  // Mia decides through the link in her email, without signing in.
  const email = await waitForMail("manager", /Approve the replacement/);
  const address = /\/approvals\/\d+\/\d+\/approved\/[0-9a-f]{40}/.exec(email.text)?.[0] ?? "";
  const stranger = await browser.newContext();
  const link = await stranger.newPage();
  await link.goto(here.url + address);
  await expectAccessible(link);
  await link.getByRole("textbox").fill("After six in the evening, please.");
  await link.getByRole("button", { name: "Approve" }).click();
  await link.getByRole("heading", { name: "Approved" }).waitFor();
  await stranger.close();
  await desk.locator(".graph-node", { hasText: "Approve the replacement" }).getByText("1 of 2").waitFor();

  // Ada decides by keyboard, starting in her inbox.
  const boss = await open("administrator", "/inbox/approvals");
  await boss.getByRole("option", { name: /Approve the replacement/ }).click();
  await boss.keyboard.press("Enter");
  await boss.getByRole("heading", { name: "Do you approve?" }).waitFor();
  await boss.getByText("After six in the evening, please.").first().waitFor();
  await boss.locator("body").press("Shift+A");
  await state(desk, "Replace the switch", "active");

  // The step fails, its failure task runs, and the step is repeated.
  await visit(task, desk.url());
  await step(task, "Replace the switch").press("Enter");
  await heading(task, "Replace the switch").waitFor();
  await task.getByText("On failure: Put the old switch back.").waitFor();
  await finish(task, "Shift+F", "The new one does not start.");
  await state(desk, "Replace the switch", "failed");
  await state(desk, "Put the old switch back", "active");
  await desk.locator(".graph-edge-failure[data-happened]").waitFor({ state: "attached" });
  await task.getByRole("link", { name: "Put the old switch back" }).first().click();
  await heading(task, "Put the old switch back").waitFor();
  await finish(task, "e", "It is back, and the network with it.");
  await state(desk, "Replace the switch", "active");
  await task.getByRole("link", { name: "Replace the switch" }).first().click();
  await heading(task, "Replace the switch").waitFor();
  await finish(task, "e", "With new firmware it starts.");

  // The workflow and the request are completed; Rita sees it and gets an email.
  await state(desk, "Replace the switch", "done");
  await desk.getByText("Completed", { exact: true }).first().waitFor();
  await rita.getByRole("heading", { name: "Did this help?" }).waitFor();
  await progress.getByText("Solved", { exact: true }).waitFor();
  expect((await waitForMail("requester", /completed/i)).text).toContain("The switch in the laboratory is too slow");
});
