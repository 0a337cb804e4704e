import { createHmac, timingSafeEqual } from "node:crypto";
import type { Caller } from "../../engine/caller.ts";
import { commitChange, lockActiveValues, prepareChange } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reader } from "../../engine/kinds/kind.ts";
import type { Attachments, ColumnComputation, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { notifyPeople } from "../communication/notify.ts";

// What requesters think of a completed request: SA1 to SA4.

export type Satisfaction = "satisfied" | "dissatisfied";
const answers: readonly Satisfaction[] = ["satisfied", "dissatisfied"];
const daysToAnswer = 28;

const isInTime = (completedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(completedAt.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")) <=
  daysToAnswer * 86_400_000;

/** The key changes with every completion, and so does every address. */
const signAnswer = (key: string, request: number, person: number, answer: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([request, person, answer]))
    .digest("hex");

/** SA1: an address for each requester who can still answer. */
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
    const pair = (person: string) =>
      Object.fromEntries(
        answers.map((answer) => [
          `${answer}_url`,
          `${origin}/feedback/${id}/${person}/${answer}/${signAnswer(key, Number(id), Number(person), answer)}`,
        ]),
      );
    const found = {
      ...(requestedFor != null && answeredFor !== "t" ? { requested_for: pair(requestedFor) } : {}),
      ...(requestedBy != null && requestedBy !== requestedFor && answeredBy !== "t"
        ? { requested_by: pair(requestedBy) }
        : {}),
    };
    return Object.keys(found).length === 0 ? null : found;
  },
};

const selectFeedbackKey = statement(
  "SELECT feedback_key, account_id, subject FROM requests WHERE id = $1 AND life_cycle = 'active'",
);
const selectPersonName = statement("SELECT name FROM people WHERE id = $1 AND NOT disabled");

/** The request that an address was made for, and in whose name; null when it is none of ours or no longer valid. */
export async function verifyFeedbackLink(
  engine: Engine,
  given: { request: number; person: number; answer: string; signature: string },
): Promise<{ account: string; subject: string; person: string } | null> {
  const { request, person, answer } = given;
  const [row] = await engine.database.read(selectFeedbackKey, [request]);
  const [name] = await engine.database.read(selectPersonName, [person]);
  if (row?.[0] == null || name === undefined || !/^[0-9a-f]{64}$/.test(given.signature)) return null;
  const right = signAnswer(row[0], request, person, answer);
  if (!timingSafeEqual(Buffer.from(right), Buffer.from(given.signature))) return null;
  return { account: row[1] as string, subject: row[2] ?? "", person: name[0] ?? "" };
}

export type Feedback = { answer: Satisfaction; note?: string; attachments?: Attachments; reopen?: boolean };

/** Takes an answer of the caller; false when there is nothing to answer, or it was answered already. */
export async function giveFeedback(
  engine: Engine,
  by: Caller,
  request: { id: number; account: string },
  { answer, note, attachments, reopen: reopens = false }: Feedback,
): Promise<boolean> {
  const type = engine.types.get("request");
  return engine.database.transaction(async (tx) => {
    const before = await lockActiveValues(engine, tx, type, request.id, request.account);
    if (before?.status !== "completed" || typeof before.completed_at !== "string") return false;
    if (!isInTime(before.completed_at, by.now)) return false;
    const roles = { answered_for: "requested_for", answered_by: "requested_by" };
    const mine = Object.entries(roles).filter(([flag, role]) => before[role] === by.person && before[flag] !== true);
    if (mine.length === 0) return false;
    const values: Values = {
      // SA2: the first answer wins.
      satisfaction: before.satisfaction ?? answer,
      ...Object.fromEntries(mine.map(([flag]) => [flag, true])),
      ...(note === undefined ? {} : { note }),
      ...(reopens ? { status: "assigned" } : {}),
    };
    const place = { id: request.id, account: request.account, before };
    const change = prepareChange(engine, tx, by, type, place, values, attachments === undefined ? {} : { attachments });
    if (answer === "dissatisfied") change.runAfterSave(() => notifyPeople(change, "request/requester_dissatisfied")); // SA3
    await commitChange(engine, type, change);
    return true;
  }, by.zone);
}
