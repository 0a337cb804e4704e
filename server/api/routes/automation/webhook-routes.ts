import { webhookTestOperations } from "../../../../records/answers/automation.ts";
import { requireRecord } from "../../../engine/find.ts";
import { sendTestMessage } from "../../../webhooks/test-message.ts";
import type { Webhooks } from "../../../webhooks/webhooks-context.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { noContent, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** POST /webhooks/:id/test sends a message to the receiver, even of a disabled webhook. */
export function webhookRoutes(webhooks: Webhooks): Route[] {
  const type = webhooks.engine.types.get("webhook");
  return serve(webhookTestOperations, {
    "POST /webhooks/:id/test": {
      scope: { type: type.scopeName, action: "Update" },
      async handle(call) {
        const id = parseRecordId(call.params.id, type, webhooks.domain);
        await requireRecord(call.engine, call.caller, type, id, "update");
        await sendTestMessage(webhooks, call.caller, id);
        return noContent;
      },
    },
  });
}
