import {
  answer,
  boolean,
  datetime,
  hash,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  partial,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";

// How an account is doing: its security trail, jobs that failed too often, and the calls of its API clients.

const forAdministrators = "Available to account administrators.";

export const securityEvent = answer("SecurityEvent", {
  id: integer(),
  event: noted("such as `sign-in`, `token-created`, `roles-changed`", string()),
  person: noted(
    "the person who performed the action or is affected by it; null: the command line",
    orNull(object({ id: integer(), name: orNull(string()) })),
  ),
  subject: noted("the name of the affected person, if someone else performed the action", orNull(string())),
  details: hash,
  address: noted("the IP address of the client", orNull(string())),
  created_at: datetime,
});

export const deadJob = answer("DeadJob", {
  id: integer(),
  kind: noted("the kind of job, such as `import`", string()),
  attempts: integer(),
  error: noted("the reason the last attempt failed", orNull(string())),
  dead_at: datetime,
});

export const administrationOperations = operations({
  "GET /security_trail": {
    id: "listSecurityTrail",
    summary: "List security log entries",
    description: `${forAdministrators} At most 10,000 entries are counted; longer lists report a total of 10,000.`,
    query: partial({
      event: noted("Only entries for these events, comma-separated.", string()),
      since: noted("Only entries created at or after this time.", string()),
      person: noted("Only entries for the person with this id.", integer()),
    }),
    hasFields: true,
    isPaged: true,
    answer: list(securityEvent),
    answers: "A list of entries, newest first.",
    example: [
      {
        ...{ id: 903, event: "roles-changed", person: { id: 2, name: "Ada Admin" }, subject: "Grace Hopper" },
        details: { person: 7, before: ["specialist"], after: ["specialist", "auditor"] },
        ...{ address: "192.0.2.7", created_at: "2031-02-03T09:00:00+01:00" },
      },
    ],
  },
  "GET /dead_jobs": {
    id: "listDeadJobs",
    summary: "List failed jobs",
    description: `${forAdministrators} Jobs are retried for about a week, then remain in this list until they are retried manually or deleted.`,
    query: { kind: noted("Only jobs of this kind.", optional(string())) },
    hasFields: true,
    isPaged: true,
    answer: list(deadJob),
    answers: "A list of failed jobs, newest first.",
    example: [
      { id: 5120, kind: "import", attempts: 180, error: "the disk is full", dead_at: "2031-02-03T09:00:00+01:00" },
    ],
  },
  "POST /dead_jobs/:job/retry": {
    id: "retryDeadJob",
    summary: "Retry a failed job",
    description: `${forAdministrators} Resets the number of attempts.`,
    answer: null,
  },
  "DELETE /dead_jobs/:job": {
    id: "deleteDeadJob",
    summary: "Delete a failed job",
    description: `${forAdministrators} Ends the import, export or bulk change that is waiting for the job.`,
    answer: null,
  },
});

/** A call in the request log. */
export const apiCall = object({
  id: integer(),
  called_at: datetime,
  method: string(),
  path: noted("includes the query string, with potentially secret values removed", string()),
  status: integer(),
  milliseconds: integer(),
  request_id: noted("the `X-Request-Id` of the response", string()),
  address: orNull(string()),
  sent: noted("the beginning of the request body of a failed call, with secrets removed", orNull(string())),
  answered: noted("the beginning of the response body of a failed call", orNull(string())),
  is_session: noted("the call was made by the web interface", boolean),
  person: orNull(named),
  application: orNull(named),
  token: noted("the name of the personal access token", orNull(string())),
  scopes: noted(
    "the scopes of the token",
    orNull(list(object({ effect: word("allow", "deny"), actions: strings, accounts: strings }))),
  ),
});
export const apiCaller = object({
  application: orNull(named),
  token: orNull(named),
  person: orNull(named),
  is_session: boolean,
  calls: integer(),
  errors: integer(),
  refused: noted("calls rejected by the rate limit", integer()),
});
export const apiCallStatistics = object({
  calls: integer(),
  callers: integer(),
  errors: integer(),
  median: orNull(integer()),
  p99: orNull(integer()),
  hours: list(object({ hour: datetime, calls: integer(), errors: integer() })),
  by_caller: noted(
    "The callers with the most calls: an application, a personal access token, or a person using a browser.",
    list(apiCaller, 50),
  ),
});

export const requestLogOperations = operations({
  "GET /request_log": {
    id: "listApiCalls",
    summary: "List API calls",
    tag: "Request log",
    description:
      "Returns the latest 100 calls of the last seven days. Administrators see all calls in the account, everyone else only their own. Read calls made by the web interface are excluded.",
    query: partial({
      status: noted("Only calls with this status; `error` matches 400 and above.", string()),
      method: noted("Only calls with this method.", string()),
      path: noted("Only calls whose path starts with this text.", string()),
      person_id: noted("Only calls made by this person. Available to administrators.", integer()),
      application_id: noted("Only calls made by this application.", integer()),
      token_id: noted("Only calls made with this personal access token.", integer()),
      browser: noted("`true`: only calls made by the web interface.", boolean),
      hours: noted("Number of hours to look back, at most 168.", integer()),
      request_id: noted("Only the failed call whose response has this `X-Request-Id`.", string()),
      before: noted("Only calls older than the call with this id.", integer()),
      after: noted("Only calls newer than the call with this id.", integer()),
    }),
    answer: list(apiCall),
    answers: "A list of calls, newest first.",
    example: [
      {
        ...{ id: 90_211, called_at: "2031-02-03T10:41:52+01:00", method: "POST", path: "/v1/requests", status: 422 },
        ...{ milliseconds: 38, request_id: "k3J9R7M4-1a", address: "10.20.4.17", sent: '{"subject":"x"}' },
        ...{ answered: '{"message":"Validation failed"}', is_session: false, person: { id: 7, name: "Ruben Castell" } },
        ...{ application: { id: 3, name: "warehouse-sync" }, token: null },
        scopes: [{ effect: "allow", actions: ["request:Create"], accounts: [] }],
      },
    ],
  },
  "GET /request_log_statistics": {
    id: "countApiCalls",
    summary: "Count API calls per hour",
    tag: "Request log",
    description: "Counts at most the latest 50,000 calls.",
    query: { hours: noted("Number of hours to look back; default: 168.", optional(integer())) },
    answer: apiCallStatistics,
    answers: "The call statistics.",
    example: {
      ...{ calls: 48_112, callers: 9, errors: 190, median: 14, p99: 120 },
      hours: [{ hour: "2031-02-03T10:00:00+01:00", calls: 312, errors: 2 }],
      by_caller: [
        {
          ...{ application: { id: 3, name: "warehouse-sync" }, token: null, person: null, is_session: false },
          ...{ calls: 312, errors: 2, refused: 0 },
        },
      ],
    },
  },
});
