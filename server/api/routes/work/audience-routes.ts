import {
  type AudienceReport,
  loadAudience,
  loadSavedAudience,
  parseAudience,
  requireBroadcaster,
} from "../../../actions/broadcast-audience.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type ApiResponse, ok, type Route } from "../../http/route.ts";

/** GET /broadcasts/:id/audience and POST /broadcasts/audience: whom a broadcast reaches, saved or not. */
export function audienceRoutes({ engine, domain }: Api): Route[] {
  const type = engine.types.get("broadcast");
  const scope = { type: type.scopeName, action: "Read" } as const;
  return [
    {
      method: "GET",
      path: "/broadcasts/:id/audience",
      scope,
      async handle(call) {
        requireBroadcaster(call.engine, call.caller);
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        return respond(await loadAudience(call.engine, call.caller, await loadSavedAudience(call.engine, id, account)));
      },
    },
    {
      method: "POST",
      path: "/broadcasts/audience",
      scope,
      async handle(call) {
        requireBroadcaster(call.engine, call.caller);
        return respond(await loadAudience(call.engine, call.caller, parseAudience(await call.body())));
      },
    },
  ];
}

const respond = (report: AudienceReport): ApiResponse => ok(JSON.stringify(report));
