import type { Database } from "../database/database.ts";
import { maintainJournals } from "../database/journal-partitions.ts";
import { addJob } from "./jobs.ts";

export const journalJob = "maintain journals";
const everySeconds = 3600;

/** One job for the whole instance: it schedules its next run. */
export async function runJournalJob(database: Database, now: Date): Promise<void> {
  await maintainJournals(database, now);
  await scheduleJournals(database, new Date(now.getTime() + everySeconds * 1000));
}

export const scheduleJournals = (database: Database, runAt: Date): Promise<void> =>
  database.transaction(async (tx) => addJob(tx, { kind: journalJob, key: "all", account: null, payload: {}, runAt }));
