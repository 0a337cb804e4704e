import { describe, expect, test } from "vitest";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// The shop.

const { as, clock, service, sql } = await world();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);
const createArticle = async (members: Record<string, unknown> = {}) =>
  (await bodies.make(types.get("shop_article"), members)) as { id: number; reference: string };

describe("shop articles", () => {
  test("a reference is unique in the account", async () => {
    await createArticle({ reference: "laptop" });
    expect(describeErrors(await bodies.post(types.get("shop_article"), { reference: "Laptop" }))).toEqual([
      "reference: Reference has already been taken",
    ]);
  });

  test("missing required fields are named; texts without a translation are shown as they are", async () => {
    const required = ["reference", "name", "fulfillment_template", "calendar", "time_zone", "delivery_duration"];
    expect(describeErrors(await admin.post("/shop_articles", {}))).toEqual(
      required.map((name) => expect.stringMatching(`^${name}: .*can't be blank`)),
    );
    expect(await createArticle({ name: "Mouse", short_description: "Small" })).toMatchObject({
      localized_name: "Mouse",
      localized_short_description: "Small",
      localized_full_description: null,
      max_quantity: 1,
      is_bundle: false,
    });
  });

  test("is_bundle is set when the article is created", async () => {
    const { id } = await createArticle({ is_bundle: true });
    const { body } = await admin.patch(`/shop_articles/${id}`, { is_bundle: false });
    expect(body.is_bundle).toBe(true);
  });

  test("the shop offers enabled articles between their start and end", async () => {
    const now = clock.now().getTime();
    const day = (days: number) => new Date(now + days * 86_400_000).toISOString();
    const made = [
      await createArticle(),
      await createArticle({ start_at: day(-1), end_at: day(1) }),
      await createArticle({ start_at: day(1) }),
      await createArticle({ end_at: day(-1) }),
      await createArticle({ disabled: true }),
    ].map(({ id }) => id);
    const { body } = await admin.get(`/shop_articles/on_offer?id=${made}`);
    expect(body.map(({ id }: { id: number }) => id).sort()).toEqual(made.slice(0, 2).sort());
  });

  test("categories have parents, but no cycles", async () => {
    const make = async (members: Record<string, unknown>) =>
      (await admin.post("/shop_article_categories", { name: "C", ...members })).body;
    const top = await make({});
    const low = await make({ parent_id: top.id });
    for (const parent_id of [low.id, top.id])
      expect(describeErrors(await admin.patch(`/shop_article_categories/${top.id}`, { parent_id }))).toEqual([
        "parent: Parent may not contain a loop",
      ]);
    expect((await admin.get("/shop_article_categories/directory")).body).toEqual([]);
    expect((await admin.get(`/shop_article_categories/support_domain?id=${top.id}`)).body).toHaveLength(1);
  });
});

describe("shop order lines", () => {
  const createLine = async (members: Record<string, unknown> = {}, priced: Record<string, unknown> = {}) => {
    const { id } = await createArticle({ name: "Phone", price: "199.95", price_currency: "eur", ...priced });
    const { status, body } = await admin.post("/shop_order_lines", { shop_article_id: id, ...members });
    expect(status).toBe(201);
    return { ...body, path: `/shop_order_lines/${body.id}` };
  };

  test("a line is added to its requester's cart, with the article's name and prices", async () => {
    const { id, reference } = await createArticle({
      name: "Phone",
      price: "199.95",
      price_currency: "eur",
      recurring_price: "12.50",
      recurring_price_currency: "eur",
      recurring_period: "monthly",
    });
    const { body } = await admin.post("/shop_order_lines", { shop_article_id: id, quantity: 3 });
    expect(body).toMatchObject({
      shop_article: reference,
      name: "Phone",
      status: "in_cart",
      quantity: 3,
      requested_by: { id: 1 },
      requested_for: { id: 1 },
      price: 199.95,
      total_price: 599.85,
      price_currency: "eur",
      recurring_price: 12.5,
      total_recurring_price: 450,
      recurring_period: "monthly",
      fulfillment_template: { id: expect.any(Number) },
      order: null,
      ordered_at: null,
    });
    expect(describeErrors(await admin.post("/shop_order_lines", {}))).toEqual([
      "shop_article: Shop article can't be blank",
    ]);
  });

  test("a yearly price counts once, a missing price counts as nothing, and the default quantity is one", async () => {
    expect(await createLine({}, { recurring_price: "10", recurring_period: "yearly" })).toMatchObject({
      quantity: 1,
      total_price: 199.95,
      total_recurring_price: 10,
    });
    expect(await createLine({}, { price: null })).toMatchObject({ price: null, total_price: null });
  });

  test("prices are fixed when the line is created, and the quantity changes the total", async () => {
    const { path, shop_article } = await createLine();
    await sql("UPDATE shop_articles SET price = 1 WHERE reference = $1", [shop_article]);
    const { body } = await admin.patch(path, { quantity: "2.5", requested_for_id: 3 });
    expect(body).toMatchObject({ price: 199.95, quantity: 2.5, total_price: 499.875, requested_for: { id: 3 } });
    for (const quantity of [0, -1])
      expect(describeErrors(await admin.patch(path, { quantity }))).toEqual(["quantity: Quantity is not valid"]);
    expect((await admin.patch(path, { requested_for_id: null })).body.requested_for.id).toBe(1);
  });

  test.each(["workflow_pending", "fulfillment_pending", "completed", "canceled"])(
    "the editable fields while it is %s",
    async (status) => {
      const { id, path } = await createLine();
      await sql("UPDATE shop_order_lines SET status = $1 WHERE id = $2", [status, id]);
      expect(describeErrors(await admin.patch(path, { quantity: 2, requested_for_id: 3 }))).toEqual([
        "quantity: Quantity cannot be changed",
        "requested_for: Requested for cannot be changed",
      ]);
      const custom = await admin.patch(path, { custom_fields: { size: "L" } });
      expect(describeErrors(custom)).toEqual(
        status === "fulfillment_pending" ? 200 : ["custom_fields: Custom fields cannot be changed"],
      );
      expect((await admin.patch(path, { quantity: 1 })).status).toBe(200);
    },
  );

  test("the views separate open, completed, canceled and personal lines", async () => {
    const made = [await createLine(), await createLine({ requested_for_id: 3 }), await createLine()];
    const [open, , done] = made.map(({ id }) => id);
    await sql("UPDATE shop_order_lines SET status = 'completed' WHERE id = $1", [done]);
    const ids = async (view: string, by = admin) =>
      (await by.get(`/shop_order_lines/${view}?id=${made.map(({ id }) => id)}`)).body.map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids("open")).toContain(open);
    expect(await ids("open")).not.toContain(done);
    expect([await ids("completed"), await ids("canceled")]).toEqual([[done], []]);
    expect(await ids("personal", as("specialist"))).toEqual([made[1]?.id]);
  });
});
