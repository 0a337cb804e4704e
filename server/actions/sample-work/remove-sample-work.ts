import type { SampleWork } from "../../../records/answers/settings.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { eraseRecords } from "../../engine/archive-and-trash.ts";
import type { Engine } from "../../engine/engine.ts";
import { addJob } from "../../queue/jobs.ts";
import { loadSampleIds } from "./sample-work.ts";

export const sampleRemovalJob = "remove sample work";

/** So many records are erased in one transaction: their locks are held for some tenths of a second. */
const batchSize = 40;
/** After so long the job queues itself again, so that a stop of the server does not wait for all of it. */
const turnMilliseconds = 2000;

const selectName = statement("SELECT name FROM accounts WHERE id = $1");
const selectJob = statement("SELECT 1 FROM jobs WHERE kind = $1 AND key = $2 AND dead_at IS NULL");

/** How many records are left by type, and whether they are being removed. */
export async function describeSampleWork(engine: Engine, account: string): Promise<SampleWork> {
  const [left, jobs] = await Promise.all([
    loadSampleIds(engine, account),
    engine.database.read(selectJob, [sampleRemovalJob, account]),
  ]);
  return {
    counts: left.filter(({ ids }) => ids.length > 0).map(({ type, ids }) => ({ type: type.name, count: ids.length })),
    removing: jobs.length > 0,
  };
}

/** The person who removes it types the name of the account, so that it is not removed by mistake. */
export async function requestSampleRemoval(engine: Engine, account: string, name: unknown): Promise<void> {
  const [row] = await engine.database.read(selectName, [account]);
  if (row === undefined) throw new NotFound();
  if (typeof name !== "string" || name.trim() !== row[0]) throw new Invalid([["name", "is not valid"]]);
  await engine.database.transaction(async (tx) => queueRemoval(tx, account, engine.clock.now()));
}

const queueRemoval = (tx: Parameters<typeof addJob>[0], account: string, runAt: Date): void =>
  addJob(tx, { kind: sampleRemovalJob, key: account, account, payload: { account }, runAt });

export async function removeSampleWork(engine: Engine, { account }: { account: string }): Promise<void> {
  const turnEnd = performance.now() + turnMilliseconds;
  for (const { type, ids } of await loadSampleIds(engine, account))
    for (let at = 0; at < ids.length; at += batchSize) {
      await eraseRecords(engine, type, ids.slice(at, at + batchSize), account);
      if (performance.now() < turnEnd) continue;
      // A new row takes the place of the claimed one, which is then not deleted.
      return engine.database.transaction(async (tx) => queueRemoval(tx, account, engine.clock.now()));
    }
}
