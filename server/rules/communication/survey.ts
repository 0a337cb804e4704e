import { surveyAnswer } from "../../../records/configuration/survey-answer.ts";
import { surveyQuestion } from "../../../records/configuration/survey-question.ts";
import { surveyResponse } from "../../../records/configuration/survey-response.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseBoolean } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import { type Change, rulesFor } from "../../engine/rules.ts";
import { setNextPosition } from "../shared/next-position.ts";

// SV1 to SV6

/** The year or month of responded_at in the time zone of the account. */
function getPartOfRespondedAt({ after, by }: Change<typeof surveyResponse>, part: "year" | "month"): number {
  const moment = new Date(after.responded_at);
  return Number(
    new Intl.DateTimeFormat("en-US", { timeZone: toIanaZone(by.accountRecord.time_zone), [part]: "numeric" }).format(
      moment,
    ),
  );
}

export const surveyResponseRules = rulesFor(surveyResponse, {
  derive: {
    "year of responded_at": (change) => getPartOfRespondedAt(change, "year"),
    "month of responded_at": (change) => getPartOfRespondedAt(change, "month"),
  },
});

export const surveyQuestionRules = rulesFor(surveyQuestion, {
  beforeSave: setNextPosition("survey_questions", "survey"),
});

const selectStars = statement(
  `SELECT q.id, coalesce(q.weight, 1), a.rating / 20 FROM survey_answers a JOIN survey_questions q ON q.id = a.survey_question_id
WHERE a.survey_response_id = $1 AND a.account_id = $2 AND q.type = 'star_rating' AND a.rating IS NOT NULL ORDER BY q.position, q.id`,
);
const lockRating = statement(
  "SELECT rating, rating_calculation_json FROM survey_responses WHERE id = $1 AND account_id = $2 FOR UPDATE",
);
const updateRating = statement(
  "UPDATE survey_responses SET rating = $2, rating_calculation_json = $3, revision = revision + 1 WHERE id = $1 AND account_id = $4",
);

/** Stores the weighted average of the stars and its calculation. A rating that a caller supplied stays. */
async function recalculateRating(tx: Transaction, response: number, account: string): Promise<void> {
  const [row] = await tx.query(lockRating, [response, account]);
  if (row === undefined) return;
  const [rating, calculation] = row;
  const lastCalculation: { rating: number | null } | null = JSON.parse(calculation ?? "null");
  const isSupplied = rating != null && Number(rating) !== (lastCalculation?.rating ?? null);
  const answers = (await tx.query(selectStars, [response, account])).map(([question, weight, stars]) => ({
    question_id: Number(question),
    weight: Number(weight),
    stars: Number(stars),
  }));
  const weights = answers.reduce((sum, { weight }) => sum + weight, 0);
  const total = answers.reduce((sum, { weight, stars }) => sum + weight * stars, 0);
  const average = weights === 0 ? null : Math.round((total / weights) * 100) / 100;
  const json = answers.length === 0 ? null : JSON.stringify({ rating: average, answers });
  const stored = isSupplied ? rating : average === null ? null : String(average);
  tx.send(updateRating, [response, stored, json, account]);
}

const selectQuestion = statement(
  `SELECT q.type, q.survey_id = (SELECT r.survey_id FROM survey_responses r WHERE r.id = $2 AND r.account_id = $3)
FROM survey_questions q WHERE q.id = $1 AND q.account_id = $3`,
);

export const surveyAnswerRules = rulesFor(surveyAnswer, {
  async beforeSave({ tx, by, after, problem }) {
    if (after.survey_question === null) return;
    const [row] = await tx.query(selectQuestion, [after.survey_question, after.survey_response, by.account]);
    if (row === undefined) return;
    const [type, isOfSameSurvey] = row;
    if (!parseBoolean(isOfSameSurvey)) return problem("survey_question", "is not valid");
    const isStarRating = type === "star_rating";
    if (after.rating !== null && (!isStarRating || Number(after.rating) < 20 || Number(after.rating) > 100))
      problem("rating", "is not valid");
    if (after.text !== null && isStarRating) problem("text", "is not valid");
  },
  afterSave: ({ tx, account, after }) => recalculateRating(tx, after.survey_response, account),
});

/** A change listener: a deleted answer no longer counts. */
export async function recalculateRatingOnDelete(
  tx: Transaction,
  _by: Caller | null,
  { type, account, action, before }: ChangeEvent,
): Promise<void> {
  if (type.name === surveyAnswer.name && action === "destroy" && typeof before?.survey_response === "number")
    await recalculateRating(tx, before.survey_response, account);
}
