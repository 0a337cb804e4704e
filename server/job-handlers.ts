import { bulkChangeJob } from "./actions/bulk-changes/bulk-change-context.ts";
import { abandonBulkChange, runBulkChange } from "./actions/bulk-changes/run-bulk-change.ts";
import type { AbandonHandlers } from "./actions/dead-jobs.ts";
import { removeSampleWork, sampleRemovalJob } from "./actions/sample-work/remove-sample-work.ts";
import { runRuleJob } from "./automation/rule-job.ts";
import { deleteOldRuns, deleteOldRunsJob } from "./automation/run-log.ts";
import { purge } from "./engine/archive-and-trash.ts";
import { deleteIfUnused } from "./engine/write/attachments.ts";
import { forgetDirectUpload, forgetDirectUploadJob } from "./engine/write/direct-uploads.ts";
import { removeFolderJob } from "./exchange/exchange-context.ts";
import { abandonExport, runExport } from "./exchange/export/export-job.ts";
import { exportJob } from "./exchange/export/exports.ts";
import { abandonImport, runImport } from "./exchange/import/import-job.ts";
import { importJob } from "./exchange/import/imports.ts";
import { abandonUndo, runUndo, undoImportJob } from "./exchange/import/undo-import.ts";
import { privacyJob } from "./exchange/privacy/privacy-jobs.ts";
import { applyRetention, retentionJob } from "./exchange/privacy/retention.ts";
import { abandonPrivacyJob, runPrivacyJob } from "./exchange/privacy/run-privacy-job.ts";
import { parseKeyAccount } from "./files/index.ts";
import { handleMail } from "./inbound/handle-mail.ts";
import { deleteOldMails, deleteOldMailsJob, failMail, receivedMailJob } from "./inbound/received-mails.ts";
import type { ModuleContexts } from "./module-contexts.ts";
import { sendDigest } from "./notifications/digest.ts";
import { reportJob } from "./notifications/reports/schedules.ts";
import { sendScheduledReport } from "./notifications/reports/send-report.ts";
import { digestJob } from "./notifications/store-mails.ts";
import { housekeepingJob, removeExpired } from "./oauth/housekeeping.ts";
import { sendPasswordResets } from "./oauth/passwords/password-resets.ts";
import { sendSignInWarning, signInWarningJob } from "./oauth/sessions/sign-in-warning.ts";
import { sendTokenReminder, tokenReminderJob } from "./oauth/token-reminders.ts";
import { journalJob, runJournalJob } from "./queue/journal-job.ts";
import type { JobHandler, JobsHandler } from "./queue/worker.ts";
import { boardRemovalJob, runBoardRemoval } from "./rules/board/board-removal.ts";
import { copyFileJob, runFileCopy } from "./rules/communication/note-copies.ts";
import { runSlaNotification, slaNotificationJob } from "./rules/sla/sla-notifications.ts";
import { followUpJob, runFollowUp } from "./rules/sla/waiting-for-customer-follow-ups.ts";
import { runOccurrence } from "./rules/task-graph/recurring-workflow.ts";
import { applyTemplateJob, runTemplateApplication } from "./rules/task-graph/workflow.ts";
import { calendarRecalculationJob, occurrenceJob, runCalendarRecalculation } from "./rules/time/recurrence.ts";
import { scimJob } from "./scim/jobs.ts";
import { failureMailJob, sendFailureMail } from "./scim/people/failure-mail.ts";
import { reprocessJob, runReprocess } from "./scim/people/reprocess.ts";
import { runScimJob, runScimJobs } from "./scim/people/scim-job.ts";
import { fireTimer } from "./timers/fire-timer.ts";
import { removeOldDeliveries, removeOldDeliveriesJob } from "./webhooks/housekeeping.ts";

