import type { TypeRules } from "../../engine/rules.ts";
import { allOf, anyOf, type Clause } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";
import { serviceCovered } from "../sla/coverage.ts";

const selectChangeManager = statement("SELECT change_manager_id FROM services WHERE id = $1");
const selectUiExtensionCategory = statement("SELECT category FROM ui_extensions WHERE id = $1");

const forEndUsers: Clause = {
  key: "for end users",
  sql: (alias) => `${alias}.end_users AND NOT ${alias}.disabled`,
  values: [],
};
const ofAllServices: Clause = { key: "of all services", sql: (alias) => `${alias}.service_id IS NULL`, values: [] };

export const requestTemplateRules: TypeRules = {
  conditions: {
    "is for end users, of what I am covered for": (by) =>
      allOf([forEndUsers, anyOf([ofAllServices, serviceCovered(by, by.person, "service_id")])]),
  },
  async beforeSave({ tx, after, changed, problem }) {
    if (after.status === "workflow_pending" && after.workflow_template === null)
      problem("workflow_template", "can't be blank");
    if (after.assign_after_workflow_completion === true && after.team === null) problem("team", "can't be blank");
    if (after.workflow_template !== null && after.workflow_manager === null) {
      const rows = after.service === null ? [] : await tx.query(selectChangeManager, [after.service as number]);
      if (rows[0]?.[0] == null) problem("workflow_manager", "can't be blank");
    }
    if (changed.has("ui_extension") && after.ui_extension !== null) {
      const rows = await tx.query(selectUiExtensionCategory, [after.ui_extension as number]);
      if (rows.length > 0 && rows[0]?.[0] !== "request_template") problem("ui_extension", "is not valid");
    }
  },
};
