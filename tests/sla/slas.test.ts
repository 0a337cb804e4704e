import { describe, expect, test } from "vitest";
import { describeErrors } from "../support/replies.ts";
import { type Reply, world } from "../support/world.ts";

// Service level agreements: SL1 to SL9.

const { as, sql } = await world(); // it is Monday 2025-03-03, 09:00 in Amsterdam
const admin = as("administrator");
const [yesterday, today, tomorrow] = ["2025-03-02", "2025-03-03", "2025-03-04"];
const ids = ({ body }: Reply): number[] => body.map(({ id }: { id: number }) => id);
const withoutRepresentative = ["customer_representatives: Customer representatives can't be blank"];

let made = 0;
const create = async (path: string, members: Record<string, unknown>) => {
  const reply = await admin.post(path, { name: `N${++made}`, ...members });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const offering = await create("/service_offerings", { service_id: 1 });
const instance = await create("/service_instances", { service_id: 1 });
const createSla = async (members: Record<string, unknown> = {}) => {
  const body = await create("/slas", { service_offering_id: offering.id, customer_id: 1, ...members });
  return { ...body, path: `/slas/${body.id}` };
};
const represented = { customer_representative_ids: [5] };

describe("states", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["SL1", {},                                                                                { status: "being_prepared", start_date: null }],
    ["SL2", { status: "scheduled_for_activation", start_date: tomorrow, ...represented },      { status: "scheduled_for_activation", start_date: tomorrow }],
    ["SL2", { status: "scheduled_for_activation", start_date: today, ...represented },         { status: "active", start_date: today }],
    ["SL2", { status: "scheduled_for_activation", start_date: yesterday, ...represented },     { status: "active", start_date: yesterday }],
    ["SL2", { status: "scheduled_for_activation", start_date: tomorrow },                      withoutRepresentative],
    ["SL2", { status: "scheduled_for_activation", ...represented },                            ["start_date: Start date can't be blank"]],
    ["SL4", { status: "active", ...represented },                                              { status: "active", start_date: today }],
    ["SL4", { status: "active", start_date: yesterday, ...represented },                       { status: "active", start_date: yesterday }],
    ["SL4", { status: "active", expiry_date: today, ...represented },                          { status: "active", expiry_date: today }],
    ["SL4", { status: "active" },                                                              withoutRepresentative],
    ["SL4", { status: "active", customer_representative_ids: [] },                             withoutRepresentative],
    ["SL4", { status: "active", expiry_date: yesterday, ...represented },                      ["expiry_date: Expiry date must be in the future"]],
  ])("%s: an SLA created, and one changed, with %j", async (_rule, members, expected) => {
    const created = await admin.post("/slas", { name: "S", service_offering_id: offering.id, customer_id: 1, ...members });
    const changed = await admin.patch((await createSla()).path, members);
    for (const reply of [created, changed])
      if (Array.isArray(expected)) expect(describeErrors(reply)).toEqual(expected);
      else expect(reply.body).toMatchObject(expected);
  });

  test("SL4: activation moves a start in the future to today, unless the same call sets it", async () => {
    const planned = { status: "scheduled_for_activation", start_date: tomorrow, ...represented };
    expect((await admin.patch((await createSla(planned)).path, { status: "active" })).body).toMatchObject({
      status: "active",
      start_date: today,
    });
    const expired = await createSla({ status: "expired", expiry_date: yesterday, ...represented });
    expect(describeErrors(await admin.patch(expired.path, { status: "active" }))).toEqual([
      "expiry_date: Expiry date must be in the future",
    ]);
    expect((await admin.patch(expired.path, { status: "active", expiry_date: null })).body.status).toBe("active");
  });

  test("SL3, SL5: an agreement's days begin and end in the account's time zone", async () => {
    const story = await world();
    const client = story.as("administrator");
    const post = async (path: string, members: object) => (await client.post(path, { name: "N", ...members })).body.id;
    const id = await post("/slas", {
      service_offering_id: await post("/service_offerings", {}),
      customer_id: 1,
      status: "scheduled_for_activation",
      start_date: "2025-03-05",
      expiry_date: "2025-03-06",
      ...represented,
    });
    const loadStatus = async () => (await client.get(`/slas/${id}`)).body.status;
    for (const [moment, expected] of [
      ["2025-03-04T22:59:59Z", "scheduled_for_activation"],
      ["2025-03-04T23:00:00Z", "active"],
      ["2025-03-06T22:59:59Z", "active"],
      ["2025-03-06T23:00:00Z", "expired"],
    ] as const) {
      await story.clock.moveTo(moment);
      expect([moment, await loadStatus()]).toEqual([moment, expected]);
    }
    // The clock moves past both dates in one step.
    const later = { status: "scheduled_for_activation", start_date: "2025-04-01", expiry_date: "2025-04-02" };
    expect((await client.patch(`/slas/${id}`, later)).body.status).toBe("scheduled_for_activation");
    await story.clock.moveTo("2025-05-01T00:00:00Z");
    expect(await loadStatus()).toBe("expired");
  });

  test("SL2: an SLA scheduled for activation keeps the fields it requires", async () => {
    const { path } = await createSla({ status: "scheduled_for_activation", start_date: tomorrow, ...represented });
    expect(describeErrors(await admin.patch(path, { start_date: null }))).toEqual([
      "start_date: Start date can't be blank",
    ]);
    expect(describeErrors(await admin.patch(path, { customer_representative_ids: [] }))).toEqual(withoutRepresentative);
    expect(describeErrors(await admin.delete(`${path}/customer_representatives/5`))).toEqual(withoutRepresentative);
  });

  test("SL6: expiring ends the agreement today, if it would end later or not at all", async () => {
    for (const [expiry_date, expected] of [
      [null, today],
      [tomorrow, today],
      [today, today],
    ]) {
      const { path } = await createSla({ status: "active", expiry_date, ...represented });
      expect((await admin.patch(path, { status: "expired" })).body).toMatchObject({
        status: "expired",
        expiry_date: expected,
      });
    }
  });

  test("SL7: an active SLA can return to preparation, and is then inactive", async () => {
    const { id, path } = await createSla({ status: "active", ...represented });
    expect(ids(await admin.get(`/slas/active?id=${id}`))).toEqual([id]);
    expect((await admin.patch(path, { status: "being_prepared" })).body.status).toBe("being_prepared");
    expect(ids(await admin.get(`/slas/active?id=${id}`))).toEqual([]);
    expect(ids(await admin.get(`/slas/inactive?id=${id}`))).toEqual([id]);
  });

  test("SL8: the service instance must be one of the offered service", async () => {
    const other = await create("/services", { provider_id: 1 });
    const [fits, strange] = [
      await create("/service_instances", { service_id: 1 }),
      await create("/service_instances", { service_id: other.id }),
    ];
    const { path } = await createSla({ service_instance_id: fits.id });
    expect(describeErrors(await admin.patch(path, { service_instance_id: strange.id }))).toEqual([
      "service_instance: Service instance is not valid",
    ]);
    const elsewhere = await create("/service_offerings", { service_id: other.id });
    expect(describeErrors(await admin.patch(path, { service_offering_id: elsewhere.id }))).toEqual([
      "service_instance: Service instance is not valid",
    ]);
  });

  test("SO1: a discontinued offering can't be chosen", async () => {
    const discontinued = await create("/service_offerings", { status: "discontinued" });
    const reply = await admin.post("/slas", { name: "S", service_offering_id: discontinued.id, customer_id: 1 });
    expect(describeErrors(reply)).toEqual(["service_offering: Service offering is not valid"]);
  });

  test("missing required fields are named, and the offering is shown with the service and its provider", async () => {
    expect(describeErrors(await admin.post("/slas", {}))).toEqual([
      "name: Name can't be blank",
      "service_offering: Service offering can't be blank",
      "customer: Customer can't be blank",
    ]);
    expect((await createSla()).service_offering).toMatchObject({
      id: offering.id,
      service: { id: 1, provider: { id: 1 } },
    });
  });
});

