import {
  anything,
  boolean,
  choice,
  date,
  datetime,
  integer,
  language,
  list,
  map,
  noted,
  object,
  operations,
  optional,
  orNull,
  partial,
  string,
  timeZone,
} from "../vocabulary/index.ts";
import { recordOf } from "./answer-of.ts";
import { accountReference } from "./permissions.ts";

// The caller and the account of the call, enumerations, the rate limit, and the usage of the account.

const tag = "General";

/** The fields of their own record that all people may change, regardless of their roles. */
export const ownSettings = {
  locale: orNull(language),
  time_zone: orNull(timeZone),
  time_format_24h: orNull(boolean),
  picture_uri: orNull(string()),
  send_email_notifications: orNull(choice("person.send_email_notifications")),
  show_notification_popup: orNull(choice("person.show_notification_popup")),
  exclude_team_notifications: orNull(boolean),
};
const ownSettingNames = Object.keys(ownSettings).map((name) => `\`${name}\``);

export const enumerationLists = noted(
  "Enumerations by name.",
  map(list(object({ id: string(), txt: noted("label in the language of the request", string()) }))),
);
const exampleEnumerations = {
  "task.impact": [
    { id: "low", txt: "Low" },
    { id: "medium", txt: "Medium" },
  ],
};

const rateLimit = { limit: integer(), remaining: integer(), reset: integer() };
const exampleRateLimit = { limit: 3600, remaining: 3599, reset: 1_927_877_400 };

export const generalOperations = operations({
  "GET ": {
    id: "getEntry",
    summary: "Check that the API is reachable",
    tag,
    answer: object({}),
    answers: "The API is reachable.",
    example: {},
  },
  "GET /me": {
    id: "getMe",
    summary: "Retrieve the authenticated person",
    tag,
    hasFields: true,
    answer: recordOf("person"),
  },
  "GET /people/me": {
    id: "getMeAmongPeople",
    summary: "Retrieve the authenticated person (the same as /me)",
    tag,
    hasFields: true,
    answer: recordOf("person"),
  },
  "PATCH /me": {
    id: "updateMe",
    summary: "Update the caller's settings",
    tag,
    description: `Everyone can update ${ownSettingNames.join(", ")} on their own record.`,
    body: object(partial(ownSettings)),
    bodyExample: { locale: "nl", time_zone: "Amsterdam" },
    answer: recordOf("person"),
  },
  "GET /account": {
    id: "getAccount",
    summary: "Retrieve the current account",
    tag,
    hasFields: true,
    answer: recordOf("account"),
  },
  "GET /account/billing": {
    id: "getBilling",
    summary: "Open the billing page of the web interface",
    tag,
    description: "Always responds with 406.",
    isRefused: true,
    answer: null,
  },
  "GET /enums": {
    id: "getEnums",
    summary: "List all enumerations",
    tag,
    answer: enumerationLists,
    answers: "All enumerations, with their values in rank order.",
    example: exampleEnumerations,
  },
  "GET /enums/:language": {
    id: "getEnumsInLanguage",
    summary: "List all enumerations in a language",
    tag,
    answer: enumerationLists,
    answers: "All enumerations, with their values in rank order.",
    example: exampleEnumerations,
  },
  "GET /rate_limit": {
    id: "getRateLimit",
    summary: "Retrieve the current rate limit status",
    tag,
    description: "Doesn't count against the limit, but can be called only once per second.",
    answer: object({ ...rateLimit, resources: object({ core: object(rateLimit) }) }),
    answers: "The caller's current rate limit status.",
    example: { ...exampleRateLimit, resources: { core: exampleRateLimit } },
  },
});

export const serviceDeskOperations = operations({
  "GET /sd": {
    id: "findCallers",
    summary: "Find people by phone number",
    tag,
    description:
      "Available to service desk analysts. Compares the digits of work, mobile and home numbers. Returns at most 10 people.",
    query: { telephone: string() },
    hasFields: true,
    answer: list(recordOf("person")),
    answers: "A list of people.",
  },
});

export const openApiOperations = operations({
  "GET /openapi": {
    id: "getOpenApiDocument",
    summary: "Retrieve the OpenAPI document",
    tag,
    description:
      "Usually requested as `/openapi.json`. With `tag`, the document contains only the operations of that tag and the schemas they use.",
    query: { tag: noted("the name of a tag, such as `Requests`", optional(string())) },
    answer: map(anything),
    answers: "An OpenAPI 3.1 document.",
  },
});

const statementMembers = {
  id: integer(),
  plan: string(),
  year: integer(),
  month: integer({ min: 1, max: 12 }),
  start_date: date,
  end_date: date,
  user_months: noted("number of people who had a role other than key contact during the month", integer()),
};
/** A month of the account, with the people who were billable. */
export const usageStatement = object({ ...statementMembers, billable_user_ids: list(integer()) });
const exampleStatement = {
  ...{ id: 203102, plan: "premium", year: 2031, month: 2, start_date: "2031-02-01", end_date: "2031-02-28" },
  user_months: 2,
};

export const usageOperations = operations({
  "GET /account/usage_statements": {
    id: "listUsageStatements",
    summary: "List usage statements",
    tag,
    description: "Available to the account owner. Filter by `id`, `year` and `month`.",
    answer: list(object(statementMembers)),
    answers: "A list of monthly usage statements, newest first.",
    example: [exampleStatement],
  },
  "GET /account/usage_statements/:id": {
    id: "getUsageStatement",
    summary: "Retrieve a usage statement",
    tag,
    description: "Available to the account owner.",
    answer: usageStatement,
    answers: "The usage statement.",
    example: { ...exampleStatement, billable_user_ids: [77, 78] },
  },
  "GET /account/billable_users": {
    id: "listBillableUsers",
    summary: "List billable people in a month",
    tag,
    description: "Available to the account owner. `year` and `month` select the month; default: the current month.",
    answer: list(
      object({
        id: integer(),
        primary_email: string(),
        name: string(),
        organization: orNull(string()),
        business_unit: orNull(string()),
        region: orNull(string()),
        account: accountReference,
        last_visit: orNull(datetime),
        sign_ins: integer(),
        updates: integer(),
      }),
    ),
    answers: "A list of people.",
  },
});
