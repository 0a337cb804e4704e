import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSetupPath } from "../../../server/oauth/first-account/setup-address.ts";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { until } from "../../support/waiting.ts";
import { world } from "../../support/world.ts";

// An administrator sets up an empty instance in the browser alone: account, teams, people, services with an agreement,
// holidays, a rule, a webhook and an application.

const the = await world({ empty: true });
let browser: Chromium;
let page: Page;

// A step is what a person does before they check the result: one press, or one form that is filled in and sent.
// A palette entry is a form with one field. Single inputs and presses are counted separately.
const counted = { steps: 0, inputs: 0 };
const step = async (work: () => Promise<unknown>): Promise<void> => {
  counted.steps++;
  await work();
};
const press = (work: { click(): Promise<unknown> }) => {
  counted.inputs++;
  return work.click();
};
const fill = (work: { fill(text: string): Promise<unknown> }, text: string) => {
  counted.inputs++;
  return work.fill(text);
};
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const link = (name: string | RegExp) => page.getByRole("link", { name, exact: typeof name === "string" });
const textbox = (name: string | RegExp) => page.getByRole("textbox", { name });
const heading = (name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const choose = async (label: string, name: string | RegExp) => {
  await press(page.getByRole("combobox", { name: label }));
  await press(page.getByRole("option", { name, exact: typeof name === "string" }).first());
};
const goTo = (name: string) =>
  step(async () => {
    counted.inputs++;
    // Page shortcuts don't work while a dialog is open, and a closing dialog counts as open until it has faded.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await fill(page.getByRole("combobox", { name: "Command palette" }), `>${name}`);
    await press(page.getByRole("option", { name, exact: true }).first());
  });

beforeAll(async () => {
  await buildWeb(() => {});
  browser = await startBrowser();
  page = await (
    await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1440, height: 900 } })
  ).newPage();
});
afterAll(() => browser?.close());

test("the printed address creates the first account, and an error appears at its field", async () => {
  await page.goto(`${the.url}${buildSetupPath(the.service.oauth)}`);
  await expectAccessible(page);
  await step(async () => {
    await fill(page.getByLabel("Name", { exact: true }), "Acme");
    await page.getByLabel("Time zone").selectOption("Amsterdam");
    await page.getByLabel("Language").selectOption("en-GB");
    await fill(page.getByLabel("Your name"), "Ada Quill");
    await fill(page.getByLabel("Email address"), "ada@acme.example");
    await fill(page.getByLabel("Password", { exact: true }), "short");
    await fill(page.getByLabel("From", { exact: true }), "08:30");
    await fill(page.getByLabel("To", { exact: true }), "17:00");
    await press(button("Create account"));
  });
  await page.getByText("Password is too short").waitFor();
  expect(await page.getByLabel("Your name").inputValue()).toBe("Ada Quill");
  await expectAccessible(page);
  await step(async () => {
    await fill(page.getByLabel("Password", { exact: true }), "correct horse battery");
    await fill(page.getByLabel("Confirm password"), "correct horse battery");
    await press(button("Create account"));
  });
  await heading("Settings").waitFor();
  await page.getByText("1 calendar · 0 holidays").waitFor();
  await expectAccessible(page);
});

test("one form creates three teams, one after another", async () => {
  await goTo("New team");
  for (const [name, submit] of [
    ["Service Desk", "Create and add another"],
    ["Networks", "Create and add another"],
    ["Workplace", "Create"],
  ] as const) {
    await until(async () => (await textbox("Name").inputValue()) === "");
    await step(async () => {
      await fill(textbox("Name"), name);
      await press(button(submit));
    });
  }
  await heading("Workplace").waitFor();
  const rows = await the.sql("SELECT name FROM teams ORDER BY id");
  expect(rows.map(({ name }) => name)).toEqual(["Service Desk", "Networks", "Workplace"]);
});

const goodRows = 500;
/** Every 42nd row is wrong: its company doesn't exist, or its name is empty. */
function writePeople(): { csv: string; wrong: number[] } {
  const lines = ["Full name,Mail,Company,Badge"];
  const wrong: number[] = [];
  for (let row = 1; row <= goodRows + 12; row++) {
    const isWrong = row % 42 === 0;
    if (isWrong) wrong.push(lines.length + 1);
    const company = isWrong && wrong.length <= 6 ? "Acne" : "Acme";
    const name = isWrong && wrong.length > 6 ? "" : `Person ${row}`;
    lines.push(`${name},person${row}@acme.example,${company},B-${row}`);
  }
  return { csv: lines.join("\n"), wrong };
}

