import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { visit } from "../support/clients/signed-in-page.ts";
import { automation } from "../support/records/automation-rules.ts";
import { exampleRules } from "../support/records/example-rules.ts";
import { people } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// The pages of automation rules, in a real browser.

const here = await world();
const admin = here.as("administrator");
const { rule, request, patched, settled, runs } = automation(here);
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  await setPasswords(here, "administrator");
  browser = await startBrowser();
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await page.goto(`${here.url}/sign_in?return_to=/a/widget-it`);
  await page.getByLabel("Email address").fill(people.administrator.email);
  await page.getByLabel("Password").fill(passwordFor("administrator"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign_in");
});
afterAll(() => browser?.close());

describe("automation rule pages", () => {
  test("dragging changes the order of rules that are linked to the same record", async () => {
    const { body: request } = await admin.post("/requests", { category: "rfi", subject: "Drag", requested_by_id: 5 });
    for (const name of ["Eins", "Zwei", "Drei"]) await rule({ name, request_id: request.id });
    await visit(page, `${here.url}/a/widget-it/settings/rules?scope=for_requests`);
    const row = (name: string) => page.locator("li[draggable]").filter({ hasText: name });
    await row("Drei").dragTo(row("Eins"));
    await page.getByText("Drei moved to position 1").waitFor();
    const { body } = await admin.get(`/requests/${request.id}/automation_rules?fields=name,position&sort=position`);
    expect(body.map(({ name, position }: { name: string; position: number }) => `${position} ${name}`)).toEqual([
      ...["1 Drei", "2 Eins", "3 Zwei"],
    ]);
    await page.getByRole("heading", { name: `Request ${request.id}: Drag` }).waitFor();
    await expectAccessible(page);
  });

  test("errors appear at the text they are in; completion comes from the declarations; a test run shows every value", async () => {
    await admin.post("/requests", { category: "rfi", subject: "A question", requested_by_id: 5 });
    const { id } = await rule({ name: "Greet", generic: "request", trigger: "on note added" });
    await visit(page, `${here.url}/a/widget-it/settings/rules/${id}`);
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
    await page.getByText("Action 1 triggers this rule again").waitFor();
    const audit = async () => (await here.sql("SELECT count(*) FROM audit_lines"))[0]?.count;
    const before = await audit();
    await until(async () => (await page.getByRole("combobox", { name: "Record to test with" }).inputValue()) !== "");
    await page.keyboard.press("Control+Enter");
    await page.getByText("The rule would run").waitFor();
    await page.getByText("Hello Rita Requester").first().waitFor();
    expect(await audit()).toBe(before);
  });
  test("a draft survives a reload and shows its differences from the saved rule", async () => {
    const { id } = await rule({ name: "Kept", generic: "request", trigger: "on create", condition: "true" });
    await admin.patch(`/automation_rules/${id}`, { condition: "status = assigned" });
    await page.goto(`${here.url}/a/widget-it/settings/rules/${id}`);
    const condition = page.getByRole("textbox", { name: "Condition", exact: true });
    await condition.fill("status = declined");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("Your unsaved changes").waitFor();
    expect(await condition.inputValue()).toBe("status = declined");
    await page.getByRole("button", { name: "Change history" }).click();
    await page.getByRole("dialog").locator("ins").getByText("status = declined").waitFor();
    await page.getByRole("dialog").locator("del").getByText("true").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await until(async () => (await condition.inputValue()) === "status = assigned");
  });

  test("completion works for the twelve example rules, and none of them has an error", async () => {
    await rule({ ...exampleRules.nudgeVoters.texts, generic: "task" });
    await rule({ name: "Escalation check", trigger: "after delay", generic: "request" });
    const receiver = { event: "automation_rule", name: "Badge system", uri: "https://badges.example/hook" };
    expect((await admin.post("/webhooks", receiver)).status).toBe(200);
    const text = (name: string) => page.getByRole("textbox", { name, exact: true });
    const choose = async (name: string, option: string | RegExp) => {
      await page.getByRole("combobox", { name, exact: true }).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await visit(page, `${here.url}/a/widget-it/settings/rules/new`);
    await text("Name").waitFor();
    const parts = { Expressions: "expressions", Condition: "condition", Actions: "actions" } as const;
    const triggers = {
      "on status update": /^Status changes/i,
      "on team update": /^Team changes/i,
      "on source update": /^Source changes/i,
      "after delay": /another rule starts this one/i,
    };
    let about = "request";
    let trigger: keyof typeof triggers = "on status update";
    for (const { about: type, completed, texts } of Object.values(exampleRules)) {
      for (const label of Object.keys(parts)) await text(label).fill("");
      await text("Name").fill(texts.name);
      if (type !== about)
        await choose("Applies to", { request: /requests/i, task: /tasks/i, ci: /configuration items/i }[type]);
      const wanted = "trigger" in texts ? texts.trigger : "on status update";
      if (wanted !== trigger) await choose("When", triggers[wanted]);
      [about, trigger] = [type, wanted];
      const words: string[] = [...completed];
      const isChecked = page.waitForResponse((answer) => {
        if (!answer.url().endsWith("/automation_rule_check")) return false;
        const body = answer.request().postDataJSON();
        return Object.values(parts).every((part) => body[part] === texts[part]);
      });
      isChecked.catch(() => {}); // a failure is reported below
      for (const [label, part] of Object.entries(parts)) {
        // The editor numbers the actions itself.
        const whole = texts[part].replaceAll(/^a\d+: /gm, "");
        const field = text(label);
        for (let done = 0; done < whole.length; ) {
          const word = words[0] ?? "";
          const at = word === "" ? -1 : whole.slice(done).search(new RegExp(`(?<![\\w'])${word}(?![\\w:])`));
          if (at < 0) {
            await field.fill(whole);
            break;
          }
          done += at + word.length;
          words.shift();
          await field.fill(whole.slice(0, done - word.length + Math.min(3, word.length - 1)));
          const option = page.getByRole("option").filter({ has: page.getByText(word, { exact: true }) });
          await option.first().click();
          await until(async () => (await field.inputValue()) === whole.slice(0, done), {
            what: () => `${texts.name}: ${word}`,
          });
        }
      }
      expect([texts.name, words]).toEqual([texts.name, []]);
      expect([texts.name, (await (await isChecked).json()).problem]).toEqual([texts.name, null]);
    }
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor({ state: "detached" });
    expect(await page.locator(".rule-problem").count()).toBe(0);
    page.once("dialog", (dialog) => void dialog.accept());
  });

  test("the log shows a run's values for its record; a rule that is switched off on a phone no longer runs", async () => {
    const { id } = await rule({
      ...{ name: "Who asks", generic: "request", trigger: "on update" },
      ...{ expressions: "who: requested_by.name\nwhat: subject", condition: "who and what" },
    });
    const [one, other] = [await request({ subject: "Lamp" }), await request({ subject: "Chair" })];
    for (const { id } of [one, other]) await patched(`/requests/${id}`, { subject: `Number ${id}` });
    await settled();
    expect(await runs({ id })).toHaveLength(2);
    await page.goto(`${here.url}/a/widget-it/settings/rules/runs?rule_id=${id}`);
    const lines = page.locator("details.run");
    await until(async () => (await lines.count()) === 2);
    await page.getByRole("textbox", { name: "Record number" }).fill(String(other.id));
    await page.keyboard.press("Enter");
    await until(async () => (await lines.count()) === 1);
    await lines.getByText(`Request ${other.id}`).waitFor();
    await lines.locator("summary").click();
    await lines.getByText("Rita Requester", { exact: true }).waitFor();
    await lines.getByText(`Number ${other.id}`, { exact: true }).waitFor();
    await expectAccessible(page);

    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, `${here.url}/a/widget-it/settings/rules/${id}`);
    const texts = ["Name", "Expressions", "Condition", "Actions"];
    for (const name of texts) {
      const field = page.getByRole("textbox", { name, exact: true });
      await field.waitFor();
      expect([name, await field.isEditable()]).toEqual([name, false]);
    }
    expect(await page.getByRole("button", { name: /^Save|^Add a note|^Duplicate/ }).count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await expectAccessible(page);
    await page.getByRole("switch", { name: "The rule is on" }).press("Space");
    await until(async () => (await admin.get(`/automation_rules/${id}`)).body.disabled === true);
    await page.getByText("Off", { exact: true }).waitFor();
    await patched(`/requests/${one.id}`, { subject: "Lamp again" });
    await settled();
    expect(await runs({ id })).toHaveLength(2);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("a rule created from a request has its category as condition and its decisions as actions", async () => {
    const { body: request } = await admin.post("/requests", {
      ...{ category: "incident", impact: "low", subject: "Printer on fire", team_id: 1 },
    });
    await visit(page, `${here.url}/a/widget-it/requests/${request.id}`);
    await page.getByRole("heading", { name: "Printer on fire", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill(">Create rule");
    await page.getByRole("option", { name: "Create rule from this record" }).click();
    const condition = page.getByRole("textbox", { name: "Condition", exact: true });
    await until(async () => (await condition.inputValue()).startsWith("category = incident"));
    expect(await page.getByRole("textbox", { name: "Actions", exact: true }).inputValue()).toContain("set team = 1");
    await page.keyboard.press("Control+Enter");
    await until(async () => /would run|not met/.test((await page.locator(".try-card").first().textContent()) ?? ""));
    expect(await page.locator(".try-card").first().textContent()).toContain("The rule would run");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "Like “Printer on fire”", level: 1 }).waitFor();
  });
});
