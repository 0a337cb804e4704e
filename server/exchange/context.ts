import { randomBytes } from "node:crypto";
import { join } from "node:path/posix";
import type { Log } from "../base/log.ts";
import { isAdministrator } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { addJob, type Job } from "../queue/jobs.ts";
import { statement } from "../storage/database.ts";
import { type FileStore, signDownload } from "../storage/files/index.ts";

// Records leave and enter in files. What the work needs of the rest of the house is handed over by service.ts.

export type Exchange = {
  engine: Engine;
  files: FileStore;
  secret: string;
  log: Log;
  /** our own address, for mails */
  origin(): string;
  /** a person in an account as if calling now; null: may not sign in any more, or has no part in the account */
  loadCaller(who: { person: number; account: string; language: string; source: string }): Promise<Caller | null>;
  /** work was added that somebody waits for */
  wake(): void;
  /** set when the service stops: work is put down after what is under way */
  closing: boolean;
  /** how much work goes on */
  activeJobs: number;
};

const maxActiveJobs = 3;
const maxPauseMilliseconds = 60_000;
const releaseWaitingJobs = statement(
  "UPDATE jobs SET run_at = $1 WHERE kind = ANY($2::text[]) AND run_at > $1 AND attempts = 0 AND leased_until IS NULL",
);

/** Work takes a connection for as long as it lasts, so there is never much of it. What finds no place waits for one. */
export async function withJobSlot(
  exchange: Exchange,
  again: Omit<Job, "runAt">,
  work: () => Promise<void>,
): Promise<void> {
  const { database, clock } = exchange.engine;
  const callNext = async () => {
    await database.read(releaseWaitingJobs, [clock.now().toISOString(), ["import", "export"]]);
    exchange.wake();
  };
  if (exchange.activeJobs >= maxActiveJobs) {
    const runAt = new Date(clock.now().getTime() + maxPauseMilliseconds);
    await database.transaction(async (tx) => addJob(tx, { ...again, runAt }));
    if (exchange.activeJobs < maxActiveJobs) await callNext(); // a place became free meanwhile
    return;
  }
  exchange.activeJobs++;
  try {
    await work();
  } finally {
    exchange.activeJobs--;
    await callNext();
  }
}

/** Thrown to put work down; its job is claimed again by whoever runs next. */
export class WorkInterrupted extends Error {
  constructor() {
    super("the service stops; the work goes on later");
  }
}

/** Whoever ordered the work, as long as the role lasts. */
export async function loadAdministrator(
  exchange: Exchange,
  { person_id, account_id: account }: { person_id: string; account_id: string },
  manner: { language: string; source: string },
): Promise<Caller | null> {
  const by = await exchange.loadCaller({ person: Number(person_id), account, ...manner });
  return by !== null && isAdministrator(by, by.account) ? by : null;
}

export const createToken = (): string => randomBytes(16).toString("hex");

export const folder = "exchange";
export const buildFileKey = (account: string, token: string, name: string): string =>
  join(folder, account, token, name);

/** two days, as long as a file is kept */
export const retentionSeconds = 172_800;

export const removeFolderJob = "remove folder";

/** Everything of one import or export lies in one folder, and goes with it: what a crash left half written, too. */
export const buildRemovalJob = (account: string, token: string, from: Date, seconds = retentionSeconds): Job => ({
  ...{ kind: removeFolderJob, key: token, account, payload: { key: join(folder, account, token) } },
  runAt: new Date(from.getTime() + seconds * 1000),
});

/** The address of a file that was finished then, good for two days. */
export function buildDownloadUrl(exchange: Exchange, origin: string, key: string, finished: Date): string {
  const signed = signDownload({ secret: exchange.secret, key, now: finished, ttl: retentionSeconds });
  return `${origin}/${key.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams(signed)}`;
}
