import type { Page } from "playwright-core";
import { enumerations } from "../../../records/enumerations/index.ts";
import { register } from "../../../records/index.ts";
import { words as en } from "../../../web/languages/en/index.ts";
import { portal } from "../../../web/languages/en/portal.ts";

// Visible texts never contain API spelling: no enumeration values such as waiting_for, no field names, no keys of messages
// without a text, no unfilled placeholders.

const names = [
  ...Object.entries(enumerations).flatMap(([name, values]) => (name === "time_zone" ? [] : values)),
  ...register.flatMap(({ fields }) => Object.keys(fields)),
];
const codes: ReadonlySet<string> = new Set([
  ...names.filter((name) => /[_./]|[a-z][A-Z]/.test(name)),
  ...[en, portal].flatMap((words) => Object.keys(words)).filter((key) => key.includes(".")),
]);

/**
 * The page's visible texts and accessible names that contain something like a code. Text in code typefaces is meant to be
 * code: API calls, rule expressions.
 */
const findSuspects = `(() => {
  const suspect = /[a-z]_[a-z]|[a-z][./][a-z]|[a-z][A-Z]|#\\d|\\{\\w+\\}|\\bundefined\\b|\\bNaN\\b|\\[object /i;
  const meant = "script, style, code, pre, kbd, samp, textarea, [contenteditable], [data-code]";
  const found = new Set();
  const isMono = (element) => /mono/i.test(getComputedStyle(element).fontFamily);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!suspect.test(text.data) || parent.closest(meant) !== null || isMono(parent)) continue;
    if (parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) found.add(text.data.trim());
  }
  for (const name of ["aria-label", "aria-description", "title", "placeholder", "alt"])
    for (const element of document.querySelectorAll("[" + name + "]"))
      if (suspect.test(element.getAttribute(name)) && element.closest(meant) === null && !isMono(element))
        found.add(element.getAttribute(name));
  return [...found];
})()`;

const words = /[A-Za-z][\w-]*(?:[./][A-Za-z][\w-]*)*/g;
/** Unfilled placeholders, and records without a name. */
const unfilled = /(?<!\w)#\d+|\{\w+\}|\bundefined\b|\bNaN\b|\[object /;

/** The codes in a text, such as "waiting_for" of "Status set to waiting_for". */
export const findCodes = (text: string): string[] => [
  ...(text.match(words) ?? []).filter((word) => codes.has(word)),
  ...(unfilled.exec(text) ?? []),
];

/** The codes on the page, each with its surrounding text. */
export async function findRawCodes(page: Page): Promise<string[]> {
  const suspects = (await page.evaluate(findSuspects)) as string[];
  return suspects.flatMap((text) => findCodes(text).map((code) => `${code}: ${text.slice(0, 120)}`));
}
