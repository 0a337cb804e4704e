import pg from "pg";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { createToken, hashToken } from "../../server/oauth/tokens.ts";
import { browserPath } from "../../tests/support/tiers.ts";
import { account } from "../load-data.ts";
import { timeKeys } from "./key-time.ts";
import { measureMemory } from "./memory.ts";
import { loadPlannedWork, measurePlannedWork } from "./planned-work.ts";

// npm run bench -- --web: what a specialist waits for in a real browser, against the budgets of docs/performance.md.

type Measurement = { what: string; limit: number; unit: string; values: number[] };

/** The person who opens it: a member of team 8, with 200 open records. */
const person = 7;

/** Lets a specialist in without a password; answers the cookie. */
async function signIn(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const secret = createToken();
  await client.query(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ($1, $2, 'specialist', now())",
    [account, person],
  );
  await client.query(
    `INSERT INTO sessions (account_id, person_id, secret_hash, created_at, last_seen_at, idle_expires_at, expires_at, user_agent, address)
     VALUES ($1, $2, $3, now(), now(), now() + interval '1 day', now() + interval '1 day', 'bench', '127.0.0.1')`,
    [account, person, hashToken(secret)],
  );
  await client.end();
  return secret;
}

const pick = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The time of the way back in the browser. */
const timeBack = async (page: Page, shown: string): Promise<number> =>
  Number(
    await page.evaluate(
      `new Promise((resolve) => {
        const start = performance.now();
        history.back();
        const look = () => (${shown}) ? resolve(performance.now() - start) : requestAnimationFrame(look);
        look();
      })`,
    ),
  );

/** Calls to the server, by their moment. */
function watchCalls(page: Page): number[] {
  const calls: number[] = [];
  page.on("request", (request) => {
    if (/\/(v1|session-api)\//.test(request.url())) calls.push(Date.now());
  });
  return calls;
}
const mostWithin = (calls: readonly number[], milliseconds: number): number =>
  Math.max(0, ...calls.map((from) => calls.filter((at) => at >= from && at < from + milliseconds).length));

const observe = `
  window.benchPaint = 0; window.benchShift = 0; window.benchEvents = [];
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.benchPaint = entry.startTime; }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.benchShift += entry.value; }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.benchEvents.push(entry.duration); }).observe({ type: "event", durationThreshold: 16, buffered: true });`;

const inboxHasRows = `location.pathname.includes("/inbox") && document.querySelectorAll(".inbox-row").length > 3`;
const listHasRows = `location.pathname.endsWith("/requests") && document.querySelectorAll(".list-frame .list-row").length > 3`;
const requestIsShown = (path: string) =>
  `location.pathname !== ${JSON.stringify(path)} && document.querySelector(".request-page h1") !== null`;

export async function measureWeb(
  base: string,
  databaseUrl: string,
  rounds: number,
  { headers, say }: { headers: Record<string, string>; say: (line: string) => void },
): Promise<string> {
  if (browserPath === null) throw new Error("no browser found: install chromium, or set CHROMIUM");
  const secret = await signIn(databaseUrl);
  await loadPlannedWork(databaseUrl, person);
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--js-flags=--expose-gc", "--enable-precise-memory-info"],
  });
  const results = new Map<string, Measurement>();
  const note = (what: string, limit: number, unit: string, value: number) => {
    const known = results.get(what) ?? { what, limit, unit, values: [] };
    known.values.push(value);
    results.set(what, known);
  };
  try {
    for (let round = 0; round <= rounds; round++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
      await context.addCookies([{ name: "steward_session", value: secret, url: base }]);
      await context.addInitScript(observe);
      // The first round warms the server and the disk.
      await measureVisit(context, { base, headers, note: round === 0 ? () => {} : note });
      await measurePlannedWork(context, base, round === 0 ? () => {} : note);
      await context.close();
      say(`visit ${round} of ${rounds}`);
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
    await context.addCookies([{ name: "steward_session", value: secret, url: base }]);
    const { settled, after, opened } = await measureMemory(context, `${base}/a/${account}/requests`);
    note(`heap after ${opened} records`, 200, "MB", after);
    note("growth of the heap over the last 150 of them", 20, "MB", after - settled);
  } finally {
    await browser.close();
  }
  const lines = [...results.values()].map(({ what, limit, unit, values }) => {
    const show = (value: number) => (unit === "" ? value.toFixed(3) : Math.round(value).toString());
    const cells = [0.5, 0.75, 0.95].map((share) => show(pick(values, share)));
    return `| ${what} | ${cells.join(" | ")} | ${limit}${unit === "" ? "" : ` ${unit}`} |`;
  });
  return ["| In the browser | median | p75 | p95 | budget |", "|---|---|---|---|---|", ...lines].join("\n");
}

