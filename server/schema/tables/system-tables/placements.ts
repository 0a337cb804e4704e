import type { Placement } from "../../../../records/vocabulary/index.ts";

// The placement of tables that are not record types; declarations define it for the others.

const tablesByPlacement: Readonly<Record<Placement, readonly string[]>> = {
  // what is written with a record of the account, and what only its own pages read
  account: [
    ...["events", "webhook_deliveries", "webhook_attempts", "mails", "attachments", "received_mails", "mail_threads"],
    ...["automation_chains", "automation_runs", "api_calls", "security_events", "idempotency_keys"],
    ...[
      "seen_marks",
      "muted_records",
      "page_notifications",
      "kept_items",
      "timesheet_locks",
      "knowledge_article_marks",
    ],
    ...["bulk_changes", "bulk_change_records", "imports", "import_rows", "scim_group_members"],
  ],
  // what conditions of access and lists of records join
  everywhere: ["account_trusts", "permissions", "mail_wordings", "email_policies", "retention_periods"],
  // signing in, where the account is not known yet; queues that one statement claims from for all accounts
  coordinator: [
    ...["instance_facts", "tokens", "passwords", "sessions", "passkeys", "spent_challenges", "second_factors"],
    ...["recovery_codes", "trusted_devices", "sign_in_policies", "sign_in_delays", "password_resets", "scim_tokens"],
    ...["oauth_applications", "oauth_clients", "oauth_authorizations", "oauth_requests", "oauth_codes"],
    ...["identity_providers", "identity_links", "provider_sessions", "rate_windows", "jobs", "notification_outbox"],
    ...["webhook_sandboxes", "sandbox_messages", "report_schedules", "report_schedule_recipients", "exports"],
    "privacy_jobs",
  ],
};

/** Those of the account that grow without bound, except journals that have a partition for every month. */
export const growingSystemTables: ReadonlySet<string> = new Set(["attachments"]);

export const systemPlacements: ReadonlyMap<string, Placement> = new Map(
  (Object.keys(tablesByPlacement) as Placement[]).flatMap((placement) =>
    tablesByPlacement[placement].map((table) => [table, placement] as const),
  ),
);
