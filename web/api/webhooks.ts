import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type {
  accountDelivery,
  deliveryAttempt,
  deliveryStatistics,
  webhookDelivery,
  webhookDeliveryDetails,
  webhookState,
} from "../../records/answers/webhook-deliveries.ts";
import type { sandbox, sandboxMessage } from "../../records/answers/webhook-sandboxes.ts";

// The calls of the webhook pages.

export type Webhook = AnswerOf<typeof webhookState>;
export type Delivery = AnswerOf<typeof webhookDelivery>;
/** A delivery in the list of all webhooks' deliveries. */
export type AccountDelivery = AnswerOf<typeof accountDelivery>;
export type Attempt = AnswerOf<typeof deliveryAttempt>;
export type DeliveryDetails = AnswerOf<typeof webhookDeliveryDetails>;
export type DeliveryStatistics = AnswerOf<typeof deliveryStatistics>;
export type Sandbox = AnswerOf<typeof sandbox>;
export type SandboxMessage = AnswerOf<typeof sandboxMessage>;
