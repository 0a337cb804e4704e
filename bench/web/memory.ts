import type { BrowserContext, CDPSession, Page } from "playwright-core";

// The memory of a tab after many records: people who work all day open several hundred without a reload.

const opened = 200;
/** Caches fill up first: growth is counted from here on. */
const settledAfter = 50;

/** Megabytes of the heap that are still in use. */
async function readHeap(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1024 / 1024;
}

/** From the list to a record, on to the next ones, and back after every tenth. */
async function openRecords(page: Page, count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    const before = new URL(page.url()).pathname;
    const isList = before.endsWith("/requests");
    await page.keyboard.press(isList ? "Enter" : "j");
    await page.waitForFunction(
      `location.pathname !== ${JSON.stringify(before)} && document.querySelector(".request-page h1") !== null`,
    );
    await page.waitForTimeout(150);
    if (each % 10 !== 9) continue;
    await page.keyboard.press("Escape");
    await page.waitForFunction('document.querySelector(".list-frame .list-row[data-active]") !== null');
    await page.keyboard.press("j");
    await page.waitForTimeout(150);
  }
}

export type HeapReport = { settled: number; after: number; opened: number };

export async function measureMemory(context: BrowserContext, listAddress: string): Promise<HeapReport> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(listAddress);
  await page.waitForFunction('document.querySelectorAll(".list-frame .list-row").length > 3');
  await page.keyboard.press("j");
  await page.waitForFunction('document.querySelector(".list-row[data-active]") !== null');
  await openRecords(page, settledAfter);
  const settled = await readHeap(session);
  await openRecords(page, opened - settledAfter);
  const after = await readHeap(session);
  await page.close();
  return { settled, after, opened };
}
