import { expect, test } from "vitest";
import { loadReceivedTexts } from "../support/mail/received-mails.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { world } from "../support/world.ts";

// D-767, D-793: what approvers see of an order in the email, behind its links and in the portal, and who else sees its
// prices.

const here = await world();
const { as, sql } = here;
const { admin, create, mails } = requestHelpers(here);
const make = workflowHelpers(admin);
const kim = 6;
const requester = as("requester");
const [rita, approver, agent] = [requester, as("keyContact"), as("specialist")];

const template = await create("request_template", { subject: "Deliver it", category: "fulfillment", end_users: false });
const sell = (name: string, members: Record<string, unknown>) =>
  create("shop_article", {
    ...{ name, reference: name, fulfillment_template_id: template.id, max_quantity: 3 },
    ...{ disabled: false, start_at: null, end_at: null, ...members },
  });
const laptop = await sell("Laptop <14>", {
  ...{ price: "1200.50", price_currency: "eur" },
  ...{ recurring_price: "30.25", recurring_price_currency: "eur", recurring_period: "monthly" },
});
const mouse = await sell("Mouse", { price: "20", price_currency: "eur" });

/** Orders two laptops, and a mouse for Rita. */
async function placeOrder(client = requester): Promise<number> {
  await client.post("/shop_order_lines", { shop_article_id: laptop.id, quantity: 2 });
  await client.post("/shop_order_lines", { shop_article_id: mouse.id, requested_for_id: 5 });
  const { status, body } = await client.post("/portal/orders", { reason: "Mine is **seven** years old" });
  expect(status).toBe(201);
  return body.order;
}

async function askForApproval(request: number): Promise<number> {
  const workflow = await make.workflow();
  await admin.patch(`/requests/${request}`, { workflow_id: workflow.id });
  const task = await make.task(workflow, { category: "approval", subject: "Approve the purchase" });
  await admin.post(`/tasks/${task.id}/approvals`, { approver_id: kim });
  expect((await admin.patch(`/tasks/${task.id}`, { status: "assigned" })).status).toBe(200);
  return task.id;
}

/** Reads the email that asks Kim for a decision. */
async function readEmail(task: number) {
  await mails();
  const values = [task];
  const condition = "record_type = 'task' AND record_id = $1 AND recipient = 'kim@widget.example'";
  const [text] = await loadReceivedTexts(here, condition, values);
  const [row] = await sql<{ html: string }>(`SELECT html FROM mails WHERE ${condition}`, values);
  // Currencies are separated from their amounts by non-breaking spaces.
  const clean = (body: string | undefined) => (body ?? "").replaceAll("\u00a0", " ").replaceAll("&nbsp;", " ");
  return { text: clean(text?.body), html: clean(row?.html) };
}
const readPage = async (text: string, decision: "approved" | "rejected") => {
  const address = new RegExp(`/approvals/\\d+/\\d+/${decision}/[0-9a-f]{40}`).exec(text)?.[0] ?? "";
  const page = await fetch(here.url + address);
  return { status: page.status, text: (await page.text()).replaceAll("\u00a0", " ") };
};

test("AP14: the approval email has the people, the reason and the order's prices", async () => {
  await sql("UPDATE people SET locale = 'en-GB' WHERE id = $1", [kim]);
  const { text, html } = await readEmail(await askForApproval(await placeOrder(agent)));
  for (const pattern of [
    /Approve the purchase/,
    /Request +Laptop <14>, Mouse\n/,
    /Requested by +Sam Specialist\n/,
    /Requested for +Sam Specialist\n/,
    /2 × Laptop <14> +€2,401, €60\.50 a month\n/,
    /1 × Mouse, for Rita Requester +€20\n/,
    /Total +€2,421 \+ €60\.50 a month\n/,
    /\n {4}Mine is seven years old\n/,
  ])
    expect(text).toMatch(pattern);
  // The order's note lists the lines, too, but the email lists them once.
  expect(text.match(/2 × Laptop/g)).toHaveLength(1);
  for (const part of [
    "Sam Specialist",
    "2 × Laptop &lt;14&gt;",
    "€2,421 + €60.50 a month",
    "<strong>seven</strong> years old",
  ])
    expect(html).toContain(part);
  expect(html).not.toContain("<14>");
});

