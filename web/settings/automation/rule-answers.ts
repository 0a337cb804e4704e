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

// The server's responses about automation rules and their runs.

export type RuleRun = AnswerOf<typeof ruleRun>;
export type RuleOutcome = RuleRun["outcome"];
export type RuleStatistics = AnswerOf<typeof ruleStatistics>;
/** An error in a text of an automation rule, and its position. */
export type RuleMistake = AnswerOf<typeof ruleMistake>;
/** An action that triggers its own rule again, through these rules. */
export type RuleLoop = AnswerOf<typeof ruleLoop>;
/** A completion at the cursor of a rule. */
export type RuleSuggestion = AnswerOf<typeof ruleSuggestion>;
/** The effects a rule would have. */
export type RuleDryRun = AnswerOf<typeof ruleDryRun>;
export type RuleChange = AnswerOf<typeof ruleChange>;
export type RuleEffect = AnswerOf<typeof ruleEffect>;
