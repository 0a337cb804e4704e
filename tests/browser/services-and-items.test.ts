import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { openBrowserAs, visit } from "../support/clients/signed-in-page.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// An offering's targets, coverage and simulated requests; a configuration item with its relations.

const the = await world();
const ada = the.as("administrator");

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
async function make(path: string, body: unknown): Promise<any> {
  const answer = await ada.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

describe("services and items", () => {
  let browser: Chromium;
  let page: Page;
  let offering: number;
  beforeAll(async () => {
    const service = await make("/services", { name: "Network", provider_id: 1, support_team_id: 1 });
    const instance = await make("/service_instances", {
      ...{ name: "Network Amsterdam", service_id: service.id, support_team_id: 1, status: "in_production" },
    });
    const made = await make("/service_offerings", {
      ...{ name: "Network Gold", service_id: service.id, status: "available", time_zone: "Amsterdam" },
      ...{ response_target_medium: 60, resolution_target_medium: 480 },
    });
    offering = made.id;
    const sla = await make("/slas", {
      ...{
        name: "Network, everybody",
        service_offering_id: offering,
        service_instance_id: instance.id,
        customer_id: 1,
      },
      ...{ coverage: "people", start_date: "2020-01-01", status: "active", customer_representative_ids: [1] },
    });
    expect((await ada.post(`/slas/${sla.id}/people/3`)).status).toBeLessThan(300);
    await buildWeb(() => {});
    browser = await startBrowser();
    await setPasswords(the, "administrator", "specialist");
    page = await (await openBrowserAs(the, browser, "administrator")).newPage();
  });
  afterAll(() => browser?.close());

  test("a cell changes a target, and a simulated request follows it", async () => {
    await visit(page, `${the.url}/a/widget-it/service_offerings/${offering}`);
    await page.getByRole("table", { name: "Targets" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Medium, Resolve within: 8 h" }).press("Enter");
    const cell = page.getByRole("textbox", { name: "Medium, Resolve within" });
    await cell.fill("soon");
    await cell.press("Enter");
    await page.getByText("Enter a time like 30 min, 1 h 30 or 3 days.").waitFor();
    await page.getByText("Open requests keep their targets.").waitFor();
    for (const [typed, shown] of [
      ["3 days", "3 days"],
      ["150", "2 h 30 min"],
    ] as const) {
      await cell.fill(typed);
      await cell.press("Enter");
      await page.getByRole("button", { name: `Medium, Resolve within: ${shown}` }).press("Enter");
    }
    await cell.fill("1 h 30");
    await cell.press("Enter");
    await page.getByRole("button", { name: "Medium, Resolve within: 1 h 30 min" }).waitFor();
    await until(async () => (await ada.get(`/service_offerings/${offering}`)).body.resolution_target_medium === 90);
    // The coverage of a person, and the targets of their request.
    const who = page.getByRole("complementary").getByRole("combobox", { name: "Check coverage" });
    await who.fill("Sam");
    await page.getByRole("option", { name: "Sam Specialist" }).click();
    await page.getByText("Covered by “Network, everybody”").waitFor();
    const card = page.getByRole("region", { name: "Simulate a request" });
    await card.getByRole("combobox", { name: "Service instance" }).click();
    await page.getByRole("option", { name: "Network Amsterdam" }).click();
    await card
      .getByRole("textbox", { name: "Requested at" })
      .or(card.getByLabel("Requested at"))
      .first()
      .fill("2026-11-20T15:30");
    await card.getByText("Resolve by").first().waitFor();
    await card.getByRole("button", { name: "Show each step" }).press("Enter");
    await card.getByRole("list").last().getByRole("listitem").first().waitFor();
    await expectAccessible(page);
    // The address restores the same simulation.
    await until(() => page.url().includes("case="));
    await page.emulateMedia({ colorScheme: "dark" });
    await page.reload();
    await page.getByRole("region", { name: "Simulate a request" }).getByText("Resolve by").first().waitFor();
    await expectAccessible(page);
    expect(await the.sql("SELECT 1 FROM requests WHERE subject = '-'")).toEqual([]);
  });

  test("a simulation starts from an existing request or from an agreement's service instance", async () => {
    const instance = (await ada.get("/service_instances?name=Network%20Amsterdam&fields=id")).body[0].id;
    const request = await make("/requests", {
      ...{ subject: "No network", category: "incident", impact: "medium", requested_for_id: 3, requested_by_id: 3 },
      ...{ service_instance_id: instance },
    });
    await page.emulateMedia({ colorScheme: "light" });
    await visit(page, `${the.url}/a/widget-it/requests/${request.id}`);
    await page.getByRole("link", { name: "Simulate" }).press("Enter");
    const card = page.getByRole("region", { name: "Simulate a request" });
    await card.getByText("Resolve by").first().waitFor();
    const readChoice = async (name: string) => card.getByRole("combobox", { name }).inputValue();
    await until(async () => (await readChoice("Requested for")) === "Sam Specialist"); // the page loads the name by the id
    expect([await readChoice("Service instance"), await readChoice("Impact")]).toEqual(["Network Amsterdam", "Medium"]);
    const [sla] = (await ada.get("/slas?fields=name")).body;
    await visit(page, `${the.url}/a/widget-it/slas/${sla.id}`);
    await page.getByRole("button", { name: "Simulate" }).press("Enter");
    await until(async () => (await readChoice("Service instance")) === "Network Amsterdam");
    expect(await readChoice("Requested for")).toBe("");
  });

  test("a simulation reproduces the worked examples of the SLA clock", async () => {
    const agreements = serviceAgreements(ada);
    const [office, all] = [await agreements.named("OFFICE"), await agreements.named("ALL")];
    const { instance, offering: made } = await agreements.agreed(
      {
        ...{ response_target_top: 60, resolution_target_top: 240, support_hours_top_id: office.id },
        ...{ resolution_target_medium: 1440, support_hours_medium_id: all.id },
        ...{ response_target_low_in_days: 1, resolution_target_low_in_days: 3, support_hours_low_id: office.id },
      },
      { customer_representative_ids: [1] },
      [3],
    );
    const values = { person: 3, instance: instance.id, category: "incident", impact: "top", at: "2025-06-03T09:15" };
    const wanted = new URLSearchParams({ case: JSON.stringify({ ...values, events: [] }) });
    await visit(page, `${the.url}/a/widget-it/service_offerings/${made.id}?${wanted}`);
    const card = page.getByRole("region", { name: "Simulate a request" });
    const format = new Intl.DateTimeFormat("en-US", {
      ...{ weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
      ...{ hour12: false, timeZone: "Europe/Amsterdam" },
    } as Intl.DateTimeFormatOptions);
    const expectTargets = async (label: string, respond: string | null, resolve: string) => {
      const moments = [...(respond === null ? [] : [respond]), resolve].map((at) => format.format(new Date(at)));
      const readOutcomes = async () =>
        (await card.locator(".simulate-outcome b").allTextContents()).slice(-moments.length);
      await expect.poll(readOutcomes, { message: label, timeout: 10_000 }).toEqual(moments);
    };
    // biome-ignore format: a table keeps its columns
    const examples: [nr: string, impact: string, at: string, respond: string | null, resolve: string][] = [
      ["1",   "Top",    "2025-06-03T09:15", "2025-06-03T10:15:00+02:00", "2025-06-03T13:15:00+02:00"],
      ["3",   "Top",    "2025-06-06T16:00", "2025-06-06T17:00:00+02:00", "2025-06-09T11:30:00+02:00"],
      ["8",   "Medium", "2025-03-29T20:00", null,                        "2025-03-30T21:00:00+02:00"],
      ["9",   "Medium", "2025-10-25T20:00", null,                        "2025-10-26T19:00:00+01:00"],
      ["14a", "Low",    "2025-06-06T10:00", "2025-06-09T17:00:00+02:00", "2025-06-11T17:00:00+02:00"],
      ["14d", "Low",    "2025-06-09T01:00", "2025-06-10T17:00:00+02:00", "2025-06-12T17:00:00+02:00"],
    ];
    const impact = card.getByRole("combobox", { name: "Impact" });
    for (const [nr, kind, at, respond, resolve] of examples) {
      if ((await impact.inputValue()) !== kind) {
        await impact.click();
        await page.getByRole("option", { name: kind }).click();
      }
      await card.getByLabel("Requested at").fill(at);
      await expectTargets(`example ${nr}`, respond, resolve);
    }
    // Example 11: the clock stops while the request waits for the customer.
    await impact.click();
    await page.getByRole("option", { name: "Top" }).click();
    await card.getByLabel("Requested at").fill("2025-06-03T09:00");
    await expectTargets("example 11, before", "2025-06-03T10:00:00+02:00", "2025-06-03T13:00:00+02:00");
    for (const [number, at] of ["2025-06-03T10:00", "2025-06-03T11:30"].entries()) {
      await card.getByRole("button", { name: "Add status change" }).press("Enter");
      await card.locator(".simulate-events input[type=datetime-local]").nth(number).fill(at);
    }
    await card.locator(".simulate-events").getByRole("combobox").nth(1).click();
    await page.getByRole("option", { name: /^In progress$/i }).click();
    await expectTargets("example 11, after", null, "2025-06-03T14:30:00+02:00");
  });

  test("a service shows its parts and compares its offerings, and an agreement is renewed", async () => {
    const { body: gold } = await ada.get(`/service_offerings/${offering}`);
    await make("/service_offerings", {
      name: "Network Silver",
      service_id: gold.service.id,
      resolution_target_medium: 960,
    });
    await page.emulateMedia({ colorScheme: "light" });
    await visit(page, `${the.url}/a/widget-it/service_offerings/${offering}`);
    await page.getByRole("columnheader", { name: "Met (90 days)" }).waitFor();
    await page.getByRole("button", { name: "Compare offerings" }).press("Enter");
    const table = page.getByRole("table", { name: "Compare offerings" });
    await table
      .getByRole("row", { name: /^Medium Resolve within/ })
      .getByText("16 h")
      .waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Overview" }).press("Enter");
    await page.getByRole("button", { name: "What Network Amsterdam depends on" }).press("Enter");
    await page.getByText("No dependencies on other instances").waitFor();
    await expectAccessible(page);

    const findSla = async (name: string) =>
      (await ada.get("/slas?fields=name,coverage,status,start_date")).body.find(
        (row: { name: string }) => row.name === name,
      );
    const made = await findSla("Network, everybody");
    await ada.patch(`/slas/${made.id}`, {
      start_date: "2026-01-01",
      expiry_date: "2026-12-31",
      notice_date: "2026-09-30",
    });
    const group = await make("/sla_coverage_groups", { name: "Everybody" });
    expect((await ada.post(`/slas/${made.id}/coverage_groups/${group.id}`)).status).toBe(200);
    await page.goto(`${the.url}/a/widget-it/slas/${made.id}`);
    await page.getByRole("tab", { name: "People 1" }).waitFor();
    await page.getByRole("heading", { name: "Affected requests" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Renew SLA" }).press("Enter");
    const dialog = page.getByRole("dialog");
    const dates = ["Start date", "Expiry date", "Notice date"].map((label) => dialog.getByLabel(label).inputValue());
    expect(await Promise.all(dates)).toEqual(["2027-01-01", "2027-12-31", "2027-09-30"]);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Network, next year");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Renew SLA" }).press("Enter");
    await page.getByRole("heading", { name: "Network, next year", level: 1 }).waitFor();
    const next = await findSla("Network, next year");
    expect([next.coverage, next.status, next.start_date]).toEqual(["people", "being_prepared", "2027-01-01"]);
    expect((await ada.get(`/slas/${next.id}/people`)).body.map(({ id }: { id: number }) => id)).toEqual([3]);
    const groups = (await ada.get(`/slas/${next.id}/coverage_groups`)).body;
    expect(groups.map(({ id }: { id: number }) => id)).toEqual([group.id]);
  });

  test("an item shows its dates, its relations and its history", async () => {
    const category = await make("/product_categories", {
      name: "Switch",
      group: "Network",
      rule_set: "physical_asset",
    });
    const product = await make("/products", {
      name: "Junction 48",
      brand: "Tessellate",
      model: "J48",
      category: category.reference,
    });
    const item = (label: string, more: Record<string, unknown> = {}) =>
      make("/cis", { label, product_id: product.id, status: "in_stock", support_team_id: 1, ...more });
    const one = await item("SW-EHV-5A", {
      warranty_expiry_date: "2027-03-12",
      purchase_value: "3480.00",
      in_use_since: "2022-03-12",
    });
    const other = await item("SW-EHV-5B");
    expect((await ada.patch(`/cis/${one.id}`, { status: "in_production" })).status).toBe(200);
    expect(
      (await ada.post(`/cis/${one.id}/ci_relations`, { ci_id: other.id, relation_type: "redundancy" })).status,
    ).toBeLessThan(300);
    const [instance] = (await ada.get("/service_instances?name=Network%20Amsterdam&fields=id")).body;
    expect((await ada.post(`/cis/${one.id}/service_instances/${instance.id}`)).status).toBeLessThan(300);
    const below = await item("SW-EHV-5C");
    await ada.post(`/cis/${one.id}/ci_relations`, { ci_id: below.id, relation_type: "child" });
    for (let nr = 1; nr <= 6; nr++) {
      const about = await make("/requests", { subject: `Port ${nr} is dead`, category: "incident", team_id: 1 });
      expect((await ada.post(`/requests/${about.id}/cis/${one.id}`)).status).toBeLessThan(300);
    }
    await page.emulateMedia({ colorScheme: "light" });
    await visit(page, `${the.url}/a/widget-it/cis/${one.id}`);
    await page.getByRole("heading", { name: "SW-EHV-5A", level: 1 }).waitFor();
    await page
      .getByRole("link", { name: /SW-EHV-5B/ })
      .first()
      .waitFor();
    // The breadcrumb leads through the category and the product, each with its own page.
    const trail = page.getByRole("navigation", { name: "Breadcrumb" });
    await trail.getByRole("link", { name: "Switch" }).waitFor();
    const steps = await trail.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(steps.slice(-2)).toEqual([
      `/a/widget-it/product_categories/${category.id}`,
      `/a/widget-it/products/${product.id}`,
    ]);
    // The key for a new request opens an incident about the item.
    await page.keyboard.press("c");
    const fault = page.getByRole("dialog", { name: "Report incident" });
    for (const fact of ["SW-EHV-5A", "Network Amsterdam", "Service Desk"])
      await fault.getByText(fact, { exact: true }).waitFor();
    await fault.getByRole("textbox", { name: "Subject" }).fill("It hums");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await fault.waitFor({ state: "detached" });
    // Impact analysis marks the item's children and not its redundant twin.
    const fails = page.getByRole("button", { name: "Impact analysis" });
    await fails.press("Enter");
    await page.getByRole("link", { name: /SW-EHV-5C.*Would fail too/ }).waitFor();
    expect(await page.getByRole("link", { name: /SW-EHV-5B.*Would fail too/ }).count()).toBe(0);
    await expectAccessible(page);
    await fails.press("Enter");
    const work = page.getByRole("region", { name: "Open work" });
    await work
      .getByRole("link", { name: /is dead/ })
      .first()
      .waitFor();
    expect(await work.getByRole("link", { name: /is dead/ }).count()).toBe(5);
    await work.getByRole("button", { name: "All 6" }).press("Enter");
    await until(async () => (await work.getByRole("link", { name: /is dead/ }).count()) === 6);
    const side = page.getByRole("complementary");
    await side.getByText("Mar 12, 2027").first().waitFor();
    await side.getByRole("heading", { name: "Lifecycle" }).waitFor();
    await side.getByRole("listitem").getByText("In production").waitFor();
    await expectAccessible(page);
    // A button turns the graph into a list by kind; on a phone the list is the default.
    const kind = page.getByRole("region", { name: "Redundancy" });
    const listed = page.getByRole("button", { name: "Show as list" });
    await listed.press("Enter");
    await kind.getByRole("link", { name: /SW-EHV-5B/ }).waitFor();
    await expectAccessible(page);
    await listed.press("Enter");
    await kind.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 390, height: 844 });
    await kind.getByRole("link", { name: /SW-EHV-5B/ }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("tab", { name: "History" }).press("Enter");
    await page.getByText("Status").first().waitFor();
  });

  test("two related items each show the relation from their own side; 200 similar neighbors are one node", async () => {
    const listed = await ada.get("/cis?fields=label,product&sort=id");
    const find = (label: string) => listed.body.find((row: { label: string }) => row.label === label);
    const [upper, lower] = [find("SW-EHV-5B"), find("SW-EHV-5C")];
    await visit(page, `${the.url}/a/widget-it/cis/${upper.id}`);
    await page.getByRole("link", { name: "Add relation", exact: true }).press("Enter");
    await page.getByRole("button", { name: "New relation" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Configuration item" }).fill("5C");
    await page.getByRole("option", { name: /SW-EHV-5C/ }).click();
    await dialog.getByRole("combobox", { name: "Relation type" }).click();
    await page.getByRole("option", { name: "Child", exact: true }).click();
    await dialog.getByRole("button", { name: "Create" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    /** Expects that the page lists the other item under this kind. */
    const expectKind = async (kind: string, label: string) => {
      const button = page.getByRole("button", { name: "Show as list" });
      if ((await button.getAttribute("aria-pressed")) === "false") await button.press("Enter");
      const region = page.getByRole("region", { name: kind, exact: true });
      await region
        .getByRole("link", { name: new RegExp(label) })
        .first()
        .waitFor();
    };
    await page.getByRole("tab", { name: "Overview" }).press("Enter");
    await expectKind("Child", lower.label);
    await page
      .getByRole("link", { name: new RegExp(lower.label) })
      .first()
      .press("Enter");
    await page.getByRole("heading", { name: lower.label, level: 1 }).waitFor();
    await expectKind("Parent", upper.label);

    const hub = await make("/cis", {
      ...{ label: "HUB-1", product_id: upper.product.id, status: "in_stock", support_team_id: 1 },
    });
    const { max: last } = (await the.sql("SELECT max(id) FROM cis"))[0] as { max: number };
    await the.sql(
      `INSERT INTO cis SELECT (jsonb_populate_record(c, jsonb_build_object('id', ${last} + n, 'label', 'SOCKET-' || to_char(n, 'FM000')))).*
FROM cis c, generate_series(1, 200) n WHERE c.id = ${hub.id}`,
    );
    await the.sql(`SELECT setval('cis_id_seq', ${last} + 200)`);
    await the.sql(`INSERT INTO ci_relations (account_id, of_ci_id, ci_id, relation_type, created_at, updated_at)
SELECT 'widget-it', ${hub.id}, ${last} + n, 'child', now(), now() FROM generate_series(1, 200) n`);
    await visit(page, `${the.url}/a/widget-it/cis/${upper.id}`);
    await page.getByRole("heading", { name: upper.label, level: 1 }).waitFor();
    // Measures opening the page within the running application, as from a list, without the first load.
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill("HUB-1");
    const found = page.getByRole("option", { name: new RegExp(`^${hub.id} `) });
    await found.waitFor();
    const started = performance.now();
    await found.click();
    await page.getByRole("link", { name: /200 × Junction 48/ }).waitFor();
    const took = performance.now() - started;
    console.log(`200 neighbors: rendered after ${Math.round(took)} ms`);
    if (process.env.TEST_SCALE === "full") expect(took).toBeLessThan(300);
    const folded = page.locator(".ci-node", { hasText: "SOCKET-001 to 200" });
    await folded.waitFor();
    await folded.hover();
    await page.getByRole("tooltip").getByText("200 × Junction 48, SOCKET-001 to SOCKET-200").waitFor();
    expect(await page.locator(".ci-node").count()).toBe(2);
  });

  test("a form schedules an item's maintenance and describes it in a sentence with the next six dates", async () => {
    const [one] = (await ada.get("/cis?label=SW-EHV-5A&fields=id")).body;
    const template = await workflowHelpers(ada).workflowTemplate({ subject: "Firmware of a switch" });
    const planned = { workflow_template_id: template.id, workflow_manager_id: 9 };
    expect((await ada.patch(`/cis/${one.id}`, planned)).status).toBe(200);
    await visit(page, `${the.url}/a/widget-it/cis/${one.id}/edit`);
    await page.getByRole("button", { name: "More fields" }).press("Enter");
    const form = page.getByRole("group", { name: "Recurrence" });
    const choose = async (name: string, ...options: string[]) => {
      // By keyboard, because appearing dates move the box away from a pointer.
      await form.getByRole("combobox", { name, exact: true }).press("ArrowDown");
      for (const option of options) await page.getByRole("option", { name: option, exact: true }).click();
      await page.keyboard.press("Escape");
    };
    await choose("Frequency", "Yearly");
    await form.getByLabel("Start date").fill("2027-01-01");
    await form.getByLabel("Time of day").fill("06:00");
    await form.getByRole("switch", { name: "Day of week", exact: true }).click();
    await choose("Day of week index", "First");
    await choose("Day of week day", "Sunday");
    await choose("Month of year", "January", "April", "July", "October");
    const sentence = "First Sunday of January, April, July, October at 06:00";
    const next = form.getByRole("region", { name: "Next dates" });
    await next.getByText(sentence, { exact: true }).waitFor();
    const days = ["2027-01-03", "2027-04-04", "2027-07-04", "2027-10-03", "2028-01-02", "2028-04-02"];
    const readDays = async () =>
      (await next.locator("time").evaluateAll((times) => times.map((time) => time.getAttribute("datetime") ?? ""))).map(
        (at) => at.slice(0, 16),
      );
    await expect.poll(readDays, { timeout: 10_000 }).toEqual(days.map((day) => `${day}T06:00`));
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
    const card = page.getByRole("region", { name: "Maintenance" });
    await card.getByText(sentence).waitFor();
    const chips = card.locator(".ci-dates > *");
    await until(async () => (await chips.count()) === 6);
    const label = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
    expect(await chips.allTextContents()).toEqual(days.map((day) => label.format(new Date(day))));
    const { recurrence } = (await ada.get(`/cis/${one.id}`)).body;
    expect((await ada.post("/recurrence_occurrences", { recurrence, count: 6 })).body.occurrences).toEqual(
      days.map((day) => expect.stringContaining(`${day}T06:00`)),
    );
    const isPaused = async () => (await ada.get(`/cis/${one.id}`)).body.recurrence.disabled === true;
    await card.getByRole("switch", { name: "Maintenance" }).press("Space");
    await until(isPaused);
    const maintained = card.getByRole("switch", { name: "Maintenance" });
    await until(async () => !(await maintained.isChecked()) && (await chips.count()) === 0);
    await card.getByRole("switch", { name: "Maintenance" }).press("Space");
    await until(async () => !(await isPaused()) && (await chips.count()) === 6);
  });

  test("people without financial rights see an item's costs neither on the page nor in responses", async () => {
    const [one] = (await ada.get("/cis?label=SW-EHV-5A&fields=id")).body;
    await visit(page, `${the.url}/a/widget-it/cis/${one.id}`);
    await page.getByRole("complementary").getByText("Purchase value", { exact: true }).waitFor();
    const other = await (await openBrowserAs(the, browser, "specialist")).newPage();
    const answers: Promise<string>[] = [];
    other.on("response", (response) => {
      if (/\/v1\/|\/session-api\/reads/.test(response.url())) answers.push(response.text().catch(() => ""));
    });
    await other.goto(`${the.url}/a/widget-it/cis/${one.id}`);
    const side = other.getByRole("complementary");
    await side.getByText("Warranty expiry date", { exact: true }).waitFor();
    await side.getByRole("heading", { name: "Lifecycle" }).waitFor();
    await other.getByRole("tab", { name: "History" }).press("Enter");
    await other.getByText("Status").first().waitFor();
    for (const label of ["Purchase value", "Salvage value", "Current value"])
      expect([label, await other.getByText(label).count()]).toEqual([label, 0]);
    const texts = await Promise.all(answers);
    expect(texts.some((text) => text.includes("SW-EHV-5A"))).toBe(true);
    expect(texts.filter((text) => text.includes("3480"))).toEqual([]);
    expect((await the.as("specialist").get(`/cis/${one.id}`)).body).toMatchObject({
      ...{ label: "SW-EHV-5A", purchase_value: null, purchase_value_currency: null },
    });
    await other.context().close();
  });
});
