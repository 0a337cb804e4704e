import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// A new request by keyboard alone, as a service desk analyst creates it during a telephone call.

const settings = "/a/widget-it/settings";
let here: World;
let browser: Browser;
let page: Page;
let fatima: { id: number };
let wired: { id: number };

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "manager", "specialist");
  const admin = here.as("administrator");
  await admin.post("/people/9/permissions/widget-it?roles=specialist,service_desk_analyst");
  await here.sql(
    "INSERT INTO permissions (person_id, account_id, role, created_at) VALUES (9, 'widget-hr', 'specialist', now())",
  );
  const { make, instance, offering, sla, request } = serviceAgreements(admin);
  fatima = await make("/people", { name: "Fatima Benali", primary_email: "fatima@widget.example" });
  await make(`/people/${fatima.id}/contacts`, { label: "work", telephone: "+31 40 555 0142" });
  wired = await instance({ name: "Wired network Eindhoven" });
  const offered = await offering({
    ...{ response_target_low: 60, resolution_target_low: 480 },
    ...{ response_target_medium: 30, resolution_target_medium: 240 },
  });
  const covering = await sla({ service_instance_id: wired.id, service_offering_id: offered.id, coverage: "people" });
  for (const person of [fatima.id, 5]) await admin.post(`/slas/${covering.id}/people/${person}`);
  await request(wired, { subject: "No network in row 5 after the move" });
  const form = {
    fields: [
      { id: "socket", type: "text", label: "Number on the socket", required: true },
      { id: "lights", type: "choice", label: "Does it light?", options: ["yes", "no"] },
    ],
  };
  const extension = await make("/ui_extensions", {
    ...{ name: "Socket", category: "request_template", activate: true },
    form_definition_json: JSON.stringify(form),
  });
  await make("/request_templates", {
    ...{ subject: "Network socket isn't working", category: "incident", impact: "medium" },
    ...{ service_id: 1, team_id: 1, ui_extension_id: extension.id },
  });
  await make("/knowledge_articles", {
    ...{ subject: "A network socket is dead after a move", description: "Patch the port.", instructions: "Wait." },
    ...{ service_id: 1, status: "not_validated", covered_specialists: true },
  });
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "manager")).newPage();
  await page.goto(here.url + settings);
  await page.getByRole("heading", { level: 1 }).waitFor();
});
afterAll(() => browser?.close());

const dialog = () => page.getByRole("dialog", { name: /^New request/ });
const person = () => page.getByRole("combobox", { name: "Requested for" });
const service = () => page.getByRole("combobox", { name: "Service", exact: true });
const subject = () => page.getByRole("textbox", { name: "Subject" });
const outcome = () => page.locator(".become");
const hasFocus = (label: string) =>
  until(async () => (await page.evaluate("document.activeElement?.getAttribute('data-field')")) === label);

/** The newest request. */
const loadLatest = async () => {
  const { body } = await here.as("administrator").get("/requests?sort=-id&per_page=1");
  return (await here.as("administrator").get(`/requests/${body[0].id}`)).body;
};

async function open(): Promise<void> {
  await page.keyboard.press("c");
  await hasFocus("requested_for");
}

