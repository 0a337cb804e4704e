import { join } from "node:path/posix";
import type { Log } from "../base/log.ts";
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
  callerOf(who: { person: number; account: string; language: string; source: string }): Promise<Caller | null>;
  /** work was added that somebody waits for */
  wake(): void;
  /** set when the service stops: work is put down after what is under way */
  closing: boolean;
  /** how much work goes on */
  working: number;
};

const mostWork = 3;
const longestPause = 60_000;
const release = statement(
  "UPDATE jobs SET run_at = $1 WHERE kind = ANY($2::text[]) AND run_at > $1 AND attempts = 0 AND leased_until IS NULL",
);

/** Work takes a connection for as long as it lasts, so there is never much of it. What finds no place waits for one. */
export async function inPlace(exchange: Exchange, again: Omit<Job, "runAt">, work: () => Promise<void>): Promise<void> {
  const { database, clock } = exchange.engine;
  const callNext = async () => {
    await database.read(release, [clock.now().toISOString(), ["import", "export"]]);
    exchange.wake();
  };
  if (exchange.working >= mostWork) {
    const runAt = new Date(clock.now().getTime() + longestPause);
    await database.transaction(async (tx) => addJob(tx, { ...again, runAt }));
    if (exchange.working < mostWork) await callNext(); // a place became free meanwhile
    return;
  }
  exchange.working++;
  try {
    await work();
  } finally {
    exchange.working--;
    await callNext();
  }
}

/** Thrown to put work down; its job is claimed again by whoever runs next. */
export class PutDown extends Error {
  constructor() {
    super("the service stops; the work goes on later");
  }
}

export const folder = "exchange";
export const keyOfFile = (account: string, token: string, name: string): string => join(folder, account, token, name);

/** two days, as long as a file is kept */
export const keptSeconds = 172_800;
/** how long after the end its state can be asked for */
export const readableSeconds = 300;

/** The address of a file that was finished then, good for two days. */
export function addressOf(exchange: Exchange, origin: string, key: string, finished: Date): string {
  const signed = signDownload({ secret: exchange.secret, key, now: finished, ttl: keptSeconds });
  return `${origin}/${key.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams(signed)}`;
}

/** From PostgreSQL's text, in UTC. */
export const momentOf = (text: string): Date => new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
