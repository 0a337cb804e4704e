import { enumerations } from "../../../records/enumerations/index.ts";
import { appOfferingAutomationRule } from "../../../records/work/app-offering-automation-rule.ts";
import { automationLinks, automationRule } from "../../../records/work/automation-rule.ts";
import { automationTriggers } from "../../../records/work/automation-triggers.ts";
import { statement } from "../../database/database.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { setNextPosition } from "../shared/next-position.ts";
import { textAsHtml } from "./text-as-html.ts";

// AM1 to AM9, TR1 to TR11, AK1 to AK11, AV1. A save does not check the condition, expressions and actions of a rule.

type AutomationRuleChange = Change<typeof automationRule>;
type AnyRuleChange = Change<typeof automationRule | typeof appOfferingAutomationRule>;

/** Triggers are compared without regard to case and surrounding blanks, and stored in lower case. */
function checkTrigger({ after, problem }: AnyRuleChange): void {
  if (after.trigger === null) return;
  after.trigger = after.trigger.trim().toLowerCase();
  if (after.trigger !== "" && !automationTriggers.includes(after.trigger))
    problem("trigger", "is not included in the list");
}

const allowedLinkPairs = ["task_template workflow_template", "project_task_template project_template"];
const genericTypes: readonly string[] = enumerations["automation_rule.generic"];

/** A rule is linked to one record, to one type of records, or to a template within another; without a link it never runs. */
function checkLinks({ after, problem }: AutomationRuleChange): void {
  if (after.generic === "false") after.generic = null;
  const used = automationLinks.filter((name) => after[name] !== null);
  if (after.generic !== null && !genericTypes.includes(after.generic))
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

/** A rule without a position goes behind the last rule with the same links. */
async function setPosition({ tx, by, after }: AutomationRuleChange): Promise<void> {
  if (after.position !== null) return;
  const links = automationLinks.map((name) => after[name]);
  const [row] = await tx.query(selectLastPosition, [by.account, ...links]);
  after.position = Math.min(Number(row?.[0] ?? 0) + 1, maximumPosition);
}

const toHtmlOrNull = (text: string | null): string | null => (text === null ? null : textAsHtml(text));
const derive = {
  "actions as HTML": ({ after }: AnyRuleChange) => toHtmlOrNull(after.actions),
  "description as HTML": ({ after }: AnyRuleChange) => toHtmlOrNull(after.description),
};

export const automationRuleRules = rulesFor(automationRule, {
  derive,
  beforeSave: steps<typeof automationRule>(checkTrigger, checkLinks, setPosition),
});

export const appOfferingAutomationRuleRules = rulesFor(appOfferingAutomationRule, {
  derive,
  beforeSave: steps(checkTrigger, setNextPosition("app_offering_automation_rules", "app_offering")),
});
