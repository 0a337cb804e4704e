import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { browserPath } from "../tiers.ts";
import { longestWait } from "../waiting.ts";
import { addKnownLooks, readKnownLooks } from "./axe-passed-looks.ts";
import { watchPages } from "./failed-page.ts";
import { runAxe } from "./run-axe.ts";
import { slowDown } from "./slow-network.ts";

// The browser is the installed Chromium, because test tools may not be able to download their own.

// The pages of one person share a process, so the second one neither starts a process nor compiles the scripts again. That
// saves a third of the time to open it.
const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --process-per-site";

/** Returns the URL that the browser calls when it is sent to an address without a server. */
export async function catchRequest(page: Page, address: string, act: () => Promise<unknown>): Promise<URL> {
  const requested = page.waitForRequest((request) => request.url().startsWith(address));
  const [request] = await Promise.all([requested, act()]);
  // The browser's error page follows a moment later and interrupts the next navigation.
  for (let isInterrupted = true; isInterrupted; )
    isInterrupted = await page.goto("about:blank").then(
      () => false,
      () => true,
    );
  return new URL(request.url());
}

export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: browserPath as string, args: flags.split(" ") });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(longestWait);
    watchPages(context);
    slowDown(context);
    return context;
  };
  return browser;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Elements that fade in have too little contrast until the transition ends. */
const endOfTransitions = `Promise.race([
  Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished),
  ),
  new Promise((go) => setTimeout(go, 2000)),
])`;

/** Returns how many of the known looks the page already has, or null if axe isn't loaded yet. */
const prepare = `${endOfTransitions}.then(() => ("axe" in self ? (self.knownLookCount ?? 0) : null))`;

/** Expects that axe finds no violation on the page. `rules`: only these rules of axe. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  const has = (await page.evaluate(prepare)) as number | null;
  const resultTypes = ["violations", "incomplete"];
  const options = { resultTypes, preload: false, ...(rules === undefined ? {} : { runOnly: rules }) };
  const known = JSON.stringify(readKnownLooks().slice(has ?? 0));
  const call = `${has === null ? `${axe};\n` : ""}(${runAxe})(${known}, ${JSON.stringify(options)})`;
  const { violations, judged } = (await page.evaluate(call)) as Record<"violations" | "judged", string[]>;
  expect(violations, page.url()).toEqual([]);
  addKnownLooks(judged);
}
