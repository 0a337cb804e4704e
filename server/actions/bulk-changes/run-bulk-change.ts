import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { announceJobProgress } from "../../queue/job-progress.ts";
import { addJob } from "../../queue/jobs.ts";
import { parseProgram } from "../../queue/origin-program.ts";
import { type BulkChange, type BulkContext, bulkChangeJob, bulkColumns } from "./bulk-change-context.ts";
import { changeRecord, type LinksToAdd, type RecordChange, type RecordOutcome, undoRecord } from "./change-records.ts";
import { buildRecordChange } from "./queue-bulk-change.ts";

// Runs a bulk change, or its undo, batch by batch.

/** A batch is as large as can be changed in about half a second: so long its locks are held, and a cancel waits. */
const batchSize = { first: 20, least: 5, most: 250, milliseconds: 500 };
/** After so long the job queues itself again, so that other bulk changes get their turn. */
const turnMilliseconds = 3000;

const selectById = jsonStatement<BulkChange>(`SELECT ${bulkColumns} FROM bulk_changes WHERE id = $1`);
// The lock of the row keeps other processes and a cancel out until the batch is committed.
const lockRunning = jsonStatement<{ state: "processing" | "undoing" }>(
  `UPDATE bulk_changes SET state = CASE state WHEN 'queued' THEN 'processing' ELSE state END
WHERE id = $1 AND account_id = $2 AND state IN ('queued', 'processing', 'undoing') RETURNING state`,
);
type PendingRecord = { position: number; record_id: number; inverse: string | null; linked: string | null };
const selectPending = jsonStatement<PendingRecord>(
  `SELECT position, record_id, inverse, linked FROM bulk_change_records
WHERE bulk_change_id = $1 AND account_id = $3 AND state IN ('waiting', 'to undo') ORDER BY position LIMIT $2::integer`,
);
const saveOutcomes = statement(
  `UPDATE bulk_change_records r SET state = o.state, errors = o.errors, inverse = coalesce(o.inverse, r.inverse), linked = coalesce(o.linked, r.linked)
FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[]) AS o (position, state, errors, inverse, linked)
WHERE r.bulk_change_id = $1 AND r.account_id = $7 AND r.position = o.position`,
);
const saveProgress = statement(
  "UPDATE bulk_changes SET done = done + $2, changed = changed + $3, refused = refused + $4, undone = undone + $5 WHERE id = $1 AND account_id = $6",
);
const finish = statement(
  `UPDATE bulk_changes SET state = CASE state WHEN 'undoing' THEN 'undone' ELSE 'done' END,
  finished_at = coalesce(finished_at, $2), undone_at = CASE state WHEN 'undoing' THEN $2::timestamptz END
WHERE id = $1 AND account_id = $3 AND state IN ('queued', 'processing', 'undoing')`,
);

export async function runBulkChange(context: BulkContext, { id }: { id: number }): Promise<void> {
  const { engine } = context;
  const { database, clock } = engine;
  const change = await queryFirst(database, selectById, [id]);
  if (change === null) return;
  const turnEnd = performance.now() + turnMilliseconds;
  for (let size = batchSize.first; ; ) {
    const startTime = performance.now();
    const count = await runBatch(context, change, size);
    await announceProgress(database, id);
    if (count === 0) return;
    const fitting = (count * batchSize.milliseconds) / (performance.now() - startTime);
    size = Math.round(Math.min(batchSize.most, Math.max(batchSize.least, fitting)));
    if (!context.closing && performance.now() < turnEnd) continue;
    // A new row takes the place of the claimed one, which is then not deleted.
    const job = { kind: bulkChangeJob, key: change.token, account: change.account_id, payload: { id } };
    await database.transaction(async (tx) => addJob(tx, { ...job, runAt: clock.now() }));
    return context.wake();
  }
}

const abandon = statement(
  `UPDATE bulk_changes SET state = CASE state WHEN 'undoing' THEN 'undone' ELSE 'canceled' END,
  finished_at = coalesce(finished_at, $2), undone_at = CASE state WHEN 'undoing' THEN $2::timestamptz END
WHERE id = $1 AND state IN ('queued', 'processing', 'undoing')`,
);

