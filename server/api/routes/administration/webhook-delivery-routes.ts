import { webhookDelivery, webhookDeliveryOperations } from "../../../../records/answers/webhook-deliveries.ts";
import { Forbidden, NotFound } from "../../../base/errors.ts";
import { hasAnyGrant } from "../../../engine/access.ts";
import { requireRecord } from "../../../engine/find.ts";
import {
  listDeliveries,
  loadDelivery,
  loadWebhookState,
  loadWebhookStates,
  redeliver,
} from "../../../webhooks/deliveries.ts";
import { resendVerificationCode } from "../../../webhooks/verification.ts";
import type { Webhooks } from "../../../webhooks/webhooks-context.ts";
import { respondWithEntries } from "../../http/entry-fields.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { parseListQuery } from "../../http/parameters.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// WH18. How webhooks are doing and what was sent to them, for those who may read and change webhooks.

export function webhookDeliveryRoutes(webhooks: Webhooks): Route[] {
  const type = webhooks.engine.types.get("webhook");
  const read = { type: type.scopeName, action: "Read" } as const;
  const update = { type: type.scopeName, action: "Update" } as const;
  const requireWebhook = async (call: Call, operation: "read" | "update"): Promise<number> => {
    const id = parseRecordId(call.params.id, type, webhooks.domain);
    await requireRecord(call.engine, call.caller, type, id, operation);
    return id;
  };
  return serve(webhookDeliveryOperations, {
    "GET /webhook_states": {
      scope: read,
      async handle(call) {
        if (!hasAnyGrant(type, "read", call.caller)) throw new Forbidden();
        return ok(await loadWebhookStates(webhooks, call.caller, null));
      },
    },
    "GET /webhooks/:id/state": {
      scope: read,
      async handle(call) {
        const id = await requireWebhook(call, "read");
        return ok(await loadWebhookState(webhooks, call.caller, id));
      },
    },
    "POST /webhooks/:id/verification": {
      scope: update,
      async handle(call) {
        const id = await requireWebhook(call, "update");
        await resendVerificationCode(webhooks, call.caller.account, id);
        return noContent;
      },
    },
    "GET /webhooks/:id/deliveries": {
      scope: read,
      async handle(call) {
        const id = await requireWebhook(call, "read");
        const query = parseListQuery(call.query, null);
        const page = await listDeliveries(call.engine, call.caller, id, query);
        return respondWithEntries(call, query, page, webhookDelivery);
      },
    },
    "GET /webhooks/:id/deliveries/:delivery": {
      scope: read,
      async handle(call) {
        const id = await requireWebhook(call, "read");
        const delivery = parseDeliveryId(call.params.delivery);
        return ok(await loadDelivery(webhooks, call.caller, id, delivery));
      },
    },
    "POST /webhooks/:id/redeliveries": {
      scope: update,
      async handle(call) {
        const id = await requireWebhook(call, "update");
        const { members } = await call.body();
        return ok(await redeliver(webhooks, call.caller.account, id, members));
      },
    },
  });
}

/** Their ids are larger than those of records can be. */
function parseDeliveryId(text = ""): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new NotFound();
  return Number(text);
}
