import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { ruleMistake } from "../../records/answers/automation.ts";
import { automationLinks } from "../../records/work/automation-rule.ts";
import { Forbidden } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import type { Change, TypeRules, Values } from "../engine/rules.ts";
import type { Types } from "../engine/types.ts";
import { checkOwnRequest } from "../rules/shared/own-request.ts";
import { getTextPosition } from "./language/errors.ts";
import { relabelActions } from "./language/parser.ts";
import { type Program, ProgramProblem, type RuleTexts } from "./language/program.ts";
import { getProgram, getRecordType, pickMainLink } from "./program-cache.ts";
import { appWebhookPlaceholder, type WebhookCaller } from "./webhook-caller.ts";

// AV1: validates the texts of a rule when it is saved.

const stringOrNull = (value: Values[string] | undefined): string | null => (typeof value === "string" ? value : null);
export const pickTexts = ({ condition, expressions, actions }: Values): RuleTexts => ({
  condition: stringOrNull(condition),
  expressions: stringOrNull(expressions),
  actions: stringOrNull(actions),
});

function compileRule(change: Change, types: Types, record: string | null): Program | null {
  const { after, problem } = change;
  try {
    const program = getProgram(types, pickTexts(after), record);
    if (typeof after.actions === "string") after.actions = relabelActions(after.actions);
    return program;
  } catch (error) {
    if (!(error instanceof ProgramProblem)) throw error;
    problem(error.text, error.message);
    return null;
  }
}

export type CompileProblem = AnswerOf<typeof ruleMistake>;

/** The program of a rule that is being edited, or the first problem in its texts. */
export function checkRule(
  types: Types,
  rule: Readonly<Record<string, unknown>>,
): { program: Program; problem: null } | { program: null; problem: CompileProblem } {
  const values = rule as Values;
  const texts = pickTexts(values);
  try {
    return { program: getProgram(types, texts, getRecordType(types, values)), problem: null };
  } catch (error) {
    if (!(error instanceof ProgramProblem)) throw error;
    const position = getTextPosition(texts[error.text] ?? "", error.at);
    return { program: null, problem: { field: error.text, message: error.message, ...position } };
  }
}

const recordLinks = automationLinks.filter((name) => name !== "generic");
const selectStartableRule = statement(
  `SELECT 1 FROM automation_rules WHERE account_id = $1 AND name = $2 AND trigger = 'after delay' AND id <> $3
  AND (generic = $4 OR ${recordLinks.map((name) => `($5 = '${name}' AND ${name}_id = $6)`).join(" OR ")}) LIMIT 1`,
);

/** A rule may start rules with the same link, or rules for all records of the type. */
async function checkStartedRules(
  { tx, by, id, after, problem }: Change,
  program: Program,
  record: string | null,
): Promise<void> {
  const link = pickMainLink(after);
  for (const name of program.startedRules) {
    if (name === after.name && after.trigger === "after delay") continue;
    const at = link === null || link === "generic" ? null : (after[link] as number);
    if ((await tx.query(selectStartableRule, [by.account, name, id, record, link, at])).length === 0)
      problem("actions", `there is no rule '${name}' with the trigger 'after delay' to start`);
  }
}

const selectOfferingRule = statement(
  `SELECT 1 FROM app_offering_automation_rules WHERE app_offering_id = $1 AND name = $2 AND trigger = 'after delay' AND rulable_type = $3 LIMIT 1`,
);

/** `types` is a function because the types are built after the hooks. */
export function buildRuleHooks(
  types: () => Types,
  webhooks: WebhookCaller,
): {
  automation_rule: TypeRules;
  app_offering_automation_rule: TypeRules;
} {
  return {
    automation_rule: {
      async beforeSave(change) {
        const { tx, by, before, after, problem, cause } = change;
        if (before?.app_instance != null && cause === null) throw new Forbidden("the rule belongs to an app");
        await checkOwnRequest(change); // rules run for changes of their account
        const record = getRecordType(types(), after);
        const program = compileRule(change, types(), record);
        if (program === null) return;
        await checkStartedRules(change, program, record);
        for (const name of program.webhooks)
          if ((await webhooks.findByName(tx, by.account, name, null)) === null) problem("actions", "is not valid");
      },
      afterDelete({ values }) {
        if (values.app_instance != null) throw new Forbidden("the rule belongs to an app");
      },
    },
    app_offering_automation_rule: {
      async beforeSave(change) {
        const { tx, after, problem } = change;
        const kind = after.rulable_type;
        const record = kind === "Req" ? "request" : typeof kind === "string" ? kind.toLowerCase() : null;
        const program = compileRule(change, types(), record);
        if (program === null) return;
        for (const name of program.startedRules) {
          if (name === after.name && after.trigger === "after delay") continue;
          const rows = await tx.query(selectOfferingRule, [after.app_offering as number, name, kind as string]);
          if (rows.length === 0)
            problem("actions", `there is no rule '${name}' with the trigger 'after delay' to start`);
        }
        if (program.webhooks.some((name) => name !== appWebhookPlaceholder)) problem("actions", "is not valid");
      },
    },
  };
}

/** Runs both sets of hooks, the first one first. */
export const combineHooks = (own: TypeRules, added: TypeRules): TypeRules => ({
  ...own,
  async beforeSave(change) {
    await own.beforeSave?.(change);
    await added.beforeSave?.(change);
  },
  async afterDelete(deleted) {
    await own.afterDelete?.(deleted);
    await added.afterDelete?.(deleted);
  },
});
