import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { people, type Role } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// The request page, in real browsers.

const account = "/a/widget-it";
let here: World;
let browser: Browser;
let agreements: ReturnType<typeof serviceAgreements>;
const pages = new Map<Role, Page>();

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist");
  browser = await startBrowser();
  agreements = serviceAgreements(here.as("administrator"));
});
afterAll(() => browser?.close());

/** Opens an address in the role's page, which is signed in and opened once. */
async function open(role: Role, path: string, width = 1440): Promise<Page> {
  const page = pages.get(role) ?? (await (await openBrowserAs(here, browser, role)).newPage());
  pages.set(role, page);
  await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
  await visit(page, here.url + path);
  return page;
}

const buildPath = (made: { id: number }) => `${account}/requests/${made.id}`;
const subject = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const feed = (page: Page) => page.getByRole("feed");
const reply = (page: Page) => page.getByRole("textbox", { name: /^Reply to/ });
const internalNote = (page: Page) => page.getByRole("textbox", { name: "Internal note" });
const property = (page: Page, label: string) =>
  page.getByRole("complementary", { name: "Details" }).locator(".property", { hasText: label });

/** Collects the bodies of all changes that the page sends. */
function watchChanges(page: Page): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") bodies.push(request.postDataJSON() as Record<string, unknown>);
  });
  return bodies;
}

const read = async (made: { id: number }) => (await here.as("administrator").get(`/requests/${made.id}`)).body;
const loadNotes = async (made: { id: number }): Promise<{ text: string; internal?: boolean }[]> =>
  (await here.as("administrator").get(`/requests/${made.id}/notes`)).body;

