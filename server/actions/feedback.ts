import { timingSafeEqual } from "node:crypto";
import { statement } from "../database/database.ts";
import { parseText } from "../database/rows.ts";
import type { Caller } from "../engine/caller.ts";
import { applyChange, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import type { Attachments, Values } from "../engine/rules.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { lockActiveValues } from "../engine/write/lock.ts";
import { notifyPeople } from "../rules/communication/notify.ts";
import { isWithinAnswerPeriod, type Satisfaction, signAnswer } from "../rules/request/feedback.ts";

// Requesters answer whether a completed request satisfied them: SA2 to SA4.

export type Feedback = { answer: Satisfaction; note?: string; attachments?: Attachments; reopen?: boolean };

const answeredFlags = { answered_for: "requested_for", answered_by: "requested_by" };

/** Stores the caller's answer; false when the request expects none from the caller, or has it already. */
export async function giveFeedback(
  engine: Engine,
  by: Caller,
  { id, account }: { id: number; account: string },
  { answer, note, attachments, reopen = false }: Feedback,
): Promise<boolean> {
  const type = engine.types.get("request");
  return engine.database.transaction(async (tx) => {
    const before = await lockActiveValues(engine, tx, type, id, account);
    if (before?.status !== "completed" || typeof before.completed_at !== "string") return false;
    if (!isWithinAnswerPeriod(before.completed_at, by.now)) return false;
    const openFlags = Object.entries(answeredFlags)
      .filter(([flag, role]) => before[role] === by.person && before[flag] !== true)
      .map(([flag]) => flag);
    if (openFlags.length === 0) return false;
    const values: Values = {
      // SA2: the first answer wins.
      satisfaction: before.satisfaction ?? answer,
      ...Object.fromEntries(openFlags.map((flag) => [flag, true])),
      ...(note === undefined ? {} : { note }),
      ...(reopen ? { status: "assigned" } : {}),
    };
    const place = { id, account, before };
    const change = prepareChange(
      { engine, tx, by, type },
      place,
      values,
      attachments === undefined ? {} : { attachments },
    );
    if (answer === "dissatisfied") change.runAfterSave(() => notifyPeople(change, "request/requester_dissatisfied")); // SA3
    await applyChange(change);
    return true;
  }, by.zone);
}

/** The parts of a feedback link. */
export type FeedbackLink = { request: number; person: number; answer: string; signature: string };
export type VerifiedFeedbackLink = {
  request: number;
  account: string;
  subject: string;
  person: { id: number; name: string };
  answer: Satisfaction;
};

const selectFeedbackKey = statement(
  "SELECT feedback_key, account_id, subject FROM requests WHERE id = $1 AND life_cycle = 'active'",
);
const selectPersonName = statement("SELECT name FROM people WHERE id = $1 AND NOT disabled");

const isAnswer = (answer: string): answer is Satisfaction => answer === "satisfied" || answer === "dissatisfied";

/** Null when the signature is wrong, or the request was completed again since and has a new key. */
export async function verifyFeedbackLink(
  engine: Engine,
  { request, person, answer, signature }: FeedbackLink,
): Promise<VerifiedFeedbackLink | null> {
  const [row] = await engine.database.read(selectFeedbackKey, [request]);
  const [name] = await engine.database.read(selectPersonName, [person]);
  if (row?.[0] == null || name === undefined || !isAnswer(answer) || !/^[0-9a-f]{64}$/.test(signature)) return null;
  const expected = signAnswer(row[0], request, person, answer);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
  return {
    request,
    account: parseText(row[1]),
    subject: row[2] ?? "",
    person: { id: person, name: name[0] ?? "" },
    answer,
  };
}

/** The link identifies the person, who needs no session: the caller has the person's name and no roles. */
export async function giveFeedbackByLink(
  engine: Engine,
  { request, account, person, answer }: VerifiedFeedbackLink,
  { note, reopen }: { note: string; reopen: boolean },
): Promise<boolean> {
  const service = await engine.database.transaction((tx) => loadServiceCaller(tx, account, engine.clock.now()));
  const { isService: _, ...withoutService } = service;
  const by: Caller = {
    ...withoutService,
    changeOrigin: { kind: "mail_link" },
    person: person.id,
    roles: new Set<string>(),
    me: { ...service.me, id: person.id, name: person.name, roles: new Map() },
  };
  return giveFeedback(
    engine,
    by,
    { id: request, account },
    {
      answer,
      ...(note === "" ? {} : { note }),
      reopen: reopen && answer === "dissatisfied",
    },
  );
}
