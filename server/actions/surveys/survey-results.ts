import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { surveyOverview, surveyResults } from "../../../records/answers/feedback.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Engine } from "../../engine/engine.ts";

// Survey results: ratings by month and by service, the distribution of the stars, and comments. No names
// leave the server, and few answers are not shown one by one, because they would reveal their authors.

/** So many answers hide who gave them. */
const fewestAnswers = 5;
const shownComments = 100;

type SurveyResults = AnswerOf<typeof surveyResults>;
type Rated = { count: number; average: number | null };
type Total = Rated & { from: string | null };
type QuestionRow = Omit<SurveyResults["questions"][number], "distribution"> & { stars: readonly number[] };
type Overview = AnswerOf<typeof surveyOverview>;

const completed = "r.survey_id = $1 AND r.account_id = $2 AND NOT r.disabled AND r.completed";
const rated = "count(*)::integer AS count, round(avg(r.rating), 2)::float8 AS average";

const selectTotal = jsonStatement<Total>(
  `SELECT ${rated}, min(r.responded_at) AS from FROM survey_responses r WHERE ${completed}`,
);
const selectMonths = jsonStatement<SurveyResults["months"][number]>(
  `SELECT r.year || '-' || lpad(r.month::text, 2, '0') AS month, ${rated} FROM survey_responses r WHERE ${completed}
GROUP BY r.year, r.month ORDER BY r.year DESC, r.month DESC LIMIT 24`,
);
const selectServices = jsonStatement<SurveyResults["services"][number]>(
  `SELECT s.id, s.name, ${rated} FROM survey_responses r JOIN services s ON s.id = r.service_id WHERE ${completed}
GROUP BY s.id, s.name ORDER BY average NULLS LAST, s.name LIMIT 50`,
);
const selectQuestions = jsonStatement<QuestionRow>(
  `SELECT q.id, q.question, q.type, q.weight, count(a.id)::integer AS count, round(avg(a.rating) / 20, 2)::float8 AS average,
  ARRAY(SELECT (SELECT count(*)::integer FROM survey_answers b JOIN survey_responses r ON r.id = b.survey_response_id AND b.account_id = $2
    WHERE b.survey_question_id = q.id AND ${completed} AND round(b.rating / 20) = star) FROM generate_series(1, 5) star) AS stars
FROM survey_questions q LEFT JOIN (survey_answers a JOIN survey_responses r ON r.id = a.survey_response_id AND a.account_id = $2 AND ${completed}) ON a.survey_question_id = q.id
WHERE q.survey_id = $1 AND q.account_id = $2 GROUP BY q.id, q.question, q.type, q.weight, q.position ORDER BY q.position, q.id`,
);
const selectComments = jsonStatement<SurveyResults["comments"][number]>(
  `SELECT a.survey_question_id AS question, a.text, s.name AS service, r.year || '-' || lpad(r.month::text, 2, '0') AS month
FROM survey_answers a JOIN survey_responses r ON r.id = a.survey_response_id AND a.account_id = $2 JOIN services s ON s.id = r.service_id
WHERE ${completed} AND a.text IS NOT NULL AND a.text <> '' ORDER BY r.responded_at DESC, a.id DESC LIMIT ${shownComments}`,
);

export async function loadSurveyResults(engine: Engine, survey: number, account: string): Promise<SurveyResults> {
  const values = [survey, account];
  const [[total], months, services, questions, comments] = await Promise.all([
    queryRows(engine.database, selectTotal, values),
    queryRows(engine.database, selectMonths, values),
    queryRows(engine.database, selectServices, values),
    queryRows(engine.database, selectQuestions, values),
    queryRows(engine.database, selectComments, values),
  ]);
  const responses = total?.count ?? 0;
  const isWithheld = responses < fewestAnswers;
  // A group of few has no average of its own: one answer would be its author's.
  const hideFew = <Group extends Rated>(group: Group): Group =>
    group.count < fewestAnswers ? { ...group, average: null } : group;
  return {
    responses,
    average: isWithheld ? null : (total?.average ?? null),
    months: months.reverse().map(hideFew),
    services: services.map(hideFew),
    questions: questions.map(({ stars, ...question }) => ({
      ...hideFew(question),
      distribution: question.count < fewestAnswers || question.type !== "star_rating" ? null : stars,
    })),
    comments: isWithheld ? [] : comments,
    is_withheld: isWithheld,
  };
}

const selectOverview = jsonStatement<Overview[number]>(
  `SELECT s.id AS survey, (SELECT count(*)::integer FROM survey_questions q WHERE q.survey_id = s.id AND q.account_id = s.account_id AND NOT q.disabled) AS questions,
  coalesce(a.count, 0) AS responses, a.average
FROM surveys s LEFT JOIN LATERAL (SELECT ${rated} FROM survey_responses r WHERE r.survey_id = s.id AND r.account_id = s.account_id AND NOT r.disabled AND r.completed) a ON true
WHERE s.account_id = $1 ORDER BY s.id LIMIT 1000`,
);

/** How many questions and answers every survey of an account has, and how it was answered on average. */
export async function loadSurveyOverview(engine: Engine, account: string): Promise<Overview> {
  const rows = await queryRows(engine.database, selectOverview, [account]);
  return rows.map((row) => (row.responses < fewestAnswers ? { ...row, average: null } : row));
}
