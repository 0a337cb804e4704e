import { toTimestamp } from "../../base/clock.ts";
import { ofReachableAccounts } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { TypeRules } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { isMineOrBelow } from "../people/organization.ts";
import { isAssignedToMyTeam } from "../people/team.ts";

// Conditions of the views and lists of requests, and of lists below requests and request templates.

type Conditions = NonNullable<TypeRules["conditions"]>;

const buildMyTeamsSql = (next: () => string) => `(SELECT team_id FROM team_members WHERE person_id = ${next()})`;

export function isWatchedByMe(by: Caller): Clause {
  const ofAccounts = ofReachableAccounts(by);
  return {
    key: `watched ${ofAccounts.key}`,
    // As an array, read once: the ids are looked up in the order of the list, however long that is.
    sql: (alias, next) =>
      `${alias}.id = ANY (ARRAY(SELECT w.request_id FROM watches w WHERE w.person_id = ${next()} AND ${ofAccounts.sql("w", next)}))`,
    values: [by.person, ...ofAccounts.values],
  };
}

export const requestConditions: Conditions = {
  "is assigned to one of my teams": isAssignedToMyTeam,
  "I watch it": isWatchedByMe,
  "was made for my organization or one below it": (by) => isMineOrBelow("organization_id", by),
  "is mine to review as problem manager": (by) => ({
    key: "to review",
    sql(alias, next) {
      const [now, me] = [next(), next()];
      // A person who manages the problems of no service has nothing to review: checked once, before any request is read.
      const hasServices = `EXISTS (SELECT 1 FROM services s WHERE s.problem_manager_id = ${me})`;
      return `${hasServices} AND ${alias}.status = 'completed' AND ${alias}.completed_at > ${now}::timestamptz - interval '6 months' AND ${alias}.service_instance_id IN (SELECT i.id FROM service_instances i JOIN services s ON s.id = i.service_id WHERE s.problem_manager_id = ${me})`;
    },
    values: [toTimestamp(by.now), by.person],
  }),
  // SLA62
  "one of my teams can be held accountable for it": (by) => {
    const ofAccounts = ofReachableAccounts(by);
    return {
      key: `accountable ${ofAccounts.key}`,
      sql: (alias, next) =>
        `${alias}.status <> 'completed' AND ${alias}.id IN (SELECT f.request_id FROM affected_slas f WHERE f.accountability <> 'sla_not_affected' AND (f.first_line_team_id IN ${buildMyTeamsSql(next)} OR f.support_team_id IN ${buildMyTeamsSql(next)}) AND ${ofAccounts.sql("f", next)})`,
      values: [by.person, by.person, ...ofAccounts.values],
    };
  },
};

/** For the list of articles below a request. */
export const knowledgeArticleConditions: Conditions = {
  "is linked to that request": (by, request) => {
    const ofAccounts = ofReachableAccounts(by);
    return {
      key: `article of request ${ofAccounts.key}`,
      sql: (alias, next) =>
        `${alias}.id = (SELECT r.knowledge_article_id FROM requests r WHERE r.id = ${next()} AND ${ofAccounts.sql("r", next)})`,
      values: [request ?? 0, ...ofAccounts.values],
    };
  },
};

/** For the list of offerings below a request template. */
export const reservationOfferingConditions: Conditions = {
  "is offered with that template": (_by, template) => ({
    key: "offered with template",
    sql: (alias, next) =>
      `${alias}.id IN (SELECT reservation_offering_id FROM reservation_offering_request_templates WHERE request_template_id = ${next()})`,
    values: [template ?? 0],
  }),
};