story("notes of a request: saved with status and time, scheduled, undone, and two at once", {
  "a draft survives a reload; reply, status and time are one save, and Undo cancels all of it": async () => {
    const made = await agreements.request(null, { note: "It does not start", member_id: 3, team_id: 1 });
    const page = await open("administrator", buildPath(made));
    const changes = watchChanges(page);
    await subject(page, "It is broken").waitFor();
    await feed(page).getByText("It does not start").waitFor();
    await page.keyboard.press("r");
    const text = "Please try another cable and tell us whether the light is on. ".repeat(3).trim();
    await reply(page).pressSequentially("Please ");
    await reply(page).fill(text);
    await page.getByText("Draft saved").waitFor();
    await page.reload();
    await until(async () => (await reply(page).inputValue()) === text);

    await page.getByRole("button", { name: /^Status after sending/ }).click();
    await page.getByRole("menuitem", { name: "Waiting for customer" }).click();
    await page.getByRole("button", { name: "Log time" }).click();
    await page.getByRole("button", { name: "15 min" }).click();
    await reply(page).focus();
    await page.keyboard.press("Control+Enter");
    await feed(page).getByText("Sending…").waitFor();
    await feed(page).getByRole("button", { name: "Undo" }).click();
    await until(async () => (await reply(page).inputValue()) === text);
    expect(changes).toEqual([]);

    await page.getByRole("button", { name: /^Status after sending/ }).click();
    await page.getByRole("menuitem", { name: "Waiting for customer" }).click();
    await reply(page).focus();
    await page.keyboard.press("Control+Enter");
    await until(async () => (await read(made)).status === "waiting_for_customer");
    expect(changes).toEqual([{ note: text, status: "waiting_for_customer", time_spent: 15 }]);
    await feed(page).getByText("Sending…").waitFor({ state: "detached" });
    expect((await loadNotes(made)).map((note) => note.text)).toEqual(["It does not start", text]);
  },
  "an internal note is yellow, mentions people, and is sent when the page is left": async () => {
    const made = await agreements.request(null, { member_id: 3, team_id: 1 });
    const page = await open("administrator", buildPath(made));
    await subject(page, "It is broken").waitFor();
    await page.keyboard.press("i");
    await internalNote(page).pressSequentially("Ask @Sam Sp");
    await page.getByRole("option", { name: "Sam Specialist" }).waitFor();
    await page.keyboard.press("Enter");
    await internalNote(page).pressSequentially("about it");
    await page.keyboard.press("Control+Enter");
    await feed(page).getByText("Sending…").waitFor();
    // While the call is pending, neither a second tab nor the page itself after going back shows the note as failed.
    const gate = Promise.withResolvers<void>();
    await page.route(`**/v1/requests/${made.id}`, async (route) => {
      if (route.request().method() === "PATCH") await gate.promise;
      await route.continue();
    });
    const another = await page.context().newPage();
    await another.goto(page.url());
    const findEntries = (each: Page) => feed(each).getByText(/created this record|about it/);
    await findEntries(another).first().waitFor();
    await page.getByRole("link", { name: "Requests", exact: true }).first().click();
    await page.waitForURL(/\/requests$/);
    await page.goBack();
    await findEntries(page).first().waitFor();
    gate.resolve();
    await until(async () => (await loadNotes(made)).length === 1);
    await page.unroute(`**/v1/requests/${made.id}`);
    for (const each of [page, another]) {
      await feed(each).getByRole("article").filter({ hasText: "about it" }).waitFor();
      expect(await feed(each).getByText("Not sent.").count()).toBe(0);
    }
    await another.close();
    expect((await loadNotes(made))[0]).toMatchObject({ internal: true, text: "Ask <@3|Sam Specialist> about it" });
    await visit(page, here.url + buildPath(made));
    const note = feed(page).getByRole("article").filter({ hasText: "about it" });
    await note.getByText("Internal note").waitFor();
    await note.getByRole("link", { name: "@Sam Specialist" }).waitFor();
  },
  "two notes at the same time: one is undone and joins the newer draft, and neither is lost while the other is being sent":
    async () => {
      const made = await agreements.request(null, { team_id: 1 });
      const page = await open("administrator", buildPath(made));
      await subject(page, "It is broken").waitFor();
      const pending = (text: string) =>
        feed(page).getByRole("article").filter({ hasText: text }).filter({ hasText: "Sending…" });
      const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route(`**/v1/requests/${made.id}`, async (route) => {
        if (route.request().postData()?.includes("We look at it")) {
          reached.resolve();
          await answered.promise;
        }
        await route.continue();
      });
      await page.keyboard.press("r");
      await reply(page).fill("We look at it");
      await page.keyboard.press("Control+Enter");
      await page.keyboard.press("i");
      await internalNote(page).fill("Ask the supplier");
      await page.keyboard.press("Control+Enter");
      await pending("Ask the supplier").waitFor();
      expect(await pending("We look at it").count()).toBe(1);

      await page.keyboard.press("i");
      await internalNote(page).fill("It is urgent");
      await pending("Ask the supplier").getByRole("button", { name: "Undo" }).click();
      const both = "Ask the supplier\n\nIt is urgent";
      await until(async () => (await internalNote(page).inputValue()) === both);

      await reached.promise;
      await page.keyboard.press("Control+Enter");
      await pending("It is urgent").waitFor();
      answered.resolve();
      await until(async () => (await loadNotes(made)).length === 2);
      expect((await loadNotes(made)).map(({ text }) => text)).toEqual(["We look at it", both]);
      await page.unroute(`**/v1/requests/${made.id}`);
    },
});

