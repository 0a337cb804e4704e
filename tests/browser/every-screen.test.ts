import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIns } from "../../demo/data/accounts.ts";
import { dashboards, reports } from "../../records/figures/dashboards.ts";
import { register } from "../../records/index.ts";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import type { Client } from "../support/clients/json-client.ts";
import { findCrowding } from "../support/clients/layout.ts";
import { expectFits, expectUsable, visit } from "../support/clients/signed-in-page.ts";
import { type DemoRole, type DemoWorld, demoWorld } from "../support/demo-world.ts";
import { findRawCodes } from "../support/screens/raw-codes.ts";
import { states } from "../support/screens/states.ts";

// Opens every screen of the workspace, the settings and the portal with the demo company's data, in both themes and at three
// widths. axe finds nothing, nothing overflows, no screen shows an error, and none shows an API code. The addresses come from
// the screens' own tables, so a new screen is covered automatically; a new parameter needs a sample below.
// Dialogs, menus and phone sheets are listed in tests/support/screens/states.ts.

const root = join(import.meta.dirname, "../..");
const widths = [390, 1024, 1440];
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** Reads the address patterns from a table in the source: each is the first argument of one of these functions. */
const readTable = (file: string, functions: string): string[] =>
  [...read(file).matchAll(new RegExp(`^ +(?:${functions})\\("([^"]*)"`, "gm"))].map(([, pattern]) => pattern as string);
const workspacePatterns = readTable("web/routes.tsx", "accountRoute|screenRoute").filter(
  (pattern) => pattern !== "/" && !pattern.includes("$collection"),
);
/** One table has the addresses of settings pages; the keys of another are the screens behind them. */
const readPatterns = (file: string, pattern: RegExp): string[] =>
  [...read(file).matchAll(pattern)].map(([, found]) => `settings/${found}`);
const settingsPatterns = [
  ...readPatterns("web/parts/settings-index/settings-pages.ts", / address: "([^"]*)"/g),
  ...readPatterns("web/settings/settings-screens.tsx", /^ {2}"([^"]*)": async/gm),
];
/** The portal's pages: the members of the type Place. */
const portalPages = [
  ...(/export type Place =([^;]*(?:;[^;]*)*?);\n\n/.exec(read("web/portal/addresses.ts"))?.[1]?.matchAll(/"(\w+)"/g) ??
    []),
].map(([, name]) => name as string);
/** Types with their own list. */
const listedTypes = register.filter(
  ({ ownedBy, routes: { singleton, onlyThroughLinks } }) => ownedBy.length === 0 && !singleton && !onlyThroughLinks,
);

/** The demo company has no identity provider and no release, and nothing in it failed. */
const provider = { name: "Login", reference: "login", issuer: "https://login.example", client_id: "steward" };

let here: DemoWorld;
let browser: Browser;
let api: Client;
const pages = new Map<DemoRole, Page>();
const pseudoPages = new Map<DemoRole, Page>();

beforeAll(async () => {
  await buildWeb(() => {});
  here = await demoWorld();
  api = await here.asDemo("administrator");
  await api.post("/identity_providers", provider);
  await fillEmptyLists();
  browser = await startBrowser();
});
afterAll(() => browser?.close());

