import { useCurrentAccount } from "../api/current-account.ts";
import { personKind } from "../base/person-kind.ts";

// For requesters, records have the addresses that emails contain. For others those addresses open the workspace, and
// the portal is below /portal.

const join = (...parts: (string | number)[]): string => `/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

export function buildAddresses(account: string, isRequester: boolean) {
  const portal = (...parts: (string | number)[]) => join("a", account, "portal", ...parts);
  return {
    home: isRequester ? join("a", account) : portal(),
    requests: isRequester ? join("a", account, "requests") : portal("requests"),
    request: (id: number) => (isRequester ? join("a", account, "requests", id) : portal("requests", id)),
    approvals: portal("approvals"),
    approval: (task: number) => (isRequester ? join("a", account, "tasks", task) : portal("approvals", task)),
    knowledge: portal("knowledge"),
    article: (id: number) => (isRequester ? join("a", account, "knowledge_articles", id) : portal("knowledge", id)),
    catalogue: (key: string | number) => portal("catalogue", key),
    shop: portal("shop"),
    reservations: portal("reservations"),
    search: (text: string) => `${portal("search")}?${new URLSearchParams({ q: text })}`,
    newRequest: (text = "") => portal("new") + (text === "" ? "" : `?${new URLSearchParams({ text })}`),
    form: (template: number, text = "") =>
      portal("new", template) + (text === "" ? "" : `?${new URLSearchParams({ text })}`),
    profile: join("a", account, "profile", "general"),
    workspace: join("a", account),
  };
}
export type Addresses = ReturnType<typeof buildAddresses>;

export const isRequesterOnly = (roles: readonly string[]): boolean => personKind(roles) === "requester";

export function useAddresses(): Addresses {
  const { account } = useCurrentAccount();
  return buildAddresses(account.id, isRequesterOnly(account.roles));
}

export type Place =
  | { page: "home" | "requests" | "approvals" | "knowledge" | "shop" | "reservations" | "search" | "nothing" }
  | { page: "request" | "approval" | "article" | "catalogue" | "device"; id: string }
  | { page: "form"; id: string | null };

/** The page for an address below /a/<account>. */
export function parsePlace(path: string): Place {
  const parts = path
    .split("/")
    .slice(3)
    .map(decodeURIComponent)
    .filter((part) => part !== "");
  const [first, second] = parts[0] === "portal" ? parts.slice(1) : parts;
  const one = (page: "request" | "approval" | "article" | "catalogue" | "device"): Place =>
    second === undefined || second === "new" ? { page: "nothing" } : { page, id: second };
  switch (first) {
    case undefined:
    case "broadcasts":
    case "inbox":
      return { page: "home" };
    case "requests":
      if (second === "new") return { page: "form", id: null };
      return second === undefined ? { page: "requests" } : one("request");
    case "approvals":
    case "tasks":
      return second === undefined ? { page: "approvals" } : one("approval");
    case "knowledge":
    case "knowledge_articles":
      return second === undefined ? { page: "knowledge" } : one("article");
    case "catalogue":
    case "services":
    case "request_templates":
      if (first === "request_templates" && second !== undefined) return { page: "form", id: second };
      return second === undefined ? { page: "catalogue", id: "all" } : one("catalogue");
    case "new":
      return { page: "form", id: second ?? null };
    case "cis":
      return one("device");
    case "search":
      return { page: "search" };
    case "shop":
    case "shop_articles":
    case "shop_order_lines":
      return { page: "shop" };
    case "reservations":
    case "reservation_offerings":
      return { page: "reservations" };
    default:
      return { page: "nothing" };
  }
}
