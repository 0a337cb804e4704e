import pg from "pg";
import type { BrowserContext, Page } from "playwright-core";
import { account } from "../load-data.ts";
import { timeKeys } from "./key-time.ts";

// Boards, the calendar, dashboards and items, full: 300 cards, a month of 300 absences, figures of all requests, 200 neighbors.

const cards = 300;
const entries = 300;
const neighbours = 200;
const hub = "HUB-1";

export async function loadPlannedWork(databaseUrl: string, person: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const stamps = "now(), now()";
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO agile_boards (account_id, name, manager_id, created_at, updated_at) VALUES ($1, 'Everything', $2, ${stamps}) RETURNING id`,
    [account, person],
  );
  const board = (rows[0] as { id: number }).id;
  await client.query(
    `WITH columns AS (
  INSERT INTO agile_board_columns (account_id, agile_board_id, name, position, action_type, dialog_type, created_at, updated_at)
  SELECT $1, $2, 'Column ' || n, n, 'none', 'none', ${stamps} FROM generate_series(1, 4) n RETURNING id, position),
picked AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM requests WHERE account_id = $1 AND completed_at IS NULL ORDER BY id LIMIT ${cards})
UPDATE requests r SET agile_board_column_id = c.id, agile_board_column_position = 1 + n / 4
FROM picked p JOIN columns c ON c.position = 1 + p.n % 4 WHERE r.account_id = $1 AND r.id = p.id`,
    [account, board],
  );
  // Next month: its entries are read when it is opened.
  await client.query(
    `INSERT INTO out_of_office_periods (account_id, person_id, reason, start_at, end_at, created_at, updated_at)
SELECT $1, $2, 'Away ' || n, day + interval '8 hours', day + interval '9 hours', ${stamps}
FROM generate_series(0, ${entries - 1}) n, LATERAL (SELECT date_trunc('month', now()) + interval '1 month' + n % 25 * interval '1 day' AS day) d`,
    [account, person],
  );
  await client.query(
    `WITH category AS (
  INSERT INTO product_categories (account_id, name, "group", rule_set, created_at, updated_at)
  VALUES ($1, 'Switch', 'network', 'physical_asset', ${stamps}) RETURNING id),
product AS (
  INSERT INTO products (account_id, name, brand, model, category_id, created_at, updated_at)
  SELECT $1, 'Junction 48', 'Ferrolan', '48', id, ${stamps} FROM category RETURNING id),
items AS (
  INSERT INTO cis (account_id, label, product_id, status, created_at, updated_at)
  SELECT $1, CASE n WHEN 0 THEN '${hub}' ELSE 'SOCKET-' || n END, id, 'in_production', ${stamps}
  FROM product, generate_series(0, ${neighbours}) n RETURNING id, label)
INSERT INTO ci_relations (account_id, of_ci_id, ci_id, relation_type, created_at, updated_at)
SELECT $1, h.id, i.id, 'child', ${stamps} FROM items h, items i WHERE h.label = '${hub}' AND i.id <> h.id`,
    [account],
  );
  await client.end();
}

/** Watches what the page asks and the frames it draws. */
export const watchPage = `
  window.benchCalls = 0;
  const send = window.fetch;
  window.fetch = (...args) => { window.benchCalls++; window.benchAsked = true; return send(...args).finally(() => window.benchCalls--); };`;

const settled =
  "new Promise((resolve) => { let still = 0; const look = () => { still = window.benchCalls === 0 ? still + 1 : 0; still > 20 ? resolve(0) : requestAnimationFrame(look); }; look(); })";

type Note = (what: string, limit: number, unit: string, value: number) => void;

export async function measurePlannedWork(context: BrowserContext, base: string, note: Note): Promise<void> {
  await context.addInitScript(watchPage);
  const page = await context.newPage();
  await page.goto(`${base}/a/${account}/agile_boards`);
  await page.waitForFunction('document.querySelectorAll(".list-frame .list-row").length > 0');
  await page.keyboard.press("j");
  await page.evaluate(settled);
  const allCards = `document.querySelectorAll(".card-face").length === ${cards}`;
  note(`board of ${cards} cards`, 500, "ms", await timeKeys(page, ["Enter"], allCards));
  await page.evaluate(settled);
  for (const frame of await dragCard(page)) note("frame while a card is dragged", 16, "ms", frame);

  await page.goto(`${base}/a/${account}/calendar`);
  await page.waitForFunction('document.querySelector("td[data-day]") !== null');
  await page.evaluate(settled);
  // Those of the days are shown, others are counted: two links for each of the 25 days.
  const allDays = 'document.querySelectorAll("td[data-day] .calendar-event").length >= 75';
  note(`month of ${entries} entries`, 300, "ms", await timeKeys(page, ["]"], allDays));

  await page.goto(`${base}/a/${account}/dashboards`);
  await page.waitForFunction('document.querySelectorAll(".tile-number").length > 3');
  await page.evaluate(settled);
  await page.getByRole("button", { name: "Last 14 days" }).click();
  await page
    .getByRole("menuitem", { name: "Last 30 days" })
    .or(page.getByRole("menuitemradio", { name: "Last 30 days" }))
    .focus();
  const isAnswered = 'location.search.includes("30") && window.benchAsked && window.benchCalls === 0';
  await page.evaluate("window.benchAsked = false");
  note("dashboard with another range", 500, "ms", await timeKeys(page, ["Enter"], isAnswered));

  await page.goto(`${base}/a/${account}/cis`);
  await page.locator(".list-frame .list-row", { hasText: hub }).first().click();
  await page.evaluate(settled);
  const isDrawn = `document.querySelector(".ci-node[data-center]")?.textContent.includes("${hub}") && document.querySelector(".ci-node[data-group]") !== null`;
  note(`item with ${neighbours} neighbours`, 300, "ms", await timeKeys(page, ["Enter"], isDrawn));
  await page.close();
}

/** Milliseconds from frame to frame while a card goes down its column and back up. */
async function dragCard(page: Page): Promise<number[]> {
  const card = page.locator(".board-item").nth(1);
  const place = await card.boundingBox();
  if (place === null) throw new Error("no card");
  const [x, y] = [place.x + 60, place.y + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 30, { steps: 3 });
  await page.evaluate(`window.benchFrames = [];
    requestAnimationFrame(function next(now) { window.benchFrames?.push(now); requestAnimationFrame(next); });`);
  await page.mouse.move(x + 260, y + 500, { steps: 40 });
  await page.mouse.move(x, y + 60, { steps: 40 });
  const times = (await page.evaluate("window.benchFrames.splice(0)")) as number[];
  await page.keyboard.press("Escape");
  await page.mouse.up();
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}
