import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { serviceDeskTeam } from "../support/records/workflows-and-projects.ts";
import type { Role } from "../support/seed.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// The inbox in two real browsers.

const [sam, mia] = [3, 9];
let here: World;
let browser: Browser;
let first: Page;
let second: Page;

async function openAs(role: Role, prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
  const context = await openBrowserAs(here, browser, role);
  // The world's clock doesn't move, so the browser's clock is fixed at the same time.
  await context.clock.setFixedTime(here.clock.now());
  const page = await context.newPage();
  await prepare(page);
  await page.goto(`${here.url}/a/widget-it/inbox/my_teams`);
  await page.getByRole("listbox", { name: "Inbox" }).waitFor();
  return page;
}

const ids: number[] = [];
const request = async (subject: string, members: Record<string, unknown>, minutes: number | null): Promise<number> => {
  const { body } = await here
    .as("administrator")
    .post("/requests", { subject, category: "incident", impact: "medium", team_id: serviceDeskTeam, ...members });
  const at = minutes === null ? null : new Date(here.clock.now().getTime() + minutes * 60_000);
  const target = at === null ? null : `${at.toISOString().slice(0, 19)}Z`;
  await here.sql("UPDATE requests SET next_target_at = $2 WHERE id = $1", [body.id, target]);
  ids.push(body.id);
  return body.id;
};

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "specialist", "manager");
  await request("Overdue printer", { member_id: sam }, -38);
  await request("Wireless drops on floor 4", { member_id: mia, impact: "top" }, 19);
  await request("No network at the desk", {}, 46);
  await request("Guest Wi-Fi", { member_id: sam }, 108);
  await request("New team folder", { member_id: mia }, 24 * 60);
  await request("Who owns the folder?", { member_id: mia }, null);
  browser = await startBrowser();
  first = await openAs("specialist");
  second = await openAs("manager");
});
afterAll(() => browser?.close());

const row = (page: Page, subject: string) => page.getByRole("option").filter({ hasText: subject });
const focused = (page: Page) => page.locator(".inbox-row[data-focused]");
const isLive = (page: Page) => page.locator('.inbox-live[data-state="live"]').waitFor();

