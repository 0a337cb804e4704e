import { describe, expect, test } from "vitest";
import {
  type AffectingRequest,
  covers,
  findAffectedSlas,
  getAccountability,
  type PersonMemberships,
  type ServiceLevelAgreement,
} from "./affected-slas.ts";
import { getImpactAbove, impacts, isTracked, type Offering, pickMaximums, type TargetKind } from "./sla-targets.ts";

// SLA11 to SLA25

describe("which targets apply", () => {
  const kinds: TargetKind[] = [...impacts, "rfc", "rfi", "case"];
  // For each kind numbers of its own: its place in the list, tens for the sort of target.
  const offering = Object.fromEntries([
    ["time_zone", "Amsterdam"],
    ["service_hours", "service"],
    ...kinds.flatMap((kind, index) => [
      [`response_target_${kind}`, 10 + index],
      [`response_target_${kind}_in_days`, null],
      [`resolution_target_${kind}`, null],
      [`resolution_target_${kind}_in_days`, 20 + index],
      [`support_hours_${kind}`, `support ${kind}`],
    ]),
  ]) as Offering<string>;
  const chosen = (index: number, support_hours: string) => ({
    maximum_response_duration: 10 + index,
    maximum_response_duration_in_days: null,
    maximum_resolution_duration: null,
    maximum_resolution_duration_in_days: 20 + index,
    support_hours,
    service_hours: null,
    time_zone: "Amsterdam",
  });

  test("SLA23: those of the impact for an incident, and service hours for the top one alone", () => {
    for (const [index, impact] of impacts.entries())
      expect(pickMaximums({ category: "incident", impact }, offering)).toEqual({
        ...chosen(index, `support ${impact}`),
        service_hours: impact === "top" ? "service" : null,
      });
    expect(pickMaximums({ category: "incident", impact: null }, offering)).toBe(null);
  });

  test("SLA21: those of the category for RFCs and RFIs, whatever their impact", () => {
    expect(pickMaximums({ category: "rfc", impact: "low" }, offering)).toEqual(chosen(4, "support rfc"));
    expect(pickMaximums({ category: "rfi", impact: null }, offering)).toEqual(chosen(5, "support rfi"));
    expect(pickMaximums({ category: "case", impact: null }, offering)).toEqual(chosen(6, "support case"));
    expect(pickMaximums({ category: "order", impact: null }, offering)).toBe(null);
  });

  test("SLA21: those of a standard service request before all others, for any category", () => {
    const standard = {
      response_target: 1,
      response_target_in_days: null,
      resolution_target: 2,
      resolution_target_in_days: null,
      support_hours: null,
    };
    const found = pickMaximums({ category: "order", impact: "high" }, offering, standard);
    expect([found?.maximum_response_duration, found?.maximum_resolution_duration, found?.support_hours]).toEqual([
      1,
      2,
      null,
    ]);
    expect([isTracked("order", standard), isTracked("order", null), isTracked("rfi", null)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("SLA25: the impact on a parent service follows from the dependency", () => {
    expect(impacts.map((impact) => getImpactAbove(impact, "down"))).toEqual([null, "medium", null, "top"]);
    expect(impacts.map((impact) => getImpactAbove(impact, "degraded"))).toEqual([null, "low", null, "high"]);
    expect(getImpactAbove("top", null)).toBe(null);
  });
});

describe("which SLAs are affected", () => {
  const person: PersonMemberships = {
    account: "acme",
    organization: 30,
    ancestors: [20, 10],
    site: 5,
    skill_pools: [9],
    teams: [4],
    slas: [1, 3, 5, 6],
    service_instances: [100],
  };
  const sla = (given: Partial<ServiceLevelAgreement>): ServiceLevelAgreement => ({
    id: 1,
    status: "active",
    start_date: "2025-01-01",
    expiry_date: "2025-12-31",
    service_instance: 100,
    coverage: "people",
    customer_account: null,
    organizations: [],
    sites: [],
    skill_pools: [],
    support_teams: [],
    ...given,
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["customer_account",              { customer_account: "acme" },       { customer_account: "other" }],
    ["organizations",                 { organizations: [30] },            { organizations: [20] }],
    ["organizations_and_descendants", { organizations: [10] },            { organizations: [31] }],
    ["sites",                         { sites: [5] },                     { sites: [6] }],
    ["organizations_and_sites",       { organizations: [30], sites: [5] }, { organizations: [30], sites: [6] }],
    ["people",                        { id: 3 },                          { id: 2 }],
    ["cis_of_service_instance",       { service_instance: 100 },          { service_instance: 200 }],
    ["service_instances",             { support_teams: [4] },             { support_teams: [5] }],
    ["skill_pools",                   { skill_pools: [9] },               { skill_pools: [8] }],
  ])("SLA15: coverage %s", (coverage, yes, no) => {
    expect(covers(sla({ coverage, ...yes }), person)).toBe(true);
    expect(covers(sla({ coverage, ...no }), person)).toBe(false);
    expect(covers(sla({ coverage: "constructor", ...yes }), person)).toBe(false);
  });

  const hit = (given: Partial<AffectingRequest>): AffectingRequest => ({
    category: "incident",
    impact: "low",
    service_instance: 100,
    above: [200],
    requested_for: person,
    affected_before: [],
    ...given,
  });
  const found = (given: Partial<AffectingRequest>, today = "2025-06-01") =>
    findAffectedSlas(
      hit(given),
      [
        sla({ id: 1 }),
        sla({ id: 2 }),
        sla({ id: 3, service_instance: 200 }),
        sla({ id: 4, service_instance: 200 }),
        sla({ id: 5, service_instance: 300 }),
        sla({ id: 6, status: "expired" }),
      ],
      today,
    ).map(({ id }) => id);

  test("SLA12: those that cover the person, in force, of the service instance and those above it", () => {
    expect(found({})).toEqual([1, 3]);
    expect(found({}, "2025-12-31")).toEqual([1, 3]);
    expect(found({}, "2026-01-01")).toEqual([]);
    expect(found({ affected_before: [4] })).toEqual([1, 3, 4]);
  });

  test("SLA13: all of them when several people are affected", () => {
    expect(found({ impact: "high" })).toEqual([1, 2, 3, 4]);
    expect(found({ impact: "top", category: "rfc" })).toEqual([1, 3]);
  });

  test("SLA17: accountability follows the service instance", () => {
    const of = (service_instance: number | null) =>
      getAccountability({ service_instance: 200 }, { service_instance, above: service_instance === 100 ? [200] : [] });
    expect([of(200), of(100), of(300), of(null)]).toEqual([
      "provider",
      "supplier",
      "sla_not_affected",
      "sla_not_affected",
    ]);
  });
});