describe("customer representatives", () => {
  const representatives = async (path: string) => ids(await admin.get(`${path}/customer_representatives?sort=id`));

  test("a list in a body replaces all of them, and so does the old customer_rep", async () => {
    const { path } = await createSla({ customer_representative_ids: [5, 6] });
    expect(await representatives(path)).toEqual([5, 6]);
    expect((await admin.get(path)).body).toMatchObject({ customer_rep: { id: 5 } });
    expect((await admin.get(path)).body.customer_representatives).toBeUndefined();
    await admin.patch(path, { customer_representative_ids: [5, 9] });
    expect(await representatives(path)).toEqual([5, 9]);
    expect((await admin.patch(path, { customer_rep_id: 6 })).body.customer_rep.id).toBe(6);
    expect(await representatives(path)).toEqual([6]);
  });

  test("they are linked individually, and the last one of an active SLA can't be removed", async () => {
    const { path } = await createSla();
    expect((await admin.post(`${path}/customer_representatives/5`)).status).toBe(200);
    expect((await admin.patch(path, { status: "active" })).body.status).toBe("active");
    await admin.post(`${path}/customer_representatives/6`);
    expect((await admin.delete(`${path}/customer_representatives/5`)).status).toBe(204);
    expect((await admin.get(path)).body.customer_rep.id).toBe(6);
    for (const suffix of ["/6", ""])
      expect(describeErrors(await admin.delete(`${path}/customer_representatives${suffix}`))).toEqual(
        withoutRepresentative,
      );
    expect(describeErrors(await admin.patch(path, { customer_representative_ids: [] }))).toEqual(withoutRepresentative);
    expect(describeErrors(await admin.patch(path, { customer_rep_id: null }))).toEqual(withoutRepresentative);
    expect(await representatives(path)).toEqual([6]);
    await admin.patch(path, { status: "being_prepared" });
    expect((await admin.delete(`${path}/customer_representatives`)).status).toBe(204);
  });
});

