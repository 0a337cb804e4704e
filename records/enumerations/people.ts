// People, permissions, contacts: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const people = {
  "permission.role": [
    "account_owner", "key_contact", "auditor", "financial_manager", "specialist", "service_desk_analyst",
    "service_desk_manager", "knowledge_manager", "problem_manager", "workflow_manager", "release_manager",
    "project_manager", "service_level_manager", "configuration_manager", "account_designer", "account_administrator",
    "directory_auditor", "directory_designer", "directory_administrator", "workflow_automator_auditor",
    "workflow_automator_specialist",
  ],
  "permission_event.event_type": ["added", "removed"],
  "person.send_email_notifications": ["always", "when_offline", "never"],
  "person.show_notification_popup": ["always", "important_only", "never"],
  "person.color_mode": ["system", "light", "dark"],
  "contact.label": [
    "general", "service_desk", "work", "mobile", "home", "personal", "emergency", "fax", "service_desk_fax",
    "chat_workchat", "chat_teams", "chat_slack", "chat_skype",
  ],
  "contact.protocol": ["telephone", "email", "chat", "website"],
  "address.label": ["home", "street", "mailing", "billing", "shipping"],
  "scim_group.classification": ["unclassified", "organization", "site"],
} as const;
