import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, takePicture, visit } from "../support/clients/signed-in-page.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { people } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// Dialogs that are still loading, and pickers used by keyboard alone: typed text is neither lost nor misread as a shortcut.

const account = "/a/widget-it";
let here: World;
let browser: Browser;
/** a specialist of the service desk */
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist");
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "specialist")).newPage();
});
afterAll(() => browser?.close());

/** A step may have left the page as narrow as a phone. */
const before = () => page.setViewportSize({ width: 1440, height: 900 });

const admin = () => here.as("administrator");
const make = (path: string, members: Record<string, unknown>): Promise<{ id: number }> =>
  serviceAgreements(admin()).make(path, members);
const makeRequest = (members: Record<string, unknown> = {}): Promise<{ id: number }> =>
  make("/requests", {
    ...{ subject: "Printer is jammed", category: "incident", impact: "medium", team_id: serviceDeskTeam },
    ...{ member_id: people.specialist.id, ...members },
  });
const readRequest = async ({ id }: { id: number }) => (await admin().get(`/requests/${id}`)).body;
const isLive = () => page.locator(".request-page[data-live=live]").waitFor();
const noteTexts = async ({ id }: { id: number }): Promise<string[]> =>
  (await admin().get(`/requests/${id}/notes`)).body.map(({ text }: { text: string }) => text);

