import { enumerations } from "../../../records/enumerations/index.ts";
import { automationLinks } from "../../../records/work/automation-rule.ts";
import { automationTriggers } from "../../../records/work/automation-triggers.ts";
import type { Value } from "../../engine/kinds/kind.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { setNextPosition } from "../shared/next-position.ts";
import { textAsHtml } from "./text-as-html.ts";

// AM1 to AM9, TR1 to TR11, AK1 to AK11, AV1. What the texts of a rule say is not looked at here.

/** Compared without regard to case and blanks around it, kept in lower case. */
function checkTrigger({ after, problem }: Change): void {
  if (typeof after.trigger !== "string") return;
  after.trigger = after.trigger.trim().toLowerCase();
  if (after.trigger !== "" && !automationTriggers.includes(after.trigger))
    problem("trigger", "is not included in the list");
}

const allowedLinkPairs = ["task_template workflow_template", "project_task_template project_template"];
const genericTypes: readonly string[] = enumerations["automation_rule.generic"];

/** One record, or one type of records, or a template within another; or nothing, and the rule never runs. */
function checkLinks({ after, problem }: Change): void {
  if (after.generic === "false") after.generic = null;
  const used = automationLinks.filter((name) => after[name] !== null);
  if (after.generic !== null && !genericTypes.includes(String(after.generic)))
    problem("generic", "is not included in the list");
  else if (used.length > 1 && !allowedLinkPairs.includes([...used].sort().join(" ")))
    problem("generic", "is not valid");
}

const columns = automationLinks.map((name) => (name === "generic" ? name : `${name}_id`));
const selectLastPosition = statement(
  `SELECT coalesce(max(position), 0) FROM automation_rules WHERE account_id = $1 AND ${columns
    .map((column, index) => `${column} IS NOT DISTINCT FROM $${index + 2}`)
    .join(" AND ")}`,
);
const maximumPosition = 2_147_483_647;

/** Behind the last rule that is linked to the same. */
async function setPosition({ tx, by, after }: Change): Promise<void> {
  if (after.position !== null) return;
  const links = automationLinks.map((name) => after[name] as string | number | null);
  const [row] = await tx.query(selectLastPosition, [by.account, ...links]);
  after.position = Math.min(Number(row?.[0] ?? 0) + 1, maximumPosition);
}

const toHtmlOrNull = (text: Value | undefined): Value => (typeof text === "string" ? textAsHtml(text) : null);
const derive: TypeRules["derive"] = {
  "actions as HTML": ({ after }) => toHtmlOrNull(after.actions),
  "description as HTML": ({ after }) => toHtmlOrNull(after.description),
};

export const automationRuleRules: TypeRules = {
  derive,
  async beforeSave(change) {
    checkTrigger(change);
    checkLinks(change);
    await setPosition(change);
  },
};

export const appOfferingAutomationRuleRules: TypeRules = {
  derive,
  async beforeSave(change) {
    checkTrigger(change);
    await setNextPosition("app_offering_automation_rules", "app_offering")(change);
  },
};
