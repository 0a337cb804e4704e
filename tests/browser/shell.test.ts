import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { story } from "../support/story.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// The frame around every page, by keyboard: skip link, palette, shortcuts, pins, menus, accounts.

const account = "/a/widget-it";
const sam = 3;
let here: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await here.sql(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-hr', $1, 'specialist', now())",
    [sam],
  );
  await setPasswords(here, "specialist", "manager", "administrator");
  browser = await startBrowser();
  page = await (await openBrowserAs(here, browser, "specialist")).newPage();
});
afterAll(() => browser?.close());

const palette = () => page.getByRole("combobox", { name: "Command palette" });
const records = async (search = "") => {
  await visit(page, `${here.url}${account}/notifications${search}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
};
const readMenu = (one: Page) => one.getByRole("navigation", { name: "Main" }).getByRole("link").allTextContents();

story("the frame by keyboard: skip link, palette, shortcuts, pins, More", {
  "the first Tab focuses the skip link": async () => {
    await records();
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await until(async () => skip.evaluate((link) => link === link.ownerDocument.activeElement));
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await until(async () => (await page.evaluate("document.activeElement?.id")) === "content");
  },
  "the palette opens a record by its number, shows only actions after >, and acts on the open record": async () => {
    const { body } = await here
      .as("administrator")
      .post("/requests", { category: "incident", subject: "Palette", team_id: 1 });
    await records();
    await page.keyboard.press("Control+k");
    await palette().fill(String(body.id));
    await page.getByRole("option", { name: `${body.id} Palette` }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${here.url}${account}/requests/${body.id}`);
    await page.getByRole("heading", { level: 1, name: "Palette" }).waitFor();

    await page.keyboard.press("Control+k");
    await palette().fill(">");
    const accept = page.getByRole("option", { name: /^Accept/ });
    await accept.waitFor();
    expect(await accept.textContent()).toContain("A");
    expect(await page.getByRole("group", { name: "Records" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await palette().waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    await palette().fill("ass");
    await page.keyboard.press("Enter");
    await until(async () => (await here.as("administrator").get(`/requests/${body.id}`)).body.member?.id === sam);
    await page.getByRole("button", { name: "Undo" }).waitFor();
  },
  "the shortcut sheet lists every key once; with single keys off, letters do nothing": async () => {
    await records();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.waitFor();
    const names = await sheet.locator("dt").allTextContents();
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
    const single = sheet.getByRole("switch", { name: "Single-key shortcuts" });
    await single.press("Space");
    await until(async () => !(await single.isChecked()));
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.keyboard.press("c");
    await page.keyboard.press("Control+k"); // shortcuts with Ctrl still work
    await palette().fill(">keyboard");
    expect(new URL(page.url()).search).toBe("");
    await page.keyboard.press("Enter");
    await single.press("Space");
    await until(async () => single.isChecked());
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.waitForURL(`${here.url}${account}/knowledge_articles`);
  },
  "pins keep a person's order": async () => {
    const pinned = page.getByRole("region", { name: "Pinned" });
    const pin = async () => {
      await page.keyboard.press("Control+k");
      await palette().fill(">pin page");
      await page
        .getByRole("option", { name: /pin page/i })
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await palette().waitFor({ state: "detached" });
    };
    await visit(page, `${here.url}${account}/teams`);
    await page.getByRole("heading", { level: 1, name: "Teams" }).waitFor();
    await pin();
    await pinned.getByRole("link", { name: "Teams" }).waitFor();
    await visit(page, `${here.url}${account}/sites`);
    await page.getByRole("heading", { level: 1, name: "Sites" }).waitFor();
    await pinned.getByRole("link", { name: "Teams" }).waitFor();
    await pin();
    await pinned.getByRole("link", { name: "Sites" }).waitFor();
    await pinned.getByRole("button", { name: "Move or unpin Sites" }).press("Enter");
    await page.getByRole("menuitem", { name: "Move up" }).press("Enter");
    const order = () => pinned.getByRole("link").allTextContents();
    await until(async () => (await order()).join() === "Sites,Teams");
    await until(async () => {
      const rows = await here.sql<{ key: string; position: number }>(
        "SELECT key, (value::json->>'position')::int AS position FROM kept_items WHERE kind = 'pin' ORDER BY 2",
      );
      return rows.length === 2 && rows[0]?.key.endsWith("/sites") === true && rows[1]?.position === 1;
    });
    await page.reload();
    await pinned.getByRole("link", { name: "Sites" }).waitFor();
    expect(await order()).toEqual(["Sites", "Teams"]);
  },
  "More opens by keyboard and leads to its pages": async () => {
    await page.getByRole("button", { name: "More", exact: true }).press("Enter");
    const releases = page.getByRole("link", { name: "Releases" });
    await releases.waitFor();
    await releases.press("Enter");
    await page.waitForURL(`${here.url}${account}/releases`);
  },
});

story("accessibility errors are found, also in elements that passed before", {
  "too little contrast is found, also after a passed element or its background changes colors": async () => {
    const style = (element: string, colors: string) =>
      page.evaluate(`document.querySelector("h1")${element}.style.cssText = "${colors}"; 0`);
    await page.getByRole("heading", { level: 1, name: "Releases" }).waitFor();
    await expectAccessible(page);
    for (const [element, colors] of [
      ["", "color: #eee"],
      [".parentElement", "background-color: #444"],
    ] as const) {
      await style(element, colors);
      await expect(expectAccessible(page)).rejects.toMatchObject({
        actual: [expect.stringMatching(/^color-contrast: .*<h1/)],
      });
      await style(element, "");
      await expectAccessible(page);
    }
  },
  "an error of one element is found, although many similar elements passed before": async () => {
    await expectAccessible(page);
    await page.evaluate(`{
      const menu = document.querySelector("header.menu");
      const [first, second, third, fourth] = menu.querySelectorAll("a[href]");
      first.replaceChildren();
      second.setAttribute("role", "buton");
      third.setAttribute("tabindex", "3");
      fourth.setAttribute("aria-labl", "nothing");
      menu.querySelector("button[aria-expanded]").setAttribute("aria-expanded", "perhaps");
      menu.append(Object.assign(document.createElement("h4"), { textContent: "A heading of no heading" }));
    } 0`);
    const { actual } = (await expectAccessible(page).catch((error: { actual: string[] }) => error)) as {
      actual: string[];
    };
    expect(actual.map((violation) => violation.split(":")[0]).toSorted()).toEqual([
      "aria-roles",
      "aria-valid-attr",
      "aria-valid-attr-value",
      "heading-order",
      "link-name",

      "tabindex",
    ]);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Releases" }).waitFor();
    await expectAccessible(page);
  },
});

story("the frame follows the account, the roles and a person's main activity", {
  "another account has its own menu, pins and counts": async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("x");
    await page.getByRole("menuitem", { name: /Widget HR/ }).press("Enter");
    await page.waitForURL(/\/a\/widget-hr\/inbox/);
    await page.getByRole("button", { name: /Switch account: Widget HR/ }).waitFor();
    await page.getByRole("region", { name: "Pinned" }).waitFor({ state: "detached" });
    expect(await page.content()).not.toContain("/a/widget-it/requests/");
  },
  "roles granted while the stream reconnects take effect without a reload": async () => {
    const mia = await (await openBrowserAs(here, browser, "manager")).newPage();
    await Promise.all([mia.waitForResponse(/\/stream\?/), mia.goto(`${here.url}${account}/notifications`)]);
    const answer = Promise.withResolvers<void>();
    await mia.route("**/stream?**", async (route) => {
      await answer.promise;
      await route.continue();
    });
    const opened = mia.waitForRequest(/\/stream\?/);
    await visit(mia, `${here.url}${account}/requests`);
    await opened;
    const permissions = "/people/9/permissions/widget-it";
    await here.as("administrator").post(`${permissions}?roles=account_administrator`);
    answer.resolve();
    const firstSteps = mia.getByRole("button", { name: /^First steps/ }); // for administrators
    await firstSteps.waitFor();
    await here.as("administrator").delete(`${permissions}?roles=account_administrator`);
    await firstSteps.waitFor({ state: "detached" });
    await mia.context().close();
  },
  "the menu follows a person's main activity: a team manager gets the manager's menu": async () => {
    expect(await readMenu(page)).toContain("Boards");
    const mia = await (await openBrowserAs(here, browser, "manager")).newPage();
    await mia.goto(`${here.url}${account}/notifications`);
    await mia.getByRole("heading", { level: 1 }).waitFor();
    expect(await readMenu(mia)).not.toContain("Services");
    await here.as("administrator").patch("/teams/1", { manager_id: 9 });
    await mia.reload();
    await mia.getByRole("link", { name: "Services", exact: true }).waitFor();
    const lists = ["Requests", "Problems", "Workflows", "Projects", "Services"];
    expect(await readMenu(mia)).toEqual(["Dashboard", "Inbox", ...lists, "Reports", "People"]);
    const ada = await (await openBrowserAs(here, browser, "administrator")).newPage();
    await ada.goto(`${here.url}${account}/notifications`);
    await ada.getByRole("heading", { level: 1 }).waitFor();
    expect((await readMenu(ada))[0]).toBe("Settings");
  },
});
