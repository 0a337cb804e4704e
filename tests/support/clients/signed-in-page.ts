import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { people, type Role } from "../seed.ts";
import type { World } from "../world.ts";
import { expectAccessible } from "./chromium.ts";
import { passwordFor } from "./form-browser.ts";
import { type Credentials, signInWithPassword } from "./session-client.ts";

// Pages of signed-in people, each in a separate browser context.

const size = { width: 1440, height: 900 };

/** Opens a signed-in browser of a person with a password. */
export const openBrowserAs = async (the: Pick<World, "url">, browser: Browser, role: Role): Promise<BrowserContext> =>
  openSignedInBrowser(browser, the, { email: people[role].email, password: passwordFor(role) });

export async function openSignedInBrowser(
  browser: Browser,
  the: Pick<World, "url">,
  credentials: Credentials,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: size, reducedMotion: "reduce" });
  const cookie = await signInWithPassword(the, credentials);
  await context.addCookies(
    cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return { name, value, url: the.url };
    }),
  );
  return context;
}

/** A script that navigates like a link and, in the workspace, waits until the page has rendered. */
const followLink = `(place) => new Promise((done) => {
  const router = self.__TSR_ROUTER__;
  if (router === undefined) {
    history.pushState(null, "", place);
    dispatchEvent(new PopStateEvent("popstate"));
    return done();
  }
  const stop = router.subscribe("onRendered", () => {
    stop();
    done();
  });
  router.history.push(place);
})`;

/**
 * Opens an address like a link in the interface. A page that already runs the interface isn't loaded again, which saves
 * a second of processor time. To reload it, or to leave the portal, call `goto` or `reload`.
 */
export async function visit(page: Page, address: string): Promise<void> {
  const [from, to] = [new URL(page.url(), address), new URL(address)];
  const isInside = from.origin === to.origin && [from, to].every(({ pathname }) => pathname.startsWith("/a/"));
  if (!isInside || from.href === to.href) await page.goto(address);
  else await page.evaluate(`(${followLink})(${JSON.stringify(to.href.slice(to.origin.length))})`);
}

/**
 * Turns every read of the page into a separate call, so that a test can mock one of them: if a combined call fails for a
 * path, the page reads it again alone. Returns a function that ends this.
 */
export async function separateReads(page: Page): Promise<() => Promise<void>> {
  const combined = "**/session-api/reads";
  await page.route(combined, (route) => {
    const { paths } = route.request().postDataJSON() as { paths: string[] };
    return route.fulfill({ json: paths.map(() => ({ status: 503, headers: {}, body: {} })) });
  });
  return () => page.unroute(combined);
}

const pictures = join(import.meta.dirname, "../../../screenshots");

/** Takes a screenshot if PICTURES is set, because rendering one takes a while. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const heights: Record<number, number> = { 390: 844, 1024: 768, 1440: 900 };

/** Expects that nothing is wider than the page at these widths. Leaves the page at the last width. */
export async function expectFits(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width] ?? size.height });
    expect([width, await page.evaluate("document.documentElement.scrollWidth > innerWidth")]).toEqual([width, false]);
  }
}

/**
 * Expects that axe finds no violation at these widths and in both themes, and that nothing overflows. Leaves the page at the
 * last width, in the light theme. `name`: of its screenshots.
 */
export async function expectUsable(page: Page, widths: readonly number[] = [390, 1440], name?: string): Promise<void> {
  const changeTheme = (theme: "dark" | "light") =>
    page.evaluate(`document.documentElement.setAttribute("data-mantine-color-scheme", "${theme}")`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width] ?? size.height });
    // The theme changes only the contrast.
    await changeTheme("dark");
    if (width === widths.at(-1)) await expectAccessible(page, ["color-contrast"]);
    if (name !== undefined) await takePicture(page, `${name}-${width}-dark`);
    await changeTheme("light");
    await expectAccessible(page);
    if (name !== undefined) await takePicture(page, `${name}-${width}-light`);
    expect([width, await page.evaluate("document.documentElement.scrollWidth > innerWidth")]).toEqual([width, false]);
  }
}
