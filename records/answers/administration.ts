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

const forAdministrators = "For administrators of the account.";

export const securityEvent = answer("SecurityEvent", {
  id: integer(),
  event: noted("such as `sign-in`, `token-created`, `roles-changed`", string()),
  person: noted(
    "who acted or is concerned; null: the command line",
    orNull(object({ id: integer(), name: orNull(string()) })),
  ),
  subject: noted("the name of the person concerned, when somebody else acted", orNull(string())),
  details: hash,
  address: noted("the address of the client", orNull(string())),
  created_at: datetime,
});

export const deadJob = answer("DeadJob", {
  id: integer(),
  kind: noted("what it was to do, such as `import`", string()),
  attempts: integer(),
  error: noted("why the last attempt failed", orNull(string())),
  dead_at: datetime,
});

export const administrationOperations = operations({
  "GET /security_trail": {
    id: "listSecurityTrail",
    summary: "List security log entries",
    description: `${forAdministrators} At most 10,000 entries are counted: the total of a longer list is 10,000.`,
    query: partial({
      event: noted("Entries of these events, several separated by commas.", string()),
      since: noted("Entries from this moment on.", string()),
      person: noted("Entries of the person with this id.", integer()),
    }),
    hasFields: true,
    isPaged: true,
    answer: list(securityEvent),
    answers: "The entries. Newest first.",
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
    description: `${forAdministrators} A job is tried for about a week; then it stays here until it is retried or deleted.`,
    query: { kind: noted("Jobs of this kind.", optional(string())) },
    hasFields: true,
    isPaged: true,
    answer: list(deadJob),
    answers: "The jobs. Newest first.",
    example: [
      { id: 5120, kind: "import", attempts: 180, error: "the disk is full", dead_at: "2031-02-03T09:00:00+01:00" },
    ],
  },
  "POST /dead_jobs/:job/retry": {
    id: "retryDeadJob",
    summary: "Retry a failed job",
    description: `${forAdministrators} It has all its attempts again.`,
    answer: null,
  },
  "DELETE /dead_jobs/:job": {
    id: "deleteDeadJob",
    summary: "Delete a failed job",
    description: `${forAdministrators} An import, export or change of many records that waits for it ends.`,
    answer: null,
  },
});

/** A call in the request log. */
export const apiCall = object({
  id: integer(),
  called_at: datetime,
  method: string(),
  path: noted("with the query, without values that may be secret", string()),
  status: integer(),
  milliseconds: integer(),
  request_id: noted("`X-Request-Id` of the answer", string()),
  address: orNull(string()),
  sent: noted("the beginning of the body of a call that failed, without secrets", orNull(string())),
  answered: noted("the beginning of the answer of a call that failed", orNull(string())),
  is_session: noted("made by the web interface", boolean),
  person: orNull(named),
  application: orNull(named),
  token: noted("the name of the personal access token", orNull(string())),
  scopes: noted(
    "what the token may do",
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
  refused: noted("by the rate limit", integer()),
});
export const apiCallStatistics = object({
  calls: integer(),
  callers: integer(),
  errors: integer(),
  median: orNull(integer()),
  p99: orNull(integer()),
  hours: list(object({ hour: datetime, calls: integer(), errors: integer() })),
  by_caller: noted(
    "Those with most calls: an application, a personal access token, or a person in a browser.",
    list(apiCaller, 50),
  ),
});

export const requestLogOperations = operations({
  "GET /request_log": {
    id: "listApiCalls",
    summary: "List API calls",
    tag: "Request log",
    description:
      "The newest hundred calls of the last seven days: the own ones; administrators see those of the account. Reads of the web interface are left out.",
    query: partial({
      status: noted("Calls with this status; `error` for 400 and above.", string()),
      method: noted("Calls with this method.", string()),
      path: noted("Calls whose path begins so.", string()),
      person_id: noted("Calls of this person, for administrators.", integer()),
      application_id: noted("Calls of this application.", integer()),
      token_id: noted("Calls with this personal access token.", integer()),
      browser: noted("`true`: calls of the web interface.", boolean),
      hours: noted("How far back, at most 168.", integer()),
      request_id: noted("The failed call that was answered with this `X-Request-Id`.", string()),
      before: noted("Calls older than the one with this id.", integer()),
      after: noted("Calls newer than the one with this id.", integer()),
    }),
    answer: list(apiCall),
    answers: "The calls, newest first.",
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
    description: "At most the newest 50,000 calls are counted.",
    query: { hours: noted("How far back; 168 if omitted.", optional(integer())) },
    answer: apiCallStatistics,
    answers: "The figures.",
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
