import {
  boolean,
  date,
  either,
  float,
  integer,
  list,
  map,
  matching,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  word,
} from "../vocabulary/index.ts";
import { referenceTo } from "./answer-of.ts";

// Timesheets of people, what is missing in them, and the locks on their days.

const tag = "Time entries";
const id = integer({ min: 1 });
const ofPerson = noted("The id of the person.", id);
const ofOrganization = optional(noted("The id of an organization, to include its people.", id));
const monthOf = noted("Any day of the month.", date);
const weekOf = noted("Any day of the week.", date);
const period = { date: noted("A single day.", optional(date)), week_of: optional(weekOf), month_of: optional(monthOf) };
const oneOf = "Specify one of `date`, `week_of` and `month_of`.";
const readers =
  "Available to the person, the manager and substitute of the organization, and auditors and administrators of its account.";

export const timesheet = object({
  person: referenceTo("person"),
  workday: noted("minutes", integer()),
  sum_time_spent: noted("minutes registered in the month", integer()),
  workdays: float,
  locked: noted("whether all days of the month are locked", boolean),
  locked_days: noted("one digit per day; 1: locked", matching("^[01]{28,31}$")),
});

export const incompleteTimesheet = object({
  id: integer(),
  name: string(),
  primary_email: orNull(string()),
  completeness: noted("0: no time registered, 1: time partly registered", integer({ min: 0, max: 1 })),
  remaining_time: noted("minutes", integer()),
});

export const timeSuggestion = object({
  type: word("request", "problem", "task", "project_task"),
  record: object({ id: integer(), subject: string() }),
  date,
  notes: noted("number of notes written by the caller", integer()),
  changes: noted("number of status changes by the caller", integer()),
  minutes: noted("an estimate: ten minutes per note or status change", integer()),
});

const locking = {
  tag,
  description: `${oneOf} Also specify a person, an organization or both. The parameters can be sent in the body instead.`,
  query: { organization_id: ofOrganization, person_id: optional(ofPerson), ...period },
  answer: null,
} as const;

export const timesheetOperations = operations({
  "GET /timesheets": {
    id: "listTimesheets",
    summary: "Retrieve the timesheets of a month",
    tag,
    description: `${readers} Returns the timesheets of an organization, or a single object if \`person_id\` is set.`,
    query: { organization_id: ofOrganization, person_id: optional(ofPerson), month_of: monthOf },
    answer: either(list(timesheet), timesheet),
    answers: "A list of timesheets, or the person's timesheet.",
  },
  "GET /timesheets/incomplete": {
    id: "listIncompleteTimesheets",
    summary: "List people with incomplete timesheets",
    tag,
    description: readers,
    query: { organization_id: ofOrganization, week_of: weekOf },
    hasFields: true,
    answer: list(incompleteTimesheet),
    answers: "A list of people.",
    example: [{ id: 77, name: "Sam", primary_email: "sam@widget.example", completeness: 1, remaining_time: 480 }],
  },
  "GET /timesheets/day_totals": {
    id: "getTimesheetDayTotals",
    summary: "Retrieve a person's time per day",
    tag,
    description: `${readers} ${oneOf} Days without time are omitted.`,
    query: { person_id: ofPerson, organization_id: ofOrganization, ...period },
    answer: map(string()),
    answers: "The registered minutes by date.",
    example: { "2031-02-03": "480" },
  },
  "GET /timesheets/suggestions": {
    id: "listTimeSuggestions",
    summary: "Suggest time entries for the caller's week",
    tag,
    description:
      "Suggests records that the caller added notes to or changed the status of, by day, if the caller hasn't registered time for them. Returns at most eight suggestions, latest day first.",
    query: { week_of: weekOf },
    hasFields: true,
    answer: list(timeSuggestion),
    answers: "A list of suggestions.",
    example: [
      {
        type: "request",
        record: { id: 70451, subject: "Printer on the third floor is jammed" },
        date: "2031-02-03",
        notes: 2,
        changes: 0,
        minutes: 20,
      },
    ],
  },
  "POST /timesheets/lock": { id: "lockTimesheets", summary: "Lock timesheet days", ...locking },
  "DELETE /timesheets/lock": { id: "unlockTimesheets", summary: "Unlock timesheet days", ...locking },
});
