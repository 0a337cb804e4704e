import { beforeAll, describe, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { type Reply, world } from "../support/world.ts";

// Surveys, responses and answers: SV1 to SV6.

const { as } = await world();
const admin = as("administrator");
const wrong = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;
type Members = Record<string, unknown>;

async function made(path: string, members: Members) {
  const { status, body, text } = await admin.post(path, members);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body;
}

let service: { id: number };
let survey: { id: number };
let speed: { id: number };
let quality: { id: number };
let remarks: { id: number };
beforeAll(async () => {
  service = await made("/services", { name: "Help", provider_id: 6 });
  survey = await made("/surveys", { name: "How was it?" });
  const question = (members: Members) => made(`/surveys/${survey.id}/survey_questions`, members);
  speed = await question({ question: "Fast?", type: "star_rating", weight: 1 });
  quality = await question({ question: "Good?", type: "star_rating", weight: 2 });
  remarks = await question({ question: "Anything else?", type: "text" });
});
const response = async (members: Members = {}) => {
  const { id } = await made("/survey_responses", { survey_id: survey.id, service_id: service.id, ...members });
  return `/survey_responses/${id}`;
};
const shown = async (path: string) => {
  const { rating, rating_calculation_json } = (await admin.get(path)).body;
  return [rating, rating_calculation_json === null ? null : JSON.parse(rating_calculation_json)];
};

describe("answers", () => {
  test("rating and text belong to their kinds of question", async () => {
    const path = `${await response()}/survey_answers`;
    const answer = (survey_question_id: number | undefined, members: Members) =>
      admin.post(path, { survey_question_id, ...members });
    expect(wrong(await answer(undefined, { rating: 20 }))).toEqual(["survey_question"]);
    expect(wrong(await answer(speed.id, { text: "yes" }))).toEqual(["text"]);
    expect(wrong(await answer(remarks.id, { rating: 80 }))).toEqual(["rating"]);
    for (const rating of [0, 19, 100.5, 120]) expect(wrong(await answer(speed.id, { rating }))).toEqual(["rating"]);
    expect((await answer(speed.id, { rating: 80 })).body).toMatchObject({
      rating: 80,
      text: null,
      survey_question: { id: speed.id, question: "Fast?", localized_question: "Fast?" },
      survey_response: { survey: { id: survey.id }, service: { id: service.id }, year: 2025, month: 3 },
    });
    expect((await answer(remarks.id, { text: "Thanks" })).status).toBe(201);
  });

  test("one answer per question, and only to questions of the survey", async () => {
    const path = `${await response()}/survey_answers`;
    await made(path, { survey_question_id: speed.id, rating: 20 });
    expect(wrong(await admin.post(path, { survey_question_id: speed.id, rating: 40 }))).toEqual(["survey_question"]);
    const other = await made("/surveys", { name: "Another" });
    const foreign = await made(`/surveys/${other.id}/survey_questions`, { question: "What?", type: "text" });
    expect(wrong(await admin.post(path, { survey_question_id: foreign.id }))).toEqual(["survey_question"]);
  });
});

describe("the rating of a response", () => {
  test("SV4, SV5: is the weighted average of the stars, and follows the answers", async () => {
    const path = await response();
    expect(await shown(path)).toEqual([null, null]);
    await made(`${path}/survey_answers`, { survey_question_id: remarks.id, text: "Hm" });
    expect(await shown(path)).toEqual([null, null]);
    const first = await made(`${path}/survey_answers`, { survey_question_id: speed.id, rating: 100 });
    await made(`${path}/survey_answers`, { survey_question_id: quality.id, rating: 60 });
    expect(await shown(path)).toEqual([
      3.67,
      {
        rating: 3.67,
        answers: [
          { question_id: speed.id, weight: 1, stars: 5 },
          { question_id: quality.id, weight: 2, stars: 3 },
        ],
      },
    ]);
    await admin.patch(`${path}/survey_answers/${first.id}`, { rating: 60 });
    expect((await shown(path))[0]).toBe(3);
    await admin.delete(`${path}/survey_answers/${first.id}`);
    expect((await shown(path))[1]).toEqual({
      rating: 3,
      answers: [{ question_id: quality.id, weight: 2, stars: 3 }],
    });
    await admin.delete(`${path}/survey_answers`);
    expect(await shown(path)).toEqual([null, null]);
  });

  test("SV4: is left as it is when it was supplied", async () => {
    const path = await response({ rating: 4.5 });
    await made(`${path}/survey_answers`, { survey_question_id: speed.id, rating: 20 });
    expect(await shown(path)).toEqual([4.5, expect.objectContaining({ rating: 1 })]);
  });
});

test("the SLAs that cover whoever responded are listed below the response", async () => {
  const { sla } = await serviceAgreements(admin).agreed({}, {}, [5]);
  const slas = async (path: string) => (await admin.get(`${path}/slas`)).body.map(({ id }: { id: number }) => id);
  const { status, body } = await as("requester").post("/survey_responses", {
    survey_id: survey.id,
    service_id: 1,
  });
  expect(status).toBe(201);
  expect(await slas(`/survey_responses/${body.id}`)).toEqual([sla.id]);
  expect(await slas(await response())).toEqual([]);
});
