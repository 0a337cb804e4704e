import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { automation } from "../support/records/automation-rules.ts";
import { people } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// The pages of automation rules, in a real browser.

const here = await world();
const admin = here.as("administrator");
const { rule } = automation(here);
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(here, "administrator");
  browser = await startBrowser();
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await page.goto(`${here.url}/sign_in?return_to=/a/widget-it`);
  await page.getByLabel("E-mail address").fill(people.administrator.email);
  await page.getByLabel("Password").fill(passwordFor("administrator"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign_in");
});
afterAll(() => browser?.close());

describe("the pages of rules", () => {
  test("the order is changed by keyboard", async () => {
    for (const name of ["First", "Second", "Third"]) await rule({ name, generic: "request" });
    await page.goto(`${here.url}/a/widget-it/settings/rules?scope=for_requests`);
    await page.getByRole("link", { name: "Third", exact: true }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("Third is number 2 now").waitFor();
    const { body } = await admin.get("/automation_rules/for_requests?fields=name&sort=position");
    expect(body.map(({ name }: { name: string }) => name)).toEqual(["First", "Third", "Second"]);
    await expectAccessible(page);
  });

  test("the order is changed by dragging, among rules that are linked to the same", async () => {
    const { body: asked } = await admin.post("/requests", { category: "rfi", subject: "Drag", requested_by_id: 5 });
    for (const name of ["Eins", "Zwei", "Drei"]) await rule({ name, request_id: asked.id });
    await page.goto(`${here.url}/a/widget-it/settings/rules?scope=for_requests`);
    const row = (name: string) => page.locator("li[draggable]").filter({ hasText: name });
    await row("Drei").dragTo(row("Eins"));
    await page.getByText("Drei is number 1 now").waitFor();
    const { body } = await admin.get(`/requests/${asked.id}/automation_rules?fields=name,position&sort=position`);
    expect(body.map(({ name, position }: { name: string; position: number }) => `${position} ${name}`)).toEqual([
      ...["1 Drei", "2 Eins", "3 Zwei"],
    ]);
    await page.getByRole("heading", { name: `Request ${asked.id}: Drag` }).waitFor();
    await expectAccessible(page);
  });

  test("mistakes stand at the text they are in; suggestions come from the declarations; a try shows every value", async () => {
    await admin.post("/requests", { category: "rfi", subject: "A question", requested_by_id: 5 });
    const { id } = await rule({ name: "Greet", generic: "request", trigger: "on note added" });
    await page.goto(`${here.url}/a/widget-it/settings/rules/${id}`);
    const text = (name: string) => page.getByRole("textbox", { name, exact: true });
    await text("Expressions").fill("who: requested_by\nbroken: team.nmae");
    await page.getByText("Line 2: team has no field 'nmae' at column 14").waitFor();
    await expectAccessible(page);
    await text("Expressions").fill("who: requested_by");
    await page.getByText("nmae' at column").waitFor({ state: "detached" });

    await text("Condition").focus();
    await page.keyboard.type("who.prim");
    await page.getByRole("option", { name: /primary_email/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await until(async () => (await text("Condition").inputValue()) === "who.primary_email");
    await page.keyboard.press("Control+Space");
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    await until(() => text("Actions").evaluate((element) => element.matches(":focus")));

    await page.keyboard.type("add internal note 'Hello {{who}}'");
    await page.getByText("Action 1 fires this trigger again").waitFor();
    const audit = async () => (await here.sql("SELECT count(*) FROM audit_lines"))[0]?.count;
    const before = await audit();
    await until(async () => (await page.getByRole("combobox", { name: "Record to try with" }).inputValue()) !== "");
    await page.keyboard.press("Control+Enter");
    await page.getByText("It would run").waitFor();
    await page.getByText("Hello Rita Requester").first().waitFor();
    expect(await audit()).toBe(before);
  });
  test("what was typed is back after a reload; what differs from before is shown", async () => {
    const { id } = await rule({ name: "Kept", generic: "request", trigger: "on create", condition: "true" });
    await admin.patch(`/automation_rules/${id}`, { condition: "status = assigned" });
    await page.goto(`${here.url}/a/widget-it/settings/rules/${id}`);
    const condition = page.getByRole("textbox", { name: "Condition", exact: true });
    await condition.fill("status = declined");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("Your unsaved changes are back").waitFor();
    expect(await condition.inputValue()).toBe("status = declined");
    await page.getByRole("button", { name: "What changed" }).click();
    await page.getByRole("dialog").locator("ins").getByText("status = declined").waitFor();
    await page.getByRole("dialog").locator("del").getByText("true").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard them" }).click();
    await until(async () => (await condition.inputValue()) === "status = assigned");
  });

  test("a rule is made from a request: its kind is the condition, what was decided the actions", async () => {
    const { body: asked } = await admin.post("/requests", {
      ...{ category: "incident", impact: "low", subject: "Printer on fire", team_id: 1 },
    });
    await page.goto(`${here.url}/a/widget-it/requests/${asked.id}`);
    await page.getByRole("heading", { name: "Printer on fire", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find, go, do" }).fill(">Make a rule");
    await page.getByRole("option", { name: "Make a rule from this" }).click();
    const condition = page.getByRole("textbox", { name: "Condition", exact: true });
    await until(async () => (await condition.inputValue()).startsWith("category = incident"));
    expect(await page.getByRole("textbox", { name: "Actions", exact: true }).inputValue()).toContain("set team = 1");
    await page.keyboard.press("Control+Enter");
    await until(async () => /It would|not met/.test((await page.locator(".try-card").first().textContent()) ?? ""));
    expect(await page.locator(".try-card").first().textContent()).toContain("It would run");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "Like “Printer on fire”", level: 1 }).waitFor();
  });
});