/** Fills what the demo company leaves empty: emails, failed jobs, a release, a snippet, archive and trash. */
async function fillEmptyLists(): Promise<void> {
  const values = [here.account, new Date(here.clock.now()).toISOString()];
  await here.sql(
    `INSERT INTO mails (account_id, recipient, subject, body, created_at, state, tries, error)
SELECT $1, 'juno.whitlock@quillhaven.example', 'Your request', 'Hello', $2, state, 12, error
FROM (VALUES ('failed', '550 5.1.1 User unknown'), ('sent', NULL)) AS m (state, error)`,
    values,
  );
  await here.sql(
    `INSERT INTO received_mails (account_id, recipients, envelope_from, size, received_at, handled_at, state, outcome, reason, sender, subject)
SELECT $1, '{desk@quillhaven.example}', 'ann@outside.example', 812, $2, $2, 'done', outcome, reason, 'ann@outside.example', 'My laptop'
FROM (VALUES ('rejected', 'unknown sender'), ('ignored', 'automatic email')) AS m (outcome, reason)`,
    values,
  );
  await here.sql(
    "INSERT INTO jobs (account_id, kind, payload, run_at, attempts, dead_at, last_error) VALUES ($1, 'send webhook', '{}', $2, 180, $2, 'connect ECONNREFUSED')",
    values,
  );
  const release = await api.post("/releases", { subject: "Spring release", impact: "none" });
  const [workflow] = (await api.get("/workflows/open?per_page=1&fields=id")).body;
  expect((await api.patch(`/workflows/${workflow.id}`, { release_id: release.body.id })).status).toBe(200);
  const snippet = { value: { name: "Greeting", text: "Hello, thank you for your request." } };
  expect((await api.put("/kept_items/snippet/greeting?owner=account", snippet)).status).toBeLessThan(300);
  const { body } = await api.get("/requests/completed?per_page=2&fields=id");
  for (const [index, action] of ["archive", "trash"].entries())
    expect((await api.post(`/requests/${body[index].id}/${action}`)).status).toBe(200);
}

const at = (path: string): string => `${here.url}/a/${here.account}/${path}`;

/** Returns the role's page, which is opened once. */
async function getPage(role: DemoRole): Promise<Page> {
  const page = pages.get(role) ?? (await (await here.openDemoBrowser(browser, role)).newPage());
  pages.set(role, page);
  return page;
}

/** Texts that don't fit on a phone in a language with longer words. */
async function listCrowdedTexts(role: DemoRole, path: string): Promise<string[]> {
  const page = pseudoPages.get(role) ?? (await (await here.openDemoBrowser(browser, role)).newPage());
  if (!pseudoPages.has(role)) await page.goto(`${at("")}?language=pseudo`);
  pseudoPages.set(role, page);
  await open(page, path, 390);
  return findCrowding(page, [390]);
}

/** Waits until the page has rendered: nothing is loading, and its heading is visible. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
}

async function open(page: Page, path: string, width = 1440): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await visit(page, at(path));
  await waitUntilDrawn(page);
}

/** Mail texts contain placeholders. Journals show details as they were logged, some of them as codes. */
const showCodes: readonly string[] = ["settings/mail-texts", "settings/trail", "audit_lines"];

/** Checks a screen: axe runs at the widths in `axeAt`; the layout is checked at all widths. */
async function checkScreen(page: Page, path: string, axeAt: readonly number[] = widths): Promise<void> {
  await open(page, path);
  expect(await page.locator(".failure, .state[role=alert]").allTextContents(), path).toEqual([]);
  await expectFits(
    page,
    widths.filter((width) => !axeAt.includes(width)),
  );
  await expectUsable(page, axeAt, path.replaceAll("/", "-"));
  if (!showCodes.includes(path)) expect(await findRawCodes(page), path).toEqual([]);
}

const samples: Readonly<Record<string, string>> = {
  "inbox/$tab": "inbox/my_teams",
  "dashboards/$key": `dashboards/${Object.keys(dashboards)[0]}`,
  "reports/$key": `reports/${Object.keys(reports)[0]}`,
  "timesheet/$date": "timesheet/2026-04-08",
  "calendar/$date": "calendar/2026-04-08",
};

/** Builds an address from the pattern; ids that only the server knows come from the first matching link in the list above it. */
async function fill(page: Page, pattern: string): Promise<string> {
  const known = samples[pattern];
  const segments = pattern.split("/");
  const parameter = segments.findIndex((segment) => segment.startsWith("$"));
  if (known !== undefined || parameter < 0) return known ?? pattern;
  const list = segments.slice(0, parameter).join("/");
  await open(page, list);
  const link = page.locator(`a[href^="/a/${here.account}/${list}/"]:not([href$="/new"])`).first();
  const found = new URL((await link.getAttribute("href")) ?? "", here.url).pathname.split("/")[parameter + 3];
  return segments.map((segment, index) => (index === parameter ? found : segment)).join("/");
}