/** Delays loading a dialog's code until the test releases it. */
async function holdCode(name: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(name, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

story(
  "dialogs receive keys while they load; Declined is last and asks why",
  {
    "a dialog receives keys as soon as it is requested: text arrives in it, and Escape closes only the dialog":
      async () => {
        const problem = await make("/problems", {
          ...{ subject: "Desks without network", category: "reactive", impact: "high" },
          ...{ service_id: 1, team_id: serviceDeskTeam, manager_id: people.manager.id },
        });
        await makeRequest({ problem_id: problem.id });
        const address = `${here.url}${account}/problems/${problem.id}`;
        await visit(page, address);
        const button = page.getByRole("button", { name: "Notify all requesters" });
        const dialog = page.getByRole("dialog", { name: "Notify all requesters" });

        const release = await holdCode(/message-all-dialog/);
        await button.click();
        const standIn = page.getByRole("dialog", { name: "Loading" });
        await standIn.waitFor();
        await page.keyboard.press("Escape");
        await standIn.waitFor({ state: "detached" });
        expect(page.url()).toBe(address);
        await until(() => button.evaluate((element) => element === element.ownerDocument.activeElement));
        await page.keyboard.press("Enter");
        // "s" and "c" would change the status and open a new request.
        await page.keyboard.type("Cables are");
        await page.keyboard.press("Enter");
        release();
        const message = dialog.getByRole("textbox", { name: "Message" });
        await message.waitFor();
        await page.keyboard.type(" replaced");
        await until(async () => (await message.inputValue()) === "Cables are replaced");
        expect(page.url()).toBe(address);
        await expectAccessible(page);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        expect(page.url()).toBe(address);
        await until(() => button.evaluate((element) => element === element.ownerDocument.activeElement));
      },
    "S and Enter open the next status in the inbox; Declined is last and asks why": async () => {
      const made = await makeRequest({ subject: "Wi-Fi is slow" });
      await visit(page, `${here.url}${account}/inbox/mine`);
      await page.getByRole("option").filter({ hasText: "Wi-Fi is slow" }).click();
      await page.keyboard.press("s");
      const dialog = page.getByRole("dialog", { name: "Change status" });
      await dialog.getByRole("option").first().waitFor();
      expect((await dialog.getByRole("option").allTextContents()).at(-1)).toBe("Declined");
      expect(await dialog.getByRole("option", { selected: true }).textContent()).toBe("Accepted");
      await page.keyboard.press("Enter");
      await until(async () => (await readRequest(made)).status === "accepted");

      await page.keyboard.press("s");
      await dialog.getByRole("combobox").fill("decl");
      await page.keyboard.press("Enter");
      const why = page.getByRole("dialog", { name: "Set to Declined" });
      await why.getByRole("textbox", { name: "Why?" }).waitFor();
      await takePicture(page, "decline");
      await page.keyboard.press("Control+Enter");
      expect(await why.getByRole("button", { name: "Set to Declined" }).isDisabled()).toBe(true);
      await page.keyboard.type("Not our network");
      await page.keyboard.press("Control+Enter");
      await why.waitFor({ state: "detached" });
      await until(async () => (await readRequest(made)).status === "declined");
      expect(await noteTexts(made)).toContain("Not our network");
    },
    "the page and the phone also list Declined last and ask why": async () => {
      const made = await makeRequest();
      await visit(page, `${here.url}${account}/requests/${made.id}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("s");
      await page.getByRole("option", { name: "Declined" }).waitFor();
      expect((await page.getByRole("option").allTextContents()).at(-1)).toBe("Declined");
      await page.keyboard.type("decl");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Set to Declined" }).getByRole("textbox").waitFor();
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator(".phone-chip").first().click();
      const sheet = page.getByRole("dialog", { name: "Status" });
      await sheet.getByRole("button", { name: "Declined" }).waitFor();
      expect((await sheet.getByRole("button").allTextContents()).at(-1)?.trim()).toBe("Declined");
      await sheet.getByRole("button", { name: "Declined" }).click();
      const why = page.getByRole("dialog", { name: "Set to Declined" });
      await why.getByRole("textbox", { name: "Why?" }).fill("Ask the landlord");
      await takePicture(page, "decline-phone");
      await why.getByRole("button", { name: "Set to Declined" }).click();
      await until(async () => (await readRequest(made)).status === "declined");
      expect(await noteTexts(made)).toEqual(["Ask the landlord"]);
    },
  },
  { before },
);

story(
  "a colleague's change made while a picker is open isn't overwritten",
  {
    "a colleague's change while a picker is open is shown as a conflict, not overwritten": async () => {
      const made = await makeRequest();
      await visit(page, `${here.url}${account}/requests/${made.id}`);
      await isLive();
      await page.keyboard.press("p");
      await page.getByRole("option", { name: /^Low/ }).waitFor();
      await admin().patch(`/requests/${made.id}`, { impact: "high", subject: "Both printers are jammed" });
      await page.getByRole("heading", { level: 1, name: "Both printers are jammed" }).waitFor();
      await page.getByRole("option", { name: /^Low/ }).click();
      const dialog = page.getByRole("dialog", { name: "Someone else changed this too" });
      await dialog.waitFor();
      expect((await readRequest(made)).impact).toBe("high");
      await dialog.getByRole("radio", { name: "Your version" }).check();
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await until(async () => (await readRequest(made)).impact === "low");
    },
    "the inbox refuses such a change with a message": async () => {
      const made = await makeRequest({ subject: "Screen flickers" });
      await visit(page, `${here.url}${account}/inbox/mine`);
      await page.locator('.inbox-live[data-state="live"]').waitFor();
      const row = page.getByRole("option").filter({ hasText: "Screen flickers" });
      await row.click();
      await page.keyboard.press("p");
      const dialog = page.getByRole("dialog", { name: /impact/i });
      await dialog.getByRole("option").first().waitFor();
      await admin().patch(`/requests/${made.id}`, { impact: "high", subject: "Screen flickers badly" });
      await page.getByText("Screen flickers badly").waitFor({ state: "attached" });
      await page.keyboard.type("low");
      await page.keyboard.press("Enter");
      await page.getByText(/Someone else changed/).waitFor();
      expect((await readRequest(made)).impact).toBe("high");
    },
  },
  { before },
);

const isInView = (option: Locator) =>
  option.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const seen = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return seen !== null && (seen === element || element.contains(seen));
  });

story(
  "typing highlights the first match and Enter picks it, in every picker",
  {
    "typing highlights the first match and Enter picks it: in a bulk change, also from a short list": async () => {
      await makeRequest({ subject: "A bulky one" });
      await visit(page, `${here.url}${account}/requests?sort=subject`);
      await page.getByRole("link", { name: "A bulky one" }).waitFor();
      for (const key of ["j", "x"]) await page.keyboard.press(key);
      await page.getByText("1 selected").waitFor();
      await page.keyboard.press("m");
      const bulk = page.getByRole("dialog", { name: /^Assignee for/ });
      const member = bulk.getByRole("combobox", { name: "Assignee" });
      await member.waitFor();
      await page.keyboard.type("mia");
      await page.keyboard.press("Enter");
      await until(async () => (await member.inputValue()) === "Mia Manager");
      await page.keyboard.press("Escape");
      await bulk.waitFor({ state: "detached" });

      await page.keyboard.press("s");
      const status = page.getByRole("dialog", { name: /^Status for/ }).getByRole("combobox", { name: "Status" });
      await status.waitFor();
      await page.keyboard.type("prog");
      await page.locator("[data-combobox-selected]", { hasText: "In Progress" }).waitFor();
      await page.keyboard.press("Enter");
      await until(async () => (await status.inputValue()) === "In progress");
      await takePicture(page, "bulk-status");
      // The field already has a value: typing replaces it, and Declined asks why.
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("decl");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Why?" }).waitFor();
      await takePicture(page, "bulk-declined");
      await page.keyboard.press("Escape");
    },
    "in a timesheet, where the server searches": async () => {
      const meeting = await make("/time_allocations", { name: "Team meeting" });
      await admin().post(`/time_allocations/${meeting.id}/organizations/2`);
      await makeRequest({ subject: "Projector has no signal" });
      await visit(page, `${here.url}${account}/timesheet`);
      const cell = (name: string) => page.getByRole("textbox", { name: new RegExp(`${name}, Monday`) });
      await page.getByRole("button", { name: "Add line" }).click();
      await page.getByRole("option", { name: "Team meeting" }).waitFor();
      await page.keyboard.type("meet");
      await page.keyboard.press("Enter");
      await cell("Team meeting").waitFor();
      await page.getByRole("button", { name: "Add line" }).click();
      await page.getByRole("combobox").waitFor();
      // Enter is pressed before the response arrives.
      await page.keyboard.type("projector");
      await page.keyboard.press("Enter");
      await cell("Projector has no signal").waitFor();
    },
    "in the dialog of a task, whose lists are longer than the dialog": async () => {
      const workflows = workflowHelpers(admin());
      const workflow = await workflows.workflow({});
      for (const subject of ["Unpack", ..."ABCDEFGH"]) await workflows.taskTemplate({ subject: `${subject} parts` });
      const own = await (await openBrowserAs(here, browser, "administrator")).newPage();
      await own.setViewportSize({ width: 1440, height: 500 });
      await own.goto(`${here.url}${account}/workflows/${workflow.id}`);
      await own.getByText("No tasks yet").waitFor();
      await own.keyboard.press("n");
      const dialog = own.getByRole("dialog", { name: "Add task" });
      const template = dialog.getByRole("combobox", { name: "Template" });
      await template.waitFor();
      await own.keyboard.type("unp");
      await own.keyboard.press("Enter");
      await until(async () => (await template.inputValue()) === "Unpack parts");
      await template.fill("parts");
      const last = own.getByRole("option", { name: "H parts" });
      await last.waitFor();
      await takePicture(own, "list-in-dialog");
      const box = await own.getByRole("listbox", { name: "Template" }).boundingBox();
      for (const option of [own.getByRole("option", { name: "Unpack parts" }), last]) {
        await option.evaluate((element) => element.scrollIntoView({ block: "nearest" }));
        expect(await isInView(option)).toBe(true);
      }
      await own.keyboard.press("Enter");
      await until(async () => (await template.inputValue()) === "A parts");
      expect((box?.y ?? 0) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= 500).toBe(true);
      await own.context().close();
    },
  },
  { before },
);