describe("coverage", () => {
  const createItem = async () => {
    const category = await create("/product_categories", { group: `G${++made}`, rule_set: "physical_asset" });
    const product = await create("/products", {
      brand: "B",
      model: "M",
      category: category.reference,
      support_team_id: 1,
    });
    return create("/cis", { product_id: product.id, status: "in_production" });
  };
  /** Creates an active SLA with a coverage and its lists. Rita (5) works for Widget Sales (3) below 1, at site 1. */
  const createCovering = async (coverage: string, lists: Record<string, number[]> = {}, members = {}) => {
    const agreement = await createSla({
      status: "active",
      coverage,
      service_instance_id: instance.id,
      ...represented,
      ...members,
    });
    for (const [list, others] of Object.entries(lists))
      for (const other of others)
        expect((await admin.post(`${agreement.path}/${list}/${other}`)).status, list).toBe(200);
    return agreement;
  };
  const isCovered = async (person: number, id: number) =>
    ids(await admin.get(`/people/${person}/sla_coverages?id=${id}`)).length === 1;

  // biome-ignore format: a table keeps its columns
  test.each([
    ["customer_account",              {},                                {}, [1, 3, 4]],
    ["organizations_and_descendants", { organizations: [1] },            {}, [3, 5]],
    ["organizations",                 { organizations: [3] },            {}, [5]],
    ["sites",                         { sites: [1] },                    {}, [1, 3, 5]],
    ["organizations_and_sites",       { organizations: [3], sites: [1] }, {}, [5]],
    ["people",                        { people: [6] },                   {}, [6]],
    ["people",                        { people: [6] },                   { start_date: tomorrow, status: "scheduled_for_activation" }, []],
    ["people",                        { people: [6] },                   { expiry_date: today }, [6]],
    ["people",                        { people: [6] },                   { status: "being_prepared" }, []],
  ])("SLA15: %s with %j and %j covers %j", async (coverage, lists, members, expected) => {
    const account = coverage === "customer_account" ? { customer_account: "widget-it" } : {};
    const { id } = await createCovering(coverage, lists, { ...account, ...members });
    const people = [1, 3, 4, 5, 6];
    const found = [];
    for (const person of people) if (await isCovered(person, id)) found.push(person);
    if (coverage === "organizations" || coverage === "organizations_and_sites" || coverage === "people")
      expect(found).toEqual(expected);
    else expect(found).toEqual(expect.arrayContaining(expected));
  });

  test("SL9: an SLA past its expiry date covers no one, even before its status changes", async () => {
    const { id } = await createCovering("people", { people: [6] });
    await sql("UPDATE slas SET expiry_date = '2025-03-02' WHERE id = $1", [id]);
    expect(await isCovered(6, id)).toBe(false);
  });

  test("skill_pools covers the members of the listed pools", async () => {
    const pool = await create("/skill_pools", {});
    await admin.post(`/skill_pools/${pool.id}/members/4`);
    const { id } = await createCovering("skill_pools", { skill_pools: [pool.id] });
    expect([await isCovered(4, id), await isCovered(5, id)]).toEqual([true, false]);
  });

  test("service_instances covers the members of the support teams of the parents", async () => {
    const parent = await create("/service_instances", { service_id: 1, support_team_id: 1 });
    const { id, path } = await createCovering("service_instances");
    expect(await isCovered(3, id)).toBe(false);
    await admin.post(`${path}/service_instances`, { service_instance_id: parent.id, impact_relation: "degraded" });
    expect([await isCovered(3, id), await isCovered(5, id)]).toEqual([true, false]);
  });

  test("cis_of_service_instance covers users of the instance's items; unused items are visible to everyone covered", async () => {
    const own = await create("/service_instances", { service_id: 1 });
    const [used, unused, ofOthers] = [await createItem(), await createItem(), await createItem()];
    for (const { id } of [used, unused, ofOthers]) await admin.post(`/service_instances/${own.id}/cis/${id}`);
    await admin.post(`/cis/${used.id}/users/4`);
    await admin.post(`/cis/${ofOthers.id}/users/9`);
    const { id } = await createCovering("cis_of_service_instance", {}, { service_instance_id: own.id });
    expect([await isCovered(4, id), await isCovered(6, id)]).toEqual([true, false]);
    expect(ids(await admin.get(`/people/4/ci_coverages?sort=id`))).toEqual([used.id, unused.id]);
    expect(ids(await admin.get(`/people/4/service_instance_coverages?id=${own.id}`))).toEqual([own.id]);
    expect(ids(await admin.get("/people/4/service_coverages"))).toEqual([1]);
  });

  test("covered people can read the service and the instance, but not those of other people", async () => {
    const requester = as("requester");
    const other = await create("/service_instances", { service_id: 1 });
    await createCovering("people", { people: [5] });
    expect((await requester.get(`/service_instances/${instance.id}`)).status).toBe(200);
    expect((await requester.get(`/service_instances/${other.id}`)).status).toBe(403);
    expect(ids(await requester.get("/services"))).toEqual([1]);
    expect((await requester.get("/slas")).status).toBe(403);
  });

  test("records that the coverage doesn't use can't be linked", async () => {
    const { path } = await createSla({ coverage: "people" });
    expect((await admin.post(`${path}/people/5`)).status).toBe(200);
    for (const list of ["organizations/1", "sites/1"])
      expect(describeErrors(await admin.post(`${path}/${list}`))).toEqual(["coverage: Coverage is not valid"]);
    const parent = { service_instance_id: instance.id, impact_relation: "down" };
    expect(describeErrors(await admin.post(`${path}/service_instances`, parent))).toEqual([
      "coverage: Coverage is not valid",
    ]);
    const group = await create("/sla_coverage_groups", {});
    expect((await admin.post(`${path}/coverage_groups/${group.id}`)).status).toBe(200);
    expect((await admin.get(`/sla_coverage_groups/${group.id}/slas`)).body).toHaveLength(1);
    expect(describeErrors(await admin.patch(path, { coverage: "coverage_groups" }))).toEqual([
      "coverage: Coverage is not included in the list",
    ]);
  });
});