test("the email and the pages of its links are in the approver's language and number format", async () => {
  const totals = {
    de: "2.421 € + 60,50 € im Monat",
    fr: "2 421 € + 60,50 € par mois",
    es: "2421 € + 60,50 € al mes",
    nl: "€ 2.421 + € 60,50 per maand",
  };
  const order = await placeOrder();
  for (const [locale, total] of Object.entries(totals)) {
    await sql("UPDATE people SET locale = $2 WHERE id = $1", [kim, locale]);
    const { text, html } = await readEmail(await askForApproval(order));
    const clean = (body: string) => body.replaceAll("\u202f", " ");
    expect(clean(text), locale).toContain(total);
    expect(clean(html), locale).toContain(total);
    for (const decision of ["approved", "rejected"] as const) {
      const page = await readPage(text, decision);
      expect(page.status).toBe(200);
      for (const part of [total, "Rita Requester", "2 × Laptop &lt;14&gt;", "<strong>seven</strong> years old"])
        expect(clean(page.text), locale).toContain(part);
    }
  }
});

test("the email about a request without an order has people and reason, and no prices", async () => {
  await sql("UPDATE people SET locale = 'en' WHERE id = $1", [kim]);
  const { body } = await admin.post("/requests", {
    ...{ category: "rfc", subject: "Second screen", note: "For the new desk", requested_by_id: 5, requested_for_id: 3 },
  });
  const { text } = await readEmail(await askForApproval(body.id));
  expect(text).toMatch(/Requested by +Rita Requester\n +Requested for +Sam Specialist\n/);
  expect(text).toContain("    For the new desk");
  expect(text).not.toContain("Total");
});

test("approvers read the lines of the order they decide on, and of no other", async () => {
  const [order, other] = [await placeOrder(), await placeOrder()];
  const task = await askForApproval(order);
  const { request } = (await approver.get(`/portal/approvals/${task}`)).body;
  expect(request).toMatchObject({
    ...{ id: order, requested_by: "Rita Requester", note: "Mine is **seven** years old" },
    lines: [
      { name: "Laptop <14>", quantity: "2", price: "1200.50", recurring_price: "30.25" },
      { name: "Mouse", requested_for: "Rita Requester", price: "20", recurring_price: null },
    ],
  });
  expect((await rita.get(`/portal/approvals/${task}`)).status).toBe(403);
  for (const id of [order, other]) {
    expect((await approver.get(`/portal/requests/${id}`)).status).toBe(403);
    expect((await approver.get(`/requests/${id}/order_lines`)).status).toBe(403);
  }
});

const readLines = async (by: typeof rita, path: string): Promise<string[]> => {
  const { body } = await by.get(path);
  return (body.lines ?? body).map(({ name }: { name: string }) => name);
};

test("people who ordered, and agents, read the order lines of a request", async () => {
  const order = await placeOrder();
  for (const path of [`/portal/requests/${order}`, `/requests/${order}/order_lines`])
    for (const reader of [rita, agent]) expect(await readLines(reader, path), path).toEqual(["Laptop <14>", "Mouse"]);
});

test("D-793: a colleague with whom an order is shared reads the request, but not its prices", async () => {
  const order = await placeOrder();
  await rita.post(`/portal/requests/${order}/watchers`, { email: "kim@widget.example" });
  expect((await as("keyContact").get(`/requests/${order}`)).status).toBe(200);
  for (const path of [`/portal/requests/${order}`, `/requests/${order}/order_lines`])
    expect(await readLines(approver, path), path).toEqual([]);
});
