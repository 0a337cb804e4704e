import { stampOf } from "../base/clock.ts";
import { dropAttachments } from "../engine/attachments.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { carryOut, changeOf, lockWithin } from "../engine/within.ts";
import { statement } from "../storage/database.ts";
import { noteParentTypes } from "./notes.ts";

// Reference: lifecycles.md NT4. A note keeps its place, its author and its date; what it said and its files are gone.

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
    const [row] = await tx.query(clearNote, [id, account, stampOf(by.now)]);
    if (row === undefined) return;
    await dropAttachments(tx, engine.types.named("note"), id, account, by.now);
    const at = row.findIndex((parent) => parent !== null);
    const type = engine.types.named(noteParentTypes[at] as string);
    const parent = Number(row[at]);
    const before = await lockWithin(engine, tx, type, parent, account);
    if (before === null) return;
    const change = changeOf(engine, tx, by, type, { id: parent, account, before }, {});
    change.told.redacted_note_id = [null, id];
    await carryOut(engine, type, change);
  });
}
