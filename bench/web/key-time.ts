import type { Page } from "playwright-core";

/** The time from the last key that is pressed until a condition of the page holds in a frame. */
export async function timeKeys(page: Page, keys: readonly string[], shown: string): Promise<number> {
  // It must watch before the first key comes.
  await page.evaluate(
    `window.benchWait = new Promise((resolve) => {
      let [start, left] = [0, ${keys.length}];
      addEventListener("keydown", ({ timeStamp }) => { start = timeStamp; left--; }, { capture: true });
      const look = () => left <= 0 && (${shown}) ? resolve(performance.now() - start) : requestAnimationFrame(look);
      look();
    }); 0`,
  );
  for (const key of keys) await page.keyboard.press(key);
  return Number(await page.evaluate("window.benchWait"));
}
