import { describe, expect, test } from "vitest";
import { describeErrors, listErrors } from "../support/replies.ts";
import { type Reply, world } from "../support/world.ts";

// Products and configuration items: CI1 to CI12.

const { as, sql } = await world();
const admin = as("administrator");
const ids = ({ body }: Reply): number[] => body.map(({ id }: { id: number }) => id);

let made = 0;
const create = async (path: string, members: Record<string, unknown>) => {
  const reply = await admin.post(path, members);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const createCategory = (members = {}) =>
  create("/product_categories", {
    name: `Laptop ${++made}`,
    group: "Computer",
    rule_set: "physical_asset",
    ...members,
  });
const createProduct = async (members: Record<string, unknown> = {}) =>
  create("/products", {
    name: `Product ${++made}`,
    brand: "Brand",
    model: "M1",
    category: members.category ?? (await createCategory()).reference,
    support_team_id: 1,
    ...members,
  });
const createItem = async (members: Record<string, unknown> = {}) => {
  const body = await create("/cis", {
    product_id: members.product_id ?? (await createProduct()).id,
    status: "in_production",
    ...members,
  });
  return { ...body, path: `/cis/${body.id}` };
};

describe("product categories and products", () => {
  test("a category's reference is its group and name, is unique, and is shown by its products", async () => {
    const { id, reference, localized_group } = await createCategory({ name: "Desktop PC", group: "Computer Hardware" });
    expect([reference, localized_group]).toEqual(["computer_hardware/desktop_pc", "Computer Hardware"]);
    const twice = { name: "desktop pc", group: "COMPUTER HARDWARE", rule_set: "server" };
    expect(describeErrors(await admin.post("/product_categories", twice))).toEqual([
      "reference: Reference has already been taken",
    ]);
    const made = await createProduct({ category: reference });
    expect(made).toMatchObject({ category: reference, rule_set: "physical_asset" });
    await admin.patch(`/product_categories/${id}`, { name: "Tower", rule_set: "server" });
    expect((await admin.get(`/products/${made.id}`)).body).toMatchObject({
      category: "computer_hardware/tower",
      rule_set: "server",
    });
  });

  test("a product requires the reference of an enabled category", async () => {
    const { reference, id } = await createCategory();
    await admin.patch(`/product_categories/${id}`, { disabled: true });
    const body = { name: "P", brand: "B", model: "M" };
    for (const wrong of ["no/such_category", reference])
      expect(listErrors(await admin.post("/products", { ...body, category: wrong }))[0]).toMatch(/^category: /);
    expect(describeErrors(await admin.post("/products", {}))).toEqual(
      ["name: Name", "brand: Brand", "model: Model", "category: Category"].map((start) => `${start} can't be blank`),
    );
    expect(
      describeErrors(
        await admin.post("/product_categories", { name: "N", group: "G", rule_set: "license_certificate" }),
      ),
    ).toEqual(["rule_set: Rule set is not included in the list"]);
  });

  test("brand and productID are unique together, whatever their case", async () => {
    await createProduct({ brand: "Acme", productID: "X-1" });
    const { reference } = await createCategory();
    const body = { name: "P", model: "M", category: reference };
    expect(describeErrors(await admin.post("/products", { ...body, brand: "ACME", productID: "x-1" }))).toEqual([
      "productID: Product ID has already been taken",
    ]);
    expect((await admin.post("/products", { ...body, brand: "Other", productID: "X-1" })).status).toBe(201);
    for (let i = 0; i < 2; i++) expect((await admin.post("/products", { ...body, brand: "Acme" })).status).toBe(201);
  });

  test("a disabled product can't get new items", async () => {
    const { id } = await createProduct({ disabled: true });
    expect(describeErrors(await admin.post("/cis", { product_id: id, status: "in_stock" }))).toContain(
      "product: Product is not valid",
    );
  });

  test("lists the products of the caller's teams, and a product's items", async () => {
    const [mine, other] = [await createProduct({ support_team_id: 1 }), await createProduct({ support_team_id: 2 })];
    const specialist = as("specialist");
    const among = `id=${mine.id},${other.id}`;
    expect(ids(await specialist.get(`/products/supported_by_my_teams?${among}`))).toEqual([mine.id]);
    const [active, removed] = [
      await createItem({ product_id: mine.id }),
      await createItem({ product_id: mine.id, status: "removed" }),
    ];
    expect(ids(await admin.get(`/products/${mine.id}/cis?sort=id`))).toEqual([active.id, removed.id]);
    expect(ids(await admin.get(`/products/${mine.id}/cis/inactive`))).toEqual([removed.id]);
    expect(ids(await specialist.get(`/cis/supported_by_my_teams?product=${mine.id}&sort=id`))).toEqual([
      active.id,
      removed.id,
    ]);
    expect(ids(await specialist.get(`/cis/supported_by_my_teams?product=${other.id}`))).toEqual([]);
  });
});

describe("states of a configuration item", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["in_production", undefined,      null],
    ["in_production", "returned",     null],
    ["to_be_removed", undefined,      "not_required"],
    ["to_be_removed", "for_disposal", "for_disposal"],
    ["to_be_removed", "to_return",    "to_return"],
    ["to_be_removed", "returned",     "refused"],
    ["to_be_removed", "utilized",     "refused"],
    ["removed",       undefined,      "not_required"],
    ["removed",       "utilized",     "utilized"],
    ["removed",       "returned",     "returned"],
    ["removed",       "for_disposal", "refused"],
    ["lost_or_stolen", "returned",    null],
  ])("CI3: %s with action_status %s has %s", async (status, action_status, expected) => {
    const { path } = await createItem();
    for (const reply of [
      await admin.post("/cis", { product_id: (await createProduct()).id, status, action_status }),
      await admin.patch(path, { status, action_status }),
    ])
      if (expected === "refused")
        expect(describeErrors(reply)).toEqual(["action_status: Action status is not included in the list"]);
      else expect(reply.body.action_status).toBe(expected);
  });

  test("CI3: a later status resets it, an earlier one clears it", async () => {
    const { path } = await createItem({ status: "to_be_removed", action_status: "to_return" });
    expect((await admin.patch(path, { status: "removed" })).body.action_status).toBe("not_required");
    expect((await admin.patch(path, { status: "in_stock" })).body.action_status).toBeNull();
  });

  test("CI3: a value that the next status doesn't allow is rejected, even if it is the current one", async () => {
    const { path } = await createItem({ status: "to_be_removed", action_status: "to_return" });
    expect(describeErrors(await admin.patch(path, { status: "removed", action_status: "to_return" }))).toEqual([
      "action_status: Action status is not included in the list",
    ]);
  });

  test("CI1, CI2: every status can follow every other; four of them are inactive", async () => {
    const { id, path } = await createItem();
    for (const status of [
      "archived",
      "ordered",
      "to_be_removed",
      "lent_out",
      "lost_or_stolen",
      "reserved",
      "removed",
    ]) {
      expect((await admin.patch(path, { status })).body.status).toBe(status);
      const isInactive = ["archived", "to_be_removed", "lost_or_stolen", "removed"].includes(status);
      expect([ids(await admin.get(`/cis/active?id=${id}`)), ids(await admin.get(`/cis/inactive?id=${id}`))]).toEqual(
        isInactive ? [[], [id]] : [[id], []],
      );
    }
  });

  test("CI4: a support team is required unless the item is removed", async () => {
    const { id } = await createProduct({ support_team_id: null });
    expect(describeErrors(await admin.post("/cis", { product_id: id, status: "in_stock" }))).toEqual([
      "support_team: Support team can't be blank",
    ]);
    const removed = await createItem({ product_id: id, status: "removed" });
    expect(describeErrors(await admin.patch(removed.path, { status: "in_stock" }))).toEqual([
      "support_team: Support team can't be blank",
    ]);
    expect((await admin.patch(removed.path, { status: "in_stock", support_team_id: 2 })).status).toBe(200);
  });

  test("CI9: an item restored from the archive or the trash is in the inactive view", async () => {
    for (const [move, before, after] of [
      ["archive", "in_production", "removed"],
      ["trash", "lost_or_stolen", "lost_or_stolen"],
    ] as const) {
      const { id, path } = await createItem({ status: before });
      expect((await admin.post(`${path}/${move}`)).status).toBe(200);
      expect((await as("specialist").post(`${path}/restore`)).status).toBe(403);
      const { body } = await admin.post(`${path}/restore`);
      expect(body.status).toBe(after);
      expect(body.action_status).toBe(after === "removed" ? "not_required" : null);
      expect(ids(await admin.get(`/cis/inactive?id=${id}`))).toEqual([id]);
    }
  });
});