story("request properties: edited in place, by two people, on a phone, with the reason for the target", {
  "properties change in place, by keys, and can be undone": async () => {
    const made = await agreements.request(null, { impact: "low", team_id: 1 });
    const page = await open("administrator", buildPath(made));
    await subject(page, "It is broken").waitFor();
    await page.keyboard.press("p");
    await page.getByRole("option", { name: /^High/ }).click();
    await until(async () => (await read(made)).impact === "high");
    await property(page, "Impact").getByText("High").waitFor();
    await feed(page).getByText("raised the impact to High").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await read(made)).impact === "low");
    await page.keyboard.press("w");
    await page.getByRole("button", { name: "Tomorrow, 9:00" }).click();
    await until(async () => (await read(made)).status === "waiting_for");
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "What was done?" }).fill("Replaced it");
    // Pressing twice completes the request once.
    for (const key of ["Control+Enter", "Control+Enter"]) await page.keyboard.press(key);
    await until(async () => (await read(made)).status === "completed");
    await page.getByRole("textbox", { name: "What was done?" }).waitFor({ state: "detached" });
    expect(await read(made)).toMatchObject({ completion_reason: "solved" });
    expect((await loadNotes(made)).map(({ text }) => text)).toEqual(["Replaced it"]);
  },
  "two people change the same field: the slower one is asked; changes of other fields are kept without a question":
    async () => {
      const made = await agreements.request(null, { impact: "low", team_id: 1, member_id: 3 });
      const page = await open("administrator", buildPath(made));
      // Without the stream this page doesn't learn of the other person's change.
      await page.route("**/stream?**", (route) => route.abort());
      await page.reload();
      await subject(page, "It is broken").waitFor();
      const changes = watchChanges(page);
      const others = here.as("specialist");
      const dialog = page.getByRole("dialog", { name: "Someone else changed this too" });
      const changeImpact = async (label: RegExp) => {
        await page.keyboard.press("p");
        await page.getByRole("option", { name: label }).click();
      };

      await others.patch(`/requests/${made.id}`, { impact: "top" });
      await changeImpact(/^High/);
      await dialog.locator(".collision-side", { hasText: "Your version" }).getByText("High").waitFor();
      await dialog.locator(".collision-side", { hasText: "Their version" }).getByText("Top").waitFor();
      await expectAccessible(page);
      await dialog.getByRole("radio", { name: "Their version" }).check();
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await dialog.waitFor({ state: "detached" });
      await property(page, "Impact").getByText("Top").waitFor();
      // Choosing the other person's value sends no change.
      expect(changes).toEqual([{ impact: "high" }]);

      await others.patch(`/requests/${made.id}`, { impact: "medium" });
      await changeImpact(/^High/);
      await dialog.waitFor();
      // A refused change restores the other person's value.
      const refusal = { status: 422, json: { message: "Validation Failed", errors: [["impact", "is locked"]] } };
      await page.route(`**/v1/requests/${made.id}`, (route) => route.fulfill(refusal), { times: 1 });
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await property(page, "Impact").getByText("is locked").waitFor();
      await property(page, "Impact").getByText("Medium").waitFor();

      await others.patch(`/requests/${made.id}`, { impact: "top" });
      await changeImpact(/^High/);
      await dialog.waitFor();
      // A late response doesn't conflict with the next choice.
      const answered = Promise.withResolvers<void>();
      await page.route(`**/v1/requests/${made.id}`, async (route) => {
        const response = await route.fetch();
        await answered.promise;
        await route.fulfill({ response });
      });
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await until(async () => (await read(made)).impact === "high");

      await others.patch(`/requests/${made.id}`, { subject: "It is broken again" });
      await changeImpact(/^Low/);
      answered.resolve();
      await subject(page, "It is broken again").waitFor();
      await until(async () => (await read(made)).impact === "low");
      expect([await dialog.count(), (await read(made)).subject]).toEqual([0, "It is broken again"]);
      await page.unroute(`**/v1/requests/${made.id}`);

      await page.reload(); // after a minute without the stream, a page polls
      await subject(page, "It is broken again").waitFor();
      // A note is sent with its status. If the other person's status is kept, the note stays in the composer with all its choices.
      await page.keyboard.press("r");
      await reply(page).fill("Does it start now?");
      await page.getByRole("button", { name: /^Status after sending/ }).click();
      await page.getByRole("menuitem", { name: "Waiting for customer" }).click();
      await others.patch(`/requests/${made.id}`, { status: "in_progress" });
      await reply(page).press("Control+Enter");
      await dialog.getByRole("button", { name: "Discard my changes" }).click();
      const unsent = feed(page).getByRole("article").filter({ hasText: "Not sent." });
      await unsent.getByRole("button", { name: "Edit" }).click();
      await until(async () => (await reply(page).inputValue()) === "Does it start now?");
      await page.getByRole("button", { name: "Status after sending: Waiting for customer" }).waitFor();
      expect([(await read(made)).status, await loadNotes(made)]).toEqual(["in_progress", []]);
      await reply(page).fill("");
      await page.unroute("**/stream?**");
    },
  "the target explanation comes from the server; on a phone two taps change the status": async () => {
    const { instance, sla, offering } = await agreements.agreed({
      response_target_low: 30,
      resolution_target_low: 240,
    });
    const made = await agreements.request(instance);
    const page = await open("administrator", buildPath(made));
    const side = page.getByRole("complementary", { name: "Details" });
    await side.getByRole("link", { name: sla.name }).waitFor();
    await side.getByText(new RegExp(`${offering.name} · Low impact · 4 h`)).waitFor();
    await side.getByRole("button", { name: "All SLA clocks" }).click();
    const [why] = (await here.as("administrator").get(`/requests/${made.id}/targets`)).body as { steps: string[] }[];
    const clocks = page.getByRole("dialog", { name: "All SLA clocks" });
    for (const step of why?.steps ?? []) await clocks.getByText(step).waitFor();

    const phone = await open("administrator", buildPath(made), 390);
    await subject(phone, "It is broken").waitFor();
    await phone.getByRole("button", { name: "Assigned", exact: true }).click();
    await phone.getByRole("button", { name: "Waiting for customer" }).click();
    await until(async () => (await read(made)).status === "waiting_for_customer");
  },
});

