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
const ofPerson = noted("Of this person.", id);
const ofOrganization = optional(noted("Of the people of this organization.", id));
const monthOf = noted("Any day of the month.", date);
const weekOf = noted("Any day of the week.", date);
const period = { date: noted("One day.", optional(date)), week_of: optional(weekOf), month_of: optional(monthOf) };
const oneOf = "Give one of `date`, `week_of` and `month_of`.";
const readers =
  "For the person, the manager and the substitute of the organization, and auditors and administrators of its account.";

export const timesheet = object({
  person: referenceTo("person"),
  workday: noted("minutes", integer()),
  sum_time_spent: noted("minutes registered in the month", integer()),
  workdays: float,
  locked: noted("whether all days of the month are locked", boolean),
  locked_days: noted("one digit per day, 1 = locked", matching("^[01]{28,31}$")),
});

export const incompleteTimesheet = object({
  id: integer(),
  name: string(),
  primary_email: orNull(string()),
  completeness: noted("0: nothing registered, 1: partly", integer({ min: 0, max: 1 })),
  remaining_time: noted("minutes", integer()),
});

export const timeSuggestion = object({
  type: word("request", "problem", "task", "project_task"),
  record: object({ id: integer(), subject: string() }),
  date,
  notes: noted("notes that the caller wrote", integer()),
  changes: noted("changes of the status by the caller", integer()),
  minutes: noted("a guess: ten for each", integer()),
});

const locking = {
  tag,
  description: `${oneOf} And a person, an organization or both. The body can contain them as well.`,
  query: { organization_id: ofOrganization, person_id: optional(ofPerson), ...period },
  answer: null,
} as const;

export const timesheetOperations = operations({
  "GET /timesheets": {
    id: "listTimesheets",
    summary: "Retrieve the timesheets of a month",
    tag,
    description: `${readers} Of an organization, or one object when \`person_id\` is given.`,
    query: { organization_id: ofOrganization, person_id: optional(ofPerson), month_of: monthOf },
    answer: either(list(timesheet), timesheet),
    answers: "The timesheets, or the one of the person.",
  },
  "GET /timesheets/incomplete": {
    id: "listIncompleteTimesheets",
    summary: "List people with incomplete timesheets",
    tag,
    description: readers,
    query: { organization_id: ofOrganization, week_of: weekOf },
    hasFields: true,
    answer: list(incompleteTimesheet),
    answers: "The people.",
    example: [{ id: 77, name: "Sam", primary_email: "sam@widget.example", completeness: 1, remaining_time: 480 }],
  },
  "GET /timesheets/day_totals": {
    id: "getTimesheetDayTotals",
    summary: "Retrieve a person's time per day",
    tag,
    description: `${readers} ${oneOf} Days without time are left out.`,
    query: { person_id: ofPerson, organization_id: ofOrganization, ...period },
    answer: map(string()),
    answers: "Minutes by date.",
    example: { "2031-02-03": "480" },
  },
  "GET /timesheets/suggestions": {
    id: "listTimeSuggestions",
    summary: "Suggest time entries for the caller's week",
    tag,
    description:
      "Records that the caller wrote notes on or changed the status of, by day, where no time of the caller is registered. At most eight, the latest day first.",
    query: { week_of: weekOf },
    hasFields: true,
    answer: list(timeSuggestion),
    answers: "The suggestions.",
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