test("Directory Administrators archive, trash and restore the items of their account", async () => {
  const { path } = await createItem();
  const dirk = as("directoryAdmin", { account: "widget-it" });
  await sql(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-it', 2, 'directory_administrator', now())",
  );
  for (const move of ["archive", "trash", "restore"]) expect((await dirk.post(`${path}/${move}`)).status).toBe(200);
  expect((await dirk.patch(path, { name: "Mine" })).status).toBe(403);
});

test("one call counts the lists below a record, as far as the caller may read them", async () => {
  const { id, path } = await createItem();
  const other = await createItem();
  const relation = { ci_id: other.id, relation_type: "network_connection" };
  expect((await admin.post(`${path}/ci_relations`, relation)).status).toBe(201);
  const request = await create("/requests", { category: "incident", subject: "Broken", impact: "low" });
  expect((await admin.post(`/requests/${request.id}/cis/${id}`)).status).toBe(200);
  const count = (who: Parameters<typeof as>[0], query: string) => as(who).get(`/list_counts?type=ci&id=${id}&${query}`);
  const { body, text } = await count("administrator", "lists=ci_relations,requests,%20problems");
  expect(body, text).toEqual({ ci_relations: 1, requests: 1, problems: 0 });
  expect((await count("specialist", "lists=requests")).body).toEqual({ requests: 1 });
  expect((await count("requester", "lists=requests")).status).toBe(403);
  expect((await count("stranger", "lists=requests")).status).toBe(404);
  for (const wrong of ["lists=", "lists=nothing", "lists=constructor", "lists=requests,,problems", ""])
    expect((await count("administrator", wrong)).status, wrong).toBe(400);
  expect((await admin.get(`/list_counts?type=nothing&id=${id}&lists=requests`)).status).toBe(400);
  expect((await admin.get("/list_counts?type=ci&id=0&lists=requests")).status).toBe(404);
});

