// Jobs and email: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const jobs = {
  "export.format": ["csv", "xlsx", "pdf"],
  "export.state": ["scheduled", "queued", "processing", "done", "failed"],
  "export.strategy": ["full", "partial", "incremental", "filtered", "dashboard", "sync_set"],
  "export.export_columns": ["all", "current_view"],
  "async_query.status": ["queued", "in_progress", "completed"],
  "system_log.level": ["unknown", "fatal", "error", "warning", "information", "debug"],
  "system_log.log_type": ["authentication", "import", "export", "job", "account_trust"],
  "inbound_email.generate_new_requests": ["never", "only_from_allowed_people", "always"],
  "inbound_email.dkim_verdict": ["pass", "fail", "gray", "processing_failed"],
  "inbound_email.dmarc_policy": ["none", "quarantine", "reject"],
  "inbound_email.dmarc_verdict": ["pass", "fail", "gray", "processing_failed"],
  "inbound_email.spf_verdict": ["pass", "fail", "gray", "processing_failed"],
  "inbound_email.spam_verdict": ["pass", "fail", "gray", "processing_failed"],
  virus_verdict: ["pass", "fail", "gray", "processing_failed"],
  "email.recipient_type": ["to", "cc", "bcc"],
  "account.plan": ["freemium", "basic", "standard", "premium"],
  "account_trust_invitation.status": ["pending", "accepted", "rejected", "canceled", "expired"],
} as const;
