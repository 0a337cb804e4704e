import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { automation } from "../support/records/automation-rules.ts";
import { people } from "../support/seed.ts";
import { world } from "../support/world.ts";

// The pages of automation rules, in a real browser.

const here = await world();
const admin = here.as("administrator");
const { rule, settled } = automation(here);
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

  test("mistakes stand at the text they are in; a try shows every value, the log what was done", async () => {
    const { body: asked } = await admin.post("/requests", {
      category: "rfi",
      subject: "A question",
      requested_by_id: 5,
    });
    const { id } = await rule({ name: "Greet", generic: "request", trigger: "on note added" });
    await page.goto(`${here.url}/a/widget-it/settings/rules/${id}`);
    await page.getByLabel("Expressions").fill("who: requested_by\nbroken: team.nmae");
    await page.getByText("Line 2: team has no field 'nmae' at column 14").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Expressions").fill("who: requested_by");
    await page.getByLabel("Condition").fill("who");
    await page.getByLabel("Actions").fill("a1: set subject = 'Hello {{who}}'");
    await page.getByLabel("Actions").fill("a1: add internal note 'Hello {{who}}'");
    await page.getByText("nmae' at column").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Try it" }).click();
    await page.getByLabel("Number of a record").fill(String(asked.id));
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText(`request ${asked.id}: internal_note = "Hello Rita Requester"`).waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Editor" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();
    await admin.patch(`/requests/${asked.id}`, { note: "Anybody?" });
    await settled();
    await page.getByRole("tab", { name: "Runs" }).click();
    await page.getByRole("button", { name: /Done/ }).first().click();
    await page.getByText("Rita Requester", { exact: true }).first().waitFor();
    await expectAccessible(page);
  });
});
