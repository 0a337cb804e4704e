import type { Types } from "../../engine/types.ts";
import type { Scope } from "./scopes.ts";

// Describes scopes as sentences for the person who decides about them.

const verbs: Record<string, string> = { Read: "see", Create: "add", Update: "change", Delete: "delete" };
const order = ["Read", "Create", "Update", "Delete"];

const otherLabels: Record<string, string> = {
  attachment: "attachments",
  import: "imports",
  export: "exports",
  "bulk-change": "changes of many records",
  "report-schedule": "reports that are sent by e-mail",
  inbox: "your inbox",
  notification: "your notifications",
  "kept-item": "your views, drafts and other things that the interface stores",
  mail: "sent and received e-mails",
  "email-policy": "the e-mail policy",
  "sign-in-policy": "how people sign in",
  scim: "provisioning by an identity provider",
  "identity-provider": "identity providers",
  "security-trail": "the security trail",
  job: "jobs that failed",
  "request-log": "calls of the API",
  privacy: "data of people, and how long it is kept",
};

/** "service-offering" to "service offerings". */
export function getScopeLabel(types: Types, name: string): string {
  const type = types.all.find((candidate) => candidate.scopeName === name);
  return type?.collection.replaceAll("_", " ") ?? otherLabels[name] ?? name;
}

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

function describeActions(scope: Scope, types: Types): string[] {
  const operations = new Map<string, Set<string>>();
  for (const action of scope.actions) {
    const [name = "", operation = ""] = action.split(":");
    operations.set(name, (operations.get(name) ?? new Set()).add(operation));
  }
  const describe = (name: string, held: ReadonlySet<string>): string => {
    if (name === "me") return "see who you are";
    const isAll = held.has("*") || order.every((operation) => held.has(operation));
    if (name === "*" && isAll) return "do everything that you may do";
    const records = name === "*" ? "records of every kind" : getScopeLabel(types, name);
    const covered = isAll ? order : order.filter((operation) => held.has(operation));
    return `${joinWords(covered.map((operation) => verbs[operation] as string))} ${records}`;
  };
  return [...operations].map(([name, held]) => describe(name, held));
}

export type ScopeDescription = { effect: "allow" | "deny"; text: string };

export function describeScopes(
  scopes: readonly Scope[],
  types: Types,
  accountName: (id: string) => string,
): ScopeDescription[] {
  return scopes.flatMap((scope) => {
    const only = scope.accounts.length === 0 ? "" : `, only in ${joinWords(scope.accounts.map(accountName))}`;
    return describeActions(scope, types).map((text) => ({
      effect: scope.effect,
      text: `${text.charAt(0).toUpperCase()}${text.slice(1)}${only}`,
    }));
  });
}
