import type { Scope } from "../../../records/answers/session.ts";

// Scopes as a form represents them: everything, or operations by name, in some accounts or all. Such a choice is one
// scope that allows; any other combination (several scopes, a denial) is detected and left unchanged.

export type ScopeSelection = {
  everything: boolean;
  /** the operations by name */
  operations: Readonly<Record<string, readonly string[]>>;
  accounts: readonly string[];
};

export const operations = ["Read", "Create", "Update", "Delete"] as const;
const letters: Readonly<Record<string, string>> = { C: "Create", R: "Read", U: "Update", D: "Delete" };

export const emptySelection: ScopeSelection = { everything: false, operations: {}, accounts: [] };

const expandOperation = (operation: string): readonly string[] =>
  operation === "*"
    ? operations
    : /^[CRUD]+$/.test(operation)
      ? [...operation].map((each) => letters[each] ?? each)
      : [operation];

function buildSelection(actions: readonly string[], accounts: readonly string[]): ScopeSelection {
  const picked: Record<string, string[]> = {};
  for (const action of actions) {
    const [name = "", operation = ""] = action.trim().split(":");
    const words = name === "me" ? ["All"] : expandOperation(operation);
    picked[name] = [...new Set([...(picked[name] ?? []), ...words])];
  }
  return { everything: actions.includes("*:*"), operations: picked, accounts };
}

/** Null: the form can't represent the scopes. */
export function parseScopes(scopes: readonly Scope[]): ScopeSelection | null {
  const [scope] = scopes;
  if (scope === undefined) return emptySelection;
  return scopes.length > 1 || scope.effect === "deny" ? null : buildSelection(scope.actions, scope.accounts);
}

/** The shorthand of a link that prefills a form: "person:R,me:All". */
export const parseScopeText = (text: string): ScopeSelection =>
  buildSelection(
    text.split(",").filter((part) => part.includes(":")),
    [],
  );

export function buildScopes({ everything, operations: picked, accounts }: ScopeSelection): Scope[] {
  const actions = everything
    ? ["*:*"]
    : Object.entries(picked).flatMap(([name, words]) => words.map((word) => `${name}:${word}`));
  return actions.length === 0 ? [] : [{ effect: "allow", actions, accounts }];
}
