import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { postImport, waitsForStop } from "../support/clients/import-and-export.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// A file is checked, corrected on the page, imported and undone; records are exported.

/** Calls `act` when a site with this name is saved. */
let onSite: { name: string; act(): Promise<void> } | null = null;
const the = await world({
  rules: {
    site: {
      async afterSave({ after }) {
        if (onSite !== null && after.name === onSite.name) await onSite.act();
      },
    },
  },
});

describe("import, export and privacy pages", () => {
  let browser: Chromium;
  let page: Page;
  beforeAll(async () => {
    await buildWeb(() => {});
    browser = await startBrowser();
    await setPasswords(the, "administrator");
    page = await (await openBrowserAs(the, browser, "administrator")).newPage();
    await visit(page, `${the.url}/a/widget-it/settings/exchange`);
  });
  afterAll(() => browser?.close());

  const countSites = async () =>
    Number((await the.sql<{ count: string }>("SELECT count(*) FROM sites WHERE name LIKE 'Hall%'"))[0]?.count);

  test("a pasted file with wrong columns and rows is corrected, imported and undone by keyboard", async () => {
    await page.getByText("No imports in the last 30 days").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "New import" }).first().focus();
    await page.keyboard.press("Enter");
    const type = page.getByRole("combobox", { name: "What does the file contain?" });
    await type.fill("Sites");
    await page.getByRole("option", { name: "Sites", exact: true }).waitFor();
    await type.press("ArrowDown");
    await type.press("Enter");
    const rows = ["Nom,Zone,Colour", "Hall A,London,red", "Hall B,Londn,blue", ",Paris,", "Hall D,Paris,"];
    await page.getByLabel("Or paste rows").fill(rows.join("\n"));
    await expectAccessible(page);
    await page.getByRole("button", { name: "Next" }).press("Enter");
    // Columns: one is recognized in French, one is mapped by hand, one is skipped.
    await page.getByRole("cell", { name: "Hall A, Hall B, Hall D" }).waitFor();
    const zone = page.getByRole("combobox", { name: "Field for column Zone" });
    await zone.fill("Time z");
    await page.getByRole("option", { name: "Time zone" }).waitFor();
    await zone.press("ArrowDown");
    await zone.press("Enter");
    await expectAccessible(page);
    const check = page.getByRole("button", { name: "Check", exact: true });
    await until(() => check.isEnabled()); // the file has been read
    await check.press("Enter");
    // Check: exactly the two wrong rows are reported; nothing is written.
    const wrong = page.getByRole("textbox", { name: "Zone, row 3" });
    await wrong.waitFor();
    await page.getByRole("tab", { name: "Errors 2" }).waitFor();
    await page.getByRole("tab", { name: "New 2" }).waitFor();
    expect(await countSites()).toBe(0);
    const errors = (await page.getByRole("link", { name: "Download errors" }).getAttribute("href")) as string;
    expect((await (await fetch(errors)).text()).trim().split("\n")).toHaveLength(3);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Skip row 4" }).press("Enter");
    await page.getByRole("button", { name: "London?" }).press("Enter");
    await until(async () => (await wrong.inputValue()) === "London");
    await wrong.fill("Paris");
    await wrong.press("Enter");
    await page.getByRole("tab", { name: "Errors 0" }).waitFor();
    const start = page.getByRole("button", { name: "Import 3 rows" });
    // The rows are checked again, and the button stays disabled until then.
    await start.waitFor();
    await until(() => start.isEnabled());
    await start.press("Enter");
    await page.getByRole("button", { name: "Undo import" }).waitFor();
    expect(await countSites()).toBe(3);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Undo import" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Undo import" }).press("Enter");
    await page.getByText("3 of 3 rows undone, 0 kept.").waitFor();
    expect(await countSites()).toBe(0);
  });

  test("a missing record that a file names is created from the check, or replaced by an existing one", async () => {
    for (const name of ["Twin", "Twin"]) await the.as("administrator").post("/sites", { name });
    await visit(page, `${the.url}/a/widget-it/settings/exchange/new`);
    const type = page.getByRole("combobox", { name: "What does the file contain?" });
    await type.fill("People");
    await page.getByRole("option", { name: "People", exact: true }).click();
    const people = ["Lena,lena.v@widget.example,Globex,", "Lars,lars@widget.example,Globex,Twin"];
    await page.getByLabel("Or paste rows").fill(["Name,Primary email,Organization,Site", ...people].join("\n"));
    await page.getByRole("button", { name: "Next" }).press("Enter");
    await page.getByRole("button", { name: "Check", exact: true }).press("Enter");
    const rows = page.getByRole("row").filter({ has: page.getByRole("textbox", { name: /^Organization, row/ }) });
    await rows
      .first()
      .getByText(/No organization has this name/)
      .waitFor();
    await rows
      .last()
      .getByText(/Several sites have this name/)
      .waitFor();
    await expectAccessible(page);
    await rows.first().getByRole("button", { name: "Create new" }).press("Enter");
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Globex");
    await dialog.getByRole("button", { name: "Create", exact: true }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await rows.last().getByRole("button", { name: "Choose existing" }).press("Enter");
    const site = dialog.getByRole("combobox", { name: "Site" });
    await site.fill("Twin");
    await page.getByRole("option", { name: "Twin" }).first().click();
    await dialog.getByRole("button", { name: "Use selected" }).press("Enter");
    await page.getByRole("button", { name: "Check again" }).press("Enter");
    await page.getByRole("tab", { name: "Errors 0" }).waitFor();
    await page.getByRole("tab", { name: "New 2" }).waitFor();
    expect(await the.sql("SELECT count(*)::integer AS n FROM organizations WHERE name = 'Globex'")).toEqual([{ n: 1 }]);
  });

  test("the file with the refused rows is corrected and imported", async () => {
    const begin = async (give: () => Promise<void>) => {
      await visit(page, `${the.url}/a/widget-it/settings/exchange/new`);
      await page.getByRole("combobox", { name: "What does the file contain?" }).fill("Sites");
      await page.getByRole("option", { name: "Sites", exact: true }).click();
      await give();
      await page.getByRole("button", { name: "Next" }).press("Enter");
      await page.getByRole("button", { name: "Check", exact: true }).press("Enter");
    };
    const importRows = async (name: RegExp) => {
      const start = page.getByRole("button", { name });
      await start.waitFor();
      await until(() => start.isEnabled());
      await start.press("Enter");
      await page.getByRole("button", { name: "Undo import" }).waitFor();
    };
    const rows = ["Name,Time zone", "Hall E,London", "Hall F,Londn", ",Paris", "Hall H,Paris"];
    await begin(() => page.getByLabel("Or paste rows").fill(rows.join("\n")));
    await page.getByRole("tab", { name: "Errors 2" }).waitFor();
    const errors = (await page.getByRole("link", { name: "Download errors" }).getAttribute("href")) as string;
    const file = await (await fetch(errors)).text();
    await importRows(/^Import 2 rows/);
    expect(await countSites()).toBe(2);
    const repaired = file.replace("Londn", "London").replace(",Paris", "Hall G,Paris");
    expect(repaired).toContain("Hall G,Paris");
    await begin(async () => {
      const upload = { name: "refused.csv", mimeType: "text/csv", buffer: Buffer.from(repaired) };
      await page.locator("input[type=file]").setInputFiles(upload);
      await page.getByText("refused.csv").first().waitFor();
    });
    await page.getByRole("tab", { name: "Errors 0" }).waitFor();
    await importRows(/^Import 2 rows/);
    const made = await the.sql("SELECT name, time_zone FROM sites WHERE name LIKE 'Hall%' ORDER BY name");
    const halls = [
      ["Hall E", "London"],
      ["Hall F", "London"],
      ["Hall G", "Paris"],
      ["Hall H", "Paris"],
    ];
    expect(made).toEqual(halls.map(([name, time_zone]) => ({ name, time_zone })));
  });

  test("an import continues after its page is closed; when stopped, it reports the rows that it imported and keeps them", async () => {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    onSite = {
      name: "Stop 120",
      act() {
        reached.resolve();
        return gate.promise;
      },
    };
    // More rows follow the blocked one than fit into one batch, so the import stops between two batches.
    const rows = 1500;
    const file = `Name\n${Array.from({ length: rows }, (_, nr) => `Stop ${nr + 1}`).join("\n")}\n`;
    const { body } = await postImport(the.as("administrator"), "sites", file);
    await reached.promise;
    await visit(page, `${the.url}/a/widget-it/settings/exchange/${body.token}`);
    await page.getByText("You can close this page").waitFor();
    await visit(page, `${the.url}/a/widget-it/settings/exchange`);
    await page.getByRole("table", { name: "Imports" }).getByRole("link", { name: /Sites/ }).first().press("Enter");
    await page.getByRole("progressbar").waitFor();
    await expectAccessible(page);
    const stop = page.getByRole("button", { name: "Stop import" });
    await stop.press("Enter");
    await until(async () => (await the.sql(waitsForStop)).length > 0); // until the current batch is stored
    onSite = null;
    gate.resolve();
    const message = page.getByRole("alert").filter({ hasText: /Stopped after/ });
    await message.waitFor();
    const [found] = await the.sql<{ count: string }>("SELECT count(*) FROM sites WHERE name LIKE 'Stop %'");
    expect(Number(found?.count)).toBeLessThan(rows);
    expect((await message.textContent())?.replace(",", "")).toContain(`${found?.count}`);
    await expectAccessible(page);
  });

  test("records are exported, a large type once a day, and both lists show the exports, in the dark theme too", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await the.sql(
      "INSERT INTO teams (account_id, name, created_at, updated_at) SELECT 'widget-it', 'Many ' || n, '2025-03-01', '2025-03-01' FROM generate_series(1, 10001) n",
    );
    await visit(page, `${the.url}/a/widget-it/settings/exchange`);
    await page.getByRole("table", { name: "Imports" }).getByText("Undone").waitFor();
    const what = page.getByRole("combobox", { name: "Record types" });
    await what.fill("Teams");
    await page.getByRole("option", { name: "Teams", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export" }).click();
    const download = page.getByRole("table", { name: "Exports" }).getByRole("link", { name: "Download" });
    await download.waitFor();
    const file = await fetch((await download.getAttribute("href")) as string);
    expect((await file.text()).split("\n")[0]).toContain("Name");
    await what.fill("Teams");
    await page.getByRole("option", { name: "Teams", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export" }).click();
    await page
      .getByRole("table", { name: "Exports" })
      .getByText(/^Teams: available again /)
      .waitFor();
    await expectAccessible(page);
  });

  test("a person's data is exported and anonymized, and old requests expire", async () => {
    const lena = { name: "Lena Leaver", primary_email: "lena@widget.example", organization_id: 1 };
    const { body: person } = await the.as("administrator").post("/people", lena);
    await page.emulateMedia({ colorScheme: "light" });
    await visit(page, `${the.url}/a/widget-it/settings/privacy`);
    await page.getByText("No exports or anonymizations yet").waitFor();
    await page.getByRole("combobox", { name: "Person" }).fill("Lena");
    await page.getByRole("option", { name: "Lena Leaver" }).click();
    await page.getByRole("button", { name: "Export all data" }).click();
    const jobs = page.getByRole("table", { name: "Exports and anonymizations" });
    await jobs.getByRole("link", { name: "Download" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Anonymize" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("This can't be undone.").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("textbox").fill("Lena Leaver");
    await dialog.getByRole("textbox").press("Enter");
    await jobs.getByRole("cell", { name: "Done" }).waitFor();
    await jobs
      .getByRole("cell", { name: `Anonymous ${person.id}` })
      .first()
      .waitFor();
    const days = page.getByRole("textbox", { name: "Days to keep Requests" });
    await days.fill("400");
    await days.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete older records" }).press("Enter");
    await page.getByText("Saved").waitFor();
    expect(await the.sql("SELECT subject, days FROM retention_periods")).toEqual([{ subject: "requests", days: 400 }]);
  });
});
