// Problems and risks: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const problems = {
  "problem.status": [
    "declined", "on_backlog", "assigned", "accepted", "in_progress", "waiting_for", "analyzed", "change_requested",
    "workflow_pending", "project_pending", "progress_halted", "solved",
  ],
  "problem.category": ["reactive", "proactive"],
  "problem.impact": ["none", "low", "medium", "high", "top"],
  "problem_event.category": [
    "registered", "halted", "solved", "reopened", "restarted", "known_error_set", "known_error_cleared",
  ],
  "risk.status": ["anticipated", "materialized", "closed"],
  "risk.closure_reason": ["eliminated", "accepted", "mitigated", "transferred", "no_risk"],
  "risk_event.category": ["registered", "closed", "reopened"],
} as const;
