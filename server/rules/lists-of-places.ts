import type { TypeRules } from "../engine/rules.ts";
import { about } from "./about.ts";
import { organizationsAbove } from "./organizations-above.ts";

// What is listed below organizations, sites and services: the agreements that cover their people, and risks.

export const agreementLists: NonNullable<TypeRules["conditions"]> = {
  "covers that organization": about(
    "covers organization",
    (row, here) => `${row}.id IN (
  ${organizationsAbove(here)}
  SELECT l.sla_id FROM above JOIN sla_organizations l ON l.organization_id = above.id JOIN slas s ON s.id = l.sla_id
  WHERE s.coverage = 'organizations_and_descendants' OR (s.coverage IN ('organizations', 'organizations_and_sites') AND above.id = ${here}))`,
  ),
  "covers that site": about(
    "covers site",
    (row, here) =>
      `${row}.coverage IN ('sites', 'organizations_and_sites') AND ${row}.id IN (SELECT sla_id FROM sla_sites WHERE site_id = ${here})`,
  ),
};

export const riskLists: NonNullable<TypeRules["conditions"]> = {
  "concerns that organization": about(
    "concerns organization",
    (row, here) => `${row}.id IN (SELECT risk_id FROM risk_organizations WHERE organization_id = ${here})`,
  ),
  "concerns that service": about(
    "concerns service",
    (row, here) => `${row}.id IN (SELECT risk_id FROM risk_services WHERE service_id = ${here})`,
  ),
};
