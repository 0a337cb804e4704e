// Statements on tables that live with their account that name no account, each with its reason. In an installation with
// several database servers, they query all of them.

export type Exception = {
  /** a part of the shape (build-shape.ts): white space is one blank, numbers are 0, literals '…', placeholders $ */
  includes?: string;
  /** or the file that sends it */
  sentBy?: string;
  reason: string;
};

/** The maximum share of exceptions among the shapes on such tables in a whole run. */
export const maxExceptionShare = 0.05;

const because = (reason: string, ...parts: readonly string[]): Exception[] =>
  parts.map((includes) => ({ includes, reason }));

const sentBy = (file: string, reason: string): Exception => ({ sentBy: file, reason });

export const exceptions: readonly Exception[] = [
  ...because(
    "deletes expired rows of all accounts, in small batches or by whole months",
    "_other WHERE created_at < $",
    "_other WHERE started_at < $",
    "WITH moved AS (DELETE FROM",
    "UPDATE webhook_deliveries SET state = '…', reason = '…', finished_at = $ WHERE created_at < $",
    "DELETE FROM api_calls WHERE id IN (SELECT id FROM api_calls WHERE called_at < $",
    "DELETE FROM automation_chains WHERE touched_at < $",
    "DELETE FROM automation_runs WHERE started_at < $",
    "DELETE FROM idempotency_keys WHERE expires_at < $",
    "DELETE FROM received_mails WHERE id IN (SELECT id FROM received_mails WHERE state <> '…'",
    "DELETE FROM security_events WHERE",
  ),
  ...because(
    "the webhook dispatcher claims, sends and completes deliveries of all accounts in one statement",
    "WITH RECURSIVE w AS ( (SELECT webhook_id FROM webhook_deliveries",
    "AS lane(webhook_id)",
    "UPDATE webhook_deliveries d SET body = x.body",
    "DELETE FROM webhook_deliveries WHERE id = ANY($",
    "UPDATE webhook_deliveries SET state = '…', reason = '…', finished_at = $, payload = NULL WHERE id = ANY($",
    "UPDATE webhook_deliveries d SET leased_until",
    "settled AS ( UPDATE webhook_deliveries d",
  ),
  ...because(
    "a job contains the id of its work; jobs stored by earlier versions have no account",
    "undone, finished_at FROM bulk_changes WHERE id = $",
    "UPDATE bulk_changes SET state = CASE state WHEN '…' THEN '…' ELSE '…' END, finished_at",
    "UPDATE imports SET",
    "FROM imports WHERE id = $",
    "FROM import_rows WHERE import_id = $",
    "UPDATE import_rows r SET",
    "FROM imports a WHERE",
    "FROM received_mails WHERE id = $",
    "UPDATE received_mails SET state = '…'",
    "FROM mails m JOIN accounts a ON a.id = m.account_id",
    "UPDATE mails SET sent_at = $",
    "UPDATE mails SET state = $",
    "UPDATE automation_chains SET executions = $",
  ),
  ...because(
    "people get emails and notifications of all accounts that they work in, and limits count them together",
    "FROM mails WHERE person_id",
    "(SELECT k.value FROM kept_items k WHERE k.account_id = p.account_id",
  ),
  ...because(
    "a link in an email has no account; its target determines the account",
    "SELECT feedback_key, account_id, subject FROM requests WHERE id = $",
    "FROM task_approvals a JOIN tasks t ON t.id = a.task_id AND t.account_id = a.account_id LEFT JOIN LATERAL",
    "FROM services s JOIN surveys v ON v.id = s.survey_id",
  ),
  sentBy(
    "server/notifications/",
    "a notification has the account of its event; a shared record may belong to another one",
  ),
  sentBy("server/mail/notification-outbox.ts", "as for the notifications that it stores"),
  sentBy("server/engine/archive-and-trash.ts", "records of all accounts refer to the erased people and configuration"),
  sentBy("server/engine/write/references.ts", "records of all accounts may refer to imported records"),
  sentBy("server/exchange/privacy/anonymize.ts", "an anonymized person may have worked in any account"),
  sentBy("demo/", "the demo company's loader runs once, in an empty database, and knows the ids of its records"),
  ...because(
    "sample work is a range of ids, and all accounts share the id sequences",
    "SELECT coalesce(max(id), 0) FROM",
  ),
  sentBy("server/actions/inbox/", "one statement over all kinds of work, which finds a person's work by the person"),
  ...because(
    "a person who works on another account's request enters time for it and plans it in their own account",
    "JOIN requests r ON r.id = i.request_id WHERE i.sprint_id",
    "SELECT id, account_id FROM sprint_backlog_items WHERE request_id = $",
    ".id = a.request_id LEFT JOIN",
    ".id = a.request_id WHERE",
    "FROM requests t WHERE t.id = a.request_id)",
    "FROM requests r WHERE r.id = a.request_id)",
  ),
  ...because(
    "a trust or an agreement shares configuration records of accounts unknown to the caller; their files live with them",
    "account_trusts",
    "customer_account_id = $",
    "FROM slas a WHERE (EXISTS (SELECT 0 FROM slas s WHERE s.id = a.id",
  ),
  ...because("a summary derives a group's account from its records", "AS group_account"),
  ...because(
    "people and configuration come from all accounts, so their list takes the account of each row's files from the row",
    "FROM attachments /*of a.account_id*/ f WHERE f.record_id = a.id AND f.record_type = '…' AND f.account_id = a.account_id",
  ),
  ...because("a process's live stream serves all of its browsers", "pg_snapshot_xmin(pg_current_snapshot())"),
  sentBy("server/live/inbox-changes.ts", "as for the changes that it publishes; a participant may have made them"),
  ...because(
    "an app of one account has instances in others, and its rules are copied to all of them",
    "UPDATE automation_rules r SET disabled = (i.disabled",
    "INSERT INTO automation_rules (account_id, created_at, updated_at, app_instance_id",
    "DELETE FROM automation_rules r USING app_instances i",
  ),
  ...because(
    "a person's activity in any account counts toward the licenses of their own account",
    "json_build_object('…', p.id, '…', p.primary_email",
    "WITH held AS ( SELECT person_id FROM permissions",
  ),
  ...because(
    "another account's record may use a file uploaded in this one, and keys are unique across accounts",
    "SELECT key FROM attachments WHERE key = ANY($",
  ),
];
