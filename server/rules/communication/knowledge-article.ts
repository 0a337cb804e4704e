import { knowledgeArticle } from "../../../records/work/knowledge-article.ts";
import { knowledgeArticleTranslation } from "../../../records/work/knowledge-article-translation.ts";
import { Forbidden } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { allOf, anyOf, type Clause } from "../../engine/sql/clauses.ts";
import { getToday } from "../shared/current-date.ts";
import { buildCoversPersonSql, buildInForceSql, serviceCovered } from "../sla/coverage.ts";

const buildAgreementsSql = (alias: string, today: string) =>
  `SELECT 1 FROM slas s JOIN service_instances i ON i.id = s.service_instance_id WHERE i.service_id = ${alias}.service_id AND ${buildInForceSql(today)}`;

/** SLAs whose customers are the providers of parent service instances. */
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
/** People covered for a parent service instance read the articles of its children, if the SLA between the two says so. */
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

/** The readers of an article beside the specialists of the account, who read all articles. */
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

/** Marks count until the article is changed. */
const isOutdated = (by: Caller): Clause => ({
  key: "outdated",
  sql: (alias, next) =>
    `(${alias}.status <> 'archived' AND (${alias}.review_date <= ${next()}::date OR EXISTS (SELECT 1 FROM knowledge_article_marks m
  WHERE m.knowledge_article_id = ${alias}.id AND m.account_id = ${alias}.account_id AND m.mark = 'outdated' AND m.created_at >= ${alias}.updated_at)))`,
  values: [getToday(by)],
});

type ArticleChange = Change<typeof knowledgeArticle>;

const selectAnyKnowledgeManager = statement(
  "SELECT 1 FROM permissions WHERE account_id = $1 AND role = 'knowledge_manager' UNION ALL SELECT 1 FROM services WHERE account_id = $1 AND knowledge_manager_id IS NOT NULL LIMIT 1",
);

/** Other people only propose articles, which takes a knowledge manager who reviews them. */
async function checkReviewerExists({ tx, by, before }: ArticleChange): Promise<void> {
  if (before !== null || by.roles.has("knowledge_manager") || isAdministrator(by, by.account)) return;
  if ((await tx.query(selectAnyKnowledgeManager, [by.account])).length === 0) throw new Forbidden();
}

const selectKnowledgeManager = statement("SELECT knowledge_manager_id FROM services WHERE id = $1 AND account_id = $2");

/** Knowledge managers validate articles: the ones of the account all articles, the one of a service the articles of that service. */
async function checkMayValidate({ tx, by, before, after, problem }: ArticleChange): Promise<void> {
  if (after.status !== "validated" || before?.status === "validated" || by.roles.has("knowledge_manager")) return;
  const rows = after.service === null ? [] : await tx.query(selectKnowledgeManager, [after.service, by.account]);
  if (Number(rows[0]?.[0] ?? 0) !== by.person) problem("status", "is not valid");
}

export const knowledgeArticleRules = rulesFor(knowledgeArticle, {
  conditions: {
    "is written for me": isWrittenForMe,
    "readers say it is out of date, or its review is due": isOutdated,
    "I am the knowledge manager of its service": (by) => ({
      key: "knowledge manager",
      sql: (alias, next) => `${alias}.service_id IN (SELECT id FROM services WHERE knowledge_manager_id = ${next()})`,
      values: [by.person],
    }),
  },
  beforeSave: steps(
    ({ by, after, changed }) => {
      if (changed.size > 0) after.updated_by = by.person;
    },
    checkReviewerExists,
    checkMayValidate,
  ),
});

const selectLocale = statement("SELECT locale FROM knowledge_articles WHERE id = $1 AND account_id = $2");

export const knowledgeArticleTranslationRules = rulesFor(knowledgeArticleTranslation, {
  /** The article itself is its text in its own language. */
  async beforeSave({ tx, by, after, changed, problem }) {
    if (!changed.has("locale")) return;
    const [row] = await tx.query(selectLocale, [after.knowledge_article, by.account]);
    if (row?.[0] === after.locale) problem("locale", "is not valid");
  },
});