describe("names, labels and numbers", () => {
  test("CI8: omitted values are copied from the product", async () => {
    const service = (await admin.get("/services/1")).body;
    const { id, name } = await createProduct({
      service_id: service.id,
      supplier_id: 6,
      financial_owner_id: 1,
      remarks: "Handle with care",
      support_team_id: 2,
    });
    expect(await createItem({ product_id: id })).toMatchObject({
      name,
      service: { id: service.id },
      support_team: { id: 2 },
      supplier: { id: 6 },
      financial_owner: { id: 1 },
      remarks: "Handle with care",
      rule_set: "physical_asset",
      ci_type: "hardware",
      software: false,
    });
    const own = await createItem({ product_id: id, name: "Own", support_team_id: 1 });
    expect(own).toMatchObject({ name: "Own", support_team: { id: 1 } });
    expect((await admin.patch(own.path, { name: null })).body.name).toBe(name);
  });

  test("an item has its category's rule set; licensed software is a certificate", async () => {
    const { reference } = await createCategory({ rule_set: "software" });
    const { id } = await createProduct({ category: reference });
    const version = await createItem({ product_id: id });
    expect(version).toMatchObject({ rule_set: "software", ci_type: "software_version", software: true });
    expect((await admin.patch(version.path, { license_type: "cpu_license" })).body).toMatchObject({
      rule_set: "license_certificate",
      ci_type: "software_license_certificate",
      software: true,
    });
    expect(ids(await admin.get(`/cis?rule_set=license_certificate&id=${version.id}`))).toEqual([version.id]);
  });

  test("an item follows its category's rule set, and its product into another category", async () => {
    const first = await createCategory({ rule_set: "physical_asset" });
    const { id } = await createProduct({ category: first.reference });
    const plain = await createItem({ product_id: id });
    const licensed = await createItem({ product_id: id, license_type: "cpu_license" });
    const kinds = async () => {
      const both = (await admin.get(`/cis?id=${plain.id},${licensed.id}&fields=rule_set,ci_type,software&sort=id`))
        .body;
      return both.map((row: Record<string, unknown>) => [row.rule_set, row.ci_type, row.software]);
    };
    const hardware = ["physical_asset", "hardware", false];
    expect(await kinds()).toEqual([hardware, hardware]);
    await admin.patch(`/product_categories/${first.id}`, { rule_set: "software" });
    expect(await kinds()).toEqual([
      ["software", "software_version", true],
      ["license_certificate", "software_license_certificate", true],
    ]);
    await admin.patch(`/products/${id}`, { category: (await createCategory()).reference });
    expect(await kinds()).toEqual([hardware, hardware]);
  });

  test("CI7: a label continues the category's newest label, in the same width", async () => {
    const { reference } = await createCategory({ name: "Scanner" });
    const { id } = await createProduct({ category: reference });
    expect((await createItem({ product_id: id })).label).toBe("SCA00001");
    expect((await createItem({ product_id: id })).label).toBe("SCA00002");
    await createItem({ product_id: id, label: "SC-0099" });
    const sibling = await createProduct({ category: reference });
    expect((await createItem({ product_id: sibling.id })).label).toBe("SC-0100");
    const many = await Promise.all(Array.from({ length: 5 }, () => createItem({ product_id: id })));
    expect(many.map(({ label }) => label).sort()).toEqual(["SC-0101", "SC-0102", "SC-0103", "SC-0104", "SC-0105"]);
  });

  test("CI5: an active item's label must be unique, its name needn't be", async () => {
    const first = await createItem({ name: "Twin", label: "TWIN-1" });
    const { id } = await createProduct();
    const body = { product_id: id, status: "in_stock" };
    expect(describeErrors(await admin.post("/cis", { ...body, label: "twin-1" }))).toEqual([
      "label: Label has already been taken",
    ]);
    const second = await admin.post("/cis", { ...body, name: "Twin" });
    expect([second.status, second.body.id === first.id]).toEqual([201, false]);
    expect(describeErrors(await admin.patch(`/cis/${second.body.id}`, { label: "TWIN-1" }))).toEqual([
      "label: Label has already been taken",
    ]);
  });

  test("CI5: creating an item with a retired item's name or label updates the retired item", async () => {
    const retired = await createItem({ name: "Old one", label: "OLD-7", status: "removed", location: "Cellar" });
    const { id } = await createProduct();
    const byLabel = await admin.post("/cis", { product_id: id, label: "old-7", status: "in_stock" });
    expect([byLabel.status, byLabel.body]).toMatchObject([
      200,
      { id: retired.id, name: "Old one", status: "in_stock", action_status: null, location: "Cellar", product: { id } },
    ]);
    await admin.patch(retired.path, { status: "lost_or_stolen" });
    const byName = await admin.post("/cis", { product_id: id, name: "Old one", status: "installed" });
    expect([byName.status, byName.body.id, byName.body.status]).toEqual([200, retired.id, "installed"]);
    expect((await admin.post("/cis", { product_id: id, name: "Old one", status: "installed" })).status).toBe(201);
  });

  test("CI5: a name copied from the product doesn't match retired items", async () => {
    const { id } = await createProduct();
    const retired = await createItem({ product_id: id, status: "removed" });
    expect((await createItem({ product_id: id })).id).not.toBe(retired.id);
  });

  test("CI6: a serial number is unique per brand, whatever its case and product", async () => {
    const [one, sameBrand, otherBrand] = [
      await createProduct({ brand: "Bell" }),
      await createProduct({ brand: "BELL" }),
      await createProduct({ brand: "Whistle" }),
    ];
    const first = await createItem({ product_id: one.id, serial_nr: "sn-1" });
    const body = { status: "in_stock", serial_nr: "SN-1" };
    const taken = ["serial_nr: Serial number has already been taken"];
    expect(describeErrors(await admin.post("/cis", { ...body, product_id: sameBrand.id }))).toEqual(taken);
    const other = await admin.post("/cis", { ...body, product_id: otherBrand.id });
    expect(other.status).toBe(201);
    expect(describeErrors(await admin.patch(`/cis/${other.body.id}`, { product_id: sameBrand.id }))).toEqual(taken);
    expect(ids(await admin.get("/cis?serial_nr=SN-1&sort=id"))).toEqual([first.id, other.body.id]);
    const renamed = await admin.patch(`/products/${otherBrand.id}`, { brand: "bell" });
    expect(describeErrors(renamed)).toEqual(["brand: Brand has already been taken"]);
    expect(first.brand).toBeUndefined();
  });
});

