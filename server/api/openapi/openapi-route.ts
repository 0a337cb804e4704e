import type { Api } from "../http/pipeline.ts";
import { ok, type Route } from "../http/route.ts";
import { buildOpenApiDocument } from "./document.ts";

/** GET /openapi.json: what the API serves, itself among the routes. Written when first asked for, and kept. */
export function openApiRoute(api: Api, routes: readonly Route[]): Route {
  let written: string | null = null;
  return {
    method: "GET",
    path: "/openapi",
    scope: null,
    anonymous: true,
    async handle() {
      written ??= JSON.stringify(buildOpenApiDocument({ types: api.engine.types, domain: api.domain }, routes));
      return ok(written);
    },
  };
}
