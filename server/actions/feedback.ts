import { timingSafeEqual } from "node:crypto";
import type { Caller } from "../engine/caller.ts";
import { commitChange, lockActiveValues, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import type { Attachments, Values } from "../engine/rules.ts";
import { notifyPeople } from "../rules/communication/notify.ts";
import { isInTime, type Satisfaction, signAnswer } from "../rules/request/feedback.ts";
import { statement } from "../storage/database.ts";

// The answers of requesters about a completed request: SA2 to SA4.

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
      engine,
      tx,
      by,
      type,
      record,
      values,
      attachments === undefined ? {} : { attachments },
    );
    if (answer === "dissatisfied") change.runAfterSave(() => notifyPeople(change, "request/requester_dissatisfied")); // SA3
    await commitChange(engine, type, change);
    return true;
  }, by.zone);
}
