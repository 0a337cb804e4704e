// Access, webhooks, records: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const access = {
  "oauth_application.grant_type": ["authorization_code", "client_credentials"],
  "scope.effect": ["allow", "deny"],
  "webhook_policy.jwt_alg": ["none", "hs256", "hs384", "hs512", "rs256", "rs384", "rs512", "es256", "es384", "es512"],
  "certificate.signature_alg": ["rs256", "rs384", "rs512", "es256", "es384", "es512"],
  "life_cycle.state": ["active", "archived", "trashed", "erased"],
  "ui_extension.category": [
    "request_template", "knowledge_article_template", "problem", "release", "workflow_template", "task_template",
    "project", "project_task_template", "service", "service_instance", "product", "product_category", "contract",
    "organization", "team", "person", "site", "risk", "custom_collection", "scim_user", "app_offering",
    "shop_article",
  ],
  "ui_extension_version.status": ["being_prepared", "active", "archived"],
  "pdf_design.category": ["workflow_summary", "project_summary", "dashboard"],
  "custom_filter.data_type": [
    "integer", "decimal", "boolean", "enum", "date", "time", "datetime", "text", "person", "organization", "site",
    "team", "reference",
  ],
  "dashboard.visibility": ["private", "shared", "members_of_teams", "members_of_skill_pools"],
  "notification.status": ["new", "delivered", "read"],
  "to_do.status": [
    "registered", "declined", "assigned", "accepted", "in_progress", "waiting_for", "waiting_for_customer",
    "analyzed", "change_requested",
  ],
  "to_do.impact": ["none", "low", "medium", "high", "top"],
} as const;
