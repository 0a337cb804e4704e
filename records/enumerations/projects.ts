// Projects: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const projects = {
  "project.status": ["registered", "in_progress", "progress_halted", "completed"],
  "project.justification": [
    "compliance", "correction", "expansion", "improvement", "maintenance", "move", "removal", "replacement",
  ],
  "project.completion_reason": ["withdrawn", "rejected", "abandoned", "partial", "complete"],
  "project_phase.status": ["registered", "in_progress", "completed"],
  "project_event.category": ["registered", "completed", "reopened"],
  "project_task.status": [
    "registered", "assigned", "accepted", "in_progress", "waiting_for", "failed", "rejected", "completed", "approved",
    "canceled",
  ],
  "project_task.category": ["activity", "approval", "milestone"],
  "project_task.note_behavior": [
    "hidden", "optional_on_completion", "optional_on_approval", "required_on_completion", "required_on_approval",
  ],
} as const;
