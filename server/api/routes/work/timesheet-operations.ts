import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildEntryFieldsParameter } from "../../openapi/list-parameters.ts";
import { buildReferenceSchema } from "../../openapi/reference-schemas.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";

// Describes the routes of timesheet-routes.ts for the OpenAPI document.

const parameter = (name: string, description: string, schema: Schema, required = false): Schema => ({
  name,
  in: "query",
  description,
  required,
  schema,
});
const id: Schema = { type: "integer", minimum: 1 };
const date: Schema = { type: "string", format: "date" };
const person = (required = false) => parameter("person_id", "Of this person.", id, required);
const organization = parameter("organization_id", "Of the people of this organization.", id);
const month = (required = false) => parameter("month_of", "Any day of the month.", date, required);
const week = (required = false) => parameter("week_of", "Any day of the week.", date, required);
const period = [parameter("date", "One day.", date), week(), month()];
const oneOf = "Give one of `date`, `week_of` and `month_of`.";
const readers =
  "For the person, the manager and the substitute of the organization, and auditors and administrators of its account.";

export const incompleteEntry: Schema = {
  type: "object",
  required: ["id", "name", "primary_email", "completeness", "remaining_time"],
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    primary_email: { type: "string" },
    completeness: { type: "integer", enum: [0, 1], description: "0: nothing registered, 1: partly" },
    remaining_time: { type: "integer", description: "minutes" },
  },
};
const exampleIncomplete = {
  id: 77,
  name: "Sam",
  primary_email: "sam@widget.example",
  completeness: 1,
  remaining_time: 480,
};

export const suggestionEntry: Schema = {
  type: "object",
  required: ["type", "record", "date", "notes", "changes", "minutes"],
  properties: {
    type: { type: "string", enum: ["request", "problem", "task", "project_task"] },
    record: {
      type: "object",
      required: ["id", "subject"],
      properties: { id: { type: "integer" }, subject: { type: "string" } },
    },
    date: { type: "string", format: "date" },
    notes: { type: "integer", description: "notes that the caller wrote" },
    changes: { type: "integer", description: "changes of the status by the caller" },
    minutes: { type: "integer", description: "a guess: ten for each" },
  },
};
const exampleSuggestion = {
  type: "request",
  record: { id: 70451, subject: "Printer on the third floor is jammed" },
  date: "2031-02-03",
  notes: 2,
  changes: 0,
  minutes: 20,
};

export function timesheetOperations(context: OpenApiContext): ApiOperations {
  const timesheet: Schema = {
    type: "object",
    required: ["person", "workday", "sum_time_spent", "workdays", "locked", "locked_days"],
    properties: {
      person: buildReferenceSchema(context, context.types.get("person")),
      workday: { type: "integer", description: "minutes" },
      sum_time_spent: { type: "integer", description: "minutes registered in the month" },
      workdays: { type: "number" },
      locked: { type: "boolean", description: "whether all days of the month are locked" },
      locked_days: { type: "string", pattern: "^[01]{28,31}$", description: "one digit per day, 1 = locked" },
    },
  };
  const answer = (description: string, schema: Schema, example?: unknown) => ({
    200: buildJsonResponse(context, description, schema, example),
  });
  const locking = {
    description: `${oneOf} And a person, an organization or both. They may stand in the body as well.`,
    parameters: [organization, person(), ...period],
    responses: { 204: buildNoContentResponse(context) },
  };
  // biome-ignore format: one row per route
  return [
    ["GET /timesheets", () => ({ operationId: "listTimesheets", summary: "Read the timesheets of a month", tag: "Time entries",
      description: `${readers} Of an organization, or one object when \`person_id\` is given.`,
      parameters: [organization, person(), month(true)],
      responses: answer("The timesheets, or the one of the person.", { oneOf: [{ type: "array", items: timesheet }, timesheet] }),
    })],
    ["GET /timesheets/incomplete", () => ({ operationId: "listIncompleteTimesheets", summary: "List people whose week is incomplete", tag: "Time entries",
      description: readers, parameters: [organization, week(true), buildEntryFieldsParameter(incompleteEntry)],
      responses: answer("The people.", { type: "array", items: incompleteEntry }, [exampleIncomplete]),
    })],
    ["GET /timesheets/day_totals", () => ({ operationId: "getTimesheetDayTotals", summary: "Read the minutes of a person by day", tag: "Time entries",
      description: `${readers} ${oneOf} Days without time are left out.`, parameters: [person(true), organization, ...period],
      responses: answer("Minutes by date.", { type: "object", additionalProperties: { type: "string" } }, { "2031-02-03": "480" }),
    })],
    ["GET /timesheets/suggestions", () => ({ operationId: "listTimeSuggestions", summary: "List what the caller did in a week without registering time", tag: "Time entries",
      description: "Records that the caller wrote notes on or changed the status of, by day, where no time of the caller is registered. At most eight, the latest day first.",
      parameters: [week(true), buildEntryFieldsParameter(suggestionEntry)],
      responses: answer("The suggestions.", { type: "array", items: suggestionEntry }, [exampleSuggestion]),
    })],
    ["POST /timesheets/lock", () => ({ operationId: "lockTimesheets", summary: "Lock days of timesheets", tag: "Time entries", ...locking })],
    ["DELETE /timesheets/lock", () => ({ operationId: "unlockTimesheets", summary: "Unlock days of timesheets", tag: "Time entries", ...locking })],
  ];
}
