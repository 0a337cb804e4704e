import type { Caller } from "../../engine/caller.ts";
import { allOf, anyOf, type Clause, never } from "../../engine/sql/clauses.ts";
import { buildAncestorsCte } from "../people/organization-ancestors.ts";
import { getToday } from "../shared/current-date.ts";

// The people that an SLA covers, as SQL: SLA15, SL9.

// Conditions on a person `p` and an SLA `s`.
const organizationIsListed =
  "p.organization_id IN (SELECT l.organization_id FROM sla_organizations l WHERE l.sla_id = s.id)";
const siteIsListed = "p.site_id IN (SELECT l.site_id FROM sla_sites l WHERE l.sla_id = s.id)";
const organizationOrAncestorIsListed = `EXISTS (
  ${buildAncestorsCte("p.organization_id")} SELECT 1 FROM above JOIN sla_organizations l ON l.organization_id = above.id WHERE l.sla_id = s.id)`;

// biome-ignore format: a table keeps its columns
const coverages: Record<string, string> = {
  customer_account:              "p.account_id = s.customer_account_id",
  organizations_and_descendants: organizationOrAncestorIsListed,
  organizations:                 organizationIsListed,
  sites:                         siteIsListed,
  organizations_and_sites:       `${organizationIsListed} AND ${siteIsListed}`,
  people:                        "EXISTS (SELECT 1 FROM sla_people l WHERE l.sla_id = s.id AND l.person_id = p.id)",
  cis_of_service_instance:       "EXISTS (SELECT 1 FROM ci_users u JOIN service_instance_cis c ON c.ci_id = u.ci_id WHERE c.service_instance_id = s.service_instance_id AND u.person_id = p.id)",
  service_instances:             "EXISTS (SELECT 1 FROM parent_service_instances l JOIN service_instances i ON i.id = l.service_instance_id JOIN team_members m ON m.team_id = i.support_team_id WHERE l.sla_id = s.id AND m.person_id = p.id)",
  skill_pools:                   "EXISTS (SELECT 1 FROM sla_skill_pools l JOIN skill_pool_members m ON m.skill_pool_id = l.skill_pool_id WHERE l.sla_id = s.id AND m.person_id = p.id)",
};
const coverageIncludesPerson = `CASE s.coverage ${Object.entries(coverages)
  .map(([coverage, people]) => `WHEN '${coverage}' THEN ${people}`)
  .join(" ")} ELSE false END`;

/** Whether the SLA `s` is in force on a day. */
export const buildInForceSql = (today: string): string =>
  `(s.status = 'active' AND (s.start_date IS NULL OR s.start_date <= ${today}::date) AND (s.expiry_date IS NULL OR s.expiry_date >= ${today}::date))`;

/** Whether the coverage of the SLA `s` includes a person, whether it is in force or not. */
export const buildIncludesPersonSql = (person: string): string =>
  `EXISTS (SELECT 1 FROM people p WHERE p.id = ${person}::integer AND ${coverageIncludesPerson})`;

/** Whether the SLA `s` covers a person on a day. */
export const buildCoversPersonSql = (person: string, today: string): string =>
  `(${buildInForceSql(today)}
  AND ${buildIncludesPersonSql(person)})`;

/** A condition on rows by the SLAs `s` of their account that cover a person today. */
const buildCoveredCondition = (
  key: string,
  by: Caller,
  person: number,
  sql: (row: string, covers: string, person: string) => string,
): Clause => ({
  key: `covered ${key}`,
  sql(alias, next) {
    const [who, today] = [next(), next()];
    return sql(alias, `s.account_id = ${alias}.account_id AND ${buildCoversPersonSql(who, today)}`, who);
  },
  values: [person, getToday(by)],
});

export const slaCoversPerson = (by: Caller, person: number): Clause =>
  buildCoveredCondition(
    "sla",
    by,
    person,
    (row, isCovered) => `EXISTS (SELECT 1 FROM slas s WHERE s.id = ${row}.id AND ${isCovered})`,
  );

