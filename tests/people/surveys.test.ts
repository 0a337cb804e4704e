import { beforeAll, describe, expect, test } from "vitest";
import { loadReceivedTexts } from "../support/mail/received-mails.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { type Reply, world } from "../support/world.ts";

// Surveys, responses and answers: SV1 to SV8.

const here = await world();
const { as, clock } = here;
const { mails } = requestHelpers(here);
const admin = as("administrator");
const listInvalidFields = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;
type Members = Record<string, unknown>;

async function create(path: string, members: Members) {
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
  service = await create("/services", { name: "Help", provider_id: 6 });
  survey = await create("/surveys", { name: "How was it?" });
  const question = (members: Members) => create(`/surveys/${survey.id}/survey_questions`, members);
  speed = await question({ question: "Fast?", type: "star_rating", weight: 1 });
  quality = await question({ question: "Good?", type: "star_rating", weight: 2 });
  remarks = await question({ question: "Anything else?", type: "text" });
});
const createResponse = async (members: Members = {}) => {
  const { id } = await create("/survey_responses", { survey_id: survey.id, service_id: service.id, ...members });
  return `/survey_responses/${id}`;
};
const loadRating = async (path: string) => {
  const { rating, rating_calculation_json } = (await admin.get(path)).body;
  return [rating, rating_calculation_json === null ? null : JSON.parse(rating_calculation_json)];
};

describe("answers", () => {
  test("rating and text belong to their kinds of question", async () => {
    const path = `${await createResponse()}/survey_answers`;
    const answer = (survey_question_id: number | undefined, members: Members) =>
      admin.post(path, { survey_question_id, ...members });
    expect(listInvalidFields(await answer(undefined, { rating: 20 }))).toEqual(["survey_question"]);
    expect(listInvalidFields(await answer(speed.id, { text: "yes" }))).toEqual(["text"]);
    expect(listInvalidFields(await answer(remarks.id, { rating: 80 }))).toEqual(["rating"]);
    for (const rating of [0, 19, 100.5, 120])
      expect(listInvalidFields(await answer(speed.id, { rating }))).toEqual(["rating"]);
    expect((await answer(speed.id, { rating: 80 })).body).toMatchObject({
      rating: 80,
      text: null,
      survey_question: { id: speed.id, question: "Fast?", localized_question: "Fast?" },
      survey_response: { survey: { id: survey.id }, service: { id: service.id }, year: 2025, month: 3 },
    });
    expect((await answer(remarks.id, { text: "Thanks" })).status).toBe(201);
  });

  test("each question has one answer, and must belong to the survey", async () => {
    const path = `${await createResponse()}/survey_answers`;
    await create(path, { survey_question_id: speed.id, rating: 20 });
    expect(listInvalidFields(await admin.post(path, { survey_question_id: speed.id, rating: 40 }))).toEqual([
      "survey_question",
    ]);
    const other = await create("/surveys", { name: "Another" });
    const foreign = await create(`/surveys/${other.id}/survey_questions`, { question: "What?", type: "text" });
    expect(listInvalidFields(await admin.post(path, { survey_question_id: foreign.id }))).toEqual(["survey_question"]);
  });
});