/** The handlers of the worker, by the kind of the job. Sending emails has a separate worker. */
export function buildJobHandlers({
  api: { engine, files },
  oauth,
  webhooks,
  notifications,
  automation,
  exchange,
  inbox,
  scim,
  origin,
}: ModuleContexts): Record<string, JobHandler> {
  const { database, clock } = engine;
  return {
    erase: (payload: never) => purge(engine, payload),
    timer: (payload: never) => fireTimer(engine, payload),
    [applyTemplateJob]: (payload: never) => runTemplateApplication(engine, payload),
    automation: (payload: never, claim) => runRuleJob(automation, payload, claim),
    [deleteOldRunsJob]: () => deleteOldRuns(database, clock.now()),
    [copyFileJob]: (payload: never) => runFileCopy(files, payload),
    "remove file": ({ key }: { key: string }) => files.remove(key),
    [removeFolderJob]: ({ key }: { key: string }) => files.removeFolder(key),
    "forget upload": async ({ key }: { key: string }) => {
      const isDeleted = await database.transaction((tx) => deleteIfUnused(tx, key, parseKeyAccount(key), clock.now()));
      if (isDeleted) await files.remove(key);
    },
    [forgetDirectUploadJob]: (payload: never) => forgetDirectUpload(database, files, clock.now(), payload),
    [signInWarningJob]: (payload: never) => sendSignInWarning(oauth, origin(), payload),
    [tokenReminderJob]: (payload: never) => sendTokenReminder(oauth, origin(), payload),
    "password-reset": (payload: never) => sendPasswordResets(oauth, origin(), payload),
    [digestJob]: (payload: never) => sendDigest(notifications, payload),
    [reportJob]: (payload: never) => sendScheduledReport(notifications, payload),
    [boardRemovalJob]: (payload: never) => runBoardRemoval(engine, payload),
    [slaNotificationJob]: (payload: never) => runSlaNotification(engine, payload),
    [followUpJob]: (payload: never) => runFollowUp(engine, payload),
    [occurrenceJob]: (payload: never) => runOccurrence(engine, payload),
    [calendarRecalculationJob]: (payload: never) => runCalendarRecalculation(engine, payload),
    [importJob]: (payload: never) => runImport(exchange, payload),
    [undoImportJob]: (payload: never) => runUndo(exchange, payload),
    [privacyJob]: (payload: never) => runPrivacyJob(exchange, payload),
    [retentionJob]: () => applyRetention(exchange),
    [bulkChangeJob]: (payload: never) => runBulkChange(exchange, payload),
    [exportJob]: (payload: never) => runExport(exchange, payload),
    [sampleRemovalJob]: (payload: never) => removeSampleWork(engine, payload),
    [failureMailJob]: (payload: never) => sendFailureMail(scim, payload),
    [journalJob]: () => runJournalJob(database, clock.now()),
    [housekeepingJob]: () => removeExpired(oauth),
    [removeOldDeliveriesJob]: () => removeOldDeliveries(webhooks),
    [receivedMailJob]: (payload: never, claim) => handleMail(inbox, payload, claim),
    [deleteOldMailsJob]: () => deleteOldMails(database, clock.now()),
  };
}

/** The rules of users and groups that identity providers push. */
export const buildScimJobHandlers = ({ scim }: ModuleContexts): Record<string, JobHandler> => ({
  [scimJob]: (payload: never) => runScimJob(scim, payload),
  [reprocessJob]: (payload: never) => runReprocess(scim, payload),
});

export const buildScimJobsHandlers = ({ scim }: ModuleContexts): Record<string, JobsHandler> => ({
  [scimJob]: (payloads: never[]) => runScimJobs(scim, payloads),
});

/** The cleanup when a dead job is deleted, by the kind of the job. */
export const buildAbandonHandlers = ({ api: { engine }, exchange }: ModuleContexts): AbandonHandlers => ({
  [importJob]: (payload: never, reason) => abandonImport(exchange, payload, reason),
  [undoImportJob]: (payload: never) => abandonUndo(exchange, payload),
  [privacyJob]: (payload: never) => abandonPrivacyJob(exchange, payload),
  [exportJob]: (payload: never) => abandonExport(exchange, payload),
  [bulkChangeJob]: (payload: never) => abandonBulkChange(exchange, payload),
  [receivedMailJob]: async ({ id }: { id: number }, reason) =>
    void (await failMail(engine.database, id, engine.clock.now(), reason)),
});
