import { type Database, statement } from "../database/database.ts";

// How far a long job is, for the person who started it. Every process passes it on to the streams of that person.

export type JobProgress = { account: string; person: number; token: string; done: number; total: number };

export const jobProgressChannel = "job_progress";
const notify = statement(`SELECT pg_notify('${jobProgressChannel}', $1)`);

export async function announceJobProgress(database: Database, progress: JobProgress): Promise<void> {
  await database.change(notify, [JSON.stringify(progress)]);
}
