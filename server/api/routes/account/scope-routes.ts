import { scopeOperations } from "../../../../records/answers/settings.ts";
import { getScopeLabel } from "../../../oauth/scopes/describe-scopes.ts";
import { listScopeNames } from "../../../oauth/scopes/scopes.ts";
import type { Api } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** GET /scopes: what a token can be allowed to do. */
export const scopeRoutes = ({ engine: { types } }: Api): Route[] =>
  serve(scopeOperations, {
    "GET /scopes": {
      scope: null,
      handle: async () =>
        ok(
          [...listScopeNames(types)].map((name) => ({
            name,
            label: getScopeLabel(types, name),
            operations: name === "me" ? ["All"] : ["Read", "Create", "Update", "Delete"],
          })),
        ),
    },
  });
