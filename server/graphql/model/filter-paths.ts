import type { Condition } from "../../../records/vocabulary/index.ts";
import { me, where } from "../../../records/vocabulary/index.ts";

// Filters, orders and views of the public interface that do not follow from a field of the type itself, as data (D-381).

/**
 * Filters by a field of other records: the references, links, children or lists that lead to it, and the field. `id` ends a
 * path that asks for the records themselves.
 */
// biome-ignore format: a table keeps its columns
export const filterPaths: Record<string, Record<string, string>> = {
  affected_sla: {
    businessUnit:                "request.organization.business_unit_organization",
    requestCategory:             "request.category",
    requestCompletionReason:     "request.completion_reason",
    requestMember:               "request.member",
    requestSource:               "request.source",
    requestStatus:               "request.status",
    requestTeam:                 "request.team",
    requestedFor:                "request.requested_for",
    requesterCovered:            "covers_requester",
    requesterOrganization:       "request.organization",
    requesterOrganizationRegion: "request.organization.region",
    requesterSite:               "request.requested_for.site",
    service:                     "service_instance.service",
    serviceOwner:                "service_instance.service.service_owner",
    serviceProvider:             "service_instance.service.provider",
    slaAccount:                  "sla.account",
    slaCustomer:                 "sla.customer",
    slaCustomerAccount:          "sla.customer_account",
    slaCustomerRegion:           "sla.customer.region",
    template:                    "request.template",
  },
  app_instance: {
    appOfferingReference:        "app_offering.reference",
    serviceInstance:             "app_offering.service_instance",
  },
  app_offering: {
    service:                     "service_instance.service",
  },
  ci: {
    productBrand:                "product.brand",
    productCategory:             "product.category",
    productModel:                "product.model",
    serviceOwner:                "service.service_owner",
    userOrganization:            "users.organization",
  },
  contract: {
    customerRep:                 "customer_rep",
  },
  knowledge_article: {
    knowledgeManager:            "service.knowledge_manager",
  },
  organization: {
    organizationRegion:          "region",
  },
  out_of_office_period: {
    businessUnitOrganization:    "person.organization.business_unit_organization",
    organization:                "person.organization",
    organizationRegion:          "person.organization.region",
  },
  person: {
    businessUnitOrganization:    "organization.business_unit_organization",
  },
  problem: {
    serviceOwner:                "service.service_owner",
  },
  product: {
    productBrand:                "brand",
    productCategory:             "category",
  },
  product_category: {
    groups:                      "group",
    references:                  "reference",
  },
  project: {
    phase:                       "phases.id",
    projectProgram:              "program",
  },
  project_task: {
    assignee:                    "assignments.assignee",
    projectProgram:              "project.program",
    service:                     "project.service",
  },
  project_task_template: {
    assignee:                    "assignments.assignee",
  },
  request: {
    affectedService:             "affected_slas.service_instance.service",
    affectedServiceInstance:     "affected_slas.service_instance",
    affectedServiceProvider:     "affected_slas.service_instance.service.provider",
    affectedSla:                 "affected_slas.sla",
    businessUnit:                "organization.business_unit_organization",
    ci:                          "cis.id",
    organizationRegion:          "organization.region",
    product:                     "cis.product",
    productBrand:                "cis.product.brand",
    productCategory:             "cis.product.category",
    requestedForSite:            "requested_for.site",
    requestedForVip:             "requested_for.vip",
    service:                     "service_instance.service",
    serviceCategory:             "service_instance.service.service_category",
    serviceOwner:                "service_instance.service.service_owner",
    serviceProblemManager:       "service_instance.service.problem_manager",
    serviceProvider:             "service_instance.service.provider",
    slaCustomer:                 "affected_slas.sla.customer",
    slaCustomerAccount:          "affected_slas.sla.customer_account",
    slaCustomerRegion:           "affected_slas.sla.customer.region",
    slaProviderAccount:          "affected_slas.sla.account",
    slaServiceProvider:          "affected_slas.sla.service_offering.service.provider",
    workflowCategory:            "workflow.category",
    workflowPhase:               "workflow.phases.id",
    workflowStatus:              "workflow.status",
    workflowTemplate:            "workflow.template",
    workflowType:                "workflow.workflow_type",
  },
  reservation: {
    ci:                          "ci",
    service:                     "reservation_offering.service_instance.service",
    serviceInstance:             "reservation_offering.service_instance",
  },
  reservation_offering: {
    service:                     "service_instance.service",
  },
  service: {
    provider:                    "provider",
  },
  service_instance: {
    serviceOwner:                "service.service_owner",
    serviceProvider:             "service.provider",
    sla:                         "slas.id",
  },
  service_offering: {
    sla:                         "slas.id",
  },
  sla: {
    customerRep:                 "customer_rep",
    service:                     "service_offering.service",
    serviceOwner:                "service_offering.service.service_owner",
    serviceProvider:             "service_offering.service.provider",
  },
  task: {
    release:                     "workflow.release",
    requesterOrganization:       "workflow.requests.organization",
    service:                     "workflow.service",
    templateTeam:                "template.team",
    workflowCategory:            "workflow.category",
    workflowJustification:       "workflow.justification",
    workflowType:                "workflow.workflow_type",
  },
  time_entry: {
    project:                     "project_task.project",
    projectManager:              "project_task.project.manager",
    requestCategory:             "request.category",
    sla:                         "sla",
    timeAllocationGroup:         "time_allocation.group",
    workflow:                    "task.workflow",
  },
  workflow: {
    managerOrganization:         "manager.organization",
    phase:                       "phases.id",
    requesterOrganization:       "requests.organization",
    serviceOwner:                "service.service_owner",
    serviceProvider:             "service.provider",
    serviceSupportTeam:          "service.support_team",
  },
};

/** Orders with a name of their own, and what they sort by. */
// biome-ignore format: a table keeps its columns
export const orderNames: Record<string, Record<string, string>> = {
  app_instance:    { appOfferingReference: "app_offering" },
  affected_sla:    { requestSubject: "request" },
  reservation:     { ciName: "ci" },
  service:         { providerName: "provider" },
  shop_article:    { shopArticleId: "id" },
  shop_order_line: { shopOrderLineId: "id" },
  time_allocation: { customerCategoryId: "customer_category", groupName: "group", serviceCategoryId: "service_category" },
};

/** Texts that `query` looks into where the search does not cover a type and its name is no text. */
export const queryFields: Record<string, readonly string[]> = {
  app_offering: ["name", "reference"],
  out_of_office_period: ["reason"],
  product: ["name", "brand", "model"],
  shop_article: ["name", "reference"],
  time_entry: ["description"],
};

/** Views that REST does not have. */
export const moreViews: Record<string, Record<string, Condition>> = {
  out_of_office_period: { personal: where({ person: me }) },
  request: {
    created_by_me: where({ created_by: me }),
    requester_dissatisfied: where({ satisfaction: "dissatisfied" }),
  },
  reservation: { personal: where({ person: me }) },
  team: { coordinated_by_me: where({ coordinator: me }), managed_by_me: where({ manager: me }) },
};
