import type { Impact } from "./sla-targets.ts";
import type { Accountability } from "./stopped-periods.ts";

// Finds the SLAs that a request affects: SLA11 to SLA25. The relations of people and SLAs are passed in as plain ids;
// this module reads no database.

export type ServiceLevelAgreement = {
  id: number;
  status: string;
  /** "2031-02-01" */
  start_date: string | null;
  expiry_date: string | null;
  service_instance: number;
  coverage: string;
  customer_account: string | null;
  organizations: readonly number[];
  sites: readonly number[];
  skill_pools: readonly number[];
  /** of the service instances that it lists */
  support_teams: readonly number[];
};

/** A person with the SLAs that list them: an SLA may list many people, but a person is on few lists. */
export type PersonMemberships = {
  account: string;
  organization: number | null;
  /** the organizations above that of the person */
  ancestors: readonly number[];
  site: number | null;
  skill_pools: readonly number[];
  teams: readonly number[];
  /** the SLAs that list the person */
  slas: readonly number[];
  /** the service instances with a configuration item that the person uses */
  service_instances: readonly number[];
};

const isIn = (list: readonly number[], id: number | null): boolean => id !== null && list.includes(id);

const coverages: Record<string, (sla: ServiceLevelAgreement, person: PersonMemberships) => boolean> = {
  customer_account: (sla, person) => sla.customer_account === person.account,
  organizations: (sla, person) => isIn(sla.organizations, person.organization),
  organizations_and_descendants: (sla, person) =>
    [person.organization, ...person.ancestors].some((organization) => isIn(sla.organizations, organization)),
  sites: (sla, person) => isIn(sla.sites, person.site),
  organizations_and_sites: (sla, person) =>
    isIn(sla.organizations, person.organization) && isIn(sla.sites, person.site),
  people: (sla, person) => isIn(person.slas, sla.id),
  cis_of_service_instance: (sla, person) => isIn(person.service_instances, sla.service_instance),
  service_instances: (sla, person) => person.teams.some((team) => isIn(sla.support_teams, team)),
  skill_pools: (sla, person) => person.skill_pools.some((pool) => isIn(sla.skill_pools, pool)),
};

export const covers = (sla: ServiceLevelAgreement, person: PersonMemberships): boolean =>
  Object.hasOwn(coverages, sla.coverage) && (coverages[sla.coverage] as (typeof coverages)[string])(sla, person);

/** Active, and today is between its dates, the last one included. */
export const isActiveOn = (sla: ServiceLevelAgreement, today: string): boolean =>
  sla.status === "active" &&
  (sla.start_date === null || sla.start_date <= today) &&
  (sla.expiry_date === null || today <= sla.expiry_date);

export type AffectingRequest = {
  category: string;
  impact: Impact | null;
  service_instance: number;
  /** the service instances above it in the hierarchy */
  above: readonly number[];
  requested_for: PersonMemberships;
  /** SLAs that this request affected before it was passed to this instance */
  affected_before: readonly number[];
};

export const affectsEverybody = ({ category, impact }: Pick<AffectingRequest, "category" | "impact">): boolean =>
  category === "incident" && (impact === "high" || impact === "top");

/** The candidates that the request affects. High and top incidents affect everyone, not only the requester. */
export function findAffectedSlas<Sla extends ServiceLevelAgreement>(
  hit: AffectingRequest,
  candidates: readonly Sla[],
  today: string,
): Sla[] {
  const hitsAll = affectsEverybody(hit);
  return candidates.filter((sla) => {
    if (!isActiveOn(sla, today)) return false;
    if (sla.service_instance === hit.service_instance) return hitsAll || covers(sla, hit.requested_for);
    if (!hit.above.includes(sla.service_instance)) return false;
    return hitsAll || hit.affected_before.includes(sla.id) || covers(sla, hit.requested_for);
  });
}

/** The relation of the provider of an affected SLA to the request, now that its service instance is this one. */
export function getAccountability(
  sla: { service_instance: number },
  request: { service_instance: number | null; above: readonly number[] },
): Accountability {
  if (sla.service_instance === request.service_instance) return "provider";
  return request.above.includes(sla.service_instance) ? "supplier" : "sla_not_affected";
}
