import { note } from "../../../records/work/note.ts";
import { noteAttachment } from "../../../records/work/note-attachment.ts";
import { statement } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Attachments, type Change, type ExtraEvent, isChangeOf, rulesFor, steps } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { updateGroup } from "../request/group.ts";
import { buildUpdateWhenAnswered, loadParticipants } from "../request/participant-accounts.ts";
import { copyNote } from "./note-copies.ts";

// NT1 to NT7

type NoteChange = Change<typeof note>;

/** The types whose records have notes; a note refers to its record by the field of the same name. */
export const noteParentTypes = [
  "request",
  "problem",
  "release",
  "workflow",
  "task",
  "project",
  "project_task",
  "risk",
] as const;
const rolesReadingInternalNotes = ["auditor", "specialist", "account_administrator"];
const rolesWritingInternalNotes = ["specialist", "account_administrator"];

const holdsOneOf = (roles: ReadonlySet<string> | undefined, wanted: readonly string[]): boolean =>
  wanted.some((role) => roles?.has(role));

/** Internal notes are visible in the account they are written in, to people who work there. */
export const mayWriteInternalNotes = (by: Caller): boolean => holdsOneOf(by.roles, rolesWritingInternalNotes);

const isInternalToMyAccounts = (by: Caller): Clause => ({
  key: "internal to mine",
  sql: (alias, next) => `${alias}.internal_account_id = ANY(${next()}::text[])`,
  values: [
    [...by.me.roles].filter(([, roles]) => holdsOneOf(roles, rolesReadingInternalNotes)).map(([account]) => account),
  ],
});
const conditions = { "is internal to an account whose notes I may read": isInternalToMyAccounts };

/** For every type with notes: the fields `note` and `internal_note` of a save become notes, the public one first. */
export async function addNotes(change: Change): Promise<void> {
  const { by, type, id, after } = change;
  for (const field of ["note", "internal_note"]) {
    const text = after[field];
    if (typeof text !== "string" || text.trim() === "") continue;
    const files = change.attachments.get(`${field}_attachments`);
    const attachments: Attachments = new Map(files === undefined ? [] : [["attachments", files]]);
    const medium = by.medium ?? (by.rule === undefined ? "default" : "automation");
    await change.create("note", { [type]: id, text, internal: field === "internal_note", medium }, { attachments });
  }
}

/** The facts that notifications about a note depend on. A copy suppresses them as the original note does. */
function buildNotificationDetails({ after, cause }: NoteChange): Readonly<Record<string, unknown>> {
  const original = isChangeOf(note, cause) ? cause.after : null;
  return {
    internal: after.internal === true,
    medium: after.medium,
    // A note that a rule writes in the name of a person is news to that person.
    author: after.medium === "automation" ? null : after.person,
    quiet: (original ?? after).suppress_note_added_notifications === true,
    copied: original !== null,
  };
}

function findParent({ after }: NoteChange): { type: (typeof noteParentTypes)[number]; id: number } {
  for (const type of noteParentTypes) {
    const id = after[type];
    if (id !== null) return { type, id };
  }
  throw new Error("a note without a record");
}

/** Publishes note-added of the record: in the change that added the note, or in an update of its own. */
async function publishNoteAdded(change: NoteChange): Promise<void> {
  const { after, cause, id } = change;
  const parent = findParent(change);
  const facts = after.internal === true ? { note_id: id, note_internal: true } : { note_id: id };
  const extraEvent = { event: "note-added", facts, listenerFacts: buildNotificationDetails(change) };
  if (parent.type === "request") return publishNoteOfRequest(change, parent.id, extraEvent);
  if (cause?.type === parent.type && cause.id === parent.id) cause.addEvent(extraEvent);
  else await change.update(parent.type, parent.id, {}, { extraEvent });
}

/** A note of a request that several accounts work on is an event in each of them, unless it is internal to one. */
async function publishNoteOfRequest(change: NoteChange, request: number, extraEvent: ExtraEvent): Promise<void> {
  const { after, cause, by } = change;
  const participants = await loadParticipants(change, request);
  const isPartOfCause = cause?.type === "request" && cause.id === request;
  const author = isPartOfCause
    ? cause.participant
    : (participants.find(({ account }) => account === by.account)?.account ?? null);
  if (isPartOfCause) cause.addEvent(extraEvent);
  else if (author !== null) await change.update("request", request, {}, { extraEvent, participant: author });
  else {
    const answered = await findAnsweredRequest(change, request);
    await change.update("request", request, answered === request ? { status: "assigned" } : {}, { extraEvent });
    if (answered !== null && answered !== request) await updateGroup(change, answered, { status: "assigned" });
  }
  if (after.internal === true) return;
  for (const participant of participants)
    if (participant.account !== author)
      await change.update("request", request, await buildUpdateWhenAnswered(change, participant), {
        extraEvent,
        participant: participant.account,
      });
}

const selectRequestWaitingForNote = statement(
  `SELECT coalesce(g.id, r.id) FROM requests r LEFT JOIN requests g ON g.id = r.grouped_into_id AND g.account_id = r.account_id
WHERE r.id = $1 AND r.account_id = $3 AND r.status = 'waiting_for_customer' AND $2 IN (r.requested_by_id, r.requested_for_id) AND r.member_id IS DISTINCT FROM $2`,
);

/** R9, GR11: the request, or its group, that waited for the customer who wrote this note; null when none did. */
async function findAnsweredRequest({ tx, account, after }: NoteChange, request: number): Promise<number | null> {
  if (after.internal === true || after.medium === "system" || after.person == null) return null;
  const [row] = await tx.query(selectRequestWaitingForNote, [request, after.person, account]);
  return parseNumberOrNull(row?.[0]);
}

/** Accounts that only view a request cannot write internal notes: their people don't work on it. */
const isWrittenByParticipant = async (change: NoteChange, request: number): Promise<boolean> =>
  change.account === change.by.account ||
  (await loadParticipants(change, request)).some(({ account }) => account === change.by.account);

export const noteRules = rulesFor(note, {
  conditions,
  async beforeSave(change) {
    const { after, by, problem, cause } = change;
    if (after.internal !== true) return;
    const { request } = after;
    const isAllowed =
      request !== null &&
      (cause !== null || (mayWriteInternalNotes(by) && (await isWrittenByParticipant(change, request))));
    if (!isAllowed) problem("internal", "is not valid");
  },
  derive: {
    "where it belongs": ({ after, by }) => (after.internal === true ? by.account : by.me.account),
    "whose specialists may read it": ({ after, by }) => (after.internal === true ? by.account : null),
  },
  afterSave: steps(publishNoteAdded, copyNote),
});

export const noteAttachmentRules = rulesFor(noteAttachment, {
  conditions,
  rows: `SELECT f.id, n.account_id, f.name, f.key, f.inline, f.size, n.id AS note_id, n.request_id, n.internal, n.internal_account_id,
  f.created_at, f.created_at AS updated_at
FROM attachments f JOIN notes n ON n.id = f.record_id AND n.account_id = f.account_id WHERE f.record_type = 'note'`,
});
