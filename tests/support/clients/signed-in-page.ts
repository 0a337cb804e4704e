import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import type { Role } from "../seed.ts";
import type { World } from "../world.ts";
import { expectAccessible } from "./chromium.ts";
import { signInForCookie } from "./session-client.ts";

// Pages of people who are signed in, each in a browser of their own.

const size = { width: 1440, height: 900 };

/** A browser of somebody with a password, signed in. */
export async function openBrowserOf(the: Pick<World, "url">, browser: Browser, role: Role): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: size, reducedMotion: "reduce" });
  const cookie = await signInForCookie(the, role);
  await context.addCookies(
    cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return { name, value, url: the.url };
    }),
  );
  return context;
}

const pictures = join(import.meta.dirname, "../../../screenshots");

/** A picture for the eyes of people, when PICTURES is set: drawing them takes a while. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** At all widths in both themes nothing overflows, and nobody is kept from using it. */
export async function takePictures(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1024, 768],
    [390, 844],
    [size.width, size.height],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const scheme of ["dark", "light"] as const) {
      await page.evaluate(`document.documentElement.setAttribute("data-mantine-color-scheme", "${scheme}")`);
      // Of what a program can tell about a page, the theme changes the contrast alone.
      await expectAccessible(page, scheme === "dark" ? ["color-contrast"] : undefined);
      await takePicture(page, `${name}-${width}-${scheme}`);
      const overflows = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      expect([width, overflows]).toEqual([width, false]);
    }
  }
}
