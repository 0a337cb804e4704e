import { toTimestamp } from "../base/clock.ts";
import type { Caller } from "../engine/caller.ts";
import { commitChange, lockActiveValues, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { deleteAttachments } from "../engine/write/attachments.ts";
import { noteParentTypes } from "../rules/communication/notes.ts";
import { statement } from "../storage/database.ts";

// NT4. A note keeps its place, its author and its date; what it said and its files are gone.

const clearNote = statement(
  `UPDATE notes SET text = '', medium = 'redacted', updated_at = $3 WHERE id = $1 AND account_id = $2 AND medium <> 'redacted'
RETURNING ${noteParentTypes.map((name) => `${name}_id`).join(", ")}`,
);

/** The audit trail of the record that the note is about tells who did it. */
export async function redactNote(
  engine: Engine,
  by: Caller,
  { id, account }: { id: number; account: string },
): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(clearNote, [id, account, toTimestamp(by.now)]);
    if (row === undefined) return;
    await deleteAttachments(tx, engine.types.get("note"), id, account, by.now);
    const at = row.findIndex((parent) => parent !== null);
    const type = engine.types.get(noteParentTypes[at] as string);
    const parent = Number(row[at]);
    const before = await lockActiveValues(engine, tx, type, parent, account);
    if (before === null) return;
    const change = prepareChange(engine, tx, by, type, { id: parent, account, before }, {});
    change.extraChanges.redacted_note_id = [null, id];
    await commitChange(engine, type, change);
  });
}
