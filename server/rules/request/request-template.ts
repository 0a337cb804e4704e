import { requestTemplate } from "../../../records/work/request-template.ts";
import { statement } from "../../database/database.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { allOf, anyOf, type Clause } from "../../engine/sql/clauses.ts";
import { serviceCovered } from "../sla/coverage.ts";

const selectChangeManager = statement("SELECT change_manager_id FROM services WHERE id = $1");
const selectUiExtensionCategory = statement("SELECT category FROM ui_extensions WHERE id = $1");

const forEndUsers: Clause = {
  key: "for end users",
  sql: (alias) => `${alias}.end_users AND NOT ${alias}.disabled`,
  values: [],
};
const ofAllServices: Clause = { key: "of all services", sql: (alias) => `${alias}.service_id IS NULL`, values: [] };

type TemplateChange = Change<typeof requestTemplate>;

function checkNeededFields({ after, problem }: TemplateChange): void {
  if (after.status === "workflow_pending" && after.workflow_template === null)
    problem("workflow_template", "can't be blank");
  if (after.assign_after_workflow_completion === true && after.team === null) problem("team", "can't be blank");
}

/** R16: a workflow needs a manager, of the template or of the service. */
async function checkWorkflowManager({ tx, after, problem }: TemplateChange): Promise<void> {
  if (after.workflow_template === null || after.workflow_manager !== null) return;
  const rows = after.service === null ? [] : await tx.query(selectChangeManager, [after.service]);
  if (rows[0]?.[0] == null) problem("workflow_manager", "can't be blank");
}

async function checkUiExtension({ tx, after, changed, problem }: TemplateChange): Promise<void> {
  if (!changed.has("ui_extension") || after.ui_extension === null) return;
  const rows = await tx.query(selectUiExtensionCategory, [after.ui_extension]);
  if (rows.length > 0 && rows[0]?.[0] !== "request_template") problem("ui_extension", "is not valid");
}

export const requestTemplateRules = rulesFor(requestTemplate, {
  conditions: {
    "is for end users, of what I am covered for": (by) =>
      allOf([forEndUsers, anyOf([ofAllServices, serviceCovered(by, by.person, "service_id")])]),
  },
  beforeSave: steps<typeof requestTemplate>(checkNeededFields, checkWorkflowManager, checkUiExtension),
});
