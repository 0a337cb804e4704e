import {
  datetime,
  defaultsTo,
  hash,
  integer,
  list,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
} from "../vocabulary/index.ts";

// The results of a calendar and a recurrence: active minutes, and the next occurrences.

// Not required in the query: a body can contain them instead.
const durationMembers = {
  start: noted("Start of the period.", optional(datetime)),
  end: noted("End of the period. The result is 0 if it isn't later than the start.", optional(datetime)),
  time_zone: noted(
    "The time zone of hours and holidays: a value of the `time_zone` enumeration or an IANA time zone.",
    defaultsTo("UTC", string()),
  ),
};

export const calendarOperations = operations({
  "GET /calendars/:id/duration": {
    id: "getDurationOfCalendar",
    summary: "Count the active minutes of a calendar between two times",
    description:
      "Excludes the holidays of the calendar. `start` and `end` are required. All three parameters can be sent in the query string or in a JSON body, which takes precedence.",
    query: durationMembers,
    body: noted("The same parameters, if they aren't in the query string.", optional(object(durationMembers))),
    bodyExample: { start: "2031-02-03T08:00:00+01:00", end: "2031-02-05T12:00:00+01:00", time_zone: "Amsterdam" },
    answer: integer({ min: 0 }),
    answers: "The number of whole minutes, as a plain number.",
    example: 1560,
  },
});

export const recurrenceOperations = operations({
  "POST /recurrence_occurrences": {
    id: "listRecurrenceOccurrences",
    summary: "List the next occurrences of a recurrence",
    description: "Takes a recurrence in the format used by workflow templates. Nothing is saved.",
    body: object({
      recurrence: noted("The members of the `recurrence` field.", hash),
      from: noted("Only occurrences after this time; default: now.", optional(datetime)),
      count: defaultsTo(6, integer({ min: 1, max: 24 })),
    }),
    bodyExample: {
      recurrence: {
        frequency: "weekly",
        day: "1",
        start_date: "2031-02-03",
        time_of_day: "09:00",
        time_zone: "Amsterdam",
      },
      count: 3,
    },
    answer: object({ occurrences: list(datetime), problem: orNull(string()) }),
    answers:
      "The occurrences in ascending order. If the recurrence is incomplete, `problem` explains why there are none.",
    example: {
      occurrences: ["2031-02-10T09:00:00+01:00", "2031-02-17T09:00:00+01:00", "2031-02-24T09:00:00+01:00"],
      problem: null,
    },
  },
});
