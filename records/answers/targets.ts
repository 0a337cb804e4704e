import {
  answer,
  anything,
  boolean,
  choice,
  datetime,
  either,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  strings,
  target,
  word,
} from "../vocabulary/index.ts";

// The explanation of a request's targets, and the simulation of targets.

const minutes = integer({ min: 0 });

export const explainedTarget = noted(
  "Minutes are those of the hours of the clock.",
  object({
    target_at: orNull(datetime),
    maximum: noted("Minutes that the offering promises.", orNull(minutes)),
    maximum_in_days: noted("Business days that it promises, where it names no minutes.", orNull(minutes)),
    allowed: noted("The promise in minutes: business days are the minutes in them.", orNull(integer())),
    used: noted("Minutes that have passed on the clock.", minutes),
    actual_at: orNull(datetime),
    met: noted("Null as long as it is open, and where there is no target.", orNull(boolean)),
  }),
);

/** The record by which an SLA covers a person. */
export const coverageReason = object({ type: string(), id: either(integer(), string()), name: string() });

export const stopReason = word("waiting_for_customer", "provider_not_accountable", "completed", "sla_not_affected");

export const explainedTargets = answer("ExplainedTargets", {
  sla: named,
  service_instance: named,
  accountability: choice("affected_sla.accountability"),
  decides: noted("Its target is the `next_target_at` of the request.", boolean),
  because: object({
    coverage: noted(
      "A value of enumeration `sla.coverage`; `everybody` for an incident of high or top impact, `supplier` where the service of the SLA depends on that of the request.",
      string(),
    ),
    via: noted("The record by which the person is covered, such as their site.", orNull(coverageReason)),
    person: orNull(named),
  }),
  offering: orNull(named),
  kind: noted(
    "Which targets of the offering count: an impact, `rfc`, `rfi`, `case`, or `standard_service_request` for those of a template.",
    orNull(string()),
  ),
  hours: noted("The calendar of the clock; null: day and night.", orNull(named)),
  time_zone: string(),
  started_at: datetime,
  changes: noted(
    "Changes of the request that chose other targets.",
    list(object({ at: datetime, field: string(), from: anything, to: anything })),
  ),
  stopped: list(
    object({
      from: datetime,
      to: noted("Null while the clock is stopped.", orNull(datetime)),
      minutes,
      reason: stopReason,
    }),
  ),
  response: explainedTarget,
  resolution: explainedTarget,
  next_target_at: noted("A datetime, `best_effort` or `clock_stopped`.", orNull(target)),
  steps: noted("The same in sentences, in the language of the caller.", strings),
});

const answers =
  "One entry per affected SLA that the caller may read; the one whose target the request shows comes first.";

export const targetOperations = operations({
  "GET /requests/:id/targets": {
    id: "getTargetsOfRequest",
    summary: "Explain the SLA targets of a request",
    description:
      "Per affected SLA: whom it covers, what its offering promises, which hours count and when the clock stood still.",
    answer: list(explainedTargets),
    answers,
  },
  "POST /sla_simulations": {
    id: "simulateSla",
    summary: "Simulate the SLA targets of a request",
    description:
      "Registers such a request at a moment, changes it at later moments, explains its targets as of the last of them, and keeps nothing. For everyone who may read affected SLAs.",
    body: object({
      requested_for_id: optional(orNull(integer())),
      service_instance_id: optional(orNull(integer())),
      category: noted("A value of enumeration `request.category`.", string()),
      impact: noted("A value of enumeration `request.impact`.", optional(string())),
      template_id: optional(orNull(integer())),
      at: noted("When it is registered; default: now.", optional(datetime)),
      events: noted(
        "What changes afterwards, in ascending order.",
        optional(list(object({ at: datetime, status: optional(string()), impact: optional(string()) }), 100)),
      ),
    }),
    bodyExample: {
      requested_for_id: 5,
      service_instance_id: 7,
      category: "incident",
      impact: "high",
      at: "2031-02-03T08:00:00+01:00",
      events: [{ at: "2031-02-03T09:30:00+01:00", status: "waiting_for_customer" }],
    },
    answer: list(explainedTargets),
    answers,
  },
});
