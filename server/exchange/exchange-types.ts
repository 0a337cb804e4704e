import { pluralName } from "../../records/languages/plural-name.ts";
import { type Condition, where } from "../../records/vocabulary/index.ts";
import type { Type, Types } from "../engine/types.ts";

// IE12, IE14 to IE19. The names of what can be imported and exported, with their record types. A name is that of a
// collection unless `irregularNames` has it.

/** `ownerType`: only children of that type; `where`: only records that meet the condition */
export type ExchangeType = { name: string; type: Type; ownerType: string | null; where: Condition | null };

// biome-ignore format: a list keeps its lines
const importNames = [
  "calendars", "cis", "ci_relations", "closure_codes", "contracts", "custom_collections", "custom_collection_elements",
  "first_line_support_agreements", "holidays", "invoices", "knowledge_articles", "notes", "organizations",
  "organizations_contact_details", "out_of_office_periods", "pdf_designs", "people", "people_contact_details", "problems",
  "product_categories", "products", "projects", "project_categories", "project_tasks", "project_task_assignments",
  "project_task_templates", "project_task_template_assignments", "project_templates", "releases", "requests",
  "request_templates", "rfc_types", "risks", "risk_severities", "scrum_workspaces", "services", "service_categories",
  "service_instances", "service_offerings", "service_offering_rfc_type_activity_rates", "shop_articles",
  "shop_article_categories", "shop_order_lines", "short_urls", "sites", "skill_pools", "slas", "sla_coverage_groups",
  "sla_notification_schemes", "sla_notification_rules", "slas_financial_details_rfc_type_activities", "sprints",
  "sprint_backlog_items", "standard_service_requests", "surveys", "survey_questions", "survey_responses",
  "survey_answers", "tasks", "task_approvals", "task_templates", "task_template_approvals", "teams",
  "timesheet_settings", "time_allocations", "time_entries", "ui_extensions", "waiting_for_customer_follow_ups",
  "waiting_for_customer_rules", "workflow_templates", "workflow_types", "workflows",
];
type CollectionFilter = { collection: string; of?: string; where?: Condition };

const generic = ["ci", "project_task", "request", "risk", "task", "workflow"];
const linked = ["request_template", "task_template", "workflow_template", "project_template", "project_task_template"];
const selectAutomationRules = (condition: Condition) => ({ collection: "automation_rules", where: condition });
const automationRuleNames: Record<string, CollectionFilter> = Object.fromEntries([
  ...generic.map((name) => [`generic_${name}_automation_rules`, selectAutomationRules(where({ generic: name }))]),
  ...linked.map((name) => [`${name}_automation_rules`, selectAutomationRules(where({ [name]: "present" }))]),
  ...["scim_user", "scim_group"].map((name) => [
    `${name}_automation_rules`,
    selectAutomationRules(where({ generic: name })),
  ]),
]);

// biome-ignore format: a list keeps its lines
const exportNames = [
  "affected_slas", "agile_boards", "agile_board_columns", "app_offerings", "app_offering_scopes",
  "app_offering_automation_rules", "effort_classes", "flsas", "product_backlogs", "product_backlog_items",
  "project_risk_levels", "scim_groups", "scim_users", "service_offering_effort_class_rates", ...Object.keys(automationRuleNames),
];

const irregularNames: Record<string, CollectionFilter> = {
  ...automationRuleNames,
  first_line_support_agreements: { collection: "flsas" },
  people_contact_details: { collection: "contacts", of: "person" },
  organizations_contact_details: { collection: "contacts", of: "organization" },
  service_offering_rfc_type_activity_rates: { collection: "rfc_type_rates" },
  service_offering_effort_class_rates: { collection: "effort_class_rates" },
  slas_financial_details_rfc_type_activities: { collection: "rfc_type_activity_identifiers" },
};

function resolveType(types: Types, word: string): ExchangeType | null {
  const { collection, ...filter }: CollectionFilter = irregularNames[word] ?? { collection: word };
  const type = types.all.find((candidate) => candidate.collection === collection);
  return type === undefined ? null : { name: word, type, ownerType: filter.of ?? null, where: filter.where ?? null };
}

const resolveTypes = (words: readonly string[], types: Types): ExchangeType[] =>
  words.map((word) => resolveType(types, word)).filter((exchangeType) => exchangeType !== null);

export const listImportTypes = (types: Types): ExchangeType[] => resolveTypes(importNames, types);
export const listExportTypes = (types: Types): ExchangeType[] => resolveTypes([...importNames, ...exportNames], types);

export const findImportType = (types: Types, word: string): ExchangeType | null =>
  importNames.includes(word) ? resolveType(types, word) : null;
export const findExportType = (types: Types, word: string): ExchangeType | null =>
  importNames.includes(word) || exportNames.includes(word) ? resolveType(types, word) : null;

/** What a file of this name contains: "configuration items", "people contact details". */
export const nameFileContent = (types: Types, word: string): string =>
  pluralName(types.all.find(({ collection }) => collection === word) ?? { name: "", collection: word });

export type Parent = { type: string; field: string };

/** The references to the records under which this type is created. */
export function findParents(types: Types, { type, ownerType }: ExchangeType): Parent[] {
  const owners = type.ownedBy.map((name) => {
    const listed = Object.values(types.get(name).children).find((child) => child.of === type.name);
    return { type: name, field: listed?.by ?? name };
  });
  const creators = type.createdUnder.map(({ parent, field }) => ({ type: parent, field }));
  const all = [...owners, ...creators].filter((parent) => ownerType === null || parent.type === ownerType);
  return all.filter((parent, index) => all.findIndex(({ field }) => field === parent.field) === index);
}
