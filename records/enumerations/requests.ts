// Requests: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const requests = {
  "request.status": [
    "declined", "on_backlog", "assigned", "accepted", "in_progress", "waiting_for", "waiting_for_customer",
    "reservation_pending", "workflow_pending", "project_pending", "completed",
  ],
  "request.category": [
    "incident", "rfc", "rfi", "reservation", "order", "fulfillment", "complaint", "compliment", "other",
  ],
  "request.impact": ["low", "medium", "high", "top"],
  "request.completion_reason": [
    "solved", "workaround", "gone", "duplicate", "withdrawn", "no_reply", "rejected", "conflict", "declined",
    "unsolvable",
  ],
  "request.major_incident_status": ["proposed", "rejected", "accepted", "resolved", "canceled"],
  "request.grouping": ["none", "group", "grouped"],
  "feedback.satisfaction": ["dissatisfied", "satisfied"],
  "request_event.category": [
    "registered", "completed", "reopened", "declined_by_us", "declined_to_us", "knowledge_article_linked",
    "knowledge_article_unlinked",
  ],
  "request_account.completion_status": ["open", "completed"],
} as const;
