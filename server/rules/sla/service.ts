import { rfcTypeRate } from "../../../records/configuration/rfc-type-rate.ts";
import { service } from "../../../records/configuration/service.ts";
import { serviceInstance } from "../../../records/configuration/service-instance.ts";
import { serviceOffering } from "../../../records/configuration/service-offering.ts";
import { standardServiceRequest } from "../../../records/configuration/standard-service-request.ts";
import { enumerations } from "../../../records/enumerations/index.ts";
import { grants } from "../../../records/people/roles.ts";
import { waitingForCustomerRule } from "../../../records/settings/waiting-for-customer-rule.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { buildTargetOrder } from "../../engine/kinds/time.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { allOf, type Clause, never } from "../../engine/sql/clauses.ts";
import { isOfTrustedAccount } from "../people/team.ts";
import { buildParentCondition } from "../shared/parent-condition.ts";
import { serviceCovered, serviceInstanceCovered } from "./coverage.ts";

const parentInstancesSql =
  "SELECT l.service_instance_id FROM parent_service_instances l JOIN slas s ON s.id = l.sla_id";
const childInstancesSql = "SELECT s.service_instance_id FROM slas s JOIN parent_service_instances l ON l.sla_id = s.id";
const coversServiceInstancesSql = "s.coverage = 'service_instances'";

const rolesReadingAffectedSlas = new Set(
  Object.entries(grants)
    .filter(([, list]) => list.some(({ on, may }) => may.includes("read") && ["*", "everything"].includes(on)))
    .map(([role]) => role),
);
const impactsSql = `ARRAY[${enumerations["request.impact"].map((impact) => `'${impact}'`).join(", ")}]`;

/** The highest impact among the affected SLAs of these service instances that still have a target. */
const buildHighestImpact = (instances: (row: string) => string) => ({
  sql: (row: string) =>
    `SELECT to_json((${impactsSql})[max(array_position(${impactsSql}, f.impact))]) FROM affected_slas f
WHERE f.account_id = ${row}.account_id AND ${buildTargetOrder("f.next_target_at")} IS NOT NULL AND f.service_instance_id IN (${instances(row)})`,
  isVisibleTo: (roles: ReadonlySet<string>) => [...roles].some((role) => rolesReadingAffectedSlas.has(role)),
});

export const serviceRules = rulesFor(service, {
  compute: {
    "highest impact of its instances": buildHighestImpact(
      (row) => `SELECT i.id FROM service_instances i WHERE i.service_id = ${row}.id`,
    ),
  },
  conditions: {
    "I am covered for it": (by) => serviceCovered(by, by.person),
    "that person is covered for it": (by, here?: number) => (here === undefined ? never : serviceCovered(by, here)),
  },
});

/** Instances that a trusted account provides to this one by an active SLA. */
function isProvidedToUs(by: Caller): Clause {
  const trusted = isOfTrustedAccount(by);
  if (trusted === never) return never;
  const customers = (next: () => string) =>
    `SELECT o.id FROM organizations o WHERE o.account_id = ANY(${next()}::text[])`;
  return allOf([
    trusted,
    {
      key: "provided to us",
      sql: (alias, next) =>
        `${alias}.id IN (SELECT s.service_instance_id FROM slas s WHERE s.status = 'active' AND (s.customer_account_id = ${next()} OR s.customer_id IN (${customers(next)})))`,
      values: [by.account, by.directoryAccounts],
    },
  ]);
}

export const serviceInstanceRules = rulesFor(serviceInstance, {
  compute: { "highest impact on it": buildHighestImpact((row) => `${row}.id`) },
  conditions: {
    "is provided to us by a trusted account": isProvidedToUs,
    "I am covered for it": (by) => serviceInstanceCovered(by, by.person),
    "that person is covered for it": (by, here?: number) =>
      here === undefined ? never : serviceInstanceCovered(by, here),
    "serves that service instance": buildParentCondition(
      "serves",
      (row, here) =>
        `${row}.id IN (${childInstancesSql} WHERE l.service_instance_id = ${here} AND ${coversServiceInstancesSql})`,
    ),
    "is served by that service instance": buildParentCondition(
      "is served by",
      (row, here) =>
        `${row}.id IN (${parentInstancesSql} WHERE s.service_instance_id = ${here} AND ${coversServiceInstancesSql})`,
    ),
  },
});

const maximumTarget = 600_000; // minutes

/** Works on the names of the fields: an offering has one target per impact and category. */
function checkTargets({ after, problem }: Change): void {
  for (const [name, value] of Object.entries(after))
    if (/^(response|resolution)_target(_[a-z]+)?$/.test(name) && typeof value === "number" && value > maximumTarget)
      problem(name, "must be less than or equal to {max}", { max: maximumTarget });
}

export const serviceOfferingRules = rulesFor(serviceOffering, { beforeSave: checkTargets });

const selectTemplateFitsService = statement(
  `SELECT t.service_id = o.service_id OR o.service_id IS NULL
FROM service_offerings o, request_templates t WHERE o.id = $1 AND t.id = $2`,
);

async function checkTemplateFitsService(change: Change<typeof standardServiceRequest>): Promise<void> {
  const { after, changed, tx, problem } = change;
  if (!changed.has("request_template") || after.request_template === null) return;
  const rows = await tx.query(selectTemplateFitsService, [after.service_offering, after.request_template]);
  if (rows.length > 0 && rows[0]?.[0] !== "t") problem("request_template", "is not valid");
}

export const standardServiceRequestRules = rulesFor(standardServiceRequest, {
  beforeSave: steps<typeof standardServiceRequest>(checkTargets, checkTemplateFitsService),
});

export const rfcTypeRateRules = rulesFor(rfcTypeRate, {
  beforeSave({ after, problem }) {
    if (after.charge_type !== "fixed_price") return;
    for (const name of ["rate", "rate_currency"] as const) if (after[name] === null) problem(name, "can't be blank");
  },
});

const selectRulesOfFollowUp = statement(
  "SELECT id FROM waiting_for_customer_rules WHERE waiting_for_customer_follow_up_id = $1 AND account_id = $2",
);
const lockFollowUp = statement(
  "SELECT 1 FROM waiting_for_customer_follow_ups WHERE id = $1 AND account_id = $2 FOR UPDATE",
);
const maximumRules = 5;

export const waitingForCustomerRuleRules = rulesFor(waitingForCustomerRule, {
  async beforeSave({ before, after, by, tx, problem }) {
    if (before !== null) return;
    const followUp = [after.waiting_for_customer_follow_up, by.account];
    tx.send(lockFollowUp, followUp); // two rules that are created at the same moment would both count four others
    const others = await tx.query(selectRulesOfFollowUp, followUp);
    if (others.length >= maximumRules)
      problem("base", "has too many entries (maximum is {max})", { max: maximumRules });
  },
});
