import { statement } from "../../database/database.ts";
import { createUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { type AskedSurvey, daysBetweenSurveys, type Question } from "../../rules/communication/asked-survey.ts";

export type Answer = { question: number; stars?: number; text?: string };

const starRating = 20; // of one star, as answers store it

// If the same form is sent twice at the same time, the second call waits here for the first, and is reported as answered.
const lockPerson = statement("SELECT id FROM people WHERE id = $1 FOR NO KEY UPDATE");
const selectAnswered = statement(
  `SELECT 1 FROM survey_responses WHERE survey_id = $1 AND service_id = $2 AND account_id = $3 AND respondent_id = $4
  AND responded_at > $5::timestamptz - interval '${daysBetweenSurveys} days' LIMIT 1`,
);

/**
 * Stores a response with all its answers, or nothing; false: this person has answered not long ago. The service itself
 * writes it, so that no audit trail reveals who answered what.
 */
export async function answerSurvey(
  engine: Engine,
  person: number,
  { survey, service, account }: AskedSurvey,
  answers: readonly Answer[],
): Promise<boolean> {
  const now = engine.clock.now();
  const [response, answer] = [engine.types.get("survey_response"), engine.types.get("survey_answer")];
  return engine.database.transaction(async (tx) => {
    await tx.query(lockPerson, [person]);
    const answered = await tx.query(selectAnswered, [survey.id, service.id, account, person, now.toISOString()]);
    if (answered.length > 0) return false;
    const by = await loadServiceCaller(tx, account, now);
    const values = { survey: survey.id, service: service.id, completed: true };
    const fixed = { respondent: person };
    const id = await createUnchecked({ engine, tx, by, type: response }, values, { fixed, account });
    for (const { question, stars, text } of answers) {
      const given = {
        survey_question: question,
        ...(stars === undefined ? {} : { rating: String(stars * starRating) }),
        ...(text === undefined ? {} : { text }),
      };
      await createUnchecked({ engine, tx, by, type: answer }, given, { fixed: { survey_response: id }, account });
    }
    return true;
  });
}

const maxText = 5000;

/** The answers of a form whose fields are named like the questions; what was left out is left out. */
export function parseAnswers(questions: readonly Question[], form: URLSearchParams): Answer[] {
  return questions.flatMap(({ id, type }): Answer[] => {
    const given = (form.get(`q${id}`) ?? "").replaceAll("\0", "").trim();
    if (given === "") return [];
    if (type === "text") return [{ question: id, text: given.slice(0, maxText).toWellFormed() }];
    return /^[1-5]$/.test(given) ? [{ question: id, stars: Number(given) }] : [];
  });
}
