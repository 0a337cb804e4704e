import pg from "pg";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { createToken, hashToken } from "../../server/oauth/tokens.ts";
import { browserPath } from "../../tests/support/tiers.ts";
import { account } from "../load-data.ts";

// npm run bench -- --web: what a specialist waits for in a real browser, against the budgets of docs/performance.md.

type Measurement = { what: string; limit: number; unit: string; values: number[] };

/** The person who looks at it: a member of team 8, with 200 pieces of work in it. */
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

/** The time until a condition of the page holds, from just before the act. */
async function time(page: Page, act: () => Promise<unknown>, shown: string): Promise<number> {
  const waiting = page.evaluate(
    `new Promise((resolve) => { const look = () => (${shown}) ? resolve(performance.now()) : requestAnimationFrame(look); window.benchStart = performance.now(); look(); })`,
  );
  await act();
  return Number(await waiting) - Number(await page.evaluate("window.benchStart"));
}

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

const rows = '.inbox-row, [role="row"].list-row, .list-frame [role="row"]';
const hasRows = `document.querySelectorAll(${JSON.stringify(rows)}).length > 3`;

export async function measureWeb(
  base: string,
  databaseUrl: string,
  rounds: number,
  say: (line: string) => void,
): Promise<string> {
  if (browserPath === null) throw new Error("no browser found: install chromium, or set CHROMIUM");
  const secret = await signIn(databaseUrl);
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
      await measureVisit(context, base, round === 0 ? () => {} : note);
      await context.close();
      say(`visit ${round} of ${rounds}`);
    }
  } finally {
    await browser.close();
  }
  const lines = [...results.values()].map(({ what, limit, unit, values }) => {
    const [middle, high] = [pick(values, 0.5), pick(values, 0.75)];
    const show = (value: number) => (unit === "" ? value.toFixed(3) : Math.round(value).toString());
    return `| ${what} | ${show(middle)} | ${show(high)} | ${limit}${unit === "" ? "" : ` ${unit}`} |`;
  });
  return ["| In the browser | median | p75 | budget |", "|---|---|---|---|", ...lines].join("\n");
}

type Note = (what: string, limit: number, unit: string, value: number) => void;

async function measureVisit(context: BrowserContext, base: string, note: Note): Promise<void> {
  const page = await context.newPage();
  const calls = watchCalls(page);
  const at = (path: string) => `${base}/a/${account}${path}`;
  /** Until the page has asked for nothing for a while: the stream stays open, so there is no end to wait for. */
  const settle = async () => {
    for (let quiet = 0; quiet < 8; quiet++) {
      const before = calls.length;
      await page.waitForTimeout(100);
      if (calls.length > before) quiet = 0;
    }
    calls.length = 0;
  };

  await page.goto(at("/inbox/my_teams"));
  await page.waitForFunction(hasRows);
  await settle();
  note("inbox from nothing: largest paint", 1200, "ms", Number(await page.evaluate("window.benchPaint")));
  note("inbox from nothing: layout shift", 0.02, "", Number(await page.evaluate("window.benchShift")));

  const first = await page.locator(".inbox-row").first().getAttribute("id");
  await settle();
  note(
    "another tab of the inbox: first rows",
    400,
    "ms",
    await time(
      page,
      () => page.keyboard.press("]"),
      `location.pathname.endsWith("/unassigned") && document.querySelector(".inbox-row:not(#${first}), .empty-state") !== null`,
    ),
  );
  await page.keyboard.press("[");
  await page.waitForFunction(hasRows);
  await settle();
  for (let step = 0; step < 12; step++) await page.keyboard.press("j");
  note(
    "palette",
    100,
    "ms",
    await time(page, () => page.keyboard.press("Control+k"), 'document.querySelector("[role=dialog] input") !== null'),
  );
  await page.keyboard.press("Escape");
  await page.waitForFunction('document.querySelector("[role=dialog]") === null');
  await page.keyboard.press("j");
  await settle();
  const opening = Date.now();
  note(
    "request from the inbox (loaded on focus)",
    150,
    "ms",
    await time(page, () => page.keyboard.press("Enter"), 'document.querySelector(".request-page h1") !== null'),
  );
  await page.waitForTimeout(4000);
  note("calls on opening a request, first 300 ms", 5, "calls", calls.filter((call) => call < opening + 300).length);
  note("calls on opening a request, in any 2 s", 12, "calls", mostWithin(calls, 2000));

  await settle();
  note(
    "list of requests: first rows",
    400,
    "ms",
    await time(
      page,
      async () => {
        await page.keyboard.press("g");
        await page.keyboard.press("r");
      },
      `location.pathname.endsWith("/requests") && document.querySelectorAll('.list-frame [role="row"]').length > 3`,
    ),
  );
  await settle();
  note(
    "back to the list it came from",
    100,
    "ms",
    await time(
      page,
      async () => {
        await page.keyboard.press("g");
        await page.keyboard.press("i");
      },
      hasRows,
    ),
  );
  note("interaction to next paint", 100, "ms", pick((await page.evaluate("window.benchEvents")) as number[], 0.75));
  await page.close();
}