/** Ends a bulk change whose job is deleted; what is changed or undone by then stays so. */
export async function abandonBulkChange({ engine }: BulkContext, { id }: { id: number }): Promise<void> {
  await engine.database.change(abandon, [id, engine.clock.now().toISOString()]);
  await announceProgress(engine.database, id);
}

/** Open pages of the person show how far the change is. */
async function announceProgress(database: Database, id: number): Promise<void> {
  const change = await queryFirst(database, selectById, [id]);
  if (change === null) return;
  const { account_id: account, person_id: person, token, done, total } = change;
  await announceJobProgress(database, { account, person, token, done, total });
}

/** Returns the number of records, 0 when the change has ended. The rights are loaded again for every batch. */
async function runBatch(context: BulkContext, change: BulkChange, size: number): Promise<number> {
  const { engine, log } = context;
  const { account_id: account, person_id: person, language, source } = change;
  const changeOrigin = pickOrigin(change);
  const by = await context.loadCaller({ person, account, language, source, changeOrigin });
  return engine.database.transaction(async (tx) => {
    const running = await queryFirst(tx, lockRunning, [change.id, account]);
    if (running === null) return 0;
    const records = await queryRows(tx, selectPending, [change.id, size, account]);
    if (records.length === 0) {
      tx.send(finish, [change.id, engine.clock.now().toISOString(), account]);
      return 0;
    }
    const outcomes: RecordOutcome[] = [];
    const links: LinksToAdd = change.links === null ? {} : JSON.parse(change.links);
    const wanted = buildRecordChange(JSON.parse(change.change), links, change.note);
    for (const record of records) outcomes.push(await changeOne({ ...context, by, log }, tx, change, record, wanted));
    saveBatch(tx, change, records, outcomes);
    return records.length;
  }, by?.zone);
}

const pickOrigin = ({ id, total, state, program }: BulkChange): ChangeOrigin => ({
  ...{ kind: "bulk_change", id, records: total, ...parseProgram(program) },
  ...(state === "undoing" ? { undo: true } : {}),
});

function changeOne(
  context: Pick<BulkContext, "engine" | "log"> & { by: Caller | null },
  tx: Transaction,
  change: BulkChange,
  { record_id: id, inverse, linked }: PendingRecord,
  wanted: RecordChange,
): Promise<RecordOutcome> {
  const { engine, log, by } = context;
  if (by === null) return Promise.resolve({ state: "refused", errors: [["base", "Forbidden"]] });
  const how = { engine, log, by, type: engine.types.get(change.record_type) };
  return inverse === null
    ? changeRecord(how, tx, id, wanted)
    : undoRecord(how, tx, id, {
        former: JSON.parse(inverse),
        linked: linked === null ? {} : JSON.parse(linked),
      });
}

function saveBatch(
  tx: Transaction,
  { id, account_id: account }: BulkChange,
  records: readonly PendingRecord[],
  outcomes: readonly RecordOutcome[],
): void {
  const count = (state: RecordOutcome["state"]) => outcomes.filter((outcome) => outcome.state === state).length;
  const isUndo = records[0]?.inverse !== null;
  tx.send(saveOutcomes, [
    id,
    records.map(({ position }) => position),
    outcomes.map(({ state }) => (isUndo && state === "refused" ? "kept" : state)),
    outcomes.map((outcome) => (outcome.state === "refused" ? JSON.stringify(outcome.errors) : null)),
    outcomes.map((outcome) => (outcome.state === "changed" ? JSON.stringify(outcome.former) : null)),
    outcomes.map((outcome) =>
      outcome.state === "changed" && Object.keys(outcome.linked).length > 0 ? JSON.stringify(outcome.linked) : null,
    ),
    account,
  ]);
  const refused = isUndo ? 0 : count("refused");
  tx.send(saveProgress, [id, records.length, count("changed"), refused, count("undone"), account]);
}
