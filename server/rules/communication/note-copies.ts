import { toTimestamp } from "../../base/clock.ts";
import type { Change } from "../../engine/rules.ts";
import { addJob } from "../../queue/jobs.ts";
import { statement } from "../../storage/database.ts";
import { createCopyKey, FileMissing, type FileStore, sizeLimit } from "../../storage/files/index.ts";

// A public note is for everybody who works on the same thing: NT6, RG10; and what is said to all of a group is said to
// each of its requests: GR6, NT7. The author stays the author, and a copy is not copied again.

const selectRecordsAroundTask = statement(
  `SELECT t.request_id, CASE WHEN t.copy_note_to_workflow THEN t.workflow_id END,
  CASE WHEN t.copy_note_to_request THEN (SELECT json_agg(r.id ORDER BY r.id) FROM requests r WHERE r.workflow_id = t.workflow_id) END
FROM tasks t WHERE t.id = $1`,
);
const selectRecordsAroundRequest = statement(
  `SELECT g.task_id, CASE WHEN g.grouping = 'group' THEN (SELECT json_agg(m.id ORDER BY m.id) FROM requests m
  WHERE m.grouped_into_id = g.id AND m.status <> 'completed' AND m.life_cycle = 'active') END
FROM requests g WHERE g.id = $1`,
);

type CopyTarget = readonly [type: string, id: number];

async function findCopyTargets({ tx, after }: Change): Promise<CopyTarget[]> {
  if (after.request != null) {
    const [row] = await tx.query(selectRecordsAroundRequest, [after.request as number]);
    const [task, members] = row ?? [];
    return [
      ...(JSON.parse(members ?? "[]") as number[]).map((id) => ["request", id] as const),
      ...(task == null ? [] : [["task", Number(task)] as const]),
    ];
  }
  const [row] = await tx.query(selectRecordsAroundTask, [after.task as number]);
  const [generated, workflow, requests] = row ?? [];
  const ofWorkflow = (JSON.parse(requests ?? "[]") as number[]).filter((id) => id !== Number(generated));
  return [
    ...(generated == null ? [] : [["request", Number(generated)] as const]),
    ...(workflow == null ? [] : [["workflow", Number(workflow)] as const]),
    ...ofWorkflow.map((id) => ["request", id] as const),
  ];
}

/** Part of `saved` of a note. */
export async function copyNote(change: Change): Promise<void> {
  const { after, cause } = change;
  if (after.internal === true || after.medium === "system" || cause?.type === "note") return;
  if (after.task == null && after.request == null) return;
  for (const [type, id] of await findCopyTargets(change)) await copyNoteTo(change, type, id);
}

const insertFileCopy = statement(
  `INSERT INTO attachments (account_id, key, name, size, inline, record_type, record_id, field, person_id, created_at)
SELECT account_id, $2, name, size, inline, record_type, $3, field, person_id, $4 FROM attachments WHERE key = $1`,
);
export const copyFileJob = "copy file";

/** A file belongs to one record, so a copied note has copies. Their bytes follow in a job. */
async function copyNoteTo(change: Change, type: string, id: number): Promise<void> {
  const { tx, by, after } = change;
  const files = (change.attachments.get("attachments") ?? []).map(({ key }) => ({
    key,
    copy: createCopyKey(key, by.account, by.person, by.now),
  }));
  const text = files.reduce((all, { key, copy }) => all.replaceAll(key, copy), String(after.text ?? ""));
  const note = await change.create("note", { [type]: id, text, person: after.person ?? null });
  for (const { key, copy } of files) {
    tx.send(insertFileCopy, [key, copy, note, toTimestamp(by.now)]);
    addJob(tx, { kind: copyFileJob, key: copy, account: null, payload: { from: key, to: copy }, runAt: by.now });
  }
}

/** The job. A file that was removed meanwhile is not copied any more. */
export async function runFileCopy(files: FileStore, { from, to }: { from: string; to: string }): Promise<void> {
  await files.copy(from, to, sizeLimit).catch((error) => {
    if (!(error instanceof FileMissing)) throw error;
  });
}
