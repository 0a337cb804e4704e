import { createHmac, randomBytes } from "node:crypto";
import type { request } from "../../../records/work/request.ts";
import type { Reader } from "../../engine/kinds/kind.ts";
import type { Change, ColumnComputation } from "../../engine/rules.ts";

// SA1: the links with which requesters say whether a completed request satisfied them. server/actions/feedback.ts stores
// their answers.

export type Satisfaction = "satisfied" | "dissatisfied";
const answers: readonly Satisfaction[] = ["satisfied", "dissatisfied"];
const daysToAnswer = 28;

export const isWithinAnswerPeriod = (completedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(completedAt.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")) <=
  daysToAnswer * 86_400_000;

/** A request gets a new key with every completion, which makes earlier links invalid. */
export const signAnswer = (key: string, request: number, person: number, answer: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([request, person, answer]))
    .digest("hex");

/** SA1: a pair of links for each requester who can still answer. */
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
    if (status !== "completed" || completedAt == null || key == null || !isWithinAnswerPeriod(completedAt, now))
      return null;
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
