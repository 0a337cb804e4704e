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
  "Minutes are counted within the hours of the SLA clock.",
  object({
    target_at: orNull(datetime),
    maximum: noted("The target promised by the offering, in minutes.", orNull(minutes)),
    maximum_in_days: noted(
      "The target promised by the offering in business days, if it isn't defined in minutes.",
      orNull(minutes),
    ),
    allowed: noted(
      "The promised target in minutes; business days are converted to the minutes they contain.",
      orNull(integer()),
    ),
    used: noted("Minutes elapsed on the SLA clock.", minutes),
    actual_at: orNull(datetime),
    met: noted("Whether the target was met; null while the target is open or if there is no target.", orNull(boolean)),
  }),
);

/** The record by which an SLA covers a person. */
export const coverageReason = object({ type: string(), id: either(integer(), string()), name: string() });

export const stopReason = word("waiting_for_customer", "provider_not_accountable", "completed", "sla_not_affected");

export const explainedTargets = answer("ExplainedTargets", {
  sla: named,
  service_instance: named,
  accountability: choice("affected_sla.accountability"),
  decides: noted("Whether the target of this SLA is the `next_target_at` of the request.", boolean),
  because: object({
    coverage: noted(
      "A value of the `sla.coverage` enumeration; `everybody` for an incident with high or top impact, `supplier` if the SLA's service depends on the service of the request.",
      string(),
    ),
    via: noted("The record through which the person is covered, such as their site.", orNull(coverageReason)),
    person: orNull(named),
  }),
  offering: orNull(named),
  kind: noted(
    "The targets of the offering that apply: an impact, `rfc`, `rfi`, `case`, or `standard_service_request` for those of a template.",
    orNull(string()),
  ),
  hours: noted("The calendar of the SLA clock; null: 24x7.", orNull(named)),
  time_zone: string(),
  started_at: datetime,
  changes: noted(
    "Changes to the request that selected different targets.",
    list(object({ at: datetime, field: string(), from: anything, to: anything })),
  ),
  stopped: list(
    object({
      from: datetime,
      to: noted("Null while the clock is still stopped.", orNull(datetime)),
      minutes,
      reason: stopReason,
    }),
  ),
  response: explainedTarget,
  resolution: explainedTarget,
  next_target_at: noted("A date and time, or `best_effort` or `clock_stopped`.", orNull(target)),
  steps: noted("The same explanation in sentences, in the caller's language.", strings),
});

const answers =
  "One entry per affected SLA that the caller can read. The SLA whose target is shown on the request comes first.";

export const targetOperations = operations({
  "GET /requests/:id/targets": {
    id: "getTargetsOfRequest",
    summary: "Explain the SLA targets of a request",
    description:
      "Explains, for each affected SLA, whom it covers, the targets of its offering, the hours that count, and when the clock was stopped.",
    answer: list(explainedTargets),
    answers,
  },
  "POST /sla_simulations": {
    id: "simulateSla",
    summary: "Simulate the SLA targets of a request",
    description:
      "Simulates registering a request at a given time and changing it at later times, and explains its targets as of the last change. Nothing is stored. Available to everyone who can read affected SLAs.",
    body: object({
      requested_for_id: optional(orNull(integer())),
      service_instance_id: optional(orNull(integer())),
      category: noted("A value of the `request.category` enumeration.", string()),
      impact: noted("A value of the `request.impact` enumeration.", optional(string())),
      template_id: optional(orNull(integer())),
      at: noted("When the request is registered; default: now.", optional(datetime)),
      events: noted(
        "Later changes to the request, in ascending order.",
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
