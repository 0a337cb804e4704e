import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { request } from "../../../records/work/request.ts";
import type { Caller } from "../../engine/caller.ts";
import { commitChange, prepareChange } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reader } from "../../engine/kinds/kind.ts";
import type { Attachments, Change, ColumnComputation, Values } from "../../engine/rules.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { statement } from "../../storage/database.ts";
import { notifyPeople } from "../communication/notify.ts";

// The satisfaction of the requesters with a completed request: SA1 to SA4.

export type Satisfaction = "satisfied" | "dissatisfied";
const answers: readonly Satisfaction[] = ["satisfied", "dissatisfied"];
const daysToAnswer = 28;

const isInTime = (completedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(completedAt.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")) <=
  daysToAnswer * 86_400_000;

/** Every completion has another key, so the links of an earlier one are no longer valid. */
const signAnswer = (key: string, request: number, person: number, answer: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([request, person, answer]))
    .digest("hex");

/** SA1: the links of each requester who can still answer. */
export const feedbackLinks: ColumnComputation = {
  fields: [
    "id",
    "status",
    "completed_at",
    "feedback_key",
    "requested_for",
    "requested_by",
    "answered_for",
    "answered_by",
  ],
  compute([id, status, completedAt, key, requestedFor, requestedBy, answeredFor, answeredBy], { origin, now }: Reader) {
    if (status !== "completed" || completedAt == null || key == null || !isInTime(completedAt, now)) return null;
    const buildLinks = (person: string) =>
      Object.fromEntries(
        answers.map((answer) => [
          `${answer}_url`,
          `${origin}/feedback/${id}/${person}/${answer}/${signAnswer(key, Number(id), Number(person), answer)}`,
        ]),
      );
    const links = {
      ...(requestedFor != null && answeredFor !== "t" ? { requested_for: buildLinks(requestedFor) } : {}),
      ...(requestedBy != null && requestedBy !== requestedFor && answeredBy !== "t"
        ? { requested_by: buildLinks(requestedBy) }
        : {}),
    };
    return Object.keys(links).length === 0 ? null : links;
  },
};

/** Effect of completing and of reopening: each completion asks for new answers. Participants have no links. */
export function renewFeedbackLinks({ participant, after }: Change<typeof request>): void {
  if (participant !== null) return;
  after.feedback_key = after.status === "completed" ? randomBytes(24).toString("base64url") : null;
  after.answered_by = false;
  after.answered_for = false;
}

const selectFeedbackKey = statement(
  "SELECT feedback_key, account_id, subject FROM requests WHERE id = $1 AND life_cycle = 'active'",
);
const selectPersonName = statement("SELECT name FROM people WHERE id = $1 AND NOT disabled");

/** The request that a link was made for, and the person who answers; null when the link is not valid. */
export async function verifyFeedbackLink(
  engine: Engine,
  link: { request: number; person: number; answer: string; signature: string },
): Promise<{ account: string; subject: string; person: string } | null> {
  const { request, person, answer, signature } = link;
  const [row] = await engine.database.read(selectFeedbackKey, [request]);
  const [nameRow] = await engine.database.read(selectPersonName, [person]);
  const [key, account, subject] = row ?? [];
  if (key == null || account == null || nameRow === undefined || !/^[0-9a-f]{64}$/.test(signature)) return null;
  const expected = signAnswer(key, request, person, answer);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
  return { account, subject: subject ?? "", person: nameRow[0] ?? "" };
}

export type Feedback = { answer: Satisfaction; note?: string; attachments?: Attachments; reopen?: boolean };

/** Stores the caller's answer; false when the caller has nothing to answer, or has answered already. */
export async function giveFeedback(
  engine: Engine,
  by: Caller,
  request: { id: number; account: string },
  { answer, note, attachments, reopen = false }: Feedback,
): Promise<boolean> {
  const type = engine.types.get("request");
  return engine.database.transaction(async (tx) => {
    const before = await lockActiveValues(engine, tx, type, request.id, request.account);
    if (before?.status !== "completed" || typeof before.completed_at !== "string") return false;
    if (!isInTime(before.completed_at, by.now)) return false;
    const roles = { answered_for: "requested_for", answered_by: "requested_by" };
    const unanswered = Object.entries(roles).filter(
      ([flag, role]) => before[role] === by.person && before[flag] !== true,
    );
    if (unanswered.length === 0) return false;
    const values: Values = {
      // SA2: the first answer wins.
      satisfaction: before.satisfaction ?? answer,
      ...Object.fromEntries(unanswered.map(([flag]) => [flag, true])),
      ...(note === undefined ? {} : { note }),
      ...(reopen ? { status: "assigned" } : {}),
    };
    const record = { id: request.id, account: request.account, before };
    const change = prepareChange(
      { engine, tx, by, type },
      record,
      values,
      attachments === undefined ? {} : { attachments },
    );
    if (answer === "dissatisfied") change.runAfterSave(() => notifyPeople(change, "request/requester_dissatisfied")); // SA3
    await commitChange(change);
    return true;
  }, by.zone);
}
