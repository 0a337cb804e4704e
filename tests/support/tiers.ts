import { existsSync } from "node:fs";

// The suite's tiers. A file belongs to the first tier whose patterns match it, and every file belongs to one, so together the
// tiers are the suite. `npm test` runs all tests without a browser that kill no servers, and some browser stories;
// `npm run test:rest` runs the rest.

export type Tier = "unit" | "reliability" | "browser" | "wire";

/**
 * The installed browser, or null; without one the browser tier is empty. The headless shell renders the same pages with two
 * thirds of the processor time.
 */
export const browserPath: string | null =
  [
    process.env.CHROMIUM,
    ...["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`),
  ].find((path) => path !== undefined && existsSync(path)) ?? null;

const everything = ["{records,server,tests,web}/**/*.test.{ts,tsx}"];

const patterns: Record<Exclude<Tier, "wire">, string[]> = {
  // Servers and databases that are killed, overloaded or starved, or that run in separate processes.
  reliability: [
    "tests/reliability/**/*.test.ts",
    "server/embedded/{log-archive/log-archive,backup/backup,cluster/embedded}.test.ts",
  ],
  // Pages in a real browser.
  browser: ["tests/browser/**/*.test.ts"],
  // No server and no database.
  unit: ["{records,server,web}/**/*.test.{ts,tsx}", "tests/unit/**/*.test.ts"],
};

/** The browser tests of `npm test`: together they open most screens once. Every screen and dialog is in every-screen. */
export const stories = [
  ...["desk-day", "first-run", "new-request", "request-page", "knowledge-and-broadcasts"],
  ...["portal/portal", "workflows/change-story"],
].map((story) => `tests/browser/${story}.test.ts`);

/** The patterns of files to run and to exclude. Any other Vitest mode runs the whole suite. */
export function selectFiles(mode: string): { include: string[]; exclude: string[] } {
  const withoutBrowser = browserPath === null ? patterns.browser : [];
  const { reliability, browser, unit } = patterns;
  const withStories = browserPath === null ? [] : stories;
  if (mode === "first")
    return { include: [...unit, "tests/!(browser|reliability)/**/*.test.ts", ...withStories], exclude: reliability };
  if (mode === "rest") return { include: [...reliability, ...browser], exclude: [...stories, ...withoutBrowser] };
  if (mode === "reliability") return { include: reliability, exclude: [] };
  if (mode === "browser") return { include: browser, exclude: withoutBrowser };
  if (mode === "unit") return { include: unit, exclude: [...reliability, ...browser] };
  if (mode === "wire") return { include: everything, exclude: [...reliability, ...browser, ...unit] };
  return { include: everything, exclude: withoutBrowser };
}
