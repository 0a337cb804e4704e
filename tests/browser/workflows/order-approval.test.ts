import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { openBrowserAs } from "../../support/clients/signed-in-page.ts";
import { requestHelpers } from "../../support/records/requests.ts";
import { workflowHelpers } from "../../support/records/workflows-and-projects.ts";
import type { Role } from "../../support/seed.ts";
import { type World, world } from "../../support/world.ts";

// D-767, D-793: Rita orders, Kim decides in the portal and Sam in the workspace; both see the price, the person and the reason.

const [sam, kim] = [3, 6];
const reason = "My phone fell into the harbor";
let here: World;
let browser: Browser;

async function openAs(role: Role, path: string): Promise<Page> {
  const context = await openBrowserAs(here, browser, role);
  await context.clock.setFixedTime(here.clock.now());
  const page = await context.newPage();
  await page.goto(`${here.url}/a/widget-it${path}?language=en`);
  return page;
}

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "requester", "specialist", "keyContact");
  const { create } = requestHelpers(here);
  const { id } = await create("request_template", { subject: "Deliver it", category: "fulfillment", end_users: false });
  const sold = { fulfillment_template_id: id, max_quantity: 3, disabled: false, start_at: null, end_at: null };
  const monthly = { recurring_price: "14.50", recurring_price_currency: "eur", recurring_period: "monthly" };
  await create("shop_article", { ...sold, name: "Case", reference: "case", price: "19.95", price_currency: "eur" });
  await create("shop_article", {
    ...{ ...sold, ...monthly, name: "Phone", reference: "phone", price: "420", price_currency: "eur" },
  });
  browser = await startBrowser();
});
afterAll(() => browser?.close());

/** Rita puts two phones and a case into the basket and orders them. Returns the order's id. */
async function placeOrder(): Promise<number> {
  const page = await openAs("requester", "/portal/shop");
  await page.getByRole("button", { name: "Add to basket: Phone" }).click();
  await page.getByLabel("Quantity: Phone").selectOption("2");
  await page.getByRole("button", { name: "Add to basket: Case" }).click();
  await page.getByText("Total: €859.95 + €29 a month").waitFor();
  await page.getByLabel("Why do you need it?").fill(reason);
  await page.getByRole("button", { name: "Order now" }).click();
  await page.getByRole("heading", { level: 1, name: "Phone, Case" }).waitFor();
  const order = Number(/requests\/(\d+)/.exec(page.url())?.[1]);
  await page.context().close();
  return order;
}

async function askForApproval(order: number): Promise<number> {
  const admin = here.as("administrator");
  const make = workflowHelpers(admin);
  const workflow = await make.workflow();
  await admin.patch(`/requests/${order}`, { workflow_id: workflow.id });
  const task = await make.task(workflow, { category: "approval", subject: "Approve the purchase" });
  for (const approver_id of [kim, sam]) await admin.post(`/tasks/${task.id}/approvals`, { approver_id });
  expect((await admin.patch(`/tasks/${task.id}`, { status: "assigned" })).status).toBe(200);
  return task.id;
}

/** Waits until a card or block shows the order with its prices. */
async function expectOrder(place: Locator): Promise<void> {
  await place.getByText("Total: €859.95 + €29 a month").waitFor();
  const lines = await place.getByRole("listitem").filter({ hasText: "×" }).allTextContents();
  expect(lines).toEqual(["2 × Phone€840, €29 a month", "1 × Case€19.95"]);
}

test("approvers see an order's person, reason, lines and totals; agents see the lines on its request", async () => {
  const order = await placeOrder();
  const task = await askForApproval(order);

  const portal = await openAs("keyContact", `/tasks/${task}`);
  const card = portal.getByRole("article").filter({ hasText: "Phone, Case" });
  await expectOrder(card);
  await card.getByText("Rita Requester").first().waitFor();
  await card.getByText(reason).waitFor();
  await expectAccessible(portal);
  await portal.context().close();

  const workspace = await openAs("specialist", `/tasks/${task}`);
  const decision = workspace.getByRole("region", { name: "Do you approve?" });
  await expectOrder(decision);
  await decision.getByText("For Rita Requester").waitFor();
  await decision.getByText(reason).waitFor();

  await workspace.goto(`${here.url}/a/widget-it/requests/${order}`);
  const block = workspace.getByRole("region", { name: "Order" });
  await expectOrder(block);
  await expectAccessible(workspace);

  // The request that delivers one line shows only that line.
  const lines = await here.as("administrator").get("/shop_order_lines?fields=name,fulfillment_request");
  const delivery = lines.body.find(({ name }: { name: string }) => name === "Phone").fulfillment_request.id;
  await workspace.goto(`${here.url}/a/widget-it/requests/${delivery}`);
  await block.getByText("Total: €840 + €29 a month").waitFor();
  await workspace.context().close();
});
