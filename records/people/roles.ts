import { type Condition, me, myOrganization, mySite, rule, where } from "../vocabulary/conditions.ts";

// Who may do what: reference, authorization.md section 7, as one table. A person's grants in an account are those of
// "everyone" and of every role held there; the first column names the record type, "*" means all but the
// restricted ones, "everything" those too. Records owned by another record follow the rights on their owner.

export type Operation = "read" | "create" | "update" | "delete" | "archive";
export type Grant = {
  on: string;
  may: readonly Operation[];
  /** only these rows */
  where?: Condition;
  /** only these fields, when updating */
  fields?: readonly string[];
};

const all: readonly Operation[] = ["read", "create", "update", "delete", "archive"];

const readAll: Grant = { on: "*", may: ["read"] };
const readEverything: Grant = { on: "everything", may: ["read"] };
const directoryTypes = ["person", "organization", "site"];
// Reference, automation.md M9: designers and administrators maintain automation rules, in directory accounts too.
const maintainRules: Grant = { on: "automation_rule", may: ["read", "create", "update", "delete"] };

// biome-ignore format: a table keeps its columns
export const grants: Record<string, readonly Grant[]> = {
  everyone: [
    { on: "account",         may: ["read"] },
    { on: "person",          may: ["read"], where: where({ id: me }) },
    { on: "organization",    may: ["read"], where: where({ id: myOrganization }) },
    { on: "site",            may: ["read"], where: where({ id: mySite }) },
    { on: "survey",          may: ["read"] },
    { on: "survey_response", may: ["create"] },
  ],
  key_contact: [
    { on: "person",       may: ["read"], where: rule("works for my organization or one below it") },
    { on: "organization", may: ["read"], where: rule("is my organization or one below it") },
  ],
  auditor:    [readEverything],
  specialist: [
    readAll,
    { on: "team",        may: ["update"], where: where({ manager: me }) },
    { on: "team",        may: ["update"], where: rule("I am a member of it"), fields: ["coordinator"] },
    { on: "agile_board", may: ["update"], where: where({ manager: me }) },
  ],
  financial_manager: [],
  service_desk_analyst: [],
  service_desk_manager: [],
  knowledge_manager: [
    { on: "knowledge_article_template", may: ["create", "update"] },
  ],
  problem_manager: [],
  workflow_manager: [],
  release_manager: [],
  project_manager: [],
  service_level_manager: [
    { on: "service", may: ["create", "update"] },
  ],
  configuration_manager: [],
  account_designer: [
    readAll,
    maintainRules,
    { on: "app_offering_automation_rule", may: ["create", "update", "delete"] },
    { on: "ui_extension",                 may: ["create", "update"] },
    { on: "pdf_design",                   may: ["create", "update"] },
  ],
  account_owner: [],
  account_administrator: [{ on: "everything", may: all }],
  directory_auditor:       [...directoryTypes, "audit_line"].map((on) => ({ on, may: ["read"] })),
  directory_designer:      [...directoryTypes.map((on): Grant => ({ on, may: ["read"] })), maintainRules],
  directory_administrator: [
    ...directoryTypes.map((on) => ({ on, may: all })),
    maintainRules,
    { on: "webhook",        may: ["read", "create", "update", "delete"] },
    { on: "webhook_policy", may: ["read", "create", "update", "delete"] },
    { on: "archive_entry", may: ["read"] },
    { on: "trash_entry",   may: ["read"] },
    { on: "audit_line",    may: ["read"] },
  ],
  workflow_automator_auditor: [],
  workflow_automator_specialist: [],
};

/** The roles that may archive, trash and restore, and change source and sourceID. */
export const administrators = ["account_administrator", "directory_administrator"];
