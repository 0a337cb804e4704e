import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type {
  ruleChange,
  ruleDryRun,
  ruleEffect,
  ruleLoop,
  ruleMistake,
  ruleRun,
  ruleStatistics,
  ruleSuggestion,
} from "../../../records/answers/automation.ts";

// What the server says about automation rules and their runs.

export type RuleRun = AnswerOf<typeof ruleRun>;
export type RuleOutcome = RuleRun["outcome"];
export type RuleStatistics = AnswerOf<typeof ruleStatistics>;
/** A mistake in a text of an automation rule, and its place. */
export type RuleMistake = AnswerOf<typeof ruleMistake>;
/** An action that fires the trigger of its own rule again, through these rules. */
export type RuleLoop = AnswerOf<typeof ruleLoop>;
/** A completion at the cursor of a rule. */
export type RuleSuggestion = AnswerOf<typeof ruleSuggestion>;
/** What a rule would do. */
export type RuleDryRun = AnswerOf<typeof ruleDryRun>;
export type RuleChange = AnswerOf<typeof ruleChange>;
export type RuleEffect = AnswerOf<typeof ruleEffect>;
