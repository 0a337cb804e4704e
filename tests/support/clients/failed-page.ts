import type { BrowserContext, Page } from "playwright-core";
import type { TestContext } from "vitest";

// The error of a browser test that times out names only the element. The pages' latest API calls, the responses and the
// visible text show the cause.

const mostCalls = 25;
const mostText = 1500;
type Watched = { page: Page; calls: string[] };
const watched = new Set<Watched>();

export function watchPages(context: BrowserContext): void {
  context.on("page", (page) => {
    const entry: Watched = { page, calls: [] };
    watched.add(entry);
    const note = (text: string): void => {
      entry.calls.push(`${new Date().toISOString().slice(14, 23)} ${text}`);
      if (entry.calls.length > mostCalls) entry.calls.shift();
    };
    const isCall = (url: string): boolean => /\/(v1|session-api)\//.test(url);
    const nameCall = (method: string, url: string): string => `${method} ${url.replace(/^https?:\/\/[^/]+/, "")}`;
    page.on("request", (request) => {
      if (isCall(request.url())) note(`${nameCall(request.method(), request.url())} …`);
    });
    page.on("response", (response) => {
      const request = response.request();
      if (isCall(response.url())) note(`${nameCall(request.method(), response.url())} ${response.status()}`);
    });
    page.on("requestfailed", (request) =>
      note(`${nameCall(request.method(), request.url())} failed: ${request.failure()?.errorText}`),
    );
    page.on("console", (message) => {
      const isOwn = message.type() === "error" && !message.text().startsWith("Failed to load resource");
      if (isOwn) note(`error in the console: ${message.text().slice(0, mostText)}`);
    });
    page.on("pageerror", (error) => note(`error in the page: ${error.message}`));
    page.on("close", () => watched.delete(entry));
  });
}

/** Adds the recent calls and texts of its pages to a failed test's error. */
export async function describePages({ task }: TestContext): Promise<void> {
  const [error] = task.result?.errors ?? [];
  if (task.result?.state !== "fail" || error === undefined || watched.size === 0) return;
  const pages = await Promise.all(
    [...watched].map(async ({ page, calls }) => {
      const text = await page.evaluate("document.body.innerText").catch(String);
      return `${page.url()}\n${calls.join("\n")}\n${String(text).replace(/\s+/g, " ").slice(0, mostText)}`;
    }),
  );
  const text = `\n\nPages of the file:\n${pages.join("\n\n")}`;
  error.message += text;
  if (error.stack !== undefined) error.stack += text;
}
