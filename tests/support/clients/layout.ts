import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";

// Checks that everything on a page fits: nothing is wider than the page, and no text is cut off or overflows its button.

/** Finds texts that don't fit, as "what: text". Text that ends with an ellipsis or scrolls is fine. */
const findCutTexts = `(() => {
  const found = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.add("page: " + root.scrollWidth + " of " + innerWidth);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (text.data.trim() === "" || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest("script, style, option, textarea, .spoken, .skip, [hidden]") !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (rects.length === 0) continue;
    const [left, right] = [Math.min(...rects.map((each) => each.left)), Math.max(...rects.map((each) => each.right))];
    const tell = (what) => found.add(what + ": " + text.data.trim().slice(0, 60));
    for (let box = parent; box !== null && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      const { left: from, right: to } = box.getBoundingClientRect();
      const isOutside = left < from - 2 || right > to + 2;
      if (style.clipPath.startsWith("inset(50%")) break; // for screen readers
      if (/auto|scroll/.test(style.overflowX) && box.scrollWidth > box.clientWidth) break;
      if (isOutside && (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none")) break;
      if (isOutside && /hidden|clip/.test(style.overflowX)) { if (to - from > 2) tell("cut"); break; }
      if (isOutside && box.matches("button, a, [role=tab], [role=option], th, dt, label, .chip, .property-label")) { tell("sticks out"); break; }
      if (box.parentElement === document.body || style.position === "fixed") {
        if (left < -2 || right > innerWidth + 2) tell("outside");
        break;
      }
    }
  }
  return [...found];
})()`;

/** Returns the texts that don't fit at some widths. It retries, because a page may need a moment to adapt to a width. */
export async function findCrowding(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    let cut: string[] = [];
    for (let tries = 0; tries < 10; tries++) {
      cut = (await page.evaluate(findCutTexts)) as string[];
      if (cut.length === 0) break;
      await pause(100);
    }
    found.push(...cut.map((each) => `${width} ${each}`));
  }
  return found;
}
