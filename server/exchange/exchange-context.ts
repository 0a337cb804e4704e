import { randomBytes } from "node:crypto";
import { join } from "node:path/posix";
import type { Log } from "../base/log.ts";
import { statement } from "../database/database.ts";
import { isAdministrator } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { type FileStore, signDownload } from "../files/index.ts";
import { addJob, type Job } from "../queue/jobs.ts";
import type { RowFile } from "./row-files/row-file.ts";

// Import and export of records as files. module-contexts.ts provides the dependencies.

export type Exchange = {
  engine: Engine;
  files: FileStore;
  secret: string;
  log: Log;
  /** the address of the instance, for links in emails */
  origin(): string;
  /** the person as a caller in an account; null: they may not sign in any more, or have no access to it */
  loadCaller(who: Pick<Caller, "person" | "account" | "language" | "source" | "changeOrigin">): Promise<Caller | null>;
  /** files whose rows are no records */
  rowFiles: readonly RowFile[];
  /** makes the worker poll immediately */
  wake(): void;
  /** set when the service stops: jobs end after the current chunk and continue in the next process */
  closing: boolean;
  /** running imports and exports of each account */
  activeJobs: Map<string | null, number>;
};

export const findRowFile = ({ rowFiles }: Exchange, word: string): RowFile | null =>
  rowFiles.find(({ name }) => name === word) ?? null;

// As many as there are connections for exports; one is left for other accounts.
const maxActiveJobs = 3;
const maxActiveJobsPerAccount = 2;
const maxPauseMilliseconds = 60_000;
const releaseWaitingJobs = statement(
  "UPDATE jobs SET run_at = $1 WHERE kind = ANY($2::text[]) AND run_at > $1 AND attempts = 0 AND leased_until IS NULL",
);

/** A job holds a database connection while it runs, so only a few run at a time. Without a free slot it is postponed. */
export async function withJobSlot(
  exchange: Exchange,
  postponedJob: Omit<Job, "runAt">,
  work: () => Promise<void>,
): Promise<void> {
  const { database, clock } = exchange.engine;
  const startNext = async () => {
    await database.change(releaseWaitingJobs, [
      clock.now().toISOString(),
      ["import", "undo import", "export", "privacy"],
    ]);
    exchange.wake();
  };
  const { account } = postponedJob;
  if (!hasFreeSlot(exchange, account)) {
    const runAt = new Date(clock.now().getTime() + maxPauseMilliseconds);
    await database.transaction(async (tx) => addJob(tx, { ...postponedJob, runAt }));
    if (hasFreeSlot(exchange, account)) await startNext(); // a slot became free meanwhile
    return;
  }
  countActiveJob(exchange, account, 1);
  try {
    await work();
  } finally {
    countActiveJob(exchange, account, -1);
    await startNext();
  }
}

function hasFreeSlot({ activeJobs }: Exchange, account: string | null): boolean {
  let all = 0;
  for (const count of activeJobs.values()) all += count;
  return all < maxActiveJobs && (activeJobs.get(account) ?? 0) < maxActiveJobsPerAccount;
}

function countActiveJob({ activeJobs }: Exchange, account: string | null, change: number): void {
  const count = (activeJobs.get(account) ?? 0) + change;
  if (count === 0) activeJobs.delete(account);
  else activeJobs.set(account, count);
}

/** Thrown to interrupt a job; the next process claims and continues it. */
export class WorkInterrupted extends Error {
  constructor() {
    super("the service stops; the work goes on later");
  }
}

/** The requester; null: they are no administrator of the account any more. */
export async function loadAdministrator(
  exchange: Exchange,
  { person_id, account_id: account }: { person_id: string; account_id: string },
  options: Pick<Caller, "language" | "source" | "changeOrigin">,
): Promise<Caller | null> {
  const by = await exchange.loadCaller({ person: Number(person_id), account, ...options });
  return by !== null && isAdministrator(by, by.account) ? by : null;
}

export const createToken = (): string => randomBytes(16).toString("hex");

export const folder = "exchange";
export const buildFileKey = (account: string, token: string, name: string): string =>
  join(folder, account, token, name);

/** how long files are kept: two days */
export const retentionSeconds = 172_800;

export const removeFolderJob = "remove folder";

/** All files of one import or export are in one folder, so that its removal also covers files of a crashed process. */
export const buildRemovalJob = (account: string, token: string, from: Date, seconds = retentionSeconds): Job => ({
  ...{ kind: removeFolderJob, key: token, account, payload: { key: join(folder, account, token) } },
  runAt: new Date(from.getTime() + seconds * 1000),
});

/** A signed address that is valid for two days after the end of the job. */
export function buildDownloadUrl(exchange: Exchange, origin: string, key: string, finished: Date): string {
  const signed = signDownload({ secret: exchange.secret, key, now: finished, ttl: retentionSeconds });
  return `${origin}/${key.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams(signed)}`;
}