story("the inbox of one person: groups, keys, events, lost connection, refusals", {
  "groups are ordered by target, the earliest row first": async () => {
    await isLive(first);
    expect(
      await first.getByRole("group").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label"))),
    ).toEqual(["Overdue", "Within the hour", "Today", "Later", "No target"]);
    expect(await first.getByRole("option").first().textContent()).toContain("Overdue printer");
    expect(await first.getByRole("link", { name: /My teams/ }).getAttribute("aria-current")).toBe("page");
  },
  "J moves, Space opens the preview, and the preview follows": async () => {
    await first.keyboard.press("j");
    await first.keyboard.press("j");
    await first.keyboard.press("Space");
    const peek = first.getByRole("complementary", { name: "Preview" });
    await peek.getByRole("heading", { name: "No network at the desk" }).waitFor();
    await first.keyboard.press("j");
    await peek.getByRole("heading", { name: "Guest Wi-Fi" }).waitFor();
    expect(new URL(first.url()).searchParams.get("peek")).toBe(`request-${ids[3]}`);
    await first.keyboard.press("k");
  },
  "A accepts immediately, and the other browser updates by an event": async () => {
    await isLive(second);
    const [unassigned] = ids.slice(2);
    await first.keyboard.press("a");
    await row(first, "No network at the desk").getByRole("img", { name: "Accepted" }).waitFor();
    await row(second, "No network at the desk").getByRole("img", { name: "Accepted" }).waitFor();
    const { body } = await here.as("administrator").get(`/requests/${unassigned}`);
    expect([body.status, body.member.id]).toEqual(["accepted", sam]);
    await first.locator(".undo").waitFor();
    await first.keyboard.press("z");
    await row(second, "No network at the desk").getByRole("img", { name: "Assigned", exact: true }).waitFor();
  },
  "an arriving row doesn't move the focused row": async () => {
    const before = await focused(first).boundingBox();
    expect(await focused(first).textContent()).toContain("No network at the desk");
    await request("Brand new, and overdue", { member_id: mia }, -60);
    await here.as("manager").patch(`/requests/${ids.at(-1)}`, { subject: "Brand new, and urgent" });
    await row(first, "Brand new, and urgent").waitFor({ state: "attached" });
    // The target in the row may change too: the event of the undone change above arrives late.
    expect(await focused(first).textContent()).toContain("No network at the desk");
    await until(async () => Math.abs(((await focused(first).boundingBox())?.y ?? 0) - (before?.y ?? 0)) <= 2);
  },
  "a change made offline is kept and sent once when the connection returns": async () => {
    await first.keyboard.press("Escape");
    await row(first, "Guest Wi-Fi").click();
    // A list requested before the change arrives after it. It doesn't revert the change.
    let answerList = () => {};
    const held = new Promise<void>((resolve) => {
      answerList = resolve;
    });
    const isList = (url: URL) => url.pathname.endsWith("/inbox");
    await first.route(isList, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const listCall = first.waitForRequest((call) => isList(new URL(call.url())));
    await here.as("administrator").patch(`/requests/${ids[0]}`, { impact: "high" });
    await listCall;
    let sent = 0;
    first.on("request", (call) => {
      if (call.method() === "PATCH") sent++;
    });
    await first.context().setOffline(true);
    await first.keyboard.press("a");
    await row(first, "Guest Wi-Fi").getByRole("img", { name: "Accepted" }).waitFor();
    await first.getByText(/change will be sent when you reconnect/).waitFor();
    const listed = first.waitForResponse((answer) => isList(new URL(answer.url())));
    answerList();
    await listed;
    await first.unroute(isList);
    await row(first, "Guest Wi-Fi").getByRole("img", { name: "Accepted" }).waitFor();
    await first.context().setOffline(false);
    await until(async () => (await here.as("administrator").get(`/requests/${ids[3]}`)).body.status === "accepted");
    await first.getByText(/change will be sent when you reconnect/).waitFor({ state: "detached" });
    const { body: trail } = await here.as("administrator").get(`/requests/${ids[3]}/audit`);
    const accepted = trail.filter(
      ({ changes }: { changes: { status?: string[] } }) => changes.status?.[1] === "accepted",
    );
    expect(accepted).toHaveLength(1);
    expect(sent).toBeGreaterThan(0);
  },
  "a refused change is reverted with the server's message": async () => {
    const [id] = ids.slice(2);
    await row(first, "No network at the desk").click();
    // Another team gets the request without an event: a person outside that team can't accept it.
    await here.sql("UPDATE requests SET team_id = 2 WHERE id = $1", [id]);
    await first.keyboard.press("a");
    await first.getByRole("alert").first().waitFor();
    await row(first, "No network at the desk").waitFor({ state: "detached" });
    expect((await here.as("administrator").get(`/requests/${id}`)).body).toMatchObject({
      status: "assigned",
      member: null,
    });
    await here.sql("UPDATE requests SET team_id = 1 WHERE id = $1", [id]);
  },
});

story("a team inbox: many rows, lists of people, empty lists, returning from a record", {
  "X selects, S changes the status of the selection, F filters, ] opens the next list": async () => {
    await second.reload();
    await second.getByRole("listbox", { name: "Inbox" }).waitFor();
    await row(second, "New team folder").click();
    await second.keyboard.press("x");
    await row(second, "Who owns the folder?").click();
    await second.keyboard.press("x");
    await second.getByText("2 selected").waitFor();
    await second.keyboard.press("s");
    const dialog = second.getByRole("dialog", { name: "Change status" });
    await dialog.getByRole("combobox").fill("progress");
    await second.keyboard.press("Enter");
    await row(second, "New team folder").getByRole("img", { name: "In progress" }).waitFor();
    await row(second, "Who owns the folder?").getByRole("img", { name: "In progress" }).waitFor();
    await second.keyboard.press("f");
    await second.getByLabel("Filter by text").fill("floor");
    await second.keyboard.press("Enter");
    await until(async () => (await second.getByRole("option").count()) === 1);
    await second.getByRole("listbox", { name: "Inbox" }).focus();
    await second.keyboard.press("Escape");
    await until(async () => (await second.getByRole("option").count()) > 3);
    await second.keyboard.press("]");
    await second.waitForURL(/\/inbox\/unassigned/);
  },
  "M assigns to the typed person, even if Enter comes before the list of people": async () => {
    await visit(second, `${here.url}/a/widget-it/inbox/my_teams`);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await second.route("**/teams/*/members*", async (route) => {
      await held;
      await route.continue();
    });
    await row(second, "No network at the desk").click();
    await second.keyboard.press("m");
    await second.getByRole("dialog").getByRole("combobox").fill("mia");
    await second.keyboard.press("Enter");
    answer();
    await until(async () => (await here.as("administrator").get(`/requests/${ids[2]}`)).body.member?.id === mia);
  },
  "an empty list says why; Enter opens the record": async () => {
    await visit(second, `${here.url}/a/widget-it/inbox/approvals`);
    await second.getByText("No approvals waiting for you").waitFor();
    await visit(second, `${here.url}/a/widget-it/inbox/my_teams`);
    await row(second, "Overdue printer").click();
    await second.keyboard.press("Enter");
    await second.waitForURL(new RegExp(`/requests/${ids[0]}`));
  },
  "Esc returns to the row that was last open; a row that moves to waiting passes the focus on": async () => {
    const title = second.getByRole("heading", { level: 1, name: "Overdue printer" });
    await title.waitFor();
    // The first Escape closes the open menu.
    await second.getByRole("button", { name: "More actions" }).press("Enter");
    // The menu takes the focus a moment after it appears, and then the keys.
    await second.locator("[role=menu]:focus-within").waitFor();
    await second.keyboard.press("Escape");
    await second.getByRole("menu").waitFor({ state: "detached" });
    await title.waitFor();
    await second.keyboard.press("Escape");
    await focused(second).filter({ hasText: "Overdue printer" }).waitFor();
    await second.keyboard.press("w");
    await second.getByRole("dialog").getByRole("combobox").press("Enter");
    await until(async () => (await here.as("administrator").get(`/requests/${ids[0]}`)).body.status === "waiting_for");
    await focused(second).filter({ hasNotText: "Overdue printer" }).waitFor();
  },
});

test("a row that arrives while a record opens doesn't break returning to the list", async () => {
  // The record page's code is also loaded in idle time.
  const held = Promise.withResolvers<void>();
  const third = await openAs("manager", (page) =>
    page.route(/request-page/, (route) => held.promise.then(() => route.continue())),
  );
  await isLive(third);
  await row(third, "Guest Wi-Fi").click();
  await third.keyboard.press("Enter");
  await third.waitForURL(new RegExp(`/requests/${ids[3]}`));
  await request("Arrives meanwhile", {}, null);
  await row(third, "Arrives meanwhile").waitFor();
  held.resolve();
  await third.getByRole("heading", { level: 1, name: "Guest Wi-Fi" }).waitFor();
  await third.keyboard.press("Escape");
  await focused(third).filter({ hasText: "Guest Wi-Fi" }).waitFor();
  await third.context().close();
});
