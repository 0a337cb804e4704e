import { any, me, myOrganization, mySite, rule, thisAccount, where } from "../vocabulary/conditions.ts";
import { type AccessOperation, type Grant, type GrantedType, pickGrants } from "./grants.ts";

// Permissions: AZ13, as one table. A person's grants in an account are those of "everyone" and of every role held
// there; the first column names the record type, "*" means all but the restricted ones, "everything" those too. Records
// owned by another record follow the rights on their owner.

export { type AccessOperation, administrators, type Grant } from "./grants.ts";

const all: readonly AccessOperation[] = ["read", "create", "update", "delete", "archive"];

const grantEdit = (...types: string[]): Grant[] => types.map((on) => ({ on, may: ["create", "update"] }));
const readAll: Grant = { on: "*", may: ["read"] };
const readEverything: Grant = { on: "everything", may: ["read"] };
const directoryTypes = ["person", "organization", "site"];
const scimTypes = ["scim_user", "scim_group"];
// AM9: designers and administrators maintain automation rules, in directory accounts too.
const maintainRules: Grant = { on: "automation_rule", may: ["read", "create", "update", "delete"] };

// The fields that everyone may set on their own request.
const requesterFields = [
  ...["subject", "category", "impact", "requested_by", "requested_for", "service_instance", "template", "ci"],
  ...["note", "note_attachments", "desired_completion_at", "downtime_start_at", "downtime_end_at", "support_domain"],
  ...["custom_fields", "custom_fields_attachments"],
];
// A requester takes a request back, or takes that back, and says why.
const withdrawalFields = ["status", "completion_reason", "note", "note_attachments"];
const isMyRequest = any(where({ requested_by: me }), where({ requested_for: me }));

// AZ15: the account of the customer maintains whom an SLA covers and who speaks for them.
const customerGrant: Grant = {
  on: "sla",
  may: ["update"],
  acrossAccounts: true,
  where: where({ customer_account: thisAccount }),
  fields: [
    ...["customer_rep", "customer_representatives", "coverage", "organizations", "sites", "people", "skill_pools"],
    ...["coverage_groups", "use_knowledge_from_service_provider"],
  ],
};

