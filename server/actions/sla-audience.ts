import type { EnumerationValue } from "../../records/enumerations/index.ts";
import { enumerations } from "../../records/enumerations/index.ts";
import { Forbidden, Invalid } from "../base/errors.ts";
import { hasAnyGrant } from "../engine/access.ts";
import { type Caller, listAccountAndDirectory } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clause } from "../engine/sql/clauses.ts";
import type { Body } from "../engine/write/input.ts";
import { buildAncestorsCte } from "../rules/people/organization-ancestors.ts";
import { getToday } from "../rules/shared/current-date.ts";
import { buildCoversPersonSql, buildIncludesPersonSql } from "../rules/sla/coverage.ts";
import { parseId, parseIdList } from "./broadcast-audience.ts";

// The people whom an SLA covers while it is in force, saved or not: D-401.

type Coverage = EnumerationValue<"sla.coverage">;
const lists = ["organizations", "sites", "people", "skill_pools", "service_instances"] as const;
type CoverageList = (typeof lists)[number];
export type DescribedCoverage = Record<CoverageList, readonly number[]> & {
  coverage: Coverage | null;
  customer_account: string | null;
  service_instance: number | null;
};

/** Only those who write agreements ask whom one would cover. */
export function requireAgreementWriter(engine: Engine, by: Caller): void {
  const type = engine.types.get("sla");
  if (!hasAnyGrant(type, "update", by) && !hasAnyGrant(type, "create", by)) throw new Forbidden();
}

const isActive = (alias: string): string => `NOT ${alias}.disabled AND ${alias}.life_cycle = 'active'`;
/** Lists may name records of other accounts: only people of the own ones are counted. */
const isOwn = (alias: string, accounts: string): string =>
  `(${alias}.account_id = ANY(${accounts}::text[]) OR ${alias}.account_id IN (SELECT a.id FROM accounts a WHERE a.directory_account_id = ANY(${accounts}::text[])))`;

/** Beside the own people, those of the customer's account, which the SLA names. */
export const isCoveredBySla = (by: Caller, id: number): Clause => ({
  key: "covered by an SLA",
  sql(alias, next) {
    const own = isOwn(alias, next());
    return `(${isActive(alias)} AND EXISTS (SELECT 1 FROM slas s WHERE s.id = ${next()} AND (${own} OR ${alias}.account_id = s.customer_account_id)
  AND ${buildIncludesPersonSql(`${alias}.id`)}))`;
  },
  values: [listAccountAndDirectory(by.accountRecord), id],
});

/** How long ago the last request of a person for a service may be. */
const usedWithinDays = 90;

/** People with recent requests for a service, though no agreement about it covers them today. D-595 */
export const isCoveredByNobody = (by: Caller, service: number): Clause => ({
  key: "covered by nobody",
  sql(alias, next) {
    const [own, account, here, since, today] = [isOwn(alias, next()), next(), `${next()}::integer`, next(), next()];
    const instances = `(SELECT i.id FROM service_instances i WHERE i.service_id = ${here})`;
    return `(${isActive(alias)} AND ${own} AND ${alias}.id IN (SELECT r.requested_for_id FROM requests r WHERE r.account_id = ${account}
  AND r.life_cycle = 'active' AND r.service_instance_id = ANY (ARRAY${instances}) AND r.created_at >= ${since}::timestamptz)
  AND NOT EXISTS (SELECT 1 FROM slas s WHERE s.service_instance_id = ANY (ARRAY${instances}) AND ${buildCoversPersonSql(`${alias}.id`, today)}))`;
  },
  values: [
    ...[listAccountAndDirectory(by.accountRecord), by.account, service],
    ...[new Date(by.now.getTime() - usedWithinDays * 86_400_000).toISOString(), getToday(by)],
  ],
});

const isCoverage = (value: unknown): value is Coverage => enumerations["sla.coverage"].some((each) => each === value);

/** The coverage that a body describes; lists are ids, or records with an id. */
export function parseCoverage({ members: body }: Body): DescribedCoverage {
  const coverage = body.coverage ?? null;
  if (coverage !== null && !isCoverage(coverage)) throw new Invalid([["coverage", "is not valid"]]);
  const account = body.customer_account_id ?? body.customer_account ?? null;
  const isAccount = (value: unknown): value is string => typeof value === "string" && /^[\w-]{1,128}$/.test(value);
  if (account !== null && !isAccount(account)) throw new Invalid([["customer_account", "is not valid"]]);
  const instance = body.service_instance_id ?? body.service_instance ?? null;
  const service_instance = instance === null ? null : parseId(instance);
  if (instance !== null && service_instance === null) throw new Invalid([["service_instance", "is not valid"]]);
  const parseList = (name: CoverageList): number[] =>
    parseIdList(name, body[`${name === "people" ? "person" : name.replace(/s$/, "")}_ids`] ?? body[name] ?? []);
  return {
    ...{ coverage, customer_account: account, service_instance },
    organizations: parseList("organizations"),
    sites: parseList("sites"),
    people: parseList("people"),
    skill_pools: parseList("skill_pools"),
    service_instances: parseList("service_instances"),
  };
}

/** A condition on people: those whom an SLA with these values would cover. */
export function isCovered(
  by: Caller,
  { coverage, customer_account, service_instance, ...listed }: DescribedCoverage,
): Clause {
  return {
    key: `covered by ${coverage ?? "nothing"}`,
    sql(alias, next) {
      const own = isOwn(alias, next());
      const [account, instance] = [`${next()}::text`, `${next()}::integer`];
      const [organizations, sites, people, pools, parents] = lists.map(() => `ANY(${next()}::integer[])`);
      const isOfOrganization = `${alias}.organization_id = ${organizations}`;
      const isOfSite = `${alias}.site_id = ${sites}`;
      // biome-ignore format: a table keeps its columns
      const conditions: Record<Coverage, string> = {
        customer_account:              `${alias}.account_id = ${account}`,
        organizations_and_descendants: `EXISTS (${buildAncestorsCte(`${alias}.organization_id`)} SELECT 1 FROM above WHERE above.id = ${organizations})`,
        organizations:                 isOfOrganization,
        sites:                         isOfSite,
        organizations_and_sites:       `(${isOfOrganization} AND ${isOfSite})`,
        people:                        `${alias}.id = ${people}`,
        cis_of_service_instance:       `EXISTS (SELECT 1 FROM ci_users u JOIN service_instance_cis c ON c.ci_id = u.ci_id WHERE c.service_instance_id = ${instance} AND u.person_id = ${alias}.id)`,
        service_instances:             `EXISTS (SELECT 1 FROM service_instances i JOIN team_members m ON m.team_id = i.support_team_id WHERE i.id = ${parents} AND m.person_id = ${alias}.id)`,
        skill_pools:                   `EXISTS (SELECT 1 FROM skill_pool_members m WHERE m.skill_pool_id = ${pools} AND m.person_id = ${alias}.id)`,
      };
      // Not every coverage uses all values; PostgreSQL wants to know the types of all of them.
      const all = [organizations, sites, people, pools, parents]
        .map((list) => `coalesce(0 = ${list}, false)`)
        .join(" OR ");
      const isKnown = `(${account} IS NULL OR ${account} IS NOT NULL) AND (${instance} IS NULL OR ${instance} IS NOT NULL) AND NOT (${all})`;
      return `(${isActive(alias)} AND ${own} AND ${isKnown} AND ${coverage === null ? "false" : conditions[coverage]})`;
    },
    values: [
      listAccountAndDirectory(by.accountRecord),
      customer_account,
      service_instance,
      ...lists.map((name) => [...listed[name]]),
    ],
  };
}