/** The SLAs that cover the person in a column of another record. */
export const slaCoversReferencedPerson =
  (table: string, column: string) =>
  (by: Caller, here?: number): Clause =>
    here === undefined
      ? never
      : {
          key: `covers ${column} of ${table}`,
          sql(alias, next) {
            const person = `(SELECT x.${column} FROM ${table} x WHERE x.id = ${next()})`;
            return `EXISTS (SELECT 1 FROM slas s WHERE s.id = ${alias}.id AND ${buildCoversPersonSql(person, next())})`;
          },
          values: [here, getToday(by)],
        };

export const serviceInstanceCovered = (by: Caller, person: number): Clause =>
  buildCoveredCondition(
    "service_instance",
    by,
    person,
    (row, isCovered) => `EXISTS (SELECT 1 FROM slas s WHERE s.service_instance_id = ${row}.id AND ${isCovered})`,
  );

/** `service`: the column with the id of the service */
export const serviceCovered = (by: Caller, person: number, service = "id"): Clause =>
  buildCoveredCondition(
    `service by ${service}`,
    by,
    person,
    (row, isCovered) =>
      `EXISTS (SELECT 1 FROM service_instances i JOIN slas s ON s.service_instance_id = i.id WHERE i.service_id = ${row}.${service} AND ${isCovered})`,
  );

/** D-395: shop articles of a service offering that an SLA of the person has, and those that belong to no offering. */
export const shopArticleCovered = (by: Caller, person: number): Clause =>
  buildCoveredCondition(
    "shop_article",
    by,
    person,
    (row, isCovered) =>
      `(NOT EXISTS (SELECT 1 FROM shop_article_service_offerings l WHERE l.shop_article_id = ${row}.id)
  OR EXISTS (SELECT 1 FROM shop_article_service_offerings l JOIN slas s ON s.service_offering_id = l.service_offering_id WHERE l.shop_article_id = ${row}.id AND ${isCovered}))`,
  );

/** Configuration items of covered service instances that the person uses or that have no users. */
export const ciCovered = (by: Caller, person: number): Clause => {
  const isOfCoveredInstance = buildCoveredCondition(
    "ci",
    by,
    person,
    (row, isCovered) =>
      `EXISTS (SELECT 1 FROM service_instance_cis c JOIN slas s ON s.service_instance_id = c.service_instance_id WHERE c.ci_id = ${row}.id AND ${isCovered})`,
  );
  const { key, sql, values } = allOf([isOfCoveredInstance, anyOf([usesCi(person), hasNoUsers])]);
  // A person uses few items; those without users are many, and many of them are covered.
  const keyed = anyOf(
    [
      allOf([usesCi(person), buildCiOfCovered(by, person, "each")]),
      allOf([hasNoUsers, buildCiOfCovered(by, person, "all")]),
    ],
    true,
  );
  return { key, sql, values, keyed };
};

/** For lists: finds the SLAs that cover the person once, and looks at each item, or starts from all items they cover. */
const buildCiOfCovered = (by: Caller, person: number, wants: "each" | "all"): Clause => ({
  key: `ci of covered, ${wants}`,
  sql(alias, next) {
    const [account, who, today] = [next(), next(), next()];
    const covered = `SELECT s.service_instance_id FROM slas s WHERE s.account_id = ${account} AND ${buildCoversPersonSql(who, today)}`;
    const isCovered = `c.service_instance_id = ANY (ARRAY(${covered}))`;
    return `${alias}.account_id = ${account} AND ${
      wants === "each"
        ? `EXISTS (SELECT 1 FROM service_instance_cis c WHERE c.ci_id = ${alias}.id AND ${isCovered} OFFSET 0)`
        : `${alias}.id IN (SELECT c.ci_id FROM service_instance_cis c WHERE ${isCovered})`
    }`;
  },
  values: [by.account, person, getToday(by)],
});

const usesCi = (person: number): Clause => ({
  key: "uses ci",
  sql: (alias, next) => `${alias}.id IN (SELECT u.ci_id FROM ci_users u WHERE u.person_id = ${next()}::integer)`,
  values: [person],
});

const hasNoUsers: Clause = {
  key: "no users",
  sql: (alias) => `NOT EXISTS (SELECT 1 FROM ci_users u WHERE u.ci_id = ${alias}.id)`,
  values: [],
};
