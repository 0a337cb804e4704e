import type { note } from "../../../records/work/note.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import { parseIds, parseNumberOrNull } from "../../database/rows.ts";
import type { Change } from "../../engine/rules.ts";
import { createCopyKey, FileMissing, type FileStore, sizeLimit } from "../../files/index.ts";
import { addJob } from "../../queue/jobs.ts";

// A public note is copied to the records around its task or request (NT6, RG10), and a note of a group to each of its
// requests (GR6, NT7). A copy has the same author and is not copied again.

type NoteChange = Change<typeof note>;

const selectRecordsAroundTask = statement(
  `SELECT t.request_id, CASE WHEN t.copy_note_to_workflow THEN t.workflow_id END,
  CASE WHEN t.copy_note_to_request THEN (SELECT json_agg(r.id ORDER BY r.id) FROM requests r WHERE r.workflow_id = t.workflow_id AND r.account_id = $2) END
FROM tasks t WHERE t.id = $1 AND t.account_id = $2`,
);
const selectRecordsAroundRequest = statement(
  `SELECT g.task_id, CASE WHEN g.grouping = 'group' THEN (SELECT json_agg(m.id ORDER BY m.id) FROM requests m
  WHERE m.grouped_into_id = g.id AND m.account_id = $2 AND m.status <> 'completed' AND m.life_cycle = 'active') END
FROM requests g WHERE g.id = $1 AND g.account_id = $2`,
);

/** The record that a copy of the note belongs to. */
type CopyTarget = { request: number } | { task: number } | { workflow: number };

async function loadTargetsAroundRequest({ tx, account }: NoteChange, request: number): Promise<CopyTarget[]> {
  const [row] = await tx.query(selectRecordsAroundRequest, [request, account]);
  const task = parseNumberOrNull(row?.[0]);
  return [...parseIds(row?.[1]).map((id) => ({ request: id })), ...(task === null ? [] : [{ task }])];
}

async function loadTargetsAroundTask({ tx, account }: NoteChange, task: number): Promise<CopyTarget[]> {
  const [row] = await tx.query(selectRecordsAroundTask, [task, account]);
  const [generated, workflow] = [parseNumberOrNull(row?.[0]), parseNumberOrNull(row?.[1])];
  const requestsOfWorkflow = parseIds(row?.[2]).filter((id) => id !== generated);
  return [
    ...(generated === null ? [] : [{ request: generated }]),
    ...(workflow === null ? [] : [{ workflow }]),
    ...requestsOfWorkflow.map((id) => ({ request: id })),
  ];
}

/** After a note was saved. */
export async function copyNote(change: NoteChange): Promise<void> {
  const { after, cause } = change;
  if (after.internal === true || after.medium === "system" || cause?.type === "note") return;
  const targets =
    after.request !== null
      ? await loadTargetsAroundRequest(change, after.request)
      : after.task !== null
        ? await loadTargetsAroundTask(change, after.task)
        : [];
  for (const target of targets) await copyNoteTo(change, target);
}

const insertFileCopy = statement(
  `INSERT INTO attachments (account_id, key, name, size, inline, record_type, record_id, field, person_id, created_at)
SELECT account_id, $2, name, size, inline, record_type, $3, field, person_id, $4 FROM attachments WHERE key = $1 AND account_id = $5`,
);
export const copyFileJob = "copy file";

/** A file belongs to one record, so the copy of a note has copies of its files. A job copies their bytes. */
async function copyNoteTo(change: NoteChange, target: CopyTarget): Promise<void> {
  const { tx, by, account, after } = change;
  const files = (change.attachments.get("attachments") ?? []).map(({ key }) => ({
    key,
    copy: createCopyKey(key, by.account, by.person, by.now),
  }));
  const text = files.reduce((result, { key, copy }) => result.replaceAll(key, copy), after.text);
  const note = await change.create("note", { ...target, text, person: after.person });
  for (const { key, copy } of files) {
    tx.send(insertFileCopy, [key, copy, note, toTimestamp(by.now), account]);
    addJob(tx, { kind: copyFileJob, key: copy, account: null, payload: { from: key, to: copy }, runAt: by.now });
  }
}

/** The job. Skips a file that was deleted in the meantime. */
export async function runFileCopy(files: FileStore, { from, to }: { from: string; to: string }): Promise<void> {
  await files.copy(from, to, sizeLimit).catch((error) => {
    if (!(error instanceof FileMissing)) throw error;
  });
}
