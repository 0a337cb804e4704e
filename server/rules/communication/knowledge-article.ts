import { Forbidden } from "../../base/errors.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { TypeRules } from "../../engine/rules.ts";
import { allOf, anyOf, type Clause } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";
import { getToday } from "../shared/current-date.ts";
import { buildCoversPersonSql, buildInForceSql, serviceCovered } from "../sla/coverage.ts";

const selectKnowledgeManager = statement("SELECT knowledge_manager_id FROM services WHERE id = $1 AND account_id = $2");
const selectAnyKnowledgeManager = statement(
  "SELECT 1 FROM permissions WHERE account_id = $1 AND role = 'knowledge_manager' UNION ALL SELECT 1 FROM services WHERE account_id = $1 AND knowledge_manager_id IS NOT NULL LIMIT 1",
);

const buildAgreementsSql = (alias: string, today: string) =>
  `SELECT 1 FROM slas s JOIN service_instances i ON i.id = s.service_instance_id WHERE i.service_id = ${alias}.service_id AND ${buildInForceSql(today)}`;

/** agreed upon with those who serve an instance above */
const buildParentAgreementsSql = (alias: string, today: string) =>
  `${buildAgreementsSql(alias, today)} AND s.coverage = 'service_instances'`;

const isForMeAsKeyContact = (by: Caller): Clause => ({
  key: "key contacts",
  sql: (alias, next) =>
    `EXISTS (${buildAgreementsSql(alias, next())} AND s.customer_account_id = ANY(${next()}::text[]))`,
  values: [getToday(by), [...by.me.roles].flatMap(([account, roles]) => (roles.has("key_contact") ? [account] : []))],
});
const isForMeAsCoveredSpecialist = (by: Caller): Clause => ({
  key: "covered specialists",
  sql: (alias, next) => `EXISTS (${buildParentAgreementsSql(alias, next())} AND EXISTS (
  SELECT 1 FROM parent_service_instances l JOIN service_instances above ON above.id = l.service_instance_id
    JOIN team_members m ON m.team_id = above.support_team_id WHERE l.sla_id = s.id AND m.person_id = ${next()}))`,
  values: [getToday(by), by.person],
});
/** Who is covered for an instance above reads what those below it know, where the SLA between the two says so. */
const isCoveredForParentInstance = (by: Caller): Clause => ({
  key: "covered above",
  sql: (
    alias,
    next,
  ) => `EXISTS (${buildParentAgreementsSql(alias, next())} AND s.use_knowledge_from_service_provider AND s.id IN (
  SELECT l.sla_id FROM parent_service_instances l JOIN slas s ON s.service_instance_id = l.service_instance_id
  WHERE ${buildCoversPersonSql(next(), next())}))`,
  values: [getToday(by), by.person, getToday(by)],
});
const isTrue = (column: string): Clause => ({ key: column, sql: (alias) => `${alias}.${column}`, values: [] });
const isPublished: Clause = { key: "validated", sql: (alias) => `${alias}.status = 'validated'`, values: [] };

/** Whom an article is for beside the specialists of the account, who read them all. */
const isWrittenForMe = (by: Caller): Clause =>
  allOf([
    isPublished,
    anyOf([
      allOf([
        isTrue("end_users"),
        anyOf([serviceCovered(by, by.person, "service_id"), isCoveredForParentInstance(by)]),
      ]),
      allOf([isTrue("key_contacts"), isForMeAsKeyContact(by)]),
      allOf([isTrue("covered_specialists"), isForMeAsCoveredSpecialist(by)]),
    ]),
  ]);

export const knowledgeArticleRules: TypeRules = {
  conditions: {
    "is written for me": isWrittenForMe,
    "I am the knowledge manager of its service": (by) => ({
      key: "knowledge manager",
      sql: (alias, next) => `${alias}.service_id IN (SELECT id FROM services WHERE knowledge_manager_id = ${next()})`,
      values: [by.person],
    }),
  },
  async beforeSave({ tx, by, before, after, changed, problem }) {
    if (changed.size > 0) after.updated_by = by.person;
    // Who may only propose an article needs somebody who will look at it.
    if (before === null && !by.roles.has("knowledge_manager") && !isAdministrator(by, by.account))
      if ((await tx.query(selectAnyKnowledgeManager, [by.account])).length === 0) throw new Forbidden();
    if (after.status !== "validated" || before?.status === "validated" || by.roles.has("knowledge_manager")) return;
    const rows =
      after.service === null ? [] : await tx.query(selectKnowledgeManager, [after.service as number, by.account]);
    if (Number(rows[0]?.[0] ?? 0) !== by.person) problem("status", "is not valid");
  },
};
