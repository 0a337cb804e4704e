import { listNeededScopes, type Route } from "../http/route.ts";
import type { Schema } from "./components.ts";

// The token identifies the caller, the account header chooses the account. Both are security schemes, so that readers of
// the interactive reference enter them once for all operations.

export const securitySchemes: Record<string, Schema> = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "A personal access token, or an access token of the OAuth 2.0 server at `/oauth`. " +
      "Its scopes have the form `<record-type>:<Operation>`: `person:Read`, `task:Update`, `me:All`, `*:*`.",
  },
  account: {
    type: "apiKey",
    in: "header",
    name: "account",
    description:
      "The id of the account to work in; default: the account of the person. " +
      "`X-Xurrent-Account` and `X-4me-Account` are aliases.",
    "x-aliases": ["X-Xurrent-Account", "X-4me-Account"],
  } as Schema,
};

export const listScopeNames = (route: Pick<Route, "scope" | "alsoNeeds">): string[] =>
  listNeededScopes(route).map(({ type, action }) => `${type}:${action}`);

/** A token with all of these scopes, with or without the account header. */
export const buildSecurityRequirements = (bearer: readonly string[]): Schema[] => [{ bearer }, { bearer, account: [] }];
