import {
  answer,
  answerList,
  boolean,
  choice,
  datetime,
  defaultsTo,
  float,
  hash,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  word,
} from "../vocabulary/index.ts";
import { recordOf } from "./answer-of.ts";

// People's feedback: on a completed request, on a knowledge article, in a survey; and the redaction of a note.

const count = integer({ min: 0 });
const rated = {
  count,
  average: noted("Average rating, one to five stars; null: too few responses.", orNull(float)),
};

export const surveyOverview = answerList(
  "SurveyOverview",
  object({
    survey: noted("The id of the survey.", integer()),
    questions: count,
    responses: count,
    average: rated.average,
  }),
);

export const surveyResults = answer("SurveyResults", {
  responses: count,
  average: rated.average,
  months: list(object({ month: noted("The month, such as 2031-02, in ascending order.", string()), ...rated })),
  services: list(object({ id: integer(), name: string(), ...rated })),
  questions: list(
    object({
      id: integer(),
      question: string(),
      type: choice("survey_question.type"),
      weight: orNull(integer()),
      distribution: noted(
        "Number of responses with one to five stars; null: too few responses, or a text question.",
        orNull(list(count)),
      ),
      ...rated,
    }),
  ),
  comments: noted(
    "The latest comments, without names.",
    list(object({ question: integer(), text: string(), service: string(), month: string() })),
  ),
  is_withheld: noted("Fewer than five people responded, so individual responses aren't shown.", boolean),
});

export const articleMark = word("useful", "outdated");
export const articleFeedback = answer("ArticleFeedback", {
  useful: noted("Number of people who found the article helpful.", count),
  outdated: noted("Number of people who reported the article as outdated since its last change.", count),
  mine: orNull(articleMark),
  comments: noted(
    "Only for people who can update the article; empty for everyone else.",
    list(object({ person: named, mark: articleMark, note: string(), created_at: datetime })),
  ),
});
const articleNote = object({ note: optional(string(2000)) });

const afterCompletion = {
  description:
    "Available to the people in `requested_by` and `requested_for`, once each, within 28 days of completion. The first response counts.",
  otherAnswers: {
    304: {
      answer: null,
      answers: "The request isn't awaiting feedback, was already rated, or the period has ended. No body.",
    },
  },
  answer: null,
} as const;

export const surveyOperations = operations({
  "GET /surveys/results": {
    id: "getResultsOfSurveys",
    summary: "Count the responses to each survey",
    description:
      "Returns the questions, responses and average of every survey. Available to people who can read all survey responses.",
    answer: surveyOverview,
    answers: "One entry per survey.",
  },
  "GET /surveys/:id/results": {
    id: "getResultsOfSurvey",
    summary: "Retrieve the results of a survey",
    description:
      "Returns ratings by month, service and question. Available to people who can read all survey responses.",
    answer: surveyResults,
    answers: "The results based on completed responses.",
  },
});

export const articleOperations = operations({
  "POST /knowledge_articles/:id/useful": {
    id: "markArticleUseful",
    summary: "Rate a knowledge article as helpful",
    description: "Each reader has one vote; the latest one counts. A note is sent to the author.",
    body: articleNote,
    bodyExample: { note: "The third step did it." },
    answer: null,
  },
  "POST /knowledge_articles/:id/outdated": {
    id: "markArticleOutdated",
    summary: "Report a knowledge article as outdated",
    description: "Notifies the author. The vote counts until the article changes.",
    body: articleNote,
    bodyExample: { note: "The menu has another name by now." },
    answer: null,
  },
  "GET /knowledge_articles/:id/feedback": {
    id: "getFeedbackOnArticle",
    summary: "Retrieve the feedback on a knowledge article",
    answer: articleFeedback,
    answers: "The number of votes and the comments.",
    example: { useful: 12, outdated: 1, mine: "useful", comments: [] },
  },
});

export const satisfactionOperations = operations({
  "POST /requests/:id/satisfied": {
    id: "satisfiedWithRequest",
    summary: "Rate a completed request as satisfied",
    ...afterCompletion,
  },
  "POST /requests/:id/dissatisfied": {
    id: "dissatisfiedWithRequest",
    summary: "Rate a completed request as dissatisfied",
    body: object({
      note: string(),
      note_attachments: optional(list(hash)),
      reopen: noted("reopens the request and sets its status to `assigned`", defaultsTo(false, boolean)),
    }),
    bodyExample: { note: "The printer still does not print.", reopen: true },
    ...afterCompletion,
  },
});

export const noteOperations = operations({
  "POST /notes/:id/redact": {
    id: "redactNote",
    summary: "Redact a note",
    description: "Available to administrators. Removes the text and files of the note; its author and date remain.",
    answer: recordOf("note"),
  },
});
