import type { Scope } from "../../../records/answers/session.ts";
import { OperatorError } from "../../base/errors.ts";
import type { Types } from "../../engine/types.ts";

// AZ4. A scope allows or denies actions, everywhere or in some accounts.

export type { Scope } from "../../../records/answers/session.ts";
export type Action = "Read" | "Create" | "Update" | "Delete" | "All";

const letters: Record<string, Action> = { C: "Create", R: "Read", U: "Update", D: "Delete" };
const words: readonly Action[] = ["Create", "Read", "Update", "Delete"];

// Scopes beside those of record types: attachments are uploaded before they belong to a record, `me` is the caller, `inbox`
// to `kept-item` are what the interface shows and stores for the caller, the rest is what the service writes down about an
// account.
const otherScopeNames = [
  ...["me", "attachment", "import", "export", "bulk-change", "report-schedule"],
  ...["inbox", "notification", "kept-item"],
  ...["mail", "email-policy", "sign-in-policy", "identity-provider", "security-trail", "job", "request-log", "privacy"],
  "scim",
];

/** Every valid name before the colon. */
export const listScopeNames = (types: Types): ReadonlySet<string> =>
  new Set([...otherScopeNames, ...types.all.map((type) => type.scopeName)]);

/** "problem:RU, me:All" to the stored form, full words: ["problem:Read", "problem:Update", "me:All"]. */
export function parseActions(text: string, known: ReadonlySet<string>): string[] {
  const actions: string[] = [];
  for (const part of text
    .split(",")
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")) {
    const [type, operation, ...rest] = part.split(":");
    if (type === undefined || operation === undefined || rest.length > 0)
      throw new OperatorError(`Invalid scope "${part}". Use <record type>:<operation>, for example person:Read.`);
    if (type !== "*" && !known.has(type)) throw new OperatorError(`Unknown record type "${type}".`);
    if (type === "*" && operation === "*") actions.push("*:*");
    else if (type === "me" && ["All", "*", "R", "Read"].includes(operation)) actions.push("me:All");
    else if (operation === "*") actions.push(...words.map((word) => `${type}:${word}`));
    else if (words.includes(operation as Action)) actions.push(`${type}:${operation}`);
    else if (/^[CRUD]+$/.test(operation))
      actions.push(...[...new Set(operation)].map((letter) => `${type}:${letters[letter]}`));
    else
      throw new OperatorError(
        `Unknown operation "${operation}". Use Read, Create, Update, Delete, their first letters, or *.`,
      );
  }
  if (actions.length === 0) throw new OperatorError("Specify at least one scope, for example *:* or person:Read.");
  return [...new Set(actions)];
}

/** Default deny; a matching deny beats any allow. */
export function allows(scopes: readonly Scope[], type: string, action: Action, account: string): boolean {
  let allowed = false;
  for (const scope of scopes) {
    if (scope.accounts.length > 0 && !scope.accounts.includes(account)) continue;
    if (!scope.actions.some((granted) => covers(granted, type, action))) continue;
    if (scope.effect === "deny") return false;
    allowed = true;
  }
  return allowed;
}

function covers(granted: string, type: string, action: Action): boolean {
  if (granted === "*:*") return true;
  const separator = granted.indexOf(":");
  const [grantedType, operation] = [granted.slice(0, separator), granted.slice(separator + 1)];
  return (grantedType === "*" || grantedType === type) && (operation === "*" || operation === action);
}
