import { ok, type Route } from "../call.ts";
import type { Api } from "../pipeline.ts";
import { openApiDocument } from "./document.ts";

/** GET /openapi.json: what the API serves, for programs and people. Written once; the answer never changes. */
export function openApiRoute(api: Api, routes: readonly Route[]): Route {
  const route: Route = { method: "GET", path: "/openapi", scope: null, anonymous: true, handle: async () => answer };
  const document = openApiDocument({ types: api.engine.types, domain: api.domain }, [...routes, route]);
  const answer = ok(JSON.stringify(document));
  return route;
}
