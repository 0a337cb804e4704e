import type { TypeRules } from "../../engine/rules.ts";
import { buildAncestorsCte } from "../people/organization-ancestors.ts";
import { buildLinkedToParentCondition, buildParentCondition } from "./parent-condition.ts";

// The lists under organizations, sites and services: SLAs that cover their people, and risks that concern them.

export const slaParentConditions: NonNullable<TypeRules["conditions"]> = {
  "covers that organization": buildParentCondition(
    "covers organization",
    (row, parent) => `${row}.id IN (
  ${buildAncestorsCte(parent)}
  SELECT l.sla_id FROM above JOIN sla_organizations l ON l.organization_id = above.id JOIN slas s ON s.id = l.sla_id
  WHERE s.coverage = 'organizations_and_descendants' OR (s.coverage IN ('organizations', 'organizations_and_sites') AND above.id = ${parent}))`,
  ),
  "covers that site": buildParentCondition(
    "covers site",
    (row, parent) =>
      `${row}.coverage IN ('sites', 'organizations_and_sites') AND ${row}.id IN (SELECT sla_id FROM sla_sites WHERE site_id = ${parent})`,
  ),
};

export const riskParentConditions: NonNullable<TypeRules["conditions"]> = {
  "concerns that organization": buildLinkedToParentCondition("concerns organization", {
    table: "risk_organizations",
    own: "risk_id",
    parent: "organization_id",
  }),
  "concerns that service": buildLinkedToParentCondition("concerns service", {
    table: "risk_services",
    own: "risk_id",
    parent: "service_id",
  }),
};
