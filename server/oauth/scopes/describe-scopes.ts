import { pluralName } from "../../../records/languages/plural-name.ts";
import type { Types } from "../../engine/types.ts";
import type { Scope } from "./scopes.ts";

// Describes scopes as sentences for the person who decides about them.

const verbs: Record<string, string> = { Read: "see", Create: "add", Update: "change", Delete: "delete" };
const order = ["Read", "Create", "Update", "Delete"];

const otherLabels: Record<string, string> = {
  attachment: "attachments",
  import: "imports",
  export: "exports",
  "bulk-change": "bulk changes",
  "report-schedule": "scheduled reports",
  inbox: "your inbox",
  notification: "your notifications",
  "kept-item": "your views, drafts and other things that the interface stores",
  mail: "sent and received emails",
  "email-policy": "the email policy",
  "sign-in-policy": "the sign-in policy",
  scim: "provisioning by an identity provider",
  "identity-provider": "identity providers",
  "security-trail": "the security log",
  job: "failed jobs",
  "request-log": "the API request log",
  privacy: "personal data and retention settings",
};

/** "service-offering" to "service offerings". */
export function getScopeLabel(types: Types, name: string): string {
  const type = types.all.find((candidate) => candidate.scopeName === name);
  return type === undefined ? (otherLabels[name] ?? name) : pluralName(type);
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
    if (name === "me") return "see your name and account";
    const isAll = held.has("*") || order.every((operation) => held.has(operation));
    if (name === "*" && isAll) return "do everything you can do";
    const records = name === "*" ? "records of any type" : getScopeLabel(types, name);
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
