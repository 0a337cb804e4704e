import { automationLinks } from "../../../../records/work/automation-rule.ts";
import type { Row } from "../../../api/index.ts";
import { readLink } from "../../read-link.ts";
import type { RuleMistake } from "../rule-answers.ts";
import { addLabels, removeLabels } from "./action-labels.ts";

// A rule being edited, in the format of the editor and in that of the server.

export const ruleParts = ["expressions", "condition", "actions"] as const;
export type RulePart = (typeof ruleParts)[number];
/** `generic`: the type for whose records it runs; null: it is linked to one record or template */
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

/** The rule's links other than `generic`, as ids. */
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

/** The type of the records for which a rule runs. */
export function getRecordType({ generic }: RuleDraft, links: Readonly<Record<string, unknown>>): string | null {
  if (generic !== null) return generic;
  const names = Object.keys(links);
  const main = names.find((name) => name.endsWith("task_template")) ?? names[0];
  return main === undefined ? null : (typeByTemplate[main] ?? main);
}

/** Converts the position of an error to the displayed text, which has no action labels. */
export function placeMistake(draft: RuleDraft, part: RulePart, mistake: RuleMistake | null) {
  if (mistake === null || mistake.field !== part) return null;
  const shift = part === "actions" ? (addLabels(draft.actions).shifts[mistake.line - 1] ?? 0) : 0;
  const column = Math.max(1, mistake.column - shift);
  return { line: mistake.line, column, message: mistake.message.replace(/at column \d+$/, `at column ${column}`) };
}
