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
  average: noted("One to five stars; null: too few answers.", orNull(float)),
};

export const surveyOverview = answerList(
  "SurveyOverview",
  object({ survey: noted("Its id.", integer()), questions: count, responses: count, average: rated.average }),
);

export const surveyResults = answer("SurveyResults", {
  responses: count,
  average: rated.average,
  months: list(object({ month: noted("Such as 2031-02, ascending.", string()), ...rated })),
  services: list(object({ id: integer(), name: string(), ...rated })),
  questions: list(
    object({
      id: integer(),
      question: string(),
      type: choice("survey_question.type"),
      weight: orNull(integer()),
      distribution: noted(
        "Answers with one to five stars; null: too few answers, or a question about words.",
        orNull(list(count)),
      ),
      ...rated,
    }),
  ),
  comments: noted(
    "The latest texts, without names.",
    list(object({ question: integer(), text: string(), service: string(), month: string() })),
  ),
  is_withheld: noted("Fewer than five people answered: single answers are not shown.", boolean),
});

export const articleMark = word("useful", "outdated");
export const articleFeedback = answer("ArticleFeedback", {
  useful: noted("People whom the article helped.", count),
  outdated: noted("People who said that it is out of date since it was changed.", count),
  mine: orNull(articleMark),
  comments: noted(
    "For those who may change the article; empty for all others.",
    list(object({ person: named, mark: articleMark, note: string(), created_at: datetime })),
  ),
});
const articleNote = object({ note: optional(string(2000)) });

const afterCompletion = {
  description:
    "For the people the request was made by and for, once each, within 28 days of its completion. The first answer counts.",
  otherAnswers: { 304: { answer: null, answers: "Nothing to answer, answered already, or too late. No body." } },
  answer: null,
} as const;

export const surveyOperations = operations({
  "GET /surveys/results": {
    id: "getResultsOfSurveys",
    summary: "Count the responses to each survey",
    description: "Questions, responses and the average of every survey. For those who may read all survey responses.",
    answer: surveyOverview,
    answers: "One entry for each survey.",
  },
  "GET /surveys/:id/results": {
    id: "getResultsOfSurvey",
    summary: "Retrieve the results of a survey",
    description: "Ratings by month, by service and by question. For those who may read all survey responses.",
    answer: surveyResults,
    answers: "The results of the completed responses.",
  },
});

export const articleOperations = operations({
  "POST /knowledge_articles/:id/useful": {
    id: "markArticleUseful",
    summary: "Rate a knowledge article as helpful",
    description: "Every reader of the article has one mark; the latest counts. A note goes to the author.",
    body: articleNote,
    bodyExample: { note: "The third step did it." },
    answer: null,
  },
  "POST /knowledge_articles/:id/outdated": {
    id: "markArticleOutdated",
    summary: "Report a knowledge article as outdated",
    description: "The author gets a notification. The mark counts until the article is changed.",
    body: articleNote,
    bodyExample: { note: "The menu has another name by now." },
    answer: null,
  },
  "GET /knowledge_articles/:id/feedback": {
    id: "getFeedbackOnArticle",
    summary: "Retrieve the feedback on a knowledge article",
    answer: articleFeedback,
    answers: "How many said what, and what they wrote.",
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
      reopen: noted("the request is assigned again", defaultsTo(false, boolean)),
    }),
    bodyExample: { note: "The printer still does not print.", reopen: true },
    ...afterCompletion,
  },
});

export const noteOperations = operations({
  "POST /notes/:id/redact": {
    id: "redactNote",
    summary: "Redact a note",
    description: "For administrators. The note stays with its author and date, without its text and its files.",
    answer: recordOf("note"),
  },
});
