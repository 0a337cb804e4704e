import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import type { Role } from "../support/seed.ts";
import { type World, world } from "../support/world.ts";

// Broadcasts, knowledge and surveys in real browsers, for authors and readers.

let here: World;
let browser: Browser;
let admin: Page;
let sam: Page;
let rita: Page;

async function open(role: Role, path: string): Promise<Page> {
  const context: BrowserContext = await openBrowserAs(here, browser, role);
  // The world's clock doesn't move, so the browser's clock is fixed at the same time.
  await context.clock.setFixedTime(here.clock.now());
  const page = await context.newPage();
  await visit(page, `${here.url}${path}`);
  return page;
}

const api = () => here.as("administrator");

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist", "requester");
  browser = await startBrowser();
  [admin, sam, rita] = await Promise.all([
    open("administrator", "/a/widget-it/broadcasts"),
    open("specialist", "/a/widget-it/inbox"),
    open("requester", "/a/widget-it?language=en"),
  ]);
});
afterAll(() => browser?.close());

test("a broadcast reaches open pages of its audience and disappears from them when it ends", async () => {
  await rita.locator('.portal[data-live="live"]').waitFor();
  await admin.getByText("No broadcasts yet").waitFor();
  await admin.getByRole("link", { name: "New broadcast" }).click();
  await admin.getByRole("textbox", { name: "Message: English" }).fill("The printer hall is closed. We open at noon.");
  await admin.getByRole("textbox", { name: "Message: Nederlands" }).fill("De printerhal is dicht.");
  await admin.getByText("Warning", { exact: true }).click();
  await admin.getByText(/\d+ people/).waitFor();
  await admin.getByRole("button", { name: "Show people" }).click();
  await admin.getByText("Rita Requester").waitFor();
  const banner = (page: Page, text: string) =>
    page.getByRole("region", { name: /^(Broadcasts|Announcements|Aankondigingen|Storingen)/ }).getByText(text);
  const save = () => admin.getByRole("button", { name: "Save" }).click();
  const times: number[] = [];
  /** Measures the time from the click until other pages show or hide the broadcast. */
  const time = async (act: () => Promise<void>, ...shown: [Page, string, "visible" | "detached"][]) => {
    const start = performance.now();
    await act();
    await Promise.all(
      shown.map(async ([page, text, state]) => {
        await banner(page, text).waitFor({ state });
        times.push(performance.now() - start);
      }),
    );
  };
  // Rita's language is Dutch, whatever language the tab shows.
  await time(save, [rita, "De printerhal is dicht.", "visible"], [sam, "The printer hall is closed.", "visible"]);
  await admin.getByText("Live since").waitFor();
  await admin.getByText(/seen by [23] of \d+/).waitFor();

  await admin.getByRole("combobox", { name: "Audience" }).click();
  await admin
    .getByRole("option", { name: /specialists/i })
    .first()
    .click();
  await time(save, [rita, "De printerhal is dicht.", "detached"]);
  await sam.getByRole("button", { name: "Dismiss message" }).click();
  await banner(sam, "The printer hall is closed.").waitFor({ state: "detached" });
  await here.clock.pass(60); // a later change is another message
  await admin.getByRole("textbox", { name: "Message: English" }).fill("The printer hall is open again.");
  await time(save, [sam, "The printer hall is open again.", "visible"]);
  await admin.getByText("Outdated").waitFor();
  await time(
    () => admin.getByRole("button", { name: "End broadcast" }).click(),
    [sam, "The printer hall is open again.", "detached"],
  );
  // Within two seconds, unless the machine is busy. Without the stream each update would take twenty seconds.
  times.sort((one, other) => one - other);
  expect(times[0], times.map(Math.round).join()).toBeLessThanOrEqual(2000);
  expect(times.at(-1)).toBeLessThan(15_000);
  await visit(admin, `${here.url}/a/widget-it/broadcasts`);
  await admin.getByRole("heading", { name: /^Ended/ }).waitFor();
});

