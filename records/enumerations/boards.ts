// Broadcasts, notes, boards, surveys, sprints: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const boards = {
  "broadcast.message_type": ["outage", "available", "warning", "info"],
  "broadcast.visibility": [
    "all_of_account", "account_specialists", "members_of_teams", "covered_for_any", "covered_for", "customers",
    "organizations_and_descendants", "organizations", "sites", "members_of_skill_pools",
  ],
  "note.medium": ["default", "email", "outbound_email", "system", "reference", "redacted", "automation", "ai"],
  "note.visibility": ["end_user", "specialist", "audit"],
  "agile_board_column.action_type": ["none", "assign", "accept", "start", "complete"],
  "agile_board_column.column_type": ["waiting", "in_progress", "done"],
  "agile_board_column.dialog_type": ["none", "minimal", "full"],
  "agile_board_item_event.category": ["column_changed"],
  "survey_question.type": ["star_rating", "text"],
  "sprint.status": ["registered", "active", "completed"],
  "sprint_event.category": ["added", "estimate_update", "completed", "removed", "sprint_end"],
} as const;