// biome-ignore format: a table keeps its columns
export const grants: Record<string, readonly Grant[]> = {
  everyone: [
    { on: "account",              may: ["read"] },
    { on: "person",               may: ["read"],   where: where({ id: me }) },
    { on: "organization",         may: ["read"],   where: where({ id: myOrganization }) },
    { on: "site",                 may: ["read"],   where: where({ id: mySite }) },
    { on: "survey",               may: ["read"] },
    { on: "survey_response",      may: ["create"] },
    { on: "service",              may: ["read"],   where: rule("I am covered for it") },
    { on: "service_instance",     may: ["read"],   where: rule("I am covered for it") },
    { on: "ci",                   may: ["read"],   where: rule("I am covered for it") },
    { on: "request_template",     may: ["read"],   where: rule("is for end users, of what I am covered for") },
    { on: "knowledge_article",    may: ["read"],   where: rule("is written for me") },
    { on: "broadcast",            may: ["read"],   where: rule("is shown to me") },
    { on: "request",              may: ["create"], fields: requesterFields },
    { on: "request",              may: ["read"],   where: any(where({ requested_by: me }), where({ requested_for: me }), rule("I watch it")) },
    { on: "request",              may: ["update"], where: isMyRequest, fields: withdrawalFields },
    { on: "request",              may: ["update"], where: isMyRequest, fields: ["watches"] },
    { on: "note_reaction",        may: ["create"] },
    { on: "note_reaction",        may: ["delete"], where: where({ person: me }) },
    { on: "task",                 may: ["read"],   where: rule("my approval is asked for") },
    { on: "task",                 may: ["update"], where: rule("my approval is asked for"), fields: ["status", "note"] },
    { on: "project_task",         may: ["read"],   where: rule("assigned to me") },
    { on: "project_task",         may: ["update"], where: rule("assigned to me"), fields: ["status", "waiting_until", "note"] },
    { on: "out_of_office_period", may: all,        where: where({ person: me }) },
    { on: "time_entry",           may: ["read"],   where: where({ person: me }) },
    { on: "reservation",          may: ["read"],   where: where({ person: me }) },
    { on: "shop_article",         may: ["read"],   where: rule("is offered to me") },
    { on: "shop_article_category", may: ["read"] },
    { on: "shop_order_line",      may: ["create"] },
    { on: "shop_order_line",      may: ["read", "update"], where: any(where({ requested_by: me }), where({ requested_for: me })) },
  ],
  key_contact: [
    { on: "person",       may: ["read"], where: rule("works for my organization or one below it") },
    { on: "organization", may: ["read"], where: rule("is my organization or one below it") },
    { on: "request",      may: ["read"], where: rule("was made for my organization or one below it") },
    { on: "request",      may: ["update"], where: rule("was made for my organization or one below it"), fields: ["status", "note"] },
  ],
  auditor:    [readEverything],
  specialist: [
    readAll,
    { on: "team",              may: ["update"], where: where({ manager: me }) },
    { on: "team",              may: ["update"], where: rule("I am a member of it"), fields: ["coordinator"] },
    { on: "skill_pool",        may: ["update"], where: where({ manager: me }) },
    { on: "agile_board",       may: ["update"], where: where({ manager: me }) },
    { on: "product_backlog",   may: ["update"], where: where({ product_owner: me }) },
    { on: "sprint",            may: ["create"] },
    { on: "sprint",            may: ["update"], where: rule("its workspace is of one of my teams") },
    { on: "request",           may: ["create", "update"] },
    { on: "problem",           may: ["update"] },
    { on: "task",              may: ["update"] },
    { on: "project_task",      may: ["update"] },
    { on: "workflow",          may: ["update"], where: where({ manager: me }) },
    { on: "project",           may: ["update"], where: where({ manager: me }) },
    { on: "release",           may: ["update"], where: where({ manager: me }) },
    { on: "risk",              may: ["create"] },
    { on: "risk",              may: ["update"], where: where({ manager: me }) },
    { on: "knowledge_article", may: ["create"] },
    { on: "knowledge_article", may: ["update"], where: where({ created_by: me }) },
    { on: "time_entry",        may: ["create"] },
    { on: "time_entry",        may: ["update", "delete"], where: where({ person: me }) },
  ],
  financial_manager: [{ on: "invoice", may: ["read", "create", "update"] }],
  service_desk_analyst: [],
  service_desk_manager: [],
  knowledge_manager:     grantEdit("knowledge_article", "knowledge_article_template"),
  problem_manager:       grantEdit("problem"),
  workflow_manager:      grantEdit("workflow", "task", "workflow_template", "task_template"),
  release_manager:       grantEdit("release"),
  project_manager:       grantEdit("project", "project_task", "project_template", "project_task_template"),
  service_level_manager: [
    ...grantEdit("service", "service_category", "service_instance", "service_offering", "sla", "sla_coverage_group", "flsa"),
    { on: "service_category", may: ["delete"] },
    customerGrant,
  ],
  configuration_manager: grantEdit("product_category", "product", "ci", "short_url"),
  account_designer: [
    readAll,
    ...grantEdit("ui_extension", "pdf_design", "short_url"),
    maintainRules,
    { on: "app_offering_automation_rule", may: ["create", "update", "delete"] },
  ],
  account_owner: [],
  account_administrator: [{ on: "everything", may: all }, customerGrant],
  directory_auditor:       [...directoryTypes, "audit_line", ...scimTypes].map((on) => ({ on, may: ["read"] })),
  directory_designer:      [...directoryTypes.map((on): Grant => ({ on, may: ["read"] })), maintainRules],
  directory_administrator: [
    ...directoryTypes.map((on) => ({ on, may: all })),
    { on: "*",              may: ["archive"] },
    maintainRules,
    { on: "webhook",        may: ["read", "create", "update", "delete"] },
    { on: "webhook_policy", may: ["read", "create", "update", "delete"] },
    { on: "archive_entry", may: ["read"] },
    { on: "trash_entry",   may: ["read"] },
    { on: "audit_line",    may: ["read"] },
    ...scimTypes.map((on): Grant => ({ on, may: ["read"] })),
  ],
  workflow_automator_auditor: [],
  workflow_automator_specialist: [],
};

/** The roles that see every field of all people, and the origin of changes. */
export const overseers = ["auditor", "account_administrator", "directory_auditor", "directory_administrator"];

/** The grants of everyone and of the given roles on a record type. */
export const grantsFor = (type: GrantedType, operation: AccessOperation, roles: Iterable<string>): Grant[] =>
  pickGrants(grants, type, operation, roles);
