import { audienceOperations } from "../../../../records/answers/audiences.ts";
import {
  countPeople,
  loadAudience,
  loadAudienceOfBroadcast,
  parseAudience,
  requireBroadcaster,
} from "../../../actions/broadcast-audience.ts";
import {
  isCovered,
  isCoveredByNobody,
  isCoveredBySla,
  parseCoverage,
  requireAgreementWriter,
} from "../../../actions/sla-audience.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** The audiences of broadcasts and SLAs, saved (GET …/:id/audience) or not (POST …/audience), and people whom no SLA covers. */
export function audienceRoutes({ engine, domain }: Api): Route[] {
  const type = engine.types.get("broadcast");
  const scope = { type: type.scopeName, action: "Read" } as const;
  const sla = engine.types.get("sla");
  const service = engine.types.get("service");
  const slaScope = { type: sla.scopeName, action: "Read" } as const;
  return serve(audienceOperations, {
    "GET /broadcasts/:id/audience": {
      scope,
      async handle(call) {
        requireBroadcaster(call.engine, call.caller);
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        return ok(await loadAudienceOfBroadcast(call.engine, call.caller, id, account));
      },
    },
    "POST /broadcasts/audience": {
      scope,
      async handle(call) {
        requireBroadcaster(call.engine, call.caller);
        return ok(await loadAudience(call.engine, call.caller, parseAudience(await call.body())));
      },
    },
    "GET /slas/:id/audience": {
      scope: slaScope,
      async handle(call) {
        const id = parseRecordId(call.params.id, sla, domain);
        await requireRecord(call.engine, call.caller, sla, id, "update");
        return ok(await countPeople(call.engine, call.caller, isCoveredBySla(call.caller, id)));
      },
    },
    "GET /services/:id/uncovered_people": {
      scope: slaScope,
      async handle(call) {
        requireAgreementWriter(call.engine, call.caller);
        const id = parseRecordId(call.params.id, service, domain);
        await requireRecord(call.engine, call.caller, service, id, "read");
        return ok(await countPeople(call.engine, call.caller, isCoveredByNobody(call.caller, id)));
      },
    },
    "POST /slas/audience": {
      scope: slaScope,
      async handle(call) {
        requireAgreementWriter(call.engine, call.caller);
        return ok(
          await countPeople(call.engine, call.caller, isCovered(call.caller, parseCoverage(await call.body()))),
        );
      },
    },
  });
}
