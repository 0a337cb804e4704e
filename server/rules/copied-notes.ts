import type { Change } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";

// A public note is for everybody who works on the same thing: lifecycles.md NT6 and RG10. The author stays the author, and
// a copy is not copied again.

const aroundTask = statement(
  `SELECT t.request_id, CASE WHEN t.copy_note_to_workflow THEN t.workflow_id END,
  CASE WHEN t.copy_note_to_request THEN (SELECT json_agg(r.id ORDER BY r.id) FROM requests r WHERE r.workflow_id = t.workflow_id) END
FROM tasks t WHERE t.id = $1`,
);
const aroundRequest = statement("SELECT task_id FROM requests WHERE id = $1");

type Place = readonly [type: string, id: number];

async function placesFor({ tx, after }: Change): Promise<Place[]> {
  if (after.request != null) {
    const [row] = await tx.query(aroundRequest, [after.request as number]);
    return row?.[0] == null ? [] : [["task", Number(row[0])]];
  }
  const [row] = await tx.query(aroundTask, [after.task as number]);
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
  for (const [type, id] of await placesFor(change))
    await change.create("note", { [type]: id, text: after.text ?? null, person: after.person ?? null });
}
