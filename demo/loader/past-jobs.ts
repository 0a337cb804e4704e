import { bulkChangeJob } from "../../server/actions/bulk-changes/bulk-change-context.ts";
import { runBulkChange } from "../../server/actions/bulk-changes/run-bulk-change.ts";
import { runRuleJob } from "../../server/automation/rule-job.ts";
import { automationJob, type RuleJobPayload } from "../../server/automation/rule-job-payload.ts";
import { findWebhookByName } from "../../server/automation/webhook-caller.ts";
import { statement } from "../../server/database/database.ts";
import type { Caller } from "../../server/engine/caller.ts";
import type { Exchange } from "../../server/exchange/exchange-context.ts";
import { runImport } from "../../server/exchange/import/import-job.ts";
import { importJob } from "../../server/exchange/import/imports.ts";
import type { AddedJob } from "../../server/queue/jobs.ts";
import { boardRemovalJob, runBoardRemoval } from "../../server/rules/board/board-removal.ts";
import { followUpJob, runFollowUp } from "../../server/rules/sla/waiting-for-customer-follow-ups.ts";
import { fireTimer } from "../../server/timers/fire-timer.ts";
import type { DemoLoader } from "./demo-loader.ts";

// Jobs that the work of the past adds. Left to the worker, they would all run when the work is loaded, and the trail would say
// so; here the handlers of the service run them at the moments at which they were due.

type Run = (loader: DemoLoader, payload: never, at: Date) => Promise<void>;

const runs: Readonly<Record<string, Run>> = {
  timer: (loader, payload, at) => fireTimer(loader.engineAt(at), payload),
  [followUpJob]: (loader, payload, at) => runFollowUp(loader.engineAt(at), payload),
  [boardRemovalJob]: (loader, payload, at) => runBoardRemoval(loader.engineAt(at), payload),
  [importJob]: (loader, payload, at) => runImport(buildExchange(loader, at), payload),
  [bulkChangeJob]: (loader, payload, at) => runBulkChange(buildExchange(loader, at), payload),
  [automationJob]: (loader, payload: RuleJobPayload, at) => runRules(loader, payload, at),
};

export const isRunByDemo = ({ kind }: AddedJob): boolean => kind in runs;

/** The job may have been deleted, or postponed. */
const takeJob = statement("DELETE FROM jobs WHERE kind = $1 AND key = $2 AND run_at <= $3 RETURNING 1");

export async function runPastJob(loader: DemoLoader, { kind, key, payload }: AddedJob, at: Date): Promise<void> {
  // Jobs without a key are deleted by those who run them.
  if (key !== null && (await loader.tx.query(takeJob, [kind, key, at.toISOString()])).length === 0) return;
  await runs[kind]?.(loader, payload as never, at);
}

const fail = (message: string, details?: object): never => {
  throw new Error(`${message}: ${JSON.stringify(details)}`);
};
const log = { info: () => {}, error: fail };

/** The context of imports and bulk changes. They send no emails here, so links need neither a secret nor an address. */
export function buildExchange(loader: DemoLoader, at: Date): Exchange {
  return {
    ...{ engine: loader.engineAt(at), files: loader.files, log, secret: "", origin: () => "", rowFiles: [] },
    ...{ wake() {}, closing: false, activeJobs: new Map() },
    async loadCaller({ person, account, ...rest }): Promise<Caller> {
      return { ...(await loader.getCallerById(person, account, at)), ...rest };
    },
  };
}

async function runRules(loader: DemoLoader, payload: RuleJobPayload, at: Date): Promise<void> {
  const webhooks = { findByName: findWebhookByName, call: () => fail("a rule of the demo company calls a webhook") };
  const automation = { engine: loader.engineAt(at), log, domain: "", webhooks, files: loader.files };
  await runRuleJob(automation, payload, { id: 0, fence: 0, attempts: 1 });
}
