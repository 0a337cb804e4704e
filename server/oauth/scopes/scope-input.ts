import { Invalid, OperatorError } from "../../base/errors.ts";
import { parseActions, type Scope } from "./scopes.ts";

// Parses scopes as clients write them: one line of shorthand, or a list of {effect, actions, accounts}.

export type ScopeContext = {
  names: ReadonlySet<string>;
  /** ids of all accounts */
  accounts: ReadonlySet<string>;
};

const requireTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map((part) => {
    if (typeof part !== "string") throw new OperatorError("Scopes are text.");
    return part;
  });

function parseScope(value: unknown, context: ScopeContext): Scope {
  if (typeof value === "string") return { effect: "allow", actions: parseActions(value, context.names), accounts: [] };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new OperatorError("A scope is an object.");
  const { effect = "allow", actions, accounts } = value as Record<string, unknown>;
  if (effect !== "allow" && effect !== "deny") throw new OperatorError('The effect of a scope is "allow" or "deny".');
  const limitedTo = [...new Set(requireTexts(accounts))];
  const unknown = limitedTo.find((id) => !context.accounts.has(id));
  if (unknown !== undefined) throw new OperatorError(`There is no account ${unknown.slice(0, 60)}.`);
  return { effect, actions: parseActions(requireTexts(actions).join(","), context.names), accounts: limitedTo };
}

/** The stored form; 422 for invalid scopes. An empty list is valid: such a token may do nothing. */
export function parseScopes(value: unknown, context: ScopeContext): Scope[] {
  try {
    if (value === undefined || value === null || value === "") return [];
    if (Array.isArray(value) && value.length > 100) throw new OperatorError("There are at most 100 scopes.");
    const text = JSON.stringify(value);
    if (text.length > 20_000) throw new OperatorError("The scopes are too long.");
    return (Array.isArray(value) ? value : [value]).map((scope) => parseScope(scope, context));
  } catch (error) {
    if (error instanceof OperatorError) throw new Invalid([["scopes", `are not valid: ${error.message}`]]);
    throw error;
  }
}
