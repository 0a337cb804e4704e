import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { buildWeb } from "../../../tools/build-web.ts";
import { canLayOut } from "../../../web/workspace/lists/layouts/layouts.ts";
import { startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../../support/clients/signed-in-page.ts";
import {
  giveWorkToPeople,
  listDeclaredStatuses,
  listedTypes,
  makeApprovalsInEveryStatus,
  makeRecordsInEveryStatus,
  putWorkOnBoard,
  searchWord,
} from "../../support/records/every-status.ts";
import { type Role, startTime } from "../../support/seed.ts";
import { story } from "../../support/story.ts";
import { until } from "../../support/waiting.ts";
import { type World, world } from "../../support/world.ts";

// The workspace and portal lists, with a record in every status: they show one row per record, every row renders, and the
// page has no error (D-791).

let here: World;
let browser: Browser;
let board: { board: number; backlog: number };
const errors: string[] = [];

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await makeRecordsInEveryStatus(here);
  await makeApprovalsInEveryStatus(here);
  await giveWorkToPeople(here);
  board = await putWorkOnBoard(here);
  await setPasswords(here, "administrator", "specialist", "requester");
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const account = "/a/widget-it";
const pages = new Map<Role, Page>();

/** Tall enough for all rows, because lists render visible rows only. */
async function enter(role: Role, width = 1440): Promise<Page> {
  let page = pages.get(role);
  if (page === undefined) {
    page = await (await openBrowserAs(here, browser, role)).newPage();
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    pages.set(role, page);
  }
  await page.setViewportSize({ width, height: 2400 });
  return page;
}

/** Waits until a list has exactly this number of rows and expects that all of them render. */
async function awaitRows(page: Page, place: string, rows: string, expected: number): Promise<void> {
  const failed = page.locator(".row-failure, .failure, [role=alert]");
  await until(
    async () => (await page.locator(rows).count()) === expected || (await failed.count()) > 0 || errors.length > 0,
    { what: () => `${expected} rows at ${place}` },
  );
  expect([place, await failed.allTextContents(), errors.splice(0)]).toEqual([place, [], []]);
}

async function expectRows(page: Page, path: string, rows: string, expected: number): Promise<void> {
  await visit(page, here.url + account + path);
  await awaitRows(page, path, rows, expected);
}

async function countRecords(path: string): Promise<number> {
  const { headers } = await here.as("administrator").get(`${path}?per_page=1`);
  return Number(headers.get("X-Pagination-Total-Entries"));
}

const portal = async (path: string) => (await here.as("requester").get(path)).body;

const hasStatus = (type: RecordType): boolean => listDeclaredStatuses(type).length > 0;
const withStatus = listedTypes.filter(hasStatus);
/** Types whose address without a query opens a page of their own, also with a view. */
const withOwnPage = ["webhooks"];

describe("workspace", () => {
  story("the workspace lists show a record in every status", {
    "tables of all types": async () => {
      const page = await enter("administrator");
      for (const { collection, storage } of listedTypes) {
        if (storage.journal || withOwnPage.includes(collection)) continue;
        const total = await countRecords(`/${collection}`);
        expect([collection, total > 0 && total < 50]).toEqual([collection, true]);
        await expectRows(page, `/${collection}?view=all`, ".list-row", total);
      }
    },
    "tables of journals, and lists that replace the table of some types": async () => {
      const page = await enter("administrator");
      const total = await countRecords("/audit_lines");
      await expectRows(page, "/audit_lines?view=all", `[aria-rowcount="${total + 1}"]:has(.list-row)`, 1);
      await expectRows(page, "/webhooks", ".webhook-table tbody tr", await countRecords("/webhooks"));
      await expectRows(page, "/broadcasts", ".broadcast-row", await countRecords("/broadcasts"));
      await expectRows(page, "/surveys", ".survey-card", await countRecords("/surveys"));
      const active = await countRecords("/knowledge_articles/active");
      await expectRows(page, "/knowledge_articles", ".knowledge-heading + .knowledge-columns li", active);
    },
    "boards of types with a status; their tables and calendars on a phone": async () => {
      const page = await enter("administrator");
      const totals = new Map<string, number>();
      for (const { collection } of withStatus) totals.set(collection, await countRecords(`/${collection}`));
      for (const type of withStatus.filter((each) => canLayOut(each, "board")))
        await expectRows(
          page,
          `/${type.collection}?view=all&layout=board`,
          ".board-card",
          totals.get(type.collection) ?? 0,
        );
      await enter("administrator", 390);
      for (const type of withStatus) {
        const total = totals.get(type.collection) ?? 0;
        await expectRows(page, `/${type.collection}?view=all`, ".list-narrow", total);
        if (type.filterable.includes("created_at"))
          await expectRows(
            page,
            `/${type.collection}?view=all&layout=calendar&by=created_at&month=${startTime.slice(0, 7)}`,
            ".calendar-item",
            total,
          );
      }
    },
    "search, agile board, backlog, and the tasks of a workflow and of a project": async () => {
      const page = await enter("administrator");
      const found = (await here.as("administrator").get(`/search?q=${searchWord}`)).body;
      await expectRows(page, `/search?q=${searchWord}`, ".found > li", found.length);
      const [requests, problems, tasks, projectTasks] = (await Promise.all(
        ["/requests", "/problems", "/tasks", "/project_tasks"].map(countRecords),
      )) as [number, number, number, number];
      await expectRows(
        page,
        `/agile_boards/${board.board}`,
        ".board-item .card-face",
        requests + problems + tasks + projectTasks,
      );
      await expectRows(page, `/product_backlogs/${board.backlog}`, ".backlog-row", requests + problems);
      const [task] = (await here.as("administrator").get("/tasks?sort=id&fields=workflow")).body;
      const workflow = task.workflow.id;
      const inWorkflow = await countRecords(`/workflows/${workflow}/tasks`);
      await expectRows(page, `/workflows/${workflow}?tab=list`, ".task-table tbody tr", inWorkflow);
      const [projectTask] = (await here.as("administrator").get("/project_tasks?sort=id&fields=project")).body;
      const project = projectTask.project.id;
      const inProject = await countRecords(`/projects/${project}/tasks`);
      await expectRows(page, `/projects/${project}?tab=tasks`, ".task-table tbody tr", inProject);
    },
    "tabs of the inbox, and the latest requests of a requester": async () => {
      const page = await enter("specialist");
      for (const tab of ["mine", "my_teams", "unassigned", "approvals", "watching"]) {
        const { items } = (await here.as("specialist").get(`/inbox?tab=${tab}`)).body;
        if (tab === "mine" || tab === "my_teams") expect([tab, items.length > 20]).toEqual([tab, true]);
        await expectRows(page, `/inbox/${tab}`, ".inbox-row", items.length);
      }
      const [request] = (await here.as("administrator").get("/requests?sort=id&per_page=1")).body;
      await expectRows(page, `/requests/${request.id}`, ".requester", 1);
      await page.getByRole("button", { name: "Recent requests" }).click();
      await awaitRows(page, "Recent requests from", ".requester-latest > li", 5);
    },
  });
});

describe("portal", () => {
  story("the portal lists show a record in every status", {
    "home, requests, search and approvals": async () => {
      const page = await enter("requester");
      const requests = await countRecords("/requests");
      const open = (await portal("/portal/requests?show=open")).total;
      const solved = (await portal("/portal/requests?show=solved")).total;
      expect([open > 9, open + solved]).toEqual([true, requests]);
      await expectRows(page, "/portal", ".rows > li", 3);
      await expectRows(page, "/requests", "#requests-panel .rows > li", open);
      await page.getByRole("tab").nth(1).click();
      await awaitRows(page, "solved requests", "#requests-panel .rows > li", solved);
      const shared = (await portal("/portal/requests?show=shared")).total;
      await page.getByRole("tab").nth(2).click();
      await awaitRows(page, "shared requests", "#requests-panel .rows > li", shared);
      const { similar } = await portal(`/suggestions?text=${searchWord}`);
      expect(similar.length).toBeGreaterThan(0);
      await expectRows(
        page,
        `/portal/search?q=${searchWord}`,
        "[aria-labelledby=found-requests] .rows > li",
        similar.length,
      );
      const approvals = await portal("/portal/approvals");
      expect(approvals.decided.length).toBeGreaterThan(2);
      await expectRows(page, "/portal/approvals", ".approval", approvals.open.length + approvals.decided.length);
    },
    "reservations and orders": async () => {
      const page = await enter("requester");
      const { own } = await portal("/portal/reservations");
      expect(own.length).toBeGreaterThan(0);
      await expectRows(page, "/portal/reservations", "[aria-labelledby=own-reservations] .rows > li", own.length);
      const lines = (await here.as("requester").get("/shop_order_lines?per_page=100")).body;
      const ordered = lines.filter(({ status }: { status: string }) => status !== "in_cart");
      expect(ordered.length).toBeGreaterThan(1);
      await expectRows(page, "/portal/shop", "[aria-labelledby=ordered] .rows > li", ordered.length);
    },
  });
});

describe("a row that can't be rendered", () => {
  type Rows = Record<string, unknown>[];
  /** Gives the last row of a response, or of one of several combined reads, a value that the server never sends. */
  async function spoil(page: Page, address: RegExp, pick: (body: never) => Rows, wrong: Rows[number]): Promise<void> {
    const spoilBody = (body: unknown) => Object.assign(pick(body as never).at(-1) ?? {}, wrong);
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      spoilBody(body);
      await route.fulfill({ response, json: body });
    });
    await page.route("**/session-api/reads", async (route) => {
      const { paths } = route.request().postDataJSON() as { paths: string[] };
      const response = await route.fetch();
      const parts = (await response.json()) as { body: unknown }[];
      for (const [at, path] of paths.entries()) if (address.test(path)) spoilBody(parts[at]?.body);
      await route.fulfill({ response, json: parts });
    });
  }
  async function expectOneFailure(page: Page, rows: string, expected: number): Promise<void> {
    await page.locator(".row-failure").waitFor();
    await until(async () => (await page.locator(rows).count()) === expected - 1);
    expect(await page.locator(".row-failure").count()).toBe(1);
    expect(errors.splice(0).length).toBeGreaterThan(0);
    await page.unrouteAll({ behavior: "wait" });
  }

  story("a row that can't be rendered doesn't break its list", {
    "breaks neither the workspace list nor the inbox, and renders after the record changes": async () => {
      const page = await enter("specialist");
      const total = await countRecords("/problems");
      await spoil(page, /\/v1\/problems\?/, (rows) => rows, { member: { id: 1, name: {} } });
      await visit(page, `${here.url}${account}/problems?view=all&sort=-id`);
      await page.getByText("This entry can't be shown").waitFor();
      await expectOneFailure(page, ".list-row", total);
      const [first] = (await here.as("administrator").get("/problems?sort=id&per_page=1")).body;
      await here.as("administrator").patch(`/problems/${first.id}`, { subject: "Described again" });
      await page.locator(".row-failure").waitFor({ state: "hidden" });
      await awaitRows(page, "the list of problems", ".list-row", total);
      const { items } = (await here.as("specialist").get("/inbox?tab=mine")).body;
      await spoil(page, /\/inbox\?tab=mine/, ({ items: rows }: { items: Rows }) => rows, { subject: {} });
      await visit(page, `${here.url}${account}/inbox/mine`);
      await expectOneFailure(page, ".inbox-row", items.length);
    },
    "doesn't break the portal list": async () => {
      const page = await enter("requester");
      const { total } = await portal("/portal/requests?show=open");
      await spoil(page, /\/portal\/requests\?show=open/, ({ items }: { items: Rows }) => items, { subject: {} });
      await visit(page, `${here.url}${account}/requests`);
      await page.reload();
      await expectOneFailure(page, "#requests-panel .rows > li > a", total);
    },
  });
});
