import { describe, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { world } from "../support/world.ts";

// The SLAs that a request affects: SLA11 to SLA25.

const { as, clock, sql } = await world(); // it is Monday 2025-03-03, 09:00 in Amsterdam
const admin = as("administrator");
const { make, agreed, instance, offering, sla, request, affected, named, service } = serviceAgreements(admin);
const targets = { response_target_low: 60, resolution_target_low: 240 };
const loadSlaIds = async (made: { id: number }) => (await affected(made)).map((row) => row.sla.id);

describe("coverage", () => {
  const createItem = async () => {
    const category = await make("/product_categories", {
      name: `G ${Math.random()}`,
      group: `G ${Math.random()}`,
      rule_set: "physical_asset",
    });
    const product = await make("/products", {
      name: "P",
      brand: "B",
      model: "M",
      category: category.reference,
      support_team_id: 1,
    });
    return make("/cis", { name: "N", product_id: product.id, status: "in_production", support_team_id: 1 });
  };
  const link = async (path: string) => expect((await admin.post(path)).status, path).toBe(200);
  const pool = async () => make("/skill_pools", { name: `Pool ${Math.random()}` });

  // Rita (5) works for Widget Sales (3), which is below Widget International (1), at site 1.
  // biome-ignore format: a table keeps its columns
  test.each([
    ["organizations",                 {},                                {}, { organizations: [3] },            { organizations: [1] }],
    ["organizations_and_descendants", {},                                {}, { organizations: [1] },            { organizations: [2] }],
    ["sites",                         {},                                {}, { sites: [1] },                    {}],
    ["organizations_and_sites",       {},                                {}, { organizations: [3], sites: [1] }, { organizations: [2], sites: [1] }],
    ["people",                        {},                                {}, { people: [5] },                   { people: [6] }],
  ])("%s", async (coverage, yes, no, listed, others) => {
    const offered = await offering(targets);
    const at = await instance();
    const both = { service_instance_id: at.id, service_offering_id: offered.id, coverage };
    const [covers, misses] = [await sla({ ...both, ...yes }), await sla({ ...both, ...no })];
    for (const [made, lists] of [[covers, listed], [misses, others]] as const)
      for (const [list, ids] of Object.entries(lists)) for (const id of ids as number[]) await link(`/slas/${made.id}/${list}/${id}`);
    expect(await loadSlaIds(await request(at))).toEqual([covers.id]);
  });

  test("customer_account: everyone in that account", async () => {
    const { instance: at, sla: made } = await agreed(targets, {
      coverage: "customer_account",
      customer_account: "widget-it",
    });
    expect(await loadSlaIds(await request(at))).toEqual([]);
    expect(await loadSlaIds(await request(at, { requested_for_id: 3 }))).toEqual([made.id]);
  });

  test("cis_of_service_instance: users of its configuration items", async () => {
    const { instance: at, sla: made } = await agreed(targets, { coverage: "cis_of_service_instance" });
    const ci = await createItem();
    await link(`/service_instances/${at.id}/cis/${ci.id}`);
    expect(await loadSlaIds(await request(at))).toEqual([]);
    await link(`/cis/${ci.id}/users/5`);
    expect(await loadSlaIds(await request(at))).toEqual([made.id]);
  });

  test("service_instances: members of the support teams of the parents", async () => {
    const { instance: at, sla: made } = await agreed(targets, { coverage: "service_instances" });
    const parent = await instance({ support_team_id: 1 });
    await make(`/slas/${made.id}/service_instances`, { service_instance_id: parent.id, impact_relation: "down" });
    expect(await loadSlaIds(await request(at))).toEqual([]);
    expect(await loadSlaIds(await request(at, { requested_for_id: 3 }))).toEqual([made.id]);
  });

  test("skill_pools: members of a listed pool", async () => {
    const { instance: at, sla: made } = await agreed(targets, { coverage: "skill_pools" });
    const skilled = await pool();
    await link(`/slas/${made.id}/skill_pools/${skilled.id}`);
    expect(await loadSlaIds(await request(at))).toEqual([]);
    await link(`/skill_pools/${skilled.id}/members/5`);
    expect(await loadSlaIds(await request(at))).toEqual([made.id]);
  });

  test("SLA16: inactive SLAs cover no one; all active ones are affected, and the strictest target applies", async () => {
    const { instance: at, offering: offered, sla: first } = await agreed(targets);
    const strict = await offering({ response_target_low: 30, resolution_target_low: 480 });
    const more = async (members: Record<string, unknown>) => {
      const made = await sla({
        service_instance_id: at.id,
        service_offering_id: offered.id,
        coverage: "people",
        ...members,
      });
      await link(`/slas/${made.id}/people/5`);
      return made;
    };
    await more({ status: "being_prepared" });
    await more({ status: "scheduled_for_activation", start_date: "2025-03-04" });
    await more({ status: "expired" });
    const second = await more({ service_offering_id: strict.id });
    const made = await request(at);
    expect(await loadSlaIds(made)).toEqual([first.id, second.id]);
    expect(made).toMatchObject({
      response_target_at: "2025-03-03T09:30:00+01:00",
      resolution_target_at: "2025-03-03T13:00:00+01:00",
      requester_resolution_target_at: "2025-03-03T13:00:00+01:00",
      next_target_at: "2025-03-03T09:30:00+01:00",
    });
  });

  test("SLA19: without a service instance, coverage or targets for the category, the target is best effort", async () => {
    const { instance: at } = await agreed(targets);
    for (const made of [
      await request(null),
      await request(await instance()),
      await request(at, { requested_for_id: 6 }),
      await request(at, { category: "order" }),
    ]) {
      expect(await affected(made)).toEqual([]);
      expect(made).toMatchObject({
        next_target_at: "best_effort",
        response_target_at: null,
        resolution_target_at: null,
      });
    }
  });

  test("SLA13: an incident of high impact affects everyone, and when the impact is lowered, other people's SLAs are no longer affected", async () => {
    const { instance: at, offering: offered, sla: mine } = await agreed({ ...targets, resolution_target_high: 120 });
    const other = await sla({ service_instance_id: at.id, service_offering_id: offered.id, coverage: "people" });
    const made = await request(at, { impact: "high" });
    expect(await loadSlaIds(made)).toEqual([mine.id, other.id]);
    expect((await affected(made)).map((row) => row.maximum_resolution_duration)).toEqual([120, 120]);
    expect(made.requester_resolution_target_at).toBe("2025-03-03T11:00:00+01:00");
    await admin.patch(`/requests/${made.id}`, { impact: "low" });
    expect((await affected(made)).map((row) => [row.accountability, row.impact, row.next_target_at])).toEqual([
      ["provider", "low", "2025-03-03T10:00:00+01:00"],
      ["sla_not_affected", "high", null],
    ]);
  });
});

describe("the fields of an affected SLA", () => {
  test("SLA1: are copied from the offering, the service instance and the request", async () => {
    const [office, all] = [await named("OFFICE"), await named("ALL")];
    const { instance: at, sla: made } = await agreed({
      time_zone: "London",
      service_hours_id: all.id,
      response_target_top: 30,
      resolution_target_top_in_days: 2,
      support_hours_top_id: office.id,
    });
    const asked = await request(at, {
      impact: "top",
      downtime_start_at: "2025-03-03T07:00:00Z",
      downtime_end_at: "2025-03-03T07:45:00Z",
      desired_completion_at: "2025-03-20T12:00:00Z",
    });
    const [row] = await affected(asked);
    expect(row).toMatchObject({
      request: { id: asked.id },
      sla: { id: made.id },
      service_instance: { id: at.id },
      accountability: "provider",
      impact: "top",
      standard_service_request: null,
      support_team: { id: 1 },
      first_line_team: { id: 1 },
      supplier: null,
      support_hours: { id: office.id },
      service_hours: { id: all.id },
      time_zone: "London",
      started_at: asked.created_at,
      stopped_clock_at: null,
      stopped_clock_duration: 0,
      maximum_response_duration: 30,
      maximum_resolution_duration: null,
      maximum_response_duration_in_days: null,
      maximum_resolution_duration_in_days: 2,
      response_target_at: "2025-03-03T10:00:00+01:00", // 08:30 in London, plus half an hour
      resolution_target_at: "2025-03-05T18:00:00+01:00",
      actual_response_at: null,
      actual_resolution_at: null,
      downtime_start_at: "2025-03-03T08:00:00+01:00",
      downtime_duration: 45,
      desired_completion_at: "2025-03-20T13:00:00+01:00",
      next_target_at: "2025-03-03T10:00:00+01:00",
      provider_not_accountable: false,
      provider_was_not_accountable: false,
    });
    for (const hidden of ["stopped_periods", "notified", "notify_at", "covers_requester"])
      expect(row).not.toHaveProperty(hidden);
    expect((await admin.get(`/affected_slas/${row.id}`)).body).toEqual(row);
  });

  test("the supplier is set if the provider is external", async () => {
    const external = await service({ provider_id: 6 });
    const at = await instance({ service_id: external.id });
    const offered = await offering({ ...targets, service_id: external.id });
    const made = await sla({ service_instance_id: at.id, service_offering_id: offered.id, coverage: "people" });
    await admin.post(`/slas/${made.id}/people/5`);
    expect(await affected(await request(at))).toMatchObject([{ supplier: { id: 6 } }]);
  });

  test("RFCs and RFIs have their own targets; standard service requests take precedence, in every category", async () => {
    const { instance: at, offering: offered } = await agreed({
      resolution_target_rfc: 600,
      resolution_target_rfi: 300,
    });
    const maximum = async (members: Record<string, unknown>) =>
      (await affected(await request(at, { impact: null, ...members }))).map((row) => [
        row.maximum_response_duration,
        row.maximum_resolution_duration,
        row.standard_service_request?.id ?? null,
      ]);
    expect(await maximum({ category: "rfc" })).toEqual([[null, 600, null]]);
    expect(await maximum({ category: "rfi" })).toEqual([[null, 300, null]]);
    const template = await make("/request_templates", { subject: "New laptop", category: "rfc", service_id: 1 });
    const standard = await make(`/service_offerings/${offered.id}/standard_service_requests`, {
      request_template_id: template.id,
      response_target: 15,
      resolution_target: 99,
      response_target_best_effort: true,
    });
    for (const category of ["rfc", "order", "incident"])
      expect(await maximum({ category, template_id: template.id })).toEqual([[null, 99, standard.id]]);
  });

  test("SLA24: a change of the offering applies to new requests, and to old ones when their impact changes", async () => {
    const { instance: at, offering: offered } = await agreed({ ...targets, resolution_target_high: 60 });
    const made = await request(at);
    await admin.patch(`/service_offerings/${offered.id}`, { resolution_target_low: 480 });
    await admin.patch(`/requests/${made.id}`, { status: "accepted", member_id: 3 });
    expect((await affected(made))[0].maximum_resolution_duration).toBe(240);
    expect((await affected(await request(at)))[0].maximum_resolution_duration).toBe(480);
    await admin.patch(`/requests/${made.id}`, { impact: "high" });
    await admin.patch(`/requests/${made.id}`, { impact: "low" });
    expect((await affected(made))[0].maximum_resolution_duration).toBe(480);
  });

  test("SLA11: changing the category changes or removes the targets", async () => {
    const { instance: at } = await agreed({ ...targets, resolution_target_rfc: 600 });
    const made = await request(at);
    await admin.patch(`/requests/${made.id}`, { category: "rfc" });
    expect(await affected(made)).toMatchObject([{ maximum_resolution_duration: 600, accountability: "provider" }]);
    const after = (await admin.patch(`/requests/${made.id}`, { category: "other" })).body;
    expect(await affected(made)).toMatchObject([{ accountability: "sla_not_affected", next_target_at: null }]);
    expect(after.next_target_at).toBe("best_effort");
  });
});

describe("hierarchy", () => {
  /** Email (above) runs on the network (below), whose SLA is with the support team of email. */
  const createHierarchy = async (impact_relation: string) => {
    const above = await agreed({
      resolution_target_low: 300,
      resolution_target_high: 200,
      resolution_target_top: 100,
      resolution_target_medium: 250,
    });
    const below = await agreed(
      { resolution_target_low: 50, resolution_target_top: 20 },
      { coverage: "service_instances" },
    );
    await make(`/slas/${below.sla.id}/service_instances`, { service_instance_id: above.instance.id, impact_relation });
    return { above, below };
  };
  const describeAffected = async (made: { id: number }) =>
    (await affected(made)).map((row) => [row.sla.id, row.accountability, row.impact, row.maximum_resolution_duration]);

  test("SLA14: a request passed to a supplier keeps the provider accountable while the customer is the provider's", async () => {
    const { above, below } = await createHierarchy("down");
    const made = await request(above.instance);
    expect(await describeAffected(made)).toEqual([[above.sla.id, "provider", "low", 300]]);
    await clock.pass(600);
    await admin.patch(`/requests/${made.id}`, { service_instance_id: below.instance.id, impact: "top" });
    expect(await describeAffected(made)).toEqual([
      [above.sla.id, "supplier", "top", 100],
      [below.sla.id, "provider", "top", 20],
    ]);
    const rows = await affected(made);
    expect(rows[0].actual_response_at).toBe("2025-03-03T09:10:00+01:00"); // moving to another instance counts as a response
    expect(rows[1].started_at).toBe("2025-03-03T09:10:00+01:00"); // the second clock starts when it is created
    await clock.moveTo("2025-03-03T08:00:00Z");
  });

  test("the provider stays accountable if the agreement with the supplier expires while the request is open", async () => {
    const { above, below } = await createHierarchy("down");
    const made = await request(above.instance);
    await admin.patch(`/requests/${made.id}`, { service_instance_id: below.instance.id });
    await admin.patch(`/slas/${below.sla.id}`, { status: "expired" });
    await admin.patch(`/requests/${made.id}`, { impact: "medium" });
    expect((await describeAffected(made))[0]).toEqual([above.sla.id, "supplier", "medium", 250]);
    const later = await request(above.instance);
    await admin.patch(`/requests/${later.id}`, { service_instance_id: below.instance.id });
    expect((await describeAffected(later))[0]?.slice(0, 2)).toEqual([above.sla.id, "sla_not_affected"]);
  });

  test.each([
    ["down", "top", "top"],
    ["down", "medium", "medium"],
    ["degraded", "top", "high"],
    ["degraded", "medium", "low"],
  ])("SLA25: %s: %s below is %s above", async (relation, impact, expected) => {
    const { above, below } = await createHierarchy(relation);
    const made = await request(below.instance, { impact });
    const supplier = (await affected(made)).find((row) => row.sla.id === above.sla.id);
    expect(supplier).toMatchObject({ accountability: "supplier", impact: expected });
  });

  test("SLA18, SLA34: after the request moves elsewhere, the SLA isn't affected: its clock stops, and resumes when the request returns", async () => {
    const { instance: at } = await agreed(targets);
    const elsewhere = await instance();
    const made = await request(at);
    await clock.pass(600);
    const moved = (await admin.patch(`/requests/${made.id}`, { service_instance_id: elsewhere.id })).body;
    expect(moved.next_target_at).toBe("best_effort");
    expect(await affected(made)).toMatchObject([
      {
        accountability: "sla_not_affected",
        next_target_at: null,
        stopped_clock_at: "2025-03-03T09:10:00+01:00",
        actual_response_at: "2025-03-03T09:10:00+01:00",
      },
    ]);
    await clock.pass(1800);
    await admin.patch(`/requests/${made.id}`, { service_instance_id: at.id });
    expect(await affected(made)).toMatchObject([
      {
        accountability: "provider",
        stopped_clock_at: null,
        stopped_clock_duration: 30,
        resolution_target_at: "2025-03-03T13:30:00+01:00",
        next_target_at: "2025-03-03T13:30:00+01:00",
      },
    ]);
    await clock.moveTo("2025-03-03T08:00:00Z");
  });
});

describe("reading affected SLAs", () => {
  test("SLA62: /requests/sla_accountability lists the open requests that a team of the caller is accountable for", async () => {
    const { instance: at } = await agreed(targets);
    const made = await request(at);
    const listIds = async (by = as("specialist")) =>
      (await by.get("/requests/sla_accountability?per_page=100&sort=-id")).body.map(({ id }: { id: number }) => id);
    expect(await listIds()).toContain(made.id);
    expect(await listIds(admin)).not.toContain(made.id);
    await admin.patch(`/requests/${made.id}`, { status: "completed", member_id: 3 });
    expect(await listIds()).not.toContain(made.id);
  });

  test("a service and its instance show the highest open impact to people who may read affected SLAs", async () => {
    const at = await instance({ service_id: (await service()).id });
    const offered = await offering({ ...targets, service_id: at.service.id });
    await sla({
      service_instance_id: at.id,
      service_offering_id: offered.id,
      coverage: "organizations_and_descendants",
    }).then((made) => admin.post(`/slas/${made.id}/organizations/1`));
    const impacts = async (by = admin) => [
      (await by.get(`/services/${at.service.id}`)).body?.impact,
      (await by.get(`/service_instances/${at.id}`)).body?.impact,
    ];
    expect(await impacts()).toEqual([null, null]);
    const [low, high] = [await request(at), await request(at, { impact: "high" })];
    expect(await impacts()).toEqual(["high", "high"]);
    await admin.patch(`/requests/${high.id}`, { status: "completed", member_id: 3 });
    expect(await impacts()).toEqual(["low", "low"]);
    await admin.patch(`/requests/${low.id}`, { status: "completed", member_id: 3 });
    expect(await impacts()).toEqual([null, null]);
  });
});

describe("starting and ending SLAs", () => {
  test("SL3, SL5: an SLA is active from its first day, expires after its last, and existing affected SLAs are kept", async () => {
    const { instance: at, sla: made } = await agreed(targets, {
      status: "scheduled_for_activation",
      start_date: "2025-03-05",
      expiry_date: "2025-03-06",
    });
    const loadStatus = async () => (await admin.get(`/slas/${made.id}`)).body.status;
    const countAffected = async () => (await affected(await request(at))).length;
    expect([await loadStatus(), await countAffected()]).toEqual(["scheduled_for_activation", 0]);
    const early = await request(at);
    await clock.moveTo("2025-03-04T22:59:59Z");
    expect(await loadStatus()).toBe("scheduled_for_activation");
    await clock.moveTo("2025-03-04T23:00:00Z"); // midnight in Amsterdam
    expect([await loadStatus(), await countAffected()]).toEqual(["active", 1]);
    const during = await request(at);
    // Changing the request's status finds the SLA that is now active. Its clock starts with the request.
    await admin.patch(`/requests/${early.id}`, { status: "in_progress", member_id: 3 });
    expect(await affected(early)).toMatchObject([{ started_at: early.created_at }]);
    await clock.moveTo("2025-03-06T22:59:59Z");
    expect(await loadStatus()).toBe("active");
    await clock.moveTo("2025-03-06T23:00:00Z");
    expect([await loadStatus(), await countAffected()]).toEqual(["expired", 0]);
    await admin.patch(`/requests/${during.id}`, { impact: "medium" });
    expect(await affected(during)).toMatchObject([{ accountability: "provider", impact: "medium" }]);
    await sql("DELETE FROM jobs");
    await clock.moveTo("2025-03-03T08:00:00Z");
  });
});

test("people who work for the account filter requests by agreement and by offering", async () => {
  const { instance: at, offering: offered, sla: made } = await agreed(targets);
  const mine = await request(at);
  const listIds = async (role: "administrator" | "requester", query: string) =>
    (await as(role).get(`/requests?fields=id&${query}`)).body.map(({ id }: { id: number }) => id);
  expect(await listIds("administrator", `sla=${made.id}`)).toEqual([mine.id]);
  expect(await listIds("administrator", `service_offering=${offered.id},999999`)).toEqual([mine.id]);
  expect(await listIds("administrator", "sla=999999")).toEqual([]);
  expect(await listIds("requester", `sla=${made.id}`)).toEqual([]);
  expect((await admin.get("/requests?sla=gold")).status).toBe(400);
  const { body } = await admin.get(`/requests/summary?service_offering=${offered.id}&by=impact`);
  expect(body.total.count).toBe(1);
});
