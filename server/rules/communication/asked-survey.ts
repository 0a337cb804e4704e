import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Engine } from "../../engine/engine.ts";

// Chooses the survey for a person: that of the service of a request, once it is completed (D-373).

/** A person is not asked about the same service again within this many days. */
export const daysBetweenSurveys = 90;

export type Question = { id: number; question: string; type: "star_rating" | "text"; guidance: string | null };
export type AskedSurvey = {
  account: string;
  survey: { id: number; name: string; introduction: string | null; completion: string | null };
  service: { id: number; name: string };
  isAnswered: boolean;
};

const selectSurvey = jsonStatement<AskedSurvey>(
  `SELECT s.account_id AS account, json_build_object('id', v.id, 'name', v.name, 'introduction', v.introduction, 'completion', v.completion) AS survey,
  json_build_object('id', s.id, 'name', s.name) AS service,
  EXISTS (SELECT 1 FROM survey_responses r WHERE r.survey_id = v.id AND r.service_id = s.id AND r.account_id = s.account_id AND r.respondent_id = $2
    AND r.responded_at > $3::timestamptz - interval '${daysBetweenSurveys} days') AS "isAnswered"
FROM services s JOIN surveys v ON v.id = s.survey_id AND v.account_id = s.account_id AND NOT v.disabled
WHERE s.id = $1 AND NOT s.disabled AND EXISTS (SELECT 1 FROM survey_questions q WHERE q.survey_id = v.id AND NOT q.disabled)`,
);

/** The survey of a service as a person meets it; null: there is none. */
export const loadAskedSurvey = (engine: Engine, service: number, person: number): Promise<AskedSurvey | null> =>
  queryFirst(engine.database, selectSurvey, [service, person, engine.clock.now().toISOString()]);

const selectService = jsonStatement<{ service: number }>(
  `SELECT i.service_id AS service FROM requests r JOIN service_instances i ON i.id = r.service_instance_id
WHERE r.id = $1 AND r.account_id = ANY($3::text[]) AND r.status = 'completed' AND $2 IN (r.requested_by_id, r.requested_for_id)`,
);

/** The survey for a requester after a request; null: none, or answered not long ago. */
export async function loadSurveyAfter(
  engine: Engine,
  request: { id: number; accounts: readonly string[] },
  person: number,
): Promise<AskedSurvey | null> {
  const row = await queryFirst(engine.database, selectService, [request.id, person, request.accounts]);
  const asked = row === null ? null : await loadAskedSurvey(engine, row.service, person);
  return asked === null || asked.isAnswered ? null : asked;
}

const selectQuestions = jsonStatement<Question>(
  `SELECT id, question, type, guidance FROM survey_questions WHERE survey_id = $1 AND account_id = $2 AND NOT disabled ORDER BY position, id`,
);

export const loadQuestions = (engine: Engine, { survey, account }: AskedSurvey): Promise<Question[]> =>
  queryRows(engine.database, selectQuestions, [survey.id, account]);