story("a new request by keyboard: person, subject, service, template", {
  "a person and a subject suggest the service, similar requests and articles": async () => {
    await open();
    await page.keyboard.type("fat");
    await page.keyboard.press("Enter");
    await until(async () => (await person().inputValue()) === "Fatima Benali");
    await page.keyboard.press("Tab");
    await hasFocus("subject");
    await page.keyboard.type("no network at desk");
    await until(async () => (await service().inputValue()) === "Wired network Eindhoven");
    const beside = page.getByRole("complementary", { name: "Suggestions" });
    await beside.getByText("No network in row 5 after the move").waitFor();
    await beside.getByText("A network socket is dead after a move").waitFor();
    await outcome()
      .getByText(/Respond by .*, resolve by /)
      .waitFor();
    await outcome().getByText("Service Desk").waitFor();
    await page.keyboard.press("Control+Enter");
    await dialog().waitFor({ state: "detached" });
    await page.getByText(/^Request \d+ created/).waitFor();
    expect(new URL(page.url()).pathname).toBe(settings);
    expect(await loadLatest()).toMatchObject({
      subject: "no network at desk",
      requested_for: { id: fatima.id },
      service_instance: { id: wired.id },
      team: { id: 1 },
    });
  },
  "keys pressed before any response arrives count as well": async () => {
    await page.keyboard.press("c");
    await hasFocus("requested_for");
    await page.keyboard.type("rita");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Typed without waiting");
    await until(async () => (await person().inputValue()) === "Rita Requester");
    expect(await subject().inputValue()).toBe("Typed without waiting");
  },
  "Esc keeps the draft; a telephone number finds the caller": async () => {
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await open();
    await until(async () => (await subject().inputValue()) === "Typed without waiting");
    // The field shows the person's name a moment after the person is set.
    await until(async () => (await person().inputValue()) === "Rita Requester");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("+31 40 555 0142");
    await page.getByRole("option", { name: /^Fatima Benali/ }).waitFor();
    await page.keyboard.press("Enter");
    await until(async () => (await person().inputValue()) === "Fatima Benali");
  },
  "a service is chosen by its keywords; a template changes the preview of the request, and the request": async () => {
    await service().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("wired");
    await page.getByRole("option", { name: "Wired network Eindhoven" }).waitFor();
    await page.keyboard.press("Enter");
    await until(async () => (await service().inputValue()) === "Wired network Eindhoven");
    await dialog().waitFor();
    await subject().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Socket 12 isn't working");
    await outcome().getByText("Low").waitFor();
    const template = page.getByRole("button", { name: "Network socket isn't working" });
    await template.waitFor();
    await template.press("Enter");
    await outcome().getByText("Medium").waitFor();
    const promised = (await outcome().textContent()) ?? "";
    // The template's form: an empty required field reports it and keeps the focus.
    const socket = page.getByRole("textbox", { name: "Number on the socket" });
    await socket.waitFor();
    await page.keyboard.press("Control+Shift+Enter");
    await until(async () => socket.evaluate((input) => input === input.ownerDocument.activeElement));
    await page.keyboard.type("2.14-B");
    await page.getByRole("combobox", { name: "Does it light?" }).press("Enter");
    await page.getByRole("option", { name: "no", exact: true }).click();
    await page.keyboard.press("Control+Shift+Enter");
    await page.waitForURL(/\/requests\/\d+/);
    const made = await loadLatest();
    expect(made).toMatchObject({
      impact: "medium",
      template: { subject: "Network socket isn't working" },
      custom_fields: { socket: "2.14-B", lights: "no" },
    });
    expect(promised).toContain("Medium");
    expect(promised).toContain(made.team.name);
  },
});

story("a new request that is refused, moved to another account, and for oneself", {
  "refused values show errors at their fields, and the first of those fields gets the focus": async () => {
    await visit(page, here.url + settings);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await open();
    await page.keyboard.press("Control+Enter");
    await page.getByText("This field is required.").waitFor();
    await hasFocus("subject");
    await page.keyboard.type("Something else");
    await page.getByRole("button", { name: "More fields", exact: true }).press("Enter");
    const member = page.getByRole("combobox", { name: "Assignee" });
    await member.focus();
    await page.keyboard.type("Fatima");
    await page.getByRole("option", { name: "Fatima Benali" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    await page.locator('[data-field="member"] .mantine-InputWrapper-error').waitFor();
    await until(async () => member.evaluate((input) => input === input.ownerDocument.activeElement));
    await dialog().waitFor();
    await page.getByRole("button", { name: "Discard draft" }).press("Enter");
    await dialog().waitFor({ state: "detached" });
  },
  "a person with several accounts can choose one of them, and the draft moves along": async () => {
    await open();
    await subject().fill("A question about my contract");
    await dialog().getByRole("button", { name: "Account: Widget IT" }).press("Enter");
    await dialog().getByRole("menuitem", { name: "Widget HR" }).press("Enter");
    await dialog().getByRole("button", { name: "Account: Widget HR" }).waitFor();
    expect(await subject().inputValue()).toBe("A question about my contract");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/^Request \d+ created/).waitFor();
    // The message may still be the previous request's.
    const find = () => here.sql("SELECT account_id, subject FROM requests ORDER BY id DESC LIMIT 1");
    await until(async () => (await find())[0]?.subject === "A question about my contract");
    const [made] = await find();
    expect(made).toEqual({ account_id: "widget-hr", subject: "A question about my contract" });
  },
  "without the analyst role the request is for oneself, and the subject has the focus": async () => {
    const own = await (await openBrowserAs(here, browser, "specialist")).newPage();
    await own.goto(here.url + settings);
    await own.getByRole("heading", { level: 1 }).waitFor();
    await own.keyboard.press("c");
    await own.getByText("Only service desk analysts can create requests for other people").waitFor();
    await until(async () => (await own.evaluate("document.activeElement?.getAttribute('data-field')")) === "subject");
    await own.keyboard.type("My own question");
    await own.keyboard.press("Control+Enter");
    await own.getByText(/^Request \d+ created/).waitFor();
    expect(await loadLatest()).toMatchObject({ subject: "My own question", requested_for: { id: 3 } });
  },
});