describe("relations and links", () => {
  test("both items list their relation, each from its own side", async () => {
    const [rack, server] = [await createItem(), await createItem()];
    const relations = async ({ path }: { path: string }) =>
      (await admin.get(`${path}/ci_relations`)).body.map((row: { ci: { id: number }; relation_type: string }) => [
        row.ci.id,
        row.relation_type,
      ]);
    const made = await admin.post(`${server.path}/ci_relations`, { related_ci_id: rack.id, relation_type: "parent" });
    expect([made.status, made.body]).toMatchObject([
      201,
      { ci: { id: rack.id, name: rack.name, label: rack.label }, relation_type: "parent" },
    ]);
    expect([await relations(server), await relations(rack)]).toEqual([[[rack.id, "parent"]], [[server.id, "child"]]]);
    await admin.patch(`${server.path}/ci_relations/${made.body.id}`, { relation_type: "redundancy" });
    expect([await relations(server), await relations(rack)]).toEqual([
      [[rack.id, "redundancy"]],
      [[server.id, "redundancy"]],
    ]);
    const [seen] = (await admin.get(`${rack.path}/ci_relations`)).body;
    expect(seen.id, "one relation row serves both items").toBe(made.body.id);
    await admin.patch(`${rack.path}/ci_relations/${seen.id}`, { relation_type: "parent" });
    expect(await relations(server)).toEqual([[rack.id, "child"]]);
    const other = await createItem();
    const moved = await admin.patch(`${rack.path}/ci_relations/${seen.id}`, { related_ci_id: other.id });
    expect(moved.body).toMatchObject({ id: seen.id, ci: { id: other.id }, relation_type: "parent" });
    expect([await relations(server), await relations(rack), await relations(other)]).toEqual([
      [],
      [[other.id, "parent"]],
      [[rack.id, "child"]],
    ]);
    expect((await admin.patch(`${other.path}/ci_relations/${seen.id}`, { related_ci_id: server.id })).status).toBe(200);
    expect([await relations(server), await relations(rack)]).toEqual([[[other.id, "parent"]], []]);
    expect((await admin.get(`${rack.path}/ci_relations/${seen.id}`)).status).toBe(404);
    expect((await admin.delete(`${server.path}/ci_relations/${seen.id}`)).status).toBe(204);
    expect(await relations(other)).toEqual([]);
    expect([await relations(server), await relations(rack)]).toEqual([[], []]);
  });

  test("an item can't be related to itself", async () => {
    const { id, path } = await createItem();
    const reply = await admin.post(`${path}/ci_relations`, { related_ci_id: id, relation_type: "continuity" });
    expect(describeErrors(reply)).toEqual([expect.stringMatching(/^ci: .*is not valid$/)]);
  });

  test("users, contracts and service instances can be linked from either end", async () => {
    const { id, path } = await createItem();
    await admin.post(`${path}/users/4`);
    expect(ids(await admin.get(`${path}/users/enabled`))).toEqual([4]);
    const contract = await create("/contracts", { name: "C", customer_id: 1 });
    expect((await admin.post(`/contracts/${contract.id}/cis/${id}`)).status).toBe(200);
    expect(ids(await admin.get(`${path}/contracts`))).toEqual([contract.id]);
    const instance = await create("/service_instances", { name: "I", service_id: 1 });
    expect((await admin.post(`${path}/service_instances/${instance.id}`)).status).toBe(200);
    expect(ids(await admin.get(`/service_instances/${instance.id}/cis/active`))).toEqual([id]);
    expect((await admin.delete(`/service_instances/${instance.id}/cis/${id}`)).status).toBe(204);
    expect(ids(await admin.get(`${path}/service_instances`))).toEqual([]);
  });

  test("AZ13: configuration managers add and edit products and items, other specialists read them", async () => {
    const { id, path } = await createItem();
    const manager = as("manager");
    expect((await manager.get(path)).status).toBe(200);
    expect((await manager.patch(path, { remarks: "x" })).status).toBe(403);
    await admin.post("/people/9/permissions/widget-it?roles=configuration_manager");
    expect((await manager.patch(path, { remarks: "x" })).status).toBe(200);
    expect((await manager.post(`${path}/archive`)).status).toBe(403);
    expect((await as("requester").get(`/cis/${id}`)).status).toBe(403);
  });
});