type Note = (what: string, limit: number, unit: string, value: number) => void;
type Visit = { base: string; headers: Record<string, string>; note: Note };

async function measureVisit(context: BrowserContext, { base, headers, note }: Visit): Promise<void> {
  const page = await context.newPage();
  const calls = watchCalls(page);
  /** Until the page has made no call for a while: the stream stays open, so there is no end to wait for. */
  const settle = async () => {
    for (let quiet = 0; quiet < 8; quiet++) {
      const before = calls.length;
      await page.waitForTimeout(100);
      if (calls.length > before) quiet = 0;
    }
    calls.length = 0;
  };

  await page.goto(`${base}/a/${account}/inbox/my_teams`);
  await page.waitForFunction(inboxHasRows);
  await settle();
  note("inbox from nothing: largest paint", 1200, "ms", Number(await page.evaluate("window.benchPaint")));
  note("inbox from nothing: layout shift", 0.02, "", Number(await page.evaluate("window.benchShift")));

  const first = await page.locator(".inbox-row").first().getAttribute("id");
  const otherTab = `location.pathname.endsWith("/unassigned") && document.querySelector(".inbox-row:not(#${first}), .empty-state") !== null`;
  note("another tab of the inbox: first rows", 400, "ms", await timeKeys(page, ["]"], otherTab));
  await page.keyboard.press("[");
  await page.waitForFunction(inboxHasRows);
  await settle();
  for (let step = 0; step < 12; step++) await page.keyboard.press("j");
  const paletteIsOpen = 'document.querySelector("[role=dialog] input") !== null';
  note("palette", 100, "ms", await timeKeys(page, ["Control+k"], paletteIsOpen));
  await page.keyboard.press("Escape");
  await page.waitForFunction('document.querySelector("[role=dialog]") === null');
  await page.keyboard.press("j");
  await settle();

  const opening = Date.now();
  const inboxPath = new URL(page.url()).pathname;
  const opened = await timeKeys(page, ["Enter"], requestIsShown(inboxPath));
  note("request from the inbox (loaded on focus)", 150, "ms", opened);
  await page.waitForTimeout(4000);
  note("calls on opening a request, first 300 ms", 5, "calls", calls.filter((call) => call < opening + 300).length);
  note("calls on opening a request, in any 2 s", 12, "calls", mostWithin(calls, 2000));

  for (let change = 0; change < 4; change++) {
    const subject = `Changed by somebody else ${Date.now()}`;
    const shown = page.waitForFunction(`document.querySelector("h1").textContent.includes(${JSON.stringify(subject)})`);
    const started = performance.now();
    await fetch(`${base}/v1/requests/${new URL(page.url()).pathname.split("/").at(-1)}`, {
      method: "PATCH",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ subject }),
    });
    await shown;
    note("change of somebody else is shown", 1000, "ms", performance.now() - started);
  }

  await settle();
  note("list of requests, for the first time: rows", 400, "ms", await timeKeys(page, ["g", "r"], listHasRows));
  await page.keyboard.press("j");
  await settle();
  const fromList = await timeKeys(page, ["Enter"], requestIsShown(new URL(page.url()).pathname));
  note("request from the list (loaded on focus)", 150, "ms", fromList);
  await settle();
  note("back to the list", 100, "ms", await timeBack(page, listHasRows));
  note("interaction to next paint", 100, "ms", pick((await page.evaluate("window.benchEvents")) as number[], 0.75));
  await page.close();
}
