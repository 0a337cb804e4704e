// Knowledge, reservations, shop, contracts: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const knowledge = {
  "knowledge_article.status": ["work_in_progress", "not_validated", "validated", "archived"],
  "knowledge_article.feedback": ["helpful", "unhelpful"],
  "knowledge_article_event.category": [
    "registered", "work_in_progress", "not_validated", "validated", "archived", "positive_feedback",
    "negative_feedback", "viewed_in_self_service",
  ],
  "reservation.status": [
    "prototype", "provisional", "pending", "conflicting", "confirmed", "being_prepared", "active", "canceled",
    "ended",
  ],
  "shop_order_line.status": ["in_cart", "workflow_pending", "fulfillment_pending", "completed", "canceled"],
  "shop_article.recurring_period": ["monthly", "yearly"],
  "contract.category": [
    "lease_contract", "maintenance_contract", "support_contract", "support_and_maintenance_contract",
    "other_type_of_contract",
  ],
  "invoice.invoice_type": ["workflow", "project", "sla", "flsa", "cis", "contract"],
} as const;
