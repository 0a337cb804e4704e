import { automationLinks } from "../../../../records/work/automation-rule.ts";
import type { Row } from "../../../api/index.ts";
import { readLink } from "../../read-link.ts";
import type { RuleMistake } from "../rule-answers.ts";
import { addLabels, removeLabels } from "./action-labels.ts";

// A rule while it is edited: what is shown, and the same as the server takes it.

export const ruleParts = ["expressions", "condition", "actions"] as const;
export type RulePart = (typeof ruleParts)[number];
/** `generic`: the type whose records it runs for; null: it is linked to one record or template */
export type RuleDraft = Record<RulePart, string> & { name: string; trigger: string; generic: string | null };

export const genericTypes = ["request", "problem", "workflow", "task", "risk", "ci", "scim_user", "scim_group"];

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

export const toDraft = (row: Readonly<Record<string, unknown>>): RuleDraft => ({
  name: toText(row.name),
  trigger: toText(row.trigger),
  generic: typeof row.generic === "string" ? row.generic : null,
  expressions: toText(row.expressions),
  condition: toText(row.condition),
  actions: removeLabels(toText(row.actions)),
});

/** The links of a rule beside `generic`, as ids. */
export const pickLinks = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    automationLinks.flatMap((name) => {
      const link = readLink(row[name]);
      return link === null ? [] : [[name, link.id]];
    }),
  );

export const toMembers = ({ actions, generic, ...draft }: RuleDraft): Record<string, unknown> => ({
  ...draft,
  ...(generic === null ? {} : { generic }),
  actions: addLabels(actions).text,
});

const typeByTemplate: Readonly<Record<string, string>> = {
  ...{ request_template: "request", task_template: "task", workflow_template: "workflow" },
  ...{ project_task_template: "project_task", project_template: "project" },
};

/** The type of the records that a rule runs for. */
export function getRecordType({ generic }: RuleDraft, links: Readonly<Record<string, unknown>>): string | null {
  if (generic !== null) return generic;
  const names = Object.keys(links);
  const main = names.find((name) => name.endsWith("task_template")) ?? names[0];
  return main === undefined ? null : (typeByTemplate[main] ?? main);
}

/** The place of a mistake in what is shown: labels of actions are not. */
export function placeMistake(draft: RuleDraft, part: RulePart, mistake: RuleMistake | null) {
  if (mistake === null || mistake.field !== part) return null;
  const shift = part === "actions" ? (addLabels(draft.actions).shifts[mistake.line - 1] ?? 0) : 0;
  const column = Math.max(1, mistake.column - shift);
  return { line: mistake.line, column, message: mistake.message.replace(/at column \d+$/, `at column ${column}`) };
}
