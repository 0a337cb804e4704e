import { done } from "./answers.ts";
import type { Context } from "./components.ts";
import type { Operations } from "./operation.ts";

// What is said about the routes of webhook-routes.ts.

export const webhookOperations = (context: Context): Operations => [
  [
    "POST /webhooks/:id/test",
    () => ({
      operationId: "testWebhook",
      summary: "Send a test message to a webhook",
      description:
        "The address of the webhook receives a message of its event whose object_id is 12345 and whose payload is empty. Works for disabled and unverified webhooks too.",
      responses: { 204: done(context) },
    }),
  ],
];
