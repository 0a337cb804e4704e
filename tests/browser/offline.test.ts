import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { PasswordHasher } from "../../server/oauth/passwords/passwords.ts";
import { buildWeb } from "../../tools/build-web.ts";
import { startBrowser } from "../support/clients/chromium.ts";
import { passwordFor } from "../support/clients/form-browser.ts";
import { openBrowserAs, takePicture } from "../support/clients/signed-in-page.ts";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";
import type { Role } from "../support/seed.ts";
import { story } from "../support/story.ts";

// Without a connection the application stays open, shows that it is offline, and recovers automatically (D-765, D-766).
// tests/unit/web/connectivity.test.ts covers the detection time with a movable clock.

let processes: ServerProcesses;
let server: ServerProcess;
let browser: Browser;
let page: Page;
let portal: Page;

/** Below the ephemeral ports, so the system can't assign the port to another process while the server is dead. */
async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

const url = () => server.base.replace("/v1", "");
const openAs = async (role: Role, place: string): Promise<Page> => {
  const opened = await (await openBrowserAs({ url: url() }, browser, role)).newPage();
  await opened.goto(`${url()}/a/widget-it${place}`);
  await opened.evaluate("window.stayed = true");
  return opened;
};
const hasStayed = (which: Page) => which.evaluate("window.stayed");
const bar = (which: Page) =>
  which.getByRole("status").filter({ hasText: /will be sent when|worden verzonden zodra|Geen verbinding/ });
const isBack = (which: Page) => bar(which).waitFor({ state: "detached" });
const follow = (place: string) => page.evaluate(`self.__TSR_ROUTER__.history.push("/a/widget-it${place}")`);
const offlineState = (which: Page) => which.getByText(/^(You're offline|U bent offline)$/).first();

beforeAll(async () => {
  await buildWeb(() => {});
  processes = await serverProcesses({ PORT: String(await findLastingPort()) });
  const hasher = new PasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 });
  for (const [person, role] of [
    [3, "specialist"],
    [5, "requester"],
  ] as const)
    await processes.sql.query(
      "INSERT INTO passwords (person_id, account_id, hash, changed_at) SELECT id, account_id, $2, now() FROM people WHERE id = $1",
      [person, await hasher.hash(passwordFor(role))],
    );
  server = await processes.start();
  browser = await startBrowser();
  page = await openAs("specialist", "/inbox");
  portal = await openAs("requester", "");
  await page.getByText("Live", { exact: true }).waitFor();
  await portal.locator('[data-live="live"]').waitFor();
});
beforeEach(async () => {
  server.child.kill("SIGCONT"); // in case a test failed before it resumed the server
  for (const which of [page, portal]) await which.context().setOffline(false);
});
afterAll(() => browser?.close());

story("no network: lists, pages and links show it and recover", {
  "no network: the bar, a list with the reason why it is empty, and the list itself when the network is back":
    async () => {
      // Lists share their code, which is loaded once a list was open.
      await follow("/teams");
      await page.getByRole("heading", { level: 1, name: "Teams" }).waitFor();
      await page.context().setOffline(true);
      await bar(page).waitFor();
      await follow("/problems");
      await page.getByRole("heading", { level: 1, name: "Problems" }).waitFor();
      await offlineState(page).waitFor();
      await takePicture(page, "offline-list");
      await page.context().setOffline(false);
      await isBack(page);
      await offlineState(page).waitFor({ state: "detached" });
      await page
        .getByText(/No problems|^\d+ problem/i)
        .first()
        .waitFor();
      expect(await hasStayed(page)).toBe(true);
    },
  "no network: a page whose code isn't loaded says so, and renders when the network is back": async () => {
    await page.context().setOffline(true);
    await bar(page).waitFor();
    await follow("/settings/exchange/new");
    await offlineState(page).waitFor();
    await takePicture(page, "offline-page");
    // A loaded page still opens with one click.
    await follow("/inbox");
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await follow("/settings/exchange/new");
    await offlineState(page).waitFor();
    await page.context().setOffline(false);
    await isBack(page);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await offlineState(page).waitFor({ state: "detached" });
    expect(await hasStayed(page)).toBe(true);
  },
  "no network: a link that leaves the application explains why it doesn't open": async () => {
    await portal.context().setOffline(true);
    await bar(portal).waitFor();
    await portal.getByRole("button", { name: /menu/i }).click();
    await portal.getByRole("link", { name: /Profiel/ }).click();
    await portal.getByText(/Die pagina kunt u openen zodra/).waitFor();
    await portal.keyboard.press("Escape");
    expect(await hasStayed(portal)).toBe(true);
    // A preloaded page renders and says what it is waiting for.
    await portal
      .getByRole("link", { name: /Goedkeuringen/ })
      .first()
      .click();
    await portal.getByRole("heading", { level: 1, name: "Goedkeuringen" }).waitFor();
    await offlineState(portal).waitFor();
    await takePicture(portal, "offline-portal");
    await portal.context().setOffline(false);
    await isBack(portal);
    await offlineState(portal).waitFor({ state: "detached" });
    expect(await hasStayed(portal)).toBe(true);
  },
});

story("the server dies or hangs: workspace and portal show it and recover", {
  "the server dies: workspace and portal show it and resume with its successor": async () => {
    await follow("/inbox");
    await server.kill();
    await Promise.all([bar(page).waitFor(), bar(portal).waitFor()]);
    await follow("/risks");
    await offlineState(page).waitFor();
    server = await processes.start();
    await Promise.all([isBack(page), isBack(portal)]);
    await offlineState(page).waitFor({ state: "detached" });
    await page
      .getByText(/No risks|^\d+ risk/i)
      .first()
      .waitFor();
    expect([await hasStayed(page), await hasStayed(portal)]).toEqual([true, true]);
  },
  "the server hangs: workspace and portal show it and resume when it responds again": async () => {
    server.child.kill("SIGSTOP");
    // An open page notices it by the stream's silence, a newly opened page by its first call.
    await follow("/releases");
    await Promise.all([bar(page).waitFor(), bar(portal).waitFor()]);
    await offlineState(page).waitFor();
    server.child.kill("SIGCONT");
    await Promise.all([isBack(page), isBack(portal)]);
    await page
      .getByText(/No releases|^\d+ release/i)
      .first()
      .waitFor();
    expect([await hasStayed(page), await hasStayed(portal)]).toEqual([true, true]);
  },
});