test("a file with wrong columns and 12 wrong rows imports 500 people; some rows are corrected, the others left out", async () => {
  const { csv, wrong } = writePeople();
  expect(wrong).toHaveLength(12);
  await goTo("New import");
  await step(async () => {
    await fill(page.getByRole("combobox", { name: "What does the file contain?" }), "People");
    await press(page.getByRole("option", { name: "People", exact: true }));
    counted.inputs++;
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await press(button("Next"));
  });
  const map = async (column: string, field: string) => {
    await fill(page.getByRole("combobox", { name: `Field for column ${column}` }), field);
    await press(page.getByRole("option", { name: field, exact: true }));
  };
  await page.getByRole("combobox", { name: "Field for column Badge" }).waitFor();
  await step(async () => {
    await map("Full name", "Name");
    await map("Mail", "Primary email");
    await map("Company", "Organization, by name");
    await press(button("Check"));
  });
  await page.getByRole("tab", { name: "Errors 12" }).waitFor();
  expect((await the.sql("SELECT 1 FROM people")).length).toBe(1);
  await expectAccessible(page);
  await step(async () => {
    for (const line of wrong.slice(0, 2)) await fill(textbox(`Company, row ${line}`), "Acme");
    await press(button("Check again"));
  });
  await page.getByRole("tab", { name: "Errors 10" }).waitFor();
  await step(() => press(button("Import 502 rows")));
  await button("Undo import").waitFor();
  expect((await the.sql("SELECT 1 FROM people WHERE name LIKE 'Person %'")).length).toBe(502);
});

test("a service gets an instance, an offering and an agreement", async () => {
  await goTo("New service");
  await step(async () => {
    await fill(textbox("Name"), "Network");
    await choose("Provider", "Acme");
    await press(button("Create"));
  });
  await heading("Network").waitFor();
  await page.getByText("No service instances yet. Requests are made for a service instance.").waitFor();
  await expectAccessible(page);
  await step(() => press(link("Add to Service instances")));
  await step(async () => {
    await fill(textbox("Name"), "Network Amsterdam");
    await press(button("Create"));
  });
  await heading("Network Amsterdam").waitFor();
  await step(() => press(page.getByRole("main").getByRole("link", { name: "Network", exact: true })));
  await heading("Network").waitFor();
  await step(() => press(link("Add to Service offerings")));
  await step(async () => {
    await fill(textbox("Name"), "Network Gold");
    await press(button("Create"));
  });
  await page.getByRole("table", { name: "Targets" }).waitFor();
  await step(() => press(link("New SLA")));
  await step(async () => {
    await choose("Customer", "Acme");
    await press(button("Create"));
  });
  await heading("Network Gold").waitFor();
  await page.getByRole("heading", { name: "Affected requests" }).waitFor();
  await expectAccessible(page);
  const [made] = await the.sql("SELECT coverage, service_offering_id IS NOT NULL AS offered FROM slas");
  expect(made).toEqual({ coverage: "organizations_and_descendants", offered: true });
});

test("a calendar gets holidays", async () => {
  await goTo("Calendars and holidays");
  await step(() => press(link("Working hours").first()));
  await step(() => press(page.getByRole("tab", { name: "Holidays" })));
  for (const [name, from, until] of [
    ["New Year", "2027-01-01T00:00", "2027-01-02T00:00"],
    ["King's Day", "2027-04-27T00:00", "2027-04-28T00:00"],
  ] as const) {
    await step(() => press(button("Add")));
    await step(() => press(page.getByRole("dialog").getByRole("button", { name: "New holiday" })));
    await step(async () => {
      const dialog = page.getByRole("dialog");
      await fill(dialog.getByRole("textbox", { name: "Name" }), name);
      await fill(dialog.getByLabel(/^Start/), from);
      await fill(dialog.getByLabel(/^End/), until);
      await press(dialog.getByRole("button", { name: "Create", exact: true }));
    });
    await link(name).waitFor();
  }
  expect(await the.sql("SELECT 1 FROM calendar_holidays")).toHaveLength(2);
});

test("a rule, a webhook to the sandbox and an application are created", async () => {
  await goTo("New automation rule");
  await step(async () => {
    await fill(textbox("Name"), "Thank for every request");
    await fill(page.getByRole("textbox", { name: "Actions", exact: true }), "add note 'We have got it.'");
    await press(button(/^Save/));
  });
  await heading("Thank for every request").waitFor();

  await goTo("Sandbox");
  await step(() => press(button("New sandbox")));
  await step(() => press(button("Add webhook")));
  await step(() => press(button("Verify webhook")));
  await page.getByText("Active").first().waitFor();
  await step(() => press(button("Send test")));
  await page.locator(".sandbox-message b").getByText("request.create", { exact: true }).waitFor();

  await goTo("New application");
  await step(async () => {
    await fill(textbox("Name"), "Reporting");
    await fill(textbox("Redirect URIs"), "https://reporting.acme.example/back");
    await press(button("Create"));
  });
  await heading("Reporting").waitFor();
  expect(await the.sql("SELECT 1 FROM oauth_applications")).toHaveLength(1);
  process.stdout.write(
    `An account is set up in ${counted.steps} steps (${counted.inputs} single inputs and presses).\n`,
  );
  expect(counted.steps).toBeLessThan(40);
});
