import { toTimestamp } from "../base/clock.ts";
import { Forbidden } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { isAdministrator } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import { applyChange, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { deleteAttachments } from "../engine/write/attachments.ts";
import { lockActiveValues } from "../engine/write/lock.ts";
import { noteParentTypes } from "../rules/communication/notes.ts";

// NT4. A redacted note keeps its record, author and date, and loses its text and files.

const clearNote = statement(
  `UPDATE notes SET text = '', medium = 'redacted', updated_at = $3, revision = revision + 1 WHERE id = $1 AND account_id = $2 AND medium <> 'redacted'
RETURNING ${noteParentTypes.map((name) => `${name}_id`).join(", ")}`,
);

/** For administrators of the account. The audit trail of the note's record shows who redacted it. */
export async function redactNote(
  engine: Engine,
  by: Caller,
  { id, account }: { id: number; account: string },
): Promise<void> {
  if (!isAdministrator(by, account)) throw new Forbidden();
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(clearNote, [id, account, toTimestamp(by.now)]);
    if (row === undefined) return;
    await deleteAttachments(tx, engine.types.get("note"), id, account, by.now);
    const index = row.findIndex((parent) => parent !== null);
    const parentType = noteParentTypes[index];
    if (parentType === undefined) throw new Error(`note ${id} belongs to no record`);
    const type = engine.types.get(parentType);
    const parent = Number(row[index]);
    const before = await lockActiveValues(engine, tx, type, parent, account);
    if (before === null) return;
    const change = prepareChange({ engine, tx, by, type }, { id: parent, account, before }, {});
    change.extraChanges.redacted_note_id = [null, id];
    await applyChange(change);
  });
}
