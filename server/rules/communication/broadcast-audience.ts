import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import type { Value } from "../../database/database.ts";
import { type Caller, listAccountAndDirectory } from "../../engine/caller.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { buildAncestorsCte, buildOrganizationOfPersonSql } from "../people/organization-ancestors.ts";
import { getToday } from "../shared/current-date.ts";
import { buildCoversPersonSql } from "../sla/coverage.ts";

// BC4: whom a broadcast reaches. One table answers both questions: which broadcasts a person sees, and which people see
// a broadcast.

export type Visibility = EnumerationValue<"broadcast.visibility">;
export const audienceLists = [
  "customers",
  "organizations",
  "service_instances",
  "sites",
  "skill_pools",
  "teams",
] as const;
export type AudienceList = (typeof audienceLists)[number];

/** The visibilities that use each list of an audience. */
// biome-ignore format: a table keeps its columns
export const visibilitiesByList: Record<AudienceList, readonly Visibility[]> = {
  customers:         ["customers"],
  organizations:     ["organizations", "organizations_and_descendants"],
  service_instances: ["covered_for"],
  sites:             ["sites"],
  skill_pools:       ["members_of_skill_pools"],
  teams:             ["members_of_teams"],
};

/** SQL about one person, and the form in which the lists of a broadcast are queried. */
type AudienceSql = {
  person: string;
  today: string;
  account: string;
  isOfAccount: string;
  isSpecialist: string;
  /** whether the list has one of the ids that a query returns */
  hasOneOf(list: AudienceList, column: string, ids: string): string;
};

export function buildVisibilitiesSql(sql: AudienceSql): Record<Visibility, string> {
  const { person, today, account, isOfAccount, isSpecialist, hasOneOf } = sql;
  const own = (column: string) => `SELECT p.${column} FROM people p WHERE p.id = ${person}`;
  const coveredFor = `SELECT s.service_instance_id FROM slas s WHERE s.account_id = ${account} AND ${buildCoversPersonSql(person, today)}`;
  // biome-ignore format: a table keeps its columns
  return {
    all_of_account:                isOfAccount,
    account_specialists:           isSpecialist,
    customers:                     isSpecialist,
    members_of_teams:              hasOneOf("teams", "team_id", `SELECT m.team_id FROM team_members m WHERE m.person_id = ${person}`),
    covered_for_any:               `EXISTS (${coveredFor} AND s.service_instance_id IS NOT NULL)`,
    covered_for:                   hasOneOf("service_instances", "service_instance_id", coveredFor),
    organizations_and_descendants: hasOneOf("organizations", "organization_id", `${buildAncestorsCte(buildOrganizationOfPersonSql(person))} SELECT id FROM above`),
    organizations:                 hasOneOf("organizations", "organization_id", own("organization_id")),
    sites:                         hasOneOf("sites", "site_id", own("site_id")),
    members_of_skill_pools:        hasOneOf("skill_pools", "skill_pool_id", `SELECT m.skill_pool_id FROM skill_pool_members m WHERE m.person_id = ${person}`),
  };
}

/** A broadcast, saved or not, as far as it says whom it reaches. */
export type Audience = { visibility: Visibility } & Partial<Record<AudienceList, readonly number[]>>;

/** A condition on people: those who may sign in to the account of the caller and would see the broadcast there. */
export function isInAudience(by: Caller, audience: Audience): Clause {
  const { visibility } = audience;
  const list = audienceLists.find((each) => visibilitiesByList[each].includes(visibility));
  const ids: readonly number[] = list === undefined ? [] : (audience[list] ?? []);
  const values: Value[] = [by.account, listAccountAndDirectory(by.accountRecord), getToday(by), [...ids]];
  return {
    key: `audience ${visibility}`,
    sql(alias, next) {
      const [account, ownAccounts, today, listed] = [next(), next(), next(), next()];
      const isOfAccount = `${alias}.account_id = ANY(${ownAccounts}::text[])`;
      const hasRole = (role: string) =>
        `EXISTS (SELECT 1 FROM permissions r WHERE r.person_id = ${alias}.id AND r.account_id = ${account}::text${role})`;
      const visibilities = buildVisibilitiesSql({
        person: `${alias}.id`,
        today: `${today}::text`,
        account: `${account}::text`,
        isOfAccount,
        isSpecialist: hasRole(" AND r.role = 'specialist'"),
        hasOneOf: (_list, _column, query) => `${listed}::integer[] && ARRAY(${query})`,
      });
      const isOfSupportDomain = `${alias}.account_id IN (SELECT a.id FROM accounts a WHERE a.directory_account_id = ${account}::text)`;
      // Not every visibility uses all values; PostgreSQL wants to know the types of all of them.
      return `(NOT ${alias}.disabled AND ${alias}.life_cycle = 'active' AND (${isOfAccount} OR ${isOfSupportDomain} OR ${hasRole("")})
  AND (${listed}::integer[] IS NOT NULL AND ${today}::text IS NOT NULL) AND ${visibilities[visibility]})`;
    },
    values,
  };
}
