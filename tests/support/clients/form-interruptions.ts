import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { people, type Role } from "../seed.ts";
import { until } from "../waiting.ts";
import type { World } from "../world.ts";
import { openBrowserAs, visit } from "./signed-in-page.ts";

// Types into a form and interrupts the person in various ways. The typed text must be there each time.

export type Form = {
  by: Role;
  /** the page's address, below the account */
  path(): Promise<string>;
  /** opens the form on the page; it may be open already */
  open?(page: Page): Promise<void>;
  field(page: Page): Locator;
  /** the texts to type, one after the other; by default made from the form's name */
  typed?: readonly [string, string];
  /** enters further values and checks them */
  more?: { enter(page: Page): Promise<void>; expect(page: Page): Promise<void> };
  /** whether the page asks before it is left */
  asksBeforeLeaving?: boolean;
};

const account = "/a/widget-it";

/** A person's two devices. */
type Devices = { desk: BrowserContext; page: Page; elsewhere: Page };

export class Interruptions {
  private readonly devices = new Map<Role, Promise<Devices>>();
  private readonly here: World;
  private readonly browser: Browser;

  constructor(here: World, browser: Browser) {
    this.here = here;
    this.browser = browser;
  }

  /** Types without a connection, then reloads the page. */
  tryReload(name: string, form: Form): Promise<void> {
    return this.withDevices(form, (devices) => this.reload(devices, name, form));
  }

  /** Like `tryReload`; then tries a second tab, another device, an expired session and the back button. */
  tryAll(name: string, form: Form): Promise<void> {
    return this.withDevices(form, async (devices) => {
      await this.reload(devices, name, form);
      await this.interrupt(devices, name, form);
    });
  }

  private async withDevices(form: Form, work: (devices: Devices) => Promise<void>): Promise<void> {
    const devices = await this.open(form.by);
    try {
      await work(devices);
    } catch (error) {
      // The next form starts signed in and connected.
      this.devices.delete(form.by);
      await Promise.all([devices.desk.close(), devices.elsewhere.context().close()]);
      throw error;
    }
  }

  private async reload({ desk, page }: Devices, name: string, form: Form): Promise<void> {
    const [first, second] = listTexts(name, form);
    await page.goto(this.startOf(form));
    await goTo(page, form, `${this.here.url}${account}${await form.path()}`);
    await form.open?.(page);
    await form.field(page).fill(first);
    await form.more?.enter(page);
    await desk.setOffline(true);
    await form.field(page).fill(second);
    await desk.setOffline(false);
    await this.awaitOnServer(form, second);
    await expectTyped(page, form, second, "offline");
    await page.reload();
    await form.open?.(page);
    await expectTyped(page, form, second, "reload");
  }

  private async interrupt({ desk, page, elsewhere }: Devices, name: string, form: Form): Promise<void> {
    const [expired, typed] = listTexts(name, form);
    const address = page.url();

    const tab = await desk.newPage();
    await tab.goto(address);
    await form.open?.(tab);
    await expectTyped(tab, form, typed, "second tab");
    await tab.close();

    await elsewhere.goto(address);
    await form.open?.(elsewhere);
    await expectTyped(elsewhere, form, typed, "another device");
    await elsewhere.goto("about:blank");

    const cookies = await desk.cookies();
    await form.field(page).fill(expired);
    await desk.clearCookies();
    // The portal redirects to the sign-in page when a call is refused, which may interrupt this navigation.
    await page.goto(address).catch(() => {});
    await page.locator("input[type=password]").waitFor();
    await desk.addCookies(cookies);
    await page.goto(address);
    await form.open?.(page);
    await expectTyped(page, form, expired, "expired session");
    await this.awaitOnServer(form, expired);

    if (!form.asksBeforeLeaving) await goTo(page, form, this.startOf(form));
    await page.goBack();
    await form.open?.(page);
    await expectTyped(page, form, expired, "back button");
  }

  private startOf({ by }: Form): string {
    return `${this.here.url}${account}${by === "requester" ? "?language=en" : "/inbox"}`;
  }

  private open(role: Role): Promise<Devices> {
    const opened = this.devices.get(role) ?? this.openDevices(role);
    this.devices.set(role, opened);
    return opened;
  }

  private async openDevices(role: Role): Promise<Devices> {
    const openContext = async () => {
      const context = await openBrowserAs(this.here, this.browser, role);
      await context.clock.setFixedTime(this.here.clock.now());
      // The browser asks before a changed form is left; this person confirms.
      context.on("dialog", (dialog) => void dialog.accept());
      return context;
    };
    const [desk, phone] = [await openContext(), await openContext()];
    return { desk, page: await desk.newPage(), elsewhere: await phone.newPage() };
  }

  private async awaitOnServer({ by }: Form, typed: string): Promise<void> {
    const sql = "SELECT value FROM kept_items WHERE kind = 'draft' AND person_id = $1";
    await until(
      async () => (await this.here.sql(sql, [people[by].id])).some(({ value }) => String(value).includes(typed)),
      { what: () => `${typed} on the server` },
    );
  }
}

const listTexts = (name: string, { typed }: Form): readonly [string, string] => typed ?? [`${name} 1`, `${name} 2`];

// The portal reads the address's language only when it loads.
const goTo = (page: Page, { by }: Form, address: string) =>
  by === "requester" ? page.goto(address) : visit(page, address);

async function expectTyped(page: Page, form: Form, typed: string, after: string): Promise<void> {
  await until(async () => (await form.field(page).inputValue()).startsWith(typed), {
    what: () => `${typed} after: ${after}`,
  });
  await form.more?.expect(page);
}

// Ways to open a form.

export const textbox = (name: string | RegExp) => (page: Page) => page.getByRole("textbox", { name });
export const labeled = (name: string) => (page: Page) => page.getByRole("dialog").getByLabel(name, { exact: true });
export const inDialog = (page: Page) => page.getByRole("dialog").getByRole("textbox");
export const click = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
/** Opens a menu and picks one of its items. */
export const choose = (menu: string | RegExp, item: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
};
/** Opens the form unless it opens by itself, as it does when it has a draft. */
export const openUnless = (field: (page: Page) => Locator, open: (page: Page) => Promise<void>) => (page: Page) =>
  until(async () => {
    if (!(await field(page).isVisible())) await open(page).catch(() => {});
    return field(page).isVisible();
  });
/** For `openUnless`, which retries. */
export const tryClick =
  (name: string | RegExp, exact = false) =>
  (page: Page) =>
    page.getByRole("button", { name, exact }).first().click({ timeout: 1000 });
