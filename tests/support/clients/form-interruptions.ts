import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { people, type Role } from "../seed.ts";
import { until } from "../waiting.ts";
import type { World } from "../world.ts";
import { openBrowserOf, visit } from "./signed-in-page.ts";

// Types into a form and interrupts the person in six ways, one after the other: what is typed must be there each time.

export type Form = {
  by: Role;
  /** the address of its page, below the account */
  path(): Promise<string>;
  /** from the page to the form; it may be open already */
  open?(page: Page): Promise<void>;
  field(page: Page): Locator;
  /** what is typed one after the other; absent: three texts */
  typed?: readonly [string, string, string];
  /** what else is entered, and how to see that it is there */
  more?: { enter(page: Page): Promise<void>; expect(page: Page): Promise<void> };
  /** its page asks before it is left */
  asksBeforeLeaving?: boolean;
};

const account = "/a/widget-it";

/** Two devices of a person. */
type Devices = { desk: BrowserContext; page: Page; elsewhere: Page };

export class Interruptions {
  private readonly devices = new Map<Role, Promise<Devices>>();
  private readonly here: World;
  private readonly browser: Browser;

  constructor(here: World, browser: Browser) {
    this.here = here;
    this.browser = browser;
  }

  async tryAll(name: string, form: Form): Promise<void> {
    const { by, field, more } = form;
    const { desk, page, elsewhere } = await this.open(by);
    const address = `${this.here.url}${account}${await form.path()}`;
    const [first, offline, expired] = form.typed ?? [`${name} 1`, `${name} 2`, `${name} 3`];
    const expectTyped = async (shown: Page, typed: string, after: string, isOpen = false) => {
      if (!isOpen) await form.open?.(shown);
      await until(async () => (await field(shown).inputValue()).startsWith(typed), {
        what: () => `${name}: ${after}: ${typed}`,
      });
      await more?.expect(shown);
    };
    const expectOnServer = (typed: string, after: string) =>
      until(async () => (await this.listDrafts(by)).some((draft) => draft.includes(typed)), {
        what: () => `${name}: ${after}: ${typed} on the server`,
      });

    const start = `${this.here.url}${account}${by === "requester" ? "?language=en" : "/inbox"}`;
    // The portal reads the language of an address when it is loaded.
    const go = (to: string) => (by === "requester" ? page.goto(to) : visit(page, to));
    await page.goto(start);
    await go(address);
    await form.open?.(page);
    await field(page).fill(first);
    await more?.enter(page);

    await page.reload();
    await expectTyped(page, first, "reload");

    const tab = await desk.newPage();
    await tab.goto(address);
    await expectTyped(tab, first, "second tab");
    await tab.close();

    await expectOnServer(first, "another device");
    await elsewhere.goto(address);
    await expectTyped(elsewhere, first, "another device");
    await elsewhere.goto("about:blank");

    await desk.setOffline(true);
    await field(page).fill(offline);
    await desk.setOffline(false);
    await expectOnServer(offline, "offline");
    await expectTyped(page, offline, "offline", true);

    const cookies = await desk.cookies();
    await desk.clearCookies();
    await field(page).fill(expired);
    await page.goto(address);
    await page.locator("input[type=password]").waitFor();
    await desk.addCookies(cookies);
    await page.goto(address);
    await expectTyped(page, expired, "expired session");
    await expectOnServer(expired, "expired session");

    if (!form.asksBeforeLeaving) await go(start);
    await page.goBack();
    await expectTyped(page, expired, "back button");
  }

  private open(role: Role): Promise<Devices> {
    const opened = this.devices.get(role) ?? this.openDevices(role);
    this.devices.set(role, opened);
    return opened;
  }

  private async openDevices(role: Role): Promise<Devices> {
    const openContext = async () => {
      const context = await openBrowserOf(this.here, this.browser, role);
      await context.clock.setFixedTime(this.here.clock.now());
      // The browser asks before a changed form is left; this person leaves it.
      context.on("dialog", (dialog) => void dialog.accept());
      return context;
    };
    const [desk, phone] = [await openContext(), await openContext()];
    return { desk, page: await desk.newPage(), elsewhere: await phone.newPage() };
  }

  private async listDrafts(role: Role): Promise<string[]> {
    const sql = "SELECT value FROM kept_items WHERE kind = 'draft' AND person_id = $1";
    return (await this.here.sql(sql, [people[role].id])).map(({ value }) => String(value));
  }
}

// How forms are opened.

export const textbox = (name: string | RegExp) => (page: Page) => page.getByRole("textbox", { name });
export const labeled = (name: string) => (page: Page) => page.getByRole("dialog").getByLabel(name, { exact: true });
export const inDialog = (page: Page) => page.getByRole("dialog").getByRole("textbox");
export const click = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
/** A menu, and one of its items. */
export const choose = (menu: string | RegExp, item: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
};
/** The form may open by itself, as soon as it is known that something was typed into it. */
export const openUnless = (field: (page: Page) => Locator, open: (page: Page) => Promise<void>) => (page: Page) =>
  until(async () => {
    if (!(await field(page).isVisible())) await open(page).catch(() => {});
    return field(page).isVisible();
  });
/** For `openUnless`, which tries again. */
export const tryClick =
  (name: string | RegExp, exact = false) =>
  (page: Page) =>
    page.getByRole("button", { name, exact }).first().click({ timeout: 1000 });
