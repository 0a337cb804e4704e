import { Forbidden } from "../base/errors.ts";
import { isAdministrator } from "../engine/access.ts";
import type { TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";

const managerOf = statement("SELECT knowledge_manager_id FROM services WHERE id = $1 AND account_id = $2");
const anyManager = statement(
  "SELECT 1 FROM permissions WHERE account_id = $1 AND role = 'knowledge_manager' UNION ALL SELECT 1 FROM services WHERE account_id = $1 AND knowledge_manager_id IS NOT NULL LIMIT 1",
);

export const knowledgeArticleRules: TypeRules = {
  conditions: {
    "I am the knowledge manager of its service": (by) => ({
      key: "knowledge manager",
      sql: (alias, next) => `${alias}.service_id IN (SELECT id FROM services WHERE knowledge_manager_id = ${next()})`,
      values: [by.person],
    }),
  },
  async check({ tx, by, before, after, changed, problem }) {
    if (changed.size > 0) after.updated_by = by.person;
    // Who may only propose an article needs somebody who will look at it.
    if (before === null && !by.roles.has("knowledge_manager") && !isAdministrator(by, by.account))
      if ((await tx.query(anyManager, [by.account])).length === 0) throw new Forbidden();
    if (after.status !== "validated" || before?.status === "validated" || by.roles.has("knowledge_manager")) return;
    const rows = after.service === null ? [] : await tx.query(managerOf, [after.service as number, by.account]);
    if (Number(rows[0]?.[0] ?? 0) !== by.person) problem("status", "is not valid");
  },
};
