import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ruleLoop } from "../../../records/answers/automation.ts";
import { type Database, statement } from "../../database/database.ts";
import type { Types } from "../../engine/types.ts";
import { type CompiledAction, type Program, ProgramProblem } from "../language/program.ts";
import { getProgram } from "../program-cache.ts";
import { listFieldTriggers } from "../triggers.ts";

// Finds actions that fire the trigger of their own rule again, directly or through other rules. Such a rule is not a
// mistake: a chain of runs takes each rule once for a record (X9). But it surprises, so the editor shows it. D-474

type RuleNode = { id: number; name: string; trigger: string; type: string; actions: readonly CompiledAction[] };

/** Far more rules than accounts have for their records. */
const maxRules = 500;
const selectRules = statement(
  `SELECT id, name, trigger, generic, condition, expressions, actions FROM automation_rules
WHERE account_id = $1 AND generic IS NOT NULL AND NOT disabled ORDER BY id LIMIT ${maxRules}`,
);

export async function findLoops(
  database: Database,
  types: Types,
  account: string,
  edited: { id: number; name: string; trigger: string; type: string | null; program: Program },
): Promise<AnswerOf<typeof ruleLoop>[]> {
  const { id, name, trigger, type, program } = edited;
  if (type === null || trigger === "") return [];
  const own: RuleNode = { id, name, trigger: trigger.trim().toLowerCase(), type, actions: program.actions };
  const others: RuleNode[] = [];
  for (const row of await database.read(selectRules, [account])) {
    const [otherId, otherName, otherTrigger, generic] = row as [string, string, string, string];
    if (Number(otherId) === id) continue;
    const texts = { condition: row[4] ?? null, expressions: row[5] ?? null, actions: row[6] ?? null };
    const actions = compileActions(types, texts, generic);
    others.push({ id: Number(otherId), name: otherName, trigger: otherTrigger, type: generic, actions });
  }
  return own.actions.flatMap((action, index) => {
    const through = findWayBack(types, own, others, action);
    return through === null ? [] : [{ action: index + 1, through }];
  });
}

function compileActions(types: Types, texts: Parameters<typeof getProgram>[1], type: string): Program["actions"] {
  try {
    return getProgram(types, texts, type).actions;
  } catch (error) {
    // A rule that was valid when it was saved: a field may have gone since.
    if (error instanceof ProgramProblem) return [];
    throw error;
  }
}

/** The shortest way from an action back to its rule, by breadth. */
function findWayBack(
  types: Types,
  own: RuleNode,
  others: readonly RuleNode[],
  action: CompiledAction,
): readonly string[] | null {
  if (fires(types, action, own)) return [];
  let ways = others.filter((rule) => fires(types, action, rule)).map((rule) => ({ rule, names: [rule.name] }));
  const seen = new Set(ways.map(({ rule }) => rule.id));
  while (ways.length > 0) {
    const next: typeof ways = [];
    for (const { rule, names } of ways) {
      if (rule.actions.some((each) => fires(types, each, own))) return names;
      for (const other of others)
        if (!seen.has(other.id) && rule.actions.some((each) => fires(types, each, other))) {
          seen.add(other.id);
          next.push({ rule: other, names: [...names, other.name] });
        }
    }
    ways = next;
  }
  return null;
}

/** Whether an action can fire the trigger of a rule. */
function fires(types: Types, action: CompiledAction, rule: RuleNode): boolean {
  switch (action.kind) {
    case "start":
      return rule.trigger === "after delay" && rule.name === action.rule;
    case "note":
      return action.targetType === rule.type && rule.trigger === "on note added";
    case "set":
    case "add":
    case "remove": {
      if (action.targetType !== rule.type) return false;
      const field = action.kind === "set" ? action.field[0] : action.field;
      return (
        rule.trigger === "on update" ||
        listFieldTriggers(types.get(rule.type)).some(({ trigger, name }) => trigger === rule.trigger && name === field)
      );
    }
    default:
      return false;
  }
}