test("an article is written beside its preview, found and marked as out of date, and its author is notified", async () => {
  const { body: service } = await api().post("/services", {
    name: "Printing",
    provider_id: 6,
    knowledge_manager_id: 1,
  });
  await visit(admin, `${here.url}/a/widget-it/knowledge_articles/new`);
  await admin.getByRole("textbox", { name: "Subject" }).fill("Paper jam");
  await admin.getByRole("textbox", { name: "When to use this" }).fill("The printer blinks.");
  await admin.getByRole("textbox", { name: "What to do" }).fill("Open the **left** door.");
  await admin.getByRole("textbox", { name: "For the service desk" }).fill("The key is in the drawer.");
  await admin.getByRole("region", { name: "Preview" }).locator("strong", { hasText: "left" }).waitFor();
  await admin.getByRole("combobox", { name: "Service" }).fill("Printing");
  await admin.getByRole("option", { name: "Printing" }).click();
  await admin.getByRole("button", { name: "Save" }).click();
  await admin.getByRole("heading", { level: 1, name: "Paper jam" }).waitFor();
  const [article] = (await api().get(`/knowledge_articles?service=${service.id}`)).body;

  await visit(sam, `${here.url}/a/widget-it/knowledge_articles`);
  await sam.getByRole("searchbox", { name: "Search articles" }).fill("blinks");
  await sam.locator("mark", { hasText: "blinks" }).waitFor();
  await sam.getByRole("link", { name: "Paper jam" }).click();
  await sam.getByText("The key is in the drawer.").waitFor();
  await sam.getByRole("button", { name: "Outdated" }).click();
  await sam.getByRole("textbox", { name: "What's outdated?" }).fill("It is the right door now.");
  await sam.getByRole("button", { name: "Notify author" }).click();
  await sam.getByText("The author has been notified.").waitFor();
  await visit(admin, `${here.url}/a/widget-it/knowledge_articles/${article.id}`);
  await admin.getByText("It is the right door now.").waitFor();

  await admin.getByRole("button", { name: "Edit" }).click();
  await admin.getByRole("textbox", { name: "What to do" }).fill("Open the right door.");
  await admin.getByRole("button", { name: "Save" }).click();
  await admin.locator("article", { hasText: "Open the right door." }).waitFor();
  await admin.getByRole("link", { name: "Write in Nederlands" }).click();
  await admin.getByRole("textbox", { name: "Subject" }).fill("Papier vast");
  await admin.getByRole("textbox", { name: "When to use this" }).fill("De printer knippert.");
  await admin.getByRole("textbox", { name: "What to do" }).fill("Open de rechterdeur.");
  await admin.getByRole("button", { name: "Save" }).click();
  await admin.getByText("Up to date").waitFor();
});

test("a requester answers a survey on a phone without scripts, and a specialist reads the results", async () => {
  const { body: survey } = await api().post("/surveys", { name: "How is printing?" });
  await visit(admin, `${here.url}/a/widget-it/surveys/${survey.id}?tab=questions`);
  await admin.getByRole("button", { name: "Add question" }).click();
  const question = admin.getByRole("textbox", { name: "Question" });
  await question.fill("Is the paper good?");
  await question.blur();
  await admin.getByRole("region", { name: "Preview" }).getByText("Is the paper good?").waitFor();
  await visit(admin, `${here.url}/a/widget-it/surveys`);
  await admin.getByRole("link", { name: "How is printing?" }).waitFor();
  await admin.getByText("1 question").waitFor();

  const { body: service } = await api().post("/services", { name: "Paper", provider_id: 6, survey_id: survey.id });
  const { body: instance } = await api().post("/service_instances", { name: "Paper", service_id: service.id });
  const { body: request } = await api().post("/requests", {
    ...{ subject: "More paper", category: "incident", impact: "low" },
    ...{ requested_by_id: 5, requested_for_id: 5, service_instance_id: instance.id },
  });
  await api().patch(`/requests/${request.id}`, { status: "completed", completion_reason: "solved", note: "Done" });
  const { survey: card } = (await here.as("requester").get(`/portal/requests/${request.id}`)).body;
  const phone = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  ).newPage();
  await phone.goto(card.url);
  // axe needs scripts, so it checks the page in a second context, also without a session.
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(card.url);
  await expectAccessible(visitor);
  await phone.getByRole("radio", { name: "4 van 5 sterren" }).check();
  await phone.getByRole("button", { name: "Antwoorden verzenden" }).click();
  await phone.getByRole("heading", { name: "Dank u wel" }).waitFor();

  const [{ id: asked }] = (await api().get(`/surveys/${survey.id}/survey_questions`)).body;
  for (const rating of [100, 100, 80, 20]) {
    const { body } = await api().post("/survey_responses", {
      ...{ survey_id: survey.id, service_id: service.id, completed: true },
    });
    await api().post(`/survey_responses/${body.id}/survey_answers`, { survey_question_id: asked, rating });
  }
  await visit(admin, `${here.url}/a/widget-it/surveys/${survey.id}`);
  await admin.getByRole("meter", { name: "4 stars" }).waitFor();
  expect(await admin.locator(".survey-stars li").allInnerTexts()).toEqual(
    [2, 2, 0, 0, 1].map((count, at) => expect.stringMatching(new RegExp(`^${5 - at} ★\\s+${count}$`))),
  );
});