test("identifiers of the billing system require a financial manager", async () => {
  const { path } = await createSla();
  const effort = await create("/effort_classes", { cost_multiplier: 1 });
  const body = { effort_class_id: effort.id, rateID: "R-1" };
  await admin.post("/people/9/permissions/widget-it?roles=service_level_manager");
  const manager = as("manager");
  expect((await manager.post(`${path}/effort_class_rateIDs`, body)).status).toBe(403);
  await admin.post("/people/9/permissions/widget-it?roles=financial_manager");
  const added = await manager.post(`${path}/effort_class_rateIDs`, body);
  expect([added.status, added.body]).toMatchObject([201, { effort_class: { id: effort.id }, rateID: "R-1" }]);
});

test("first line support agreements have their major incident managers", async () => {
  const { id, status } = await create("/flsas", { provider_id: 1, customer_id: 1, pickup_target: 15 });
  expect(status).toBe("being_prepared");
  expect((await admin.post(`/flsas/${id}/major_incident_managers/3`)).status).toBe(200);
  expect(ids(await admin.get(`/flsas/${id}/major_incident_managers`))).toEqual([3]);
  expect(ids(await admin.get(`/flsas/inactive?id=${id}`))).toEqual([id]);
  await admin.patch(`/flsas/${id}`, { status: "active" });
  expect(ids(await admin.get(`/flsas/active?id=${id}`))).toEqual([id]);
});

