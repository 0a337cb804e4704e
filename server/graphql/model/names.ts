// Names of the graph, from those of the declarations: `next_target_at` becomes `nextTargetAt`. What does not follow from a
// rule is data (D-330).

/** `next_target_at` to `nextTargetAt`; inner capitals stay: `supplier_requestID` to `supplierRequestID`. */
export const toMemberName = (name: string): string =>
  name.replace(/[_.]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `request_template` to `RequestTemplate`. */
export const toTypeName = (name: string): string => {
  const member = toMemberName(name);
  return member.charAt(0).toUpperCase() + member.slice(1);
};

// biome-ignore format: a table keeps its columns
const typeNames: Record<string, string> = {
  ci:                                           "ConfigurationItem",
  ci_relation:                                  "ConfigurationItemRelation",
  sla:                                          "ServiceLevelAgreement",
  flsa:                                         "FirstLineSupportAgreement",
  effort_class_rate_identifier:                 "EffortClassRateID",
  standard_service_request_activity_identifier: "StandardServiceRequestActivityID",
  rfc_type_activity_identifier:                 "RfcTypeActivityID",
  task_template_relation:                       "WorkflowTaskTemplateRelation",
  archive_entry:                                "Archive",
  trash_entry:                                  "Trash",
};

const knownTypeNames = new Map(Object.entries(typeNames));

export function pickTypeName(type: string): string {
  let name = knownTypeNames.get(type);
  if (name === undefined) {
    name = toTypeName(type);
    knownTypeNames.set(type, name);
  }
  return name;
}

/** The name of one record in inputs and payloads: `requestTemplate`. */
export const pickRecordName = (type: string): string => {
  const name = pickTypeName(type);
  return name.charAt(0).toLowerCase() + name.slice(1);
};

/** Members that have another name in every type. */
// biome-ignore format: a table keeps its columns
const memberNames: Record<string, string> = {
  ci:           "configurationItem",
  cis:          "configurationItems",
  sla:          "serviceLevelAgreement",
  slas:         "serviceLevelAgreements",
  flsas:        "firstLineSupportAgreements",
  locale:       "language",
  customer_rep: "customerRepresentative",
};

/** Members that have another name in one type. */
const namesByType: Record<string, Record<string, string>> = {
  organization: { children: "childOrganizations" },
  service: { provider: "serviceProvider" },
  agile_board: { agile_board_columns: "columns" },
  product_backlog: { product_backlog_items: "items", product_goal: "description" },
  survey: { survey_questions: "questions" },
  survey_response: { survey_answers: "answers", rating_calculation_json: "ratingCalculation", slas: "slas" },
  sla_coverage_group: { slas: "slas" },
  invoice: { sla: "sla" },
  survey_answer: { survey_question: "question" },
  project_task_template: { project_tasks: "tasks" },
  project_template: { task_templates: "taskTemplateRelations" },
  project_task_template_relation: { phase_name: "phase" },
  task_template_relation: { phase_name: "phase", predecessor_ids: "predecessors" },
};

/** The name of a field, link, child or list of a type. */
export const pickMemberName = (type: string, member: string): string =>
  namesByType[type]?.[member] ?? memberNames[member] ?? toMemberName(member);

/** The name of a collection in the root. */
export const pickRootName = (collection: string): string => memberNames[collection] ?? toMemberName(collection);

/** Types whose number has a field of its own, because `id` is their nodeID. */
export const numberedTypes: ReadonlySet<string> = new Set([
  "request",
  "problem",
  "workflow",
  "task",
  "project",
  "project_task",
  "release",
  "risk",
]);

// biome-ignore format: a table keeps its columns
const scalarNames: Record<string, string> = {
  "account.currency":             "Currency",
  "request_template.action_type": "RequestActionType",
  time_zone:                      "TimeZone",
};

/** The scalar of an enumeration: `request.status` is `RequestStatus`. */
export const pickScalarName = (enumeration: string): string => scalarNames[enumeration] ?? toTypeName(enumeration);

/** Views of the public interface that have another name here. */
export const viewNames: Record<string, Record<string, string>> = {
  automation_rule: { for_scim_users: "scim_user", for_scim_groups: "scim_group" },
};

/** The plural of a name without `_ids`, and the singular of a list: `configurationItems` to `configurationItem`. */
export const toSingular = (name: string): string =>
  name === "people"
    ? "person"
    : name.endsWith("ies")
      ? `${name.slice(0, -3)}y`
      : /(ss|sh|ch|x)es$/.test(name)
        ? name.slice(0, -2)
        : name.endsWith("s")
          ? name.slice(0, -1)
          : name;