describe("the rating of a response", () => {
  test("SV4, SV5: is the weighted average of the stars, and follows the answers", async () => {
    const path = await createResponse();
    expect(await loadRating(path)).toEqual([null, null]);
    await create(`${path}/survey_answers`, { survey_question_id: remarks.id, text: "Hm" });
    expect(await loadRating(path)).toEqual([null, null]);
    const first = await create(`${path}/survey_answers`, { survey_question_id: speed.id, rating: 100 });
    await create(`${path}/survey_answers`, { survey_question_id: quality.id, rating: 60 });
    expect(await loadRating(path)).toEqual([
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
    expect((await loadRating(path))[0]).toBe(3);
    await admin.delete(`${path}/survey_answers/${first.id}`);
    expect((await loadRating(path))[1]).toEqual({
      rating: 3,
      answers: [{ question_id: quality.id, weight: 2, stars: 3 }],
    });
    await admin.delete(`${path}/survey_answers`);
    expect(await loadRating(path)).toEqual([null, null]);
  });

  test("SV4: isn't recalculated if it was supplied", async () => {
    const path = await createResponse({ rating: 4.5 });
    await create(`${path}/survey_answers`, { survey_question_id: speed.id, rating: 20 });
    expect(await loadRating(path)).toEqual([4.5, expect.objectContaining({ rating: 1 })]);
  });
});

test("a response lists the SLAs that cover its author", async () => {
  const { sla } = await serviceAgreements(admin).agreed({}, {}, [5]);
  const slas = async (path: string) => (await admin.get(`${path}/slas`)).body.map(({ id }: { id: number }) => id);
  const { status, body } = await as("requester").post("/survey_responses", {
    survey_id: survey.id,
    service_id: 1,
  });
  expect(status).toBe(201);
  expect(await slas(`/survey_responses/${body.id}`)).toEqual([sla.id]);
  expect(await slas(await createResponse())).toEqual([]);
});

describe("SV7: after completion", () => {
  const createCompletedRequest = async () => {
    const { body: instance } = await admin.post("/service_instances", { name: "Help here", service_id: service.id });
    const { body: request } = await admin.post("/requests", {
      subject: "Help me",
      category: "incident",
      impact: "low",
      requested_by_id: 5,
      requested_for_id: 5,
      service_instance_id: instance.id,
    });
    await admin.patch(`/requests/${request.id}`, { status: "completed", completion_reason: "solved", note: "Done" });
    return request.id as number;
  };
  const page = (url: string, form?: Record<string, string>) =>
    fetch(url, form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) });

  test("the email and the portal link to a page that accepts one response, without a session", async () => {
    const before = await createCompletedRequest();
    const loadProgress = async (id: number) => (await as("requester").get(`/portal/requests/${id}`)).body;
    expect((await loadProgress(before)).survey).toBeNull();
    await mails(); // about the first, without a survey
    await admin.patch(`/services/${service.id}`, { survey_id: survey.id });
    const id = await createCompletedRequest();
    const { survey: card } = await loadProgress(id);
    expect(card).toMatchObject({ name: "How was it?", service: "Help" });
    await mails();
    const sent = await loadReceivedTexts(here, "recipient = 'rita@widget.example'");
    expect(sent.filter(({ body }) => body.includes(new URL(card.url).pathname))).toHaveLength(1);

    const opened = await (await page(card.url)).text();
    expect(opened).toContain("Fast?");
    expect(opened).toContain("Anything else?");
    expect((await page(card.url, {})).status).toBe(422);
    expect((await page(card.url, { [`q${speed.id}`]: "9" })).status).toBe(422);
    const form = { [`q${speed.id}`]: "5", [`q${quality.id}`]: "2", [`q${remarks.id}`]: "<b>Thanks</b>" };
    const twice = await Promise.all([page(card.url, form), page(card.url, form)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect((await page(card.url)).status).toBe(410);
    expect((await loadProgress(id)).survey).toBeNull();
    const [stored] = (await admin.get(`/survey_responses?survey=${survey.id}&sort=-id`)).body;
    expect(stored).toMatchObject({ rating: 3, service: { id: service.id } });
    expect((await admin.get(`/survey_responses/${stored.id}`)).body.completed).toBe(true);

    await clock.pass(91 * 24 * 3600);
    expect((await page(card.url)).status).toBe(200);
  });

  test("a link for another person, another service or no survey is invalid", async () => {
    const { survey: card } = (await as("requester").get(`/portal/requests/${await createCompletedRequest()}`)).body;
    const [, , , signature = ""] = new URL(card.url).pathname.split("/").slice(1);
    for (const path of [
      `/survey/${service.id}/3/${signature}`,
      `/survey/${service.id + 1}/5/${signature}`,
      `/survey/${service.id}/5/${"0".repeat(40)}`,
      `/survey/x/5/${signature}`,
      `/survey/99999999999/5/${signature}`,
    ])
      expect((await page(`${here.url}${path}`)).status, path).toBe(404);
    await admin.patch(`/surveys/${survey.id}`, { disabled: true });
    expect((await page(card.url)).status).toBe(404);
    await admin.patch(`/surveys/${survey.id}`, { disabled: false });
  });
});

test("SV8: results summarize the responses, and no detail while there are few of them", async () => {
  const survey = await create("/surveys", { name: "Results" });
  const stars = await create(`/surveys/${survey.id}/survey_questions`, { question: "Good?", type: "star_rating" });
  const words = await create(`/surveys/${survey.id}/survey_questions`, { question: "Why?", type: "text" });
  const answer = async (rating: number, text: string, members: Members = {}) => {
    const path = await createResponse({ survey_id: survey.id, completed: true, ...members });
    await create(`${path}/survey_answers`, { survey_question_id: stars.id, rating });
    await create(`${path}/survey_answers`, { survey_question_id: words.id, text });
  };
  const getResults = async (client = admin) => client.get(`/surveys/${survey.id}/results`);
  for (const rating of [100, 100, 80, 20]) await answer(rating, `Text ${rating}`);
  await answer(20, "Unfinished", { completed: false });
  expect((await getResults()).body).toMatchObject({
    responses: 4,
    average: null,
    is_withheld: true,
    comments: [],
    questions: [{ distribution: null, average: null }, { distribution: null }],
  });
  await answer(100, "Text five");
  const { body } = await getResults();
  expect(body).toMatchObject({
    responses: 5,
    average: 4,
    is_withheld: false,
    questions: [
      { id: stars.id, count: 5, average: 4, distribution: [1, 0, 0, 1, 3] },
      { id: words.id, count: 5, distribution: null },
    ],
    services: [{ id: service.id, count: 5, average: 4 }],
  });
  expect(body.comments.map(({ text }: { text: string }) => text)).toContain("Text five");
  expect(JSON.stringify(body)).not.toContain("Ada");
  expect((await getResults(as("specialist"))).status).toBe(200);
  expect((await getResults(as("requester"))).status).toBe(403);
  expect((await getResults(as("stranger"))).status).toBe(404);
});