const checkAsAdministrator = async (pattern: string): Promise<void> => {
  const page = await getPage("administrator");
  const path = await fill(page, pattern);
  await checkScreen(page, path);
  expect(await listCrowdedTexts("administrator", path)).toEqual([]);
};
test.each(workspacePatterns)("%s", checkAsAdministrator);
test.each(settingsPatterns)("%s", checkAsAdministrator);

test.each(listedTypes.map(({ name, collection }) => [name, collection] as const))(
  "the list, the page and the forms of %s",
  async (_name, collection) => {
    // Lists, pages and forms of all types share their components, which the screens above show at every width.
    const page = await getPage("administrator");
    await checkScreen(page, collection, [390, 1440]);
    const hasForm = (await page.locator(`a[href$="/${collection}/new"]`).count()) > 0;
    if (hasForm) await checkScreen(page, `${collection}/new`, [1440]);
    const { body } = await api.get(`/${collection}?per_page=1&fields=id`);
    if (body.length === 0) return;
    await checkScreen(page, `${collection}/${body[0].id}`, [390, 1440]);
    const isEdited = (await page.locator(`a[href$="/${body[0].id}/edit"]`).count()) > 0;
    if (isEdited && !hasForm) await checkScreen(page, `${collection}/${body[0].id}/edit`, [1440]);
  },
);

/** Returns the first link on a portal page that starts with the address and contains the text. */
async function findLink(page: Page, list: string, address: string, text = ""): Promise<string> {
  await open(page, list);
  const link = page.locator(`main a[href^="/a/${here.account}/${address}"]`, { hasText: text }).first();
  return ((await link.getAttribute("href")) ?? "").replace(`/a/${here.account}/`, "");
}
const requesterEmail = signIns.find(({ role }) => role === "requester")?.email;
const portalSamples: Readonly<Record<string, (page: Page) => string | Promise<string>>> = {
  home: () => "portal",
  search: () => "portal/search?q=vpn",
  request: (page) => findLink(page, "portal/requests", "requests/", "Waiting for your reply"),
  approval: async () => {
    const [asked] = await here.sql<{ id: number }>(
      "SELECT task_id AS id FROM task_approvals a JOIN people p ON p.id = a.approver_id WHERE p.primary_email = $1",
      [requesterEmail],
    );
    return asked === undefined ? "portal/approvals" : `tasks/${asked.id}`;
  },
  article: (page) => findLink(page, "portal/knowledge", "knowledge_articles/"),
  catalogue: () => "portal/catalogue/all",
  device: async () => `cis/${(await api.get("/cis?per_page=1&fields=id")).body[0].id}`,
  form: (page) => findLink(page, "portal/catalogue/all", "portal/new/", "New employee"), // its form has fields of its own
};
test.each(portalPages.filter((name) => name !== "nothing"))("portal: %s", async (name) => {
  const page = await getPage("requester");
  const path = (await portalSamples[name]?.(page)) ?? `portal/${name}`;
  await checkScreen(page, path);
  expect(await listCrowdedTexts("requester", path)).toEqual([]);
});
test("portal: a request without a form", async () => checkScreen(await getPage("requester"), "portal/new"));

/** Replaces `{requests}` with the first record of the list. */
async function fillRecord(path: string): Promise<string> {
  const collection = /^\{(\w+)\}/.exec(path)?.[1];
  if (collection === undefined) return path;
  const filter = collection === "requests" ? "&status=assigned" : "";
  const { body } = await api.get(`/${collection}?per_page=1&fields=id${filter}`);
  return path.replace(`{${collection}}`, `${collection}/${body[0].id}`);
}
test.each(states)("$in: $name", async ({ name, in: path, as = "specialist", widths: own = [390, 1440], open: act }) => {
  const page = await getPage(as);
  await open(page, await fillRecord(path), own.at(-1));
  await act(page);
  await expectUsable(page, own, name.replaceAll(" ", "-"));
  expect(await findRawCodes(page), name).toEqual([]);
  // Close it, so that its open, typed or selected state doesn't affect the next one.
  await page.goto("about:blank");
});
