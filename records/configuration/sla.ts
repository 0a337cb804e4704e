import {
  accountRef,
  attachments,
  attachmentsOf,
  boolean,
  byDefault,
  choice,
  date,
  id,
  not,
  notBefore,
  opt,
  record,
  ref,
  refs,
  req,
  ro,
  savedAs,
  sources,
  string,
  text,
  thisAccount,
  timestamps,
  where,
  wo,
} from "../vocabulary/index.ts";
import { buildAgreementStates } from "./agreement-states.ts";

// biome-ignore format: a table keeps its columns
const slaStates = buildAgreementStates("being_prepared", undefined, [
  { from: "any",                                  on: savedAs("scheduled_for_activation"), if: "its first day has come",   to: "active" },
  { from: "any",                                  on: savedAs("active"),                   if: "its first day is to come", do: ["it starts today"] },
  { from: ["active", "scheduled_for_activation"], on: savedAs("expired"),                  if: "its last day is to come",  do: ["it ends today"] },
]);

/** who maintains what the billing system of the provider knows */
const financialRoles = ["financial_manager", "account_administrator"];
const byOrganization = ["organizations_and_descendants", "organizations", "organizations_and_sites"];

// biome-ignore format: a table keeps its columns
export const sla = record("sla", {
  collection: "slas",
  sharing: { acrossAccounts: where({ customer_account: thisAccount }) },
  fields: {
    id,
    name:                                req(string(160)),
    service_offering:                    req(ref("service_offering")),
    service_instance:                    opt(ref("service_instance"), "of the same service as the offering"),
    customer:                            req(ref("organization"), "pays for the SLA"),
    customer_account:                    opt(accountRef, "its service level managers can update the customer's part"),
    customer_rep:                        opt(ref("person"), "deprecated; on update replaces all customer representatives"),
    customer_representatives:            wo(refs("person"), "replaces the whole list; an active SLA requires at least one"),
    service_level_manager:               opt(ref("person")),
    status:                              opt(choice("agreement.status"), byDefault("being_prepared")),
    coverage:                            opt(choice("sla.coverage")),
    start_date:                          opt(date, "first active day"),
    expiry_date:                         opt(date, notBefore("start_date"), "active through this day"),
    notice_date:                         opt(date, "last day to give notice"),
    agreementID:                         opt(string()),
    activityID_low:                      opt(string()),
    activityID_medium:                   opt(string()),
    activityID_high:                     opt(string()),
    activityID_top:                      opt(string()),
    activityID_rfc:                      opt(string()),
    activityID_rfi:                      opt(string()),
    activityID_case:                     opt(string()),
    use_knowledge_from_service_provider: opt(boolean, byDefault(false)),
    remarks:                             opt(text),
    attachments:                         ro(attachments),
    remarks_attachments:                 wo(attachmentsOf("remarks")),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["service_offering", "id", "sourceID", "name", "status", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "name", "status", "created_at", "updated_at", "service_offering", "service_instance"],
  sortable:      ["service_offering", "id", "sourceID", "name", "status", "created_at", "updated_at"],
  sort:          "name",
  views: {
    active:   where({ status: "active" }),
    inactive: where({ status: not("active") }),
  },
  events:    ["create", "update"],
  states: slaStates,
  links: {
    customer_representatives: { to: "person",             table: "sla_customer_representatives" },
    organizations:            { to: "organization",       table: "sla_organizations", when: { field: "coverage", is: byOrganization } },
    sites:                    { to: "site",               table: "sla_sites",         when: { field: "coverage", is: ["sites", "organizations_and_sites"] } },
    people:                   { to: "person",             table: "sla_people",        when: { field: "coverage", is: ["people"] } },
    skill_pools:              { to: "skill_pool",         table: "sla_skill_pools",   when: { field: "coverage", is: ["skill_pools"] } },
    coverage_groups:          { to: "sla_coverage_group", inverse: "slas" },
  },
  children: {
    service_instances:                    { of: "parent_service_instance" },
    effort_class_rateIDs:                 { of: "effort_class_rate_identifier", roles: financialRoles },
    standard_service_request_activityIDs: { of: "standard_service_request_activity_identifier", roles: financialRoles },
    rfc_type_activityIDs:                 { of: "rfc_type_activity_identifier", roles: financialRoles },
  },
  lists: { invoices: { of: "invoice", by: "sla" } },
});