describe("an item's surroundings", () => {
  const relate = async (path: string, related: number, relation_type: string) =>
    create(`${path}/ci_relations`, { related_ci_id: related, relation_type });

  test("CI10: the graph contains the items within a number of steps, and groups equal neighbors", async () => {
    const socket = await createProduct({ name: "Wall socket" });
    const [router, center, twin, printer] = [
      await createItem(),
      await createItem(),
      await createItem(),
      await createItem(),
    ];
    await relate(center.path, router.id, "parent");
    await relate(twin.path, center.id, "redundancy");
    await relate(center.path, printer.id, "child");
    const sockets: number[] = [];
    for (let nr = 1; nr <= 5; nr++) {
      const { id } = await createItem({ product_id: socket.id, label: `SOCKET-${nr}` });
      await relate(center.path, id, "child");
      sockets.push(id);
    }
    const far = await createItem();
    await relate(router.path, far.id, "network_connection");
    const request = { subject: "Jam", category: "other", ci_id: printer.id };
    await create("/requests", request);
    const { body } = await admin.get(`${center.path}/graph`);
    const levels = Object.fromEntries(body.items.map(({ id, level }: { id: number; level: number }) => [id, level]));
    expect(levels).toEqual({ [center.id]: 0, [router.id]: 1, [twin.id]: 1, [printer.id]: 1, [far.id]: 2 });
    expect(body.items.find(({ id }: { id: number }) => id === printer.id).open_work).toBe(1);
    const seen = body.relations.map(({ of_ci, ci, relation_type }: Record<string, unknown>) => [
      of_ci,
      relation_type,
      ci,
    ]);
    expect(seen).toEqual(
      expect.arrayContaining([
        [center.id, "parent", router.id],
        [center.id, "redundancy", twin.id],
        [center.id, "child", printer.id],
        [router.id, "network_connection", far.id],
      ]),
    );
    const product_ = { id: socket.id, name: "Wall socket" };
    const group = { of_ci: center.id, relation_type: "child", product: product_, level: 1, count: 5 };
    expect(body.groups).toEqual([{ ...group, first: "SOCKET-1", last: "SOCKET-5", ids: sockets }]);
    expect((await admin.get(`${router.path}/graph?depth=1`)).body.items).toHaveLength(3);
    const fromRouter = (await admin.get(`${router.path}/graph?depth=1`)).body.relations;
    expect(fromRouter).toContainEqual(
      expect.objectContaining({ of_ci: router.id, ci: center.id, relation_type: "child" }),
    );
    for (const depth of ["0", "4", "x"])
      expect((await admin.get(`${center.path}/graph?depth=${depth}`)).status, depth).toBe(400);
    expect((await as("requester").get(`${center.path}/graph`)).status).toBe(403);
    expect((await as("stranger").get(`${center.path}/graph`)).status).toBe(404);
  });

  test("CI11: the outlook lists services, agreements and people that are affected when an item fails", async () => {
    const [top, below] = [await createItem(), await createItem()];
    await relate(below.path, top.id, "parent");
    expect((await admin.get(`${top.path}/outlook`)).body).toEqual({
      ...{ items: 2, services: [], service_instances: [], slas: [], people: { count: 0, examples: [] } },
    });
    await admin.post(`${below.path}/users/4`);
    const instance = await create("/service_instances", { name: "Network", service_id: 1 });
    await admin.post(`${below.path}/service_instances/${instance.id}`);
    const offering = await create("/service_offerings", { name: "Gold", service_id: 1, status: "available" });
    const sla = await create("/slas", {
      ...{ name: "Network Gold", service_offering_id: offering.id, service_instance_id: instance.id, customer_id: 1 },
      ...{ coverage: "people", start_date: "2025-01-01", customer_representative_ids: [1] },
    });
    await admin.post(`/slas/${sla.id}/people/3`);
    await sql("UPDATE slas SET status = 'active' WHERE id = $1", [sla.id]);
    const { body } = await admin.get(`${top.path}/outlook`);
    expect(body).toMatchObject({
      ...{ items: 2, service_instances: [{ id: instance.id, name: "Network" }], slas: [{ id: sla.id }] },
      people: { count: 2, examples: [{ name: "Aude Auditor" }, { name: "Sam Specialist" }] },
    });
    expect(body.services).toHaveLength(1);
    expect((await admin.get(`${below.path}/outlook`)).body.items).toBe(1);
    expect((await as("requester").get(`${top.path}/outlook`)).status).toBe(403);
  });
});

test("CI12: financial and configuration managers, administrators and auditors see an item's costs", async () => {
  const values = { purchase_value: "3480.00", purchase_value_currency: "eur", salvage_value: "80.00" };
  const costly = await createItem({ ...values, salvage_value_currency: "eur", useful_life: 60 });
  const read = async (role: "administrator" | "auditor" | "specialist") => {
    const { purchase_value, purchase_value_currency, salvage_value, salvage_value_currency, useful_life } = (
      await as(role).get(costly.path)
    ).body;
    return [purchase_value, purchase_value_currency, salvage_value, salvage_value_currency, useful_life];
  };
  for (const role of ["administrator", "auditor"] as const)
    expect(await read(role), role).toEqual([3480, "eur", 80, "eur", 60]);
  expect(await read("specialist")).toEqual([null, null, null, null, 60]);
  for (const role of ["financial_manager", "configuration_manager"]) {
    await admin.post(`/people/3/permissions/widget-it?roles=${role}`);
    expect((await read("specialist"))[1], role).toBe("eur");
    await admin.delete(`/people/3/permissions/widget-it?roles=${role}`);
  }
});
