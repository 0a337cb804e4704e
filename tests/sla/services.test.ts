import { describe, expect, test } from "vitest";
import { describeErrors } from "../support/replies.ts";
import { type Reply, world } from "../support/world.ts";

// Services, their categories, instances and offerings.

const { as } = await world();
const admin = as("administrator");
const ids = ({ body }: Reply): number[] => body.map(({ id }: { id: number }) => id);

let made = 0;
const create = async (path: string, members: Record<string, unknown>) => {
  const reply = await admin.post(path, { name: `N${++made}`, ...members });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const createService = (members = {}) => create("/services", { provider_id: 1, ...members });
const createInstance = (members = {}) => create("/service_instances", { service_id: 1, ...members });
const createOffering = (members = {}) => create("/service_offerings", { service_id: 1, ...members });

describe("services", () => {
  test("a reference to a service has its name, localized name and provider", async () => {
    const { id, name } = await createService();
    const { service: shown } = await createInstance({ service_id: id });
    expect(shown).toMatchObject({ id, name, localized_name: name, provider: { id: 1, name: "Widget International" } });
  });

  test("a service lists its offerings, instances and SLAs", async () => {
    const { id } = await createService();
    const [one, other] = [await createOffering({ service_id: id }), await createInstance({ service_id: id })];
    const sla = await create("/slas", { service_offering_id: one.id, customer_id: 1 });
    await create("/slas", { service_offering_id: (await createOffering()).id, customer_id: 1 });
    expect(ids(await admin.get(`/services/${id}/service_offerings`))).toEqual([one.id]);
    expect(ids(await admin.get(`/services/${id}/service_offerings/portfolio`))).toEqual([one.id]);
    expect(ids(await admin.get(`/services/${id}/service_offerings/catalog`))).toEqual([]);
    expect(ids(await admin.get(`/services/${id}/service_instances`))).toEqual([other.id]);
    expect(ids(await admin.get(`/services/${id}/slas`))).toEqual([sla.id]);
    expect(ids(await admin.get(`/service_offerings/${one.id}/slas/inactive`))).toEqual([sla.id]);
    expect(ids(await admin.get(`/service_instances/${other.id}/slas`))).toEqual([]);
  });
});

describe("service categories", () => {
  test("a service is in at most one category, which is removed when the category is deleted", async () => {
    const { id } = await createService();
    const [first, second] = [await create("/service_categories", {}), await create("/service_categories", {})];
    const loadCategory = async () => (await admin.get(`/services/${id}`)).body.service_category?.id ?? null;
    expect((await admin.post(`/service_categories/${first.id}/services/${id}`)).status).toBe(200);
    expect(await loadCategory()).toBe(first.id);
    expect((await admin.get(`/service_categories/${first.id}`)).body.services).toMatchObject([{ id }]);
    await admin.post(`/service_categories/${second.id}/services/${id}`);
    expect(await loadCategory()).toBe(second.id);
    expect(ids(await admin.get(`/service_categories/${first.id}/services`))).toEqual([]);
    expect((await admin.get(`/service_categories/${first.id}`)).body.services).toEqual([]);
    expect((await admin.delete(`/service_categories/${second.id}`)).status).toBe(204);
    expect(await loadCategory()).toBeNull();
    expect(
      (await admin.patch(`/services/${id}`, { service_category_id: first.id })).headers.get("X-Ignored-Fields"),
    ).toBe("service_category_id");
  });

  test("localized texts fall back to the text itself without a translation", async () => {
    const { name, localized_name, localized_description } = await create("/service_categories", { description: "d" });
    expect([localized_name, localized_description]).toEqual([name, "d"]);
  });
});

describe("service instances", () => {
  test("the teams default to the service's", async () => {
    const { id } = await createService({ support_team_id: 1, first_line_team_id: 2 });
    const created = await createInstance({ service_id: id });
    expect(created).toMatchObject({ support_team: { id: 1 }, first_line_team: { id: 2 }, status: "being_prepared" });
    expect(await createInstance({ service_id: id, support_team_id: 2 })).toMatchObject({ support_team: { id: 2 } });
    expect(describeErrors(await admin.post("/service_instances", {}))).toEqual([
      "name: Name can't be blank",
      "service: Service can't be blank",
    ]);
  });

  test("discontinued instances are inactive, all others active", async () => {
    const [one, two, three] = [
      await createInstance(),
      await createInstance({ status: "in_production" }),
      await createInstance({ status: "discontinued" }),
    ];
    const listIds = async (view: string) =>
      ids(await admin.get(`/service_instances/${view}?id=${one.id},${two.id},${three.id}&sort=id`));
    expect(await listIds("active")).toEqual([one.id, two.id]);
    expect(await listIds("inactive")).toEqual([three.id]);
  });

  test("the hierarchy of instances follows their SLAs", async () => {
    const [lower, upper] = [await createInstance({ name: "Server" }), await createInstance({ name: "Mail" })];
    const sla = await create("/slas", {
      service_offering_id: (await createOffering()).id,
      service_instance_id: lower.id,
      customer_id: 1,
      coverage: "service_instances",
    });
    const made = await admin.post(`/slas/${sla.id}/service_instances`, {
      service_instance_id: upper.id,
      impact_relation: "down",
    });
    expect([made.status, made.body]).toMatchObject([
      201,
      { service_instance: { id: upper.id }, impact_relation: "down" },
    ]);
    expect(ids(await admin.get(`/service_instances/${upper.id}/child_service_instances`))).toEqual([lower.id]);
    expect(ids(await admin.get(`/service_instances/${lower.id}/parent_service_instances`))).toEqual([upper.id]);
    expect(ids(await admin.get(`/service_instances/${lower.id}/child_service_instances`))).toEqual([]);
    const itself = { service_instance_id: lower.id, impact_relation: "down" };
    expect(describeErrors(await admin.post(`/slas/${sla.id}/service_instances`, itself))).toEqual([
      "service_instance: Service instance may not contain a loop",
    ]);
  });
});

describe("service offerings", () => {
  test("the seven kinds have their own targets, hours and prices", async () => {
    const body = await createOffering({
      response_target_low: "1:30",
      resolution_target_case_in_days: 5,
      charge_type_rfc: "fixed_price",
      rate_rfc: 12.5,
      rate_rfc_currency: "eur",
      availability: 99.5,
    });
    expect(body).toMatchObject({
      response_target_low: 90,
      resolution_target_case_in_days: 5,
      charge_type_rfc: "fixed_price",
      rate_rfc: 12.5,
      rate_rfc_currency: "eur",
      availability: 99.5,
      status: "planned",
      report_frequency: "no_commitment",
      review_frequency: "no_commitment",
    });
    for (const kind of ["low", "medium", "high", "top", "rfc", "rfi", "case"])
      for (const name of [`response_target_${kind}`, `support_hours_${kind}`, `rate_${kind}_currency`])
        expect(Object.keys(body), name).toContain(name);
    expect(Object.keys(body)).not.toContain("resolution_target_notification_scheme_rfc");
  });

  test("targets have limits", async () => {
    const { id } = await createOffering();
    expect(
      describeErrors(
        await admin.patch(`/service_offerings/${id}`, {
          resolution_target_top: 600_001,
          response_target_rfi_in_days: 0,
        }),
      ),
    ).toEqual(
      [
        "response_target_rfi_in_days: Response target RFI in days must be greater than or equal to 1",
        "resolution_target_top: Resolution target top must be less than or equal to 600000",
      ].map((text) => expect.stringMatching(new RegExp(text.replace(/: .* must/, ": .* must")))),
    );
    expect((await admin.patch(`/service_offerings/${id}`, { resolution_target_top: 600_000 })).status).toBe(200);
  });

  test("SO1: the catalog contains the available offerings, the portfolio all of them", async () => {
    const { id } = await createService();
    const statuses = ["planned", "unpublished", "available", "temporarily_unavailable", "discontinued"];
    for (const status of statuses) await createOffering({ service_id: id, status });
    const listStatuses = async (view: string) =>
      (await admin.get(`/services/${id}/service_offerings/${view}?sort=id`)).body.map(
        (row: { status: string }) => row.status,
      );
    expect(await listStatuses("catalog")).toEqual(["available", "temporarily_unavailable"]);
    expect(await listStatuses("portfolio")).toEqual(statuses);
  });

  test("a fixed price for a type of RFC requires the price", async () => {
    const { id } = await createOffering();
    const type = (await admin.post("/rfc_types", { name: `Move ${++made}` })).body;
    const post = (members: object) =>
      admin.post(`/service_offerings/${id}/rfc_type_rates`, { rfc_type: type.reference, ...members });
    expect(describeErrors(await post({ charge_type: "fixed_price" }))).toEqual([
      "rate: Rate can't be blank",
      "rate_currency: Rate currency can't be blank",
    ]);
    expect((await post({ charge_type: "fixed_price", rate: 10, rate_currency: "eur" })).body).toMatchObject({
      rfc_type: type.reference,
      rate: 10,
    });
    expect((await post({ charge_type: "time_material" })).status).toBe(201);
  });
});

describe("notification rules and follow-ups", () => {
  test("FU3: a scheme has one rule per percentage, from 1 to 999", async () => {
    const { id } = await create("/sla_notification_schemes", {});
    const post = (threshold_percentage: number) =>
      admin.post(`/sla_notification_schemes/${id}/sla_notification_rules`, { threshold_percentage });
    expect((await post(80)).body).toMatchObject({ threshold_percentage: 80, notify_service_owner: false });
    expect((await post(999)).status).toBe(201);
    expect(describeErrors(await post(80))).toEqual(["threshold_percentage: Threshold (%) has already been taken"]);
    for (const wrong of [0, 1000]) expect((await post(wrong)).status).toBe(422);
    const other = await create("/sla_notification_schemes", {});
    expect(
      (await admin.post(`/sla_notification_schemes/${other.id}/sla_notification_rules`, { threshold_percentage: 80 }))
        .status,
    ).toBe(201);
  });

  test("FU3: a follow-up has at most five rules, with different numbers of days", async () => {
    const { id } = await create("/waiting_for_customer_follow_ups", {});
    const path = `/waiting_for_customer_follow_ups/${id}/waiting_for_customer_rules`;
    const post = (nr_of_business_days: number) => admin.post(path, { nr_of_business_days });
    for (const days of [4, 1, 2, 3]) expect((await post(days)).status).toBe(201);
    expect(describeErrors(await post(4))).toEqual([
      "nr_of_business_days: Number of business days has already been taken",
    ]);
    expect((await Promise.all([post(5), post(6)])).map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await admin.get(path)).body).toHaveLength(5);
    expect([(await admin.delete(path)).status, (await admin.get(path)).body]).toEqual([204, []]);
  });
});

test("service level managers add and edit all of these, other specialists read them", async () => {
  const specialist = as("specialist");
  const { id } = await createInstance();
  expect((await specialist.get(`/service_instances/${id}`)).status).toBe(200);
  expect((await specialist.patch(`/service_instances/${id}`, { name: "X" })).status).toBe(403);
  expect((await specialist.post("/service_offerings", { name: "X" })).status).toBe(403);
  await admin.post("/people/9/permissions/widget-it?roles=service_level_manager");
  const manager = as("manager");
  expect((await manager.patch(`/service_instances/${id}`, { name: "X" })).status).toBe(200);
  for (const [path, body] of [
    ["/services", { name: "S", provider_id: 1 }],
    ["/service_offerings", { name: "O" }],
    ["/flsas", { name: "F", provider_id: 1, customer_id: 1 }],
  ] as const)
    expect((await manager.post(path, body)).status).toBe(201);
});
