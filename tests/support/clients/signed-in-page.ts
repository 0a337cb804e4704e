import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { people, type Role } from "../seed.ts";
import type { World } from "../world.ts";
import { expectAccessible } from "./chromium.ts";
import { passwordFor } from "./form-browser.ts";
import { type Credentials, signInWithPassword } from "./session-client.ts";

// Pages of people who are signed in, each in a browser of their own.

const size = { width: 1440, height: 900 };

/** A browser of somebody with a password, signed in. */
export const openBrowserOf = async (the: Pick<World, "url">, browser: Browser, role: Role): Promise<BrowserContext> =>
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

/** Goes to a place as a link does; in the workspace it waits until that is drawn. In the page, so as text. */
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
 * Opens an address as a link in the interface does. A page where the interface stands already is not loaded anew, which
 * takes a second of processor time: to load it anew, or to leave the portal, call `goto` or `reload`.
 */
export async function visit(page: Page, address: string): Promise<void> {
  const [from, to] = [new URL(page.url(), address), new URL(address)];
  const isInside = from.origin === to.origin && [from, to].every(({ pathname }) => pathname.startsWith("/a/"));
  if (!isInside || from.href === to.href) await page.goto(address);
  else await page.evaluate(`(${followLink})(${JSON.stringify(to.href.slice(to.origin.length))})`);
}

/**
 * Every read of the page becomes a call of its own, so that a test can answer one of them: what a combined call could not
 * read, the page reads again alone. Returns what ends it.
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

/** A picture for the eyes of people, when PICTURES is set: drawing them takes a while. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const heights: Record<number, number> = { 390: 844, 1024: 768, 1440: 900 };

/** Nothing is wider than the page at these widths. It is left at the last of them. */
export async function expectFits(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width] ?? size.height });
    expect([width, await page.evaluate("document.documentElement.scrollWidth > innerWidth")]).toEqual([width, false]);
  }
}

/**
 * The page is usable at these widths and in both themes, as far as a program can tell, and nothing overflows. The page is
 * left at the last width, in the light theme. `name`: of its pictures.
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