test("affected SLAs are read-only", async () => {
  expect((await admin.get("/affected_slas")).status).toBe(200);
  expect((await admin.post("/affected_slas", {})).status).toBe(404);
});

describe("the customer's account", () => {
  const provider = as("provider");
  const createAgreement = async (members: Record<string, unknown> = {}) => {
    const createForProvider = async (path: string, more: Record<string, unknown>) =>
      (await provider.post(path, { name: `N${++made}`, ...more })).body;
    const service = await createForProvider("/services", { provider_id: 4 });
    const offered = await createForProvider("/service_offerings", { service_id: service.id });
    const { id } = await createForProvider("/slas", {
      service_offering_id: offered.id,
      customer_id: 4,
      customer_account_id: "widget-it",
      coverage: "organizations",
      ...members,
    });
    return { id, path: `/slas/${id}` };
  };

  test("its specialists, and no one else, read the agreement with its provider, also in lists", async () => {
    const { id, path } = await createAgreement();
    const { body } = await as("specialist").get(path);
    expect(body).toMatchObject({ account: { id: "provider" }, customer_account: { id: "widget-it" } });
    expect(ids(await as("specialist").get(`/slas?id=${id}`))).toEqual([id]);
    expect((await as("requester").get(path)).status).toBe(403);
    expect((await as("stranger").get(path)).status).toBe(404);
    await provider.patch(path, { customer_account_id: null });
    expect((await as("specialist").get(path)).status).toBe(404);
  });

  test("AZ15: its service level managers update only the customer part", async () => {
    const { path } = await createAgreement();
    const manager = as("manager");
    expect((await as("specialist").patch(path, { customer_representative_ids: [5] })).status).toBe(403);
    await admin.post("/people/9/permissions/widget-it?roles=service_level_manager");
    expect((await manager.patch(path, { customer_representative_ids: [5] })).body.customer_rep.id).toBe(5);
    expect((await manager.post(`${path}/organizations/2`)).status).toBe(200);
    expect(ids(await manager.get(`${path}/organizations`))).toEqual([2]);
    expect((await manager.delete(`${path}/organizations/2`)).status).toBe(204);
    expect((await manager.patch(path, { coverage: "people" })).body.coverage).toBe("people");
    expect((await manager.post(`${path}/people/5`)).status).toBe(200);
    for (const members of [{ name: "Mine" }, { status: "expired" }, { coverage: "sites", agreementID: "A1" }])
      expect((await manager.patch(path, members)).status).toBe(403);
    for (const list of ["service_instances", "effort_class_rateIDs"])
      expect((await manager.post(`${path}/${list}`, {})).status).toBe(403);
    expect((await provider.get(path)).body).toMatchObject({ coverage: "people", customer_rep: { id: 5 } });
    expect((await provider.patch(path, { status: "active" })).body.status).toBe("active");
    const [line] = await sql("SELECT account_id FROM audit_lines WHERE audited = 'sla' ORDER BY id DESC LIMIT 1");
    expect(line?.account_id).toBe("provider");
  });
});
