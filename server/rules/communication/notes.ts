import type { Caller } from "../../engine/caller.ts";
import type { Attachments, Change, TypeRules, Values } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";
import { updateGroup } from "../request/group.ts";
import { buildUpdateWhenAnswered, loadParticipants } from "../request/participant-accounts.ts";
import { copyNote } from "./note-copies.ts";

// NT1 to NT7

export const noteParentTypes = ["request", "problem", "release", "workflow", "task", "project", "project_task", "risk"];
const rolesReadingInternalNotes = ["auditor", "specialist", "account_administrator"];
const rolesWritingInternalNotes = ["specialist", "account_administrator"];

const holdsOneOf = (roles: ReadonlySet<string> | undefined, wanted: readonly string[]): boolean =>
  wanted.some((role) => roles?.has(role));

/** Internal notes are for the account they are written in, by those who work there. */
export const mayWriteInternalNotes = (by: Caller): boolean => holdsOneOf(by.roles, rolesWritingInternalNotes);

const isInternalToMyAccounts = (by: Caller): Clause => ({
  key: "internal to mine",
  sql: (alias, next) => `${alias}.internal_account_id = ANY(${next()}::text[])`,
  values: [
    [...by.me.roles].filter(([, roles]) => holdsOneOf(roles, rolesReadingInternalNotes)).map(([account]) => account),
  ],
});
const conditions = { "is internal to an account whose notes I may read": isInternalToMyAccounts };

const isNonEmptyText = (text: unknown): text is string => typeof text === "string" && text.trim() !== "";

/** For every type with notes: what a save says in `note` and `internal_note` becomes notes of the record, public first. */
export async function addNotes(change: Change): Promise<void> {
  for (const field of ["note", "internal_note"]) {
    const text = change.after[field];
    const files = change.attachments.get(`${field}_attachments`);
    if (!isNonEmptyText(text)) continue;
    const attachments: Attachments = new Map(files === undefined ? [] : [["attachments", files]]);
    await change.create(
      "note",
      {
        [change.type]: change.id,
        text,
        internal: field === "internal_note",
        medium: change.by.medium ?? (change.by.rule === undefined ? "default" : "automation"),
      },
      { attachments },
    );
  }
}

/** What decides who is told of a note. A copy is as quiet as the note it was made of. */
function buildNotificationDetails({ after, cause }: Change): Readonly<Record<string, unknown>> {
  const copied = cause?.type === "note";
  return {
    internal: after.internal === true,
    medium: after.medium,
    // What a rule writes in somebody's name is news to them.
    author: after.medium === "automation" ? null : after.person,
    quiet: (copied ? cause : { after }).after.suppress_note_added_notifications === true,
    copied,
  };
}

/** The record a note is about hears of it: in the change that brought the note, or in one of its own. */
async function publishNoteAdded(change: Change): Promise<void> {
  const { after, cause, id, by } = change;
  const parent = noteParentTypes.find((name) => after[name] !== null) as string;
  const facts = after.internal === true ? { note_id: id, note_internal: true } : { note_id: id };
  const happening = { event: "note-added", facts, listenerFacts: buildNotificationDetails(change) };
  const record = after[parent] as number;
  const places = parent === "request" ? await loadParticipants(change, record) : [];
  const isPart = cause?.type === parent && cause.id === record;
  const here = isPart ? cause.participant : (places.find(({ side }) => side === by.account)?.side ?? null);
  if (isPart) cause.addEvent(happening);
  else if (here !== null) await change.update(parent, record, {}, { extraEvent: happening, participant: here });
  else {
    const group = parent === "request" ? await findAnsweredRequest(change) : null;
    const values: Values = group === record ? { status: "assigned" } : {};
    await change.update(parent, record, values, { extraEvent: happening });
    if (group !== null && group !== record) await updateGroup(change, group, { status: "assigned" });
  }
  // What everybody may read is told in every account that works on the record.
  for (const place of after.internal === true ? [] : places)
    if (place.side !== here)
      await change.update(parent, record, await buildUpdateWhenAnswered(change, place), {
        extraEvent: happening,
        participant: place.side,
      });
}

const selectRequestWaitingForNote = statement(
  `SELECT coalesce(g.id, r.id) FROM requests r LEFT JOIN requests g ON g.id = r.grouped_into_id
WHERE r.id = $1 AND r.status = 'waiting_for_customer' AND $2 IN (r.requested_by_id, r.requested_for_id) AND r.member_id IS DISTINCT FROM $2`,
);

/** R9, GR11: the request, or its group, that waited for what this note says; null when none did. */
async function findAnsweredRequest({ tx, after }: Change): Promise<number | null> {
  if (after.internal === true || after.medium === "system" || after.person == null) return null;
  const [row] = await tx.query(selectRequestWaitingForNote, [after.request as number, after.person as number]);
  return row === undefined ? null : Number(row[0]);
}

/** Who only looks on has nothing to say that nobody hears who works on it. */
const isParticipant = async (change: Change): Promise<boolean> =>
  change.account === change.by.account ||
  (await loadParticipants(change, change.after.request as number)).some(({ side }) => side === change.by.account);

export const noteRules: TypeRules = {
  conditions,
  async beforeSave(change) {
    const { after, by, problem, cause } = change;
    if (after.internal !== true) return;
    if (after.request === null || (cause === null && !(mayWriteInternalNotes(by) && (await isParticipant(change)))))
      problem("internal", "is not valid");
  },
  derive: {
    "where it belongs": ({ after, by }) => (after.internal === true ? by.account : by.me.account),
    "whose specialists may read it": ({ after, by }) => (after.internal === true ? by.account : null),
  },
  async afterSave(change) {
    await publishNoteAdded(change);
    await copyNote(change);
  },
};

export const noteAttachmentRules: TypeRules = {
  conditions,
  rows: `SELECT f.id, n.account_id, f.name, f.key, f.inline, f.size, n.id AS note_id, n.request_id, n.internal, n.internal_account_id,
  f.created_at, f.created_at AS updated_at
FROM attachments f JOIN notes n ON n.id = f.record_id WHERE f.record_type = 'note'`,
};
