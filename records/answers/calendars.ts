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
  start: noted("Where counting begins.", optional(datetime)),
  end: noted("Where counting ends; nothing is counted when it is not later than the start.", optional(datetime)),
  time_zone: noted(
    "The zone in which hours and holidays are read: a name of enumeration `time_zone`, or an IANA zone.",
    defaultsTo("UTC", string()),
  ),
};

export const calendarOperations = operations({
  "GET /calendars/:id/duration": {
    id: "getDurationOfCalendar",
    summary: "Count the active minutes of a calendar between two times",
    description:
      "Holidays of the calendar are left out. `start` and `end` are needed; the query or a JSON body, which wins, can name all three.",
    query: durationMembers,
    body: noted("The same members, unless the query names them.", optional(object(durationMembers))),
    bodyExample: { start: "2031-02-03T08:00:00+01:00", end: "2031-02-05T12:00:00+01:00", time_zone: "Amsterdam" },
    answer: integer({ min: 0 }),
    answers: "Whole minutes: a bare number.",
    example: 1560,
  },
});

export const recurrenceOperations = operations({
  "POST /recurrence_occurrences": {
    id: "listRecurrenceOccurrences",
    summary: "List the next occurrences of a recurrence",
    description: "Of a recurrence as workflow templates have it. Nothing is saved.",
    body: object({
      recurrence: noted("The members of the field `recurrence`.", hash),
      from: noted("Only moments after this one; default: now.", optional(datetime)),
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
    answers: "The moments, ascending. `problem` says why there are none where the recurrence is not complete.",
    example: {
      occurrences: ["2031-02-10T09:00:00+01:00", "2031-02-17T09:00:00+01:00", "2031-02-24T09:00:00+01:00"],
      problem: null,
    },
  },
});
