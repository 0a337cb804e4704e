import type { Api } from "../http/pipeline.ts";
import { ok, type Route } from "../http/route.ts";
import { buildOpenApiDocument } from "./document.ts";

/** GET /openapi.json. The document is built on the first request and cached. */
export function openApiRoute(api: Api, routes: readonly Route[]): Route {
  let document: string | null = null;
  return {
    method: "GET",
    path: "/openapi",
    scope: null,
    anonymous: true,
    async handle() {
      document ??= JSON.stringify(buildOpenApiDocument({ types: api.engine.types, domain: api.domain }, routes));
      return ok(document);
    },
  };
}
