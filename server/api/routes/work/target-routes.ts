import { targetOperations } from "../../../../records/answers/targets.ts";
import { explainTargets, serializeExplanation } from "../../../actions/targets/explain-targets.ts";
import type { Explanation } from "../../../actions/targets/explanation.ts";
import { simulateTargets } from "../../../actions/targets/simulate-targets.ts";
import type { Caller } from "../../../engine/caller.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { formatMoment } from "../../http/moments.ts";
import type { Api } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** GET /requests/:id/targets and POST /sla_simulations: why a request has its targets, and which it would have. */
export function targetRoutes({ engine, domain }: Api): Route[] {
  const type = engine.types.get("request");
  return serve(targetOperations, {
    "GET /requests/:id/targets": {
      scope: { type: type.scopeName, action: "Read" },
      async handle(call) {
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        const { database } = call.engine;
        const source = { query: database.read.bind(database) };
        return respondWith(
          call.caller,
          await explainTargets({ engine: call.engine, by: call.caller, source, request: id, account }),
        );
      },
    },
    "POST /sla_simulations": {
      scope: { type: "sla", action: "Read" },
      handle: async (call) =>
        respondWith(call.caller, await simulateTargets(call.engine, call.caller, await call.body())),
    },
  });
}

const respondWith = (by: Caller, explanations: readonly Explanation[]) =>
  ok(explanations.map((each) => serializeExplanation(each, by, (moment) => formatMoment(moment, by))));