story("beside the timeline: workaround, reactions, snippets, tags, forms, links, plans and risks", {
  "a problem has the same page, with its workaround above the timeline": async () => {
    const problem = await agreements.make("/problems", {
      subject: "Access points reboot",
      category: "reactive",
      impact: "high",
      service_id: 1,
      team_id: 1,
      manager_id: 9,
    });
    const page = await open("administrator", `${account}/problems/${problem.id}`);
    await subject(page, "Access points reboot").waitFor();
    await page.getByRole("region", { name: "Workaround" }).getByRole("button", { name: "Add text" }).click();
    await page.getByRole("textbox", { name: "Workaround" }).fill("Use the cable");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("region", { name: "Workaround" }).getByText("Use the cable").waitFor();
  },
  "notes get reactions, snippets insert names, and an earlier change is reverted": async () => {
    const made = await agreements.request(null, { impact: "low", team_id: 1, note: "Please look at it" });
    const page = await open("administrator", buildPath(made));
    await subject(page, "It is broken").waitFor();
    const note = feed(page).getByRole("article").filter({ hasText: "Please look at it" });
    await note.getByRole("button", { name: "Add reaction" }).click();
    await page.getByRole("menuitem", { name: "Thumbs up" }).click();
    const [{ id: noteId }] = (await here.as("administrator").get(`/requests/${made.id}/notes`)).body;
    const reactions = async () => (await here.as("administrator").get(`/note_reactions?note=${noteId}`)).body;
    await until(async () => (await reactions()).length === 1);
    await note.getByRole("button", { name: "Thumbs up: 1", pressed: true }).click();
    await until(async () => (await reactions()).length === 0);
    // Removed again before the first call has arrived.
    const [called, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/v1/note_reactions", async (route) => {
      called.resolve();
      await gate.promise;
      await route.continue();
    });
    const removed = page.waitForResponse((answer) => answer.request().method() === "DELETE");
    await note.getByRole("button", { name: "Add reaction" }).click();
    await page.getByRole("menuitem", { name: "Heart" }).click();
    await called.promise;
    await note.getByRole("button", { name: "Heart: 1", pressed: true }).click();
    await note.getByRole("button", { name: "Heart: 1" }).waitFor({ state: "detached" });
    gate.resolve();
    expect((await removed).status()).toBe(204);
    expect(await reactions()).toEqual([]);
    await page.unroute("**/v1/note_reactions");

    await page.keyboard.press("r");
    await reply(page).fill("Dear {first_name}, we look at {number}.");
    await page.getByRole("button", { name: "Insert snippet" }).click();
    await page.getByRole("button", { name: "Save text as snippet" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Looking at it");
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: /Looking at it/ }).waitFor();
    await page.keyboard.press("Escape");
    await reply(page).fill("");
    await page.getByRole("button", { name: "Insert snippet" }).click();
    await page.getByRole("combobox", { name: "Search snippets" }).fill("looking");
    await page.keyboard.press("Enter");
    const { requested_for } = await read(made);
    const [first] = requested_for.name.split(" ");
    await until(async () => (await reply(page).inputValue()) === `Dear ${first}, we look at ${made.id}.`);
    await reply(page).fill("");
    await page.keyboard.press("Escape");

    await here.as("specialist").patch(`/requests/${made.id}`, { impact: "high" });
    const change = feed(page).getByRole("article").filter({ hasText: "raised the impact to High" });
    await change.getByRole("button", { name: "Revert" }).focus();
    await page.keyboard.press("Enter");
    await until(async () => (await read(made)).impact === "low");
  },
  "tags, the form of a template and links are changed beside the timeline": async () => {
    const admin = here.as("administrator");
    const extension = await agreements.make("/ui_extensions", {
      name: "Newcomer",
      category: "request_template",
      html: '<label for="d">First day</label><input id="d" name="first_day" type="date"><select name="place"><option value="lab">Laboratory</option></select>',
      activate: true,
    });
    const template = await agreements.make("/request_templates", {
      subject: "A newcomer",
      category: "rfi",
      ui_extension_id: extension.id,
    });
    const made = await agreements.request(null, {
      template_id: template.id,
      team_id: 1,
      custom_fields: { first_day: "2025-04-01" },
    });
    const page = await open("administrator", buildPath(made));
    await property(page, "First day").getByText("Apr 1, 2025").waitFor();
    await page.getByRole("button", { name: "Fill in 1 more field" }).click();
    await property(page, "Place").getByRole("button").click();
    await page.getByRole("option", { name: "Laboratory" }).click();
    await until(async () => (await read(made)).custom_fields.place === "lab");
    expect((await read(made)).custom_fields.first_day).toBe("2025-04-01");

    await page.getByRole("button", { name: "Add field…" }).click();
    await page.getByRole("menuitem", { name: "Tags" }).click();
    await property(page, "Tags").locator("input").first().fill("office move");
    await page.keyboard.press("Enter");
    const tags = async () =>
      (await admin.get(`/requests/${made.id}/tags`)).body.map((tag: { name: string }) => tag.name);
    await until(async () => (await tags()).join() === "office move");
    await page.keyboard.press("Escape");
    await property(page, "Tags").getByText("office move").waitFor();

    const problem = await agreements.make("/problems", {
      ...{ subject: "Desks without network", category: "reactive", impact: "high" },
      ...{ service_id: 1, team_id: 1, manager_id: 9 },
    });
    await page.getByRole("button", { name: "Add link" }).click();
    await page.getByRole("menuitem", { name: "Problem" }).click();
    await page
      .getByRole("dialog", { name: "Add link: Problem" })
      .getByRole("combobox", { name: "Problem" })
      .fill("desks");
    await page.getByRole("option", { name: /Desks without network/ }).click();
    await until(async () => (await read(made)).problem?.id === problem.id);

    // One bulk change notifies all affected requesters.
    await agreements.request(null, { team_id: 1, problem_id: problem.id });
    await page.goto(`${here.url}${account}/problems/${problem.id}`);
    // The Undo offer lies beside the page's actions and doesn't cover them.
    const tellAll = page.getByRole("button", { name: "Notify all requesters" });
    await tellAll.waitFor();
    await page.setViewportSize({ width: 1440, height: 560 });
    await page.keyboard.press("p");
    await page.getByRole("option", { name: /^Medium/ }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await until(async () => {
      await tellAll.scrollIntoViewIfNeeded();
      const [button, toast] = [await tellAll.boundingBox(), await page.locator(".undo").boundingBox()];
      return button !== null && toast !== null && button.y + button.height < toast.y;
    });
    await tellAll.click();
    const dialog = page.getByRole("dialog", { name: "Notify all requesters" });
    await dialog.getByText("2 requesters will get this as a note").waitFor();
    await dialog.getByRole("textbox", { name: "Message" }).fill("It works again");
    await page.keyboard.press("Control+Enter");
    await page.getByText("2 requests updated").waitFor();
    expect((await loadNotes(made)).map((note) => note.text)).toContain("It works again");
  },
  "a release shows its workflows on a timeline; a risk shows its position in the matrix and what closing requires":
    async () => {
      const admin = here.as("administrator");
      const release = await agreements.make("/releases", { subject: "Spring release" });
      await workflowHelpers(admin).workflow({ subject: "New switches", release_id: release.id });
      const page = await open("administrator", `${account}/releases/${release.id}`);
      const plan = page.getByRole("region", { name: "Workflow timeline" });
      await plan.getByRole("link", { name: "New switches" }).waitFor();
      await page.getByText("Status, impact and target are derived from the workflows").waitFor();

      await agreements.make("/risk_severities", { name: "Grave", position: 1 });
      const risk = await agreements.make("/risks", {
        subject: "One line only",
        severity: "grave",
        manager_id: people.administrator.id,
      });
      await visit(page, `${here.url}${account}/risks/${risk.id}`);
      await page.getByRole("button", { name: "Grave, Anticipated: 1 risk (this one)" }).waitFor();
      await page.keyboard.press("s");
      await page.getByRole("option", { name: "Closed" }).click();
      await property(page, "Closure reason").getByRole("alert").waitFor();
      await page.getByRole("option").first().click();
      const current = async () => (await admin.get(`/risks/${risk.id}`)).body;
      await until(async () => (await current()).status === "closed");
      expect((await current()).closure_reason).not.toBeNull();
    },
});
