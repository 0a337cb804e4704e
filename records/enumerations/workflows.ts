// Workflows and tasks: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const workflows = {
  "workflow.status": [
    "being_created", "registered", "risk_and_impact", "approval", "implementation", "in_progress", "progress_halted",
    "completed",
  ],
  "workflow.category": ["standard", "non_standard", "emergency", "order"],
  "workflow.justification": [
    "compliance", "correction", "expansion", "improvement", "maintenance", "move", "removal", "replacement",
    "purchase",
  ],
  "workflow.completion_reason": [
    "withdrawn", "rejected", "rolled_back", "failed", "partial", "disruptive", "complete",
  ],
  "workflow_phase.status": ["registered", "in_progress", "completed"],
  "workflow_event.category": ["registered", "completed", "reopened"],
  "task.status": [
    "registered", "declined", "assigned", "accepted", "in_progress", "waiting_for", "waiting_for_customer",
    "request_pending", "failed", "rejected", "completed", "approved", "canceled",
  ],
  "task.category": ["risk_and_impact", "approval", "implementation", "fulfillment_placeholder", "automation"],
  "task.impact": ["none", "low", "medium", "high", "top"],
  "task.note_behavior": [
    "hidden", "optional_on_completion", "optional_on_approval", "required_on_completion", "required_on_approval",
  ],
} as const;
