import { subscriptionOperations } from "../../../../records/answers/audiences.ts";
import { subscribeToBroadcast } from "../../../actions/broadcast-subscription.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import type { Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { respondWithCreated } from "../records/nested-routes.ts";

/** POST /broadcasts/:id/subscribe creates a request for the caller in the request group of the broadcast. */
export function subscriptionRoutes({ engine, domain }: Api): Route[] {
  const [broadcast, request] = [engine.types.get("broadcast"), engine.types.get("request")];
  return serve(subscriptionOperations, {
    "POST /broadcasts/:id/subscribe": {
      scope: { type: request.scopeName, action: "Create" },
      async handle(call) {
        const id = parseRecordId(call.params.id, broadcast, domain);
        const account = await requireRecord(call.engine, call.caller, broadcast, id, "read");
        return respondWithCreated(call, request, await subscribeToBroadcast(call.engine, call.caller, { id, account }));
      },
    },
  });
}
