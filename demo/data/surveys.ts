import { inDays, type Row, type Rows, type Table } from "./table.ts";

const stars = (question: string, weight: number, guidance?: string): Row => ({
  as: question,
  question,
  type: "star_rating",
  weight,
  guidance,
});
const words = (question: string): Row => ({ as: question, question, type: "text" });

export const surveys: Table = {
  type: "survey",
  in: "quillhaven-it",
  created: inDays(-550),
  rows: {
    "it-survey": {
      name: "How is IT doing?",
      introduction: "Four questions, one minute. We read every answer.",
      completion: "Thank you! We'll share your answers with the team.",
      survey_questions: [
        stars("How satisfied are you with this service?", 3),
        stars("How easy is it to get help?", 2, "Think of the last time you contacted us."),
        stars("How well do we keep you informed?", 1),
        words("What could we do better?"),
      ],
    },
    "workplace-survey": {
      in: "quillhaven-fm",
      name: "How is your workplace?",
      introduction: "Help us make your workplace better.",
      completion: "Thank you!",
      survey_questions: [
        stars("How satisfied are you with your workplace?", 2),
        stars("How quickly do we fix things?", 1),
        words("What would you change first?"),
      ],
    },
    "nimbrook-survey": {
      in: "nimbrook",
      name: "Provider review",
      survey_questions: [stars("Would you choose us again?", 1), words("Why?")],
    },
    "old-survey": {
      name: "Suggestion box",
      disabled: true,
      survey_questions: [words("What is on your mind?")],
    },
  },
};

// service, days ago, about how many stars
// biome-ignore format: a table keeps its columns
const answers: readonly (readonly [string, number, string])[] = [
  ["mail", 172, "4.2"], ["mail", 140, "4.5"], ["mail", 96, "3.8"], ["mail", 61, "4.3"], ["mail", 12, "4.7"],
  ["network", 165, "2.8"], ["network", 133, "3.0"], ["network", 88, "3.4"], ["network", 54, "3.9"], ["network", 9, "4.1"],
  ["computer", 150, "4.0"], ["computer", 101, "4.4"], ["computer", 40, "4.1"], ["computer", 6, "4.6"],
  ["access", 120, "3.3"], ["access", 66, "3.6"], ["access", 20, "3.7"],
  ["erp", 111, "2.4"], ["erp", 73, "2.9"], ["erp", 30, "3.2"], ["erp", 3, "3.5"],
];
// biome-ignore format: a table keeps its columns
const workplaceAnswers: readonly (readonly [string, number, string])[] = [
  ["rooms", 130, "3.5"], ["rooms", 77, "3.9"], ["rooms", 15, "4.0"], ["badges", 92, "4.8"], ["badges", 33, "4.6"],
  ["buildings", 125, "3.1"], ["buildings", 70, "2.7"], ["buildings", 8, "3.3"],
];

const remarks = [
  "Keep up the good work.",
  "Replies are quick. Fixes sometimes take longer.",
  "I always get the same friendly person, and they always know the answer.",
  "Please let us know before you change something.",
  "Nothing, thanks.",
];

/** Answers near the rating for each question, sometimes with a comment. */
const answered = (survey: string, rating: number, index: number): Row[] =>
  ((surveys.rows[survey]?.survey_questions ?? []) as readonly Row[]).flatMap(({ question, type }, at): Row[] => {
    const of = { as: question, survey_question: `${survey}/${question}` };
    if (type === "text") return index % 2 === 0 ? [{ ...of, text: remarks[index % remarks.length] }] : [];
    const up = (index + at) % 10 < (rating % 1) * 10;
    return [{ ...of, rating: String(20 * (up ? Math.ceil(rating) : Math.floor(rating))) }];
  });

const responses = (survey: string, list: readonly (readonly [string, number, string])[]): Rows =>
  Object.fromEntries(
    list.map(([service, days, rating], index) => [
      `${service}-${days}`,
      {
        survey,
        service,
        completed: true,
        survey_answers: answered(survey, Number(rating), index),
        created: inDays(-days, 13),
      },
    ]),
  );

export const surveyResponses: readonly Table[] = [
  { type: "survey_response", in: "quillhaven-it", created: inDays(-1), rows: responses("it-survey", answers) },
  {
    type: "survey_response",
    in: "quillhaven-fm",
    created: inDays(-1),
    rows: {
      ...responses("workplace-survey", workplaceAnswers),
      unfinished: { survey: "workplace-survey", service: "rooms", completed: false },
    },
  },
  {
    type: "survey_response",
    in: "nimbrook",
    created: inDays(-1),
    rows: responses("nimbrook-survey", [["hosting", 45, "4.5"]]),
  },
];
