import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { explainedTargets } from "../../../records/answers/targets.ts";
import type { named } from "../../../records/vocabulary/index.ts";
import { toTimestamp } from "../../base/clock.ts";
import { covers, type PersonMemberships } from "../../business-time/affected-slas.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { getTargetKind } from "../../business-time/sla-targets.ts";
import { computeSlaTimes, type SlaFacts } from "../../business-time/sla-times.ts";
import { clipPeriods, countStoppedMinutes } from "../../business-time/stopped-periods.ts";
import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { buildReadClause } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { value } from "../../engine/sql/query.ts";
import {
  type AffectedSlaRow,
  buildSlaFacts,
  formatTarget,
  loadAffectedSlaRows,
} from "../../rules/sla/affected-sla-rows.ts";
import { type Agreements, getAgreementCache, type Impact } from "../../rules/sla/agreement-cache.ts";
import { loadCoveredPerson } from "../../rules/sla/covered-person.ts";
import { loadCoverageReason } from "./coverage-reason.ts";
import type { ExplainedTarget, Explanation } from "./explanation.ts";
import { findStopReason, loadRequestHistory, type RequestHistory } from "./request-history.ts";
import { writeSteps } from "./target-steps.ts";

// Explains the targets of a request: per affected SLA the covered people, the offering's terms, the
// hours that count, when the clock started, what moved it and when it was stopped.

type RequestRow = {
  category: string;
  impact: Impact | null;
  requested_for: number | null;
  person: string | null;
  next_target_at: string | null;
};
type SlaNames = {
  id: number;
  name: string;
  service_instance: string;
  offering: number | null;
  offering_name: string | null;
};

// biome-ignore format: a table keeps its columns
const statements = {
  request:   jsonStatement<RequestRow>(`SELECT r.category, r.impact, r.requested_for_id AS requested_for, p.name AS person, r.next_target_at FROM requests r
    LEFT JOIN people p ON p.id = r.requested_for_id WHERE r.id = $1 AND r.account_id = $2`),
  slas:      jsonStatement<SlaNames>(`SELECT s.id, s.name, i.name AS service_instance, o.id AS offering, o.name AS offering_name FROM slas s
    JOIN service_instances i ON i.id = s.service_instance_id LEFT JOIN service_offerings o ON o.id = s.service_offering_id WHERE s.id = ANY($1::integer[]) AND s.account_id = $2`),
  calendars: jsonStatement<AnswerOf<typeof named>>("SELECT id, name FROM calendars WHERE id = ANY($1::integer[]) AND account_id = $2"),
};

type ExplainContext = {
  engine: Engine;
  by: Caller;
  /** a transaction, or the database itself */
  source: Pick<Transaction, "query">;
  request: number;
  /** of the request */
  account: string;
};

/** The affected SLAs of a request that the caller may read, the one that decides first. */
export async function explainTargets(context: ExplainContext): Promise<Explanation[]> {
  const { engine, source, request: id, account } = context;
  const [rows, readable, requests, history, agreements] = await Promise.all([
    loadAffectedSlaRows(source, account, id),
    loadReadableIds(context),
    queryRows(source, statements.request, [id, account]),
    loadRequestHistory(source, account, id),
    getAgreementCache(engine.database).get(account),
  ]);
  const [request] = requests;
  const shown = rows.filter((row) => row.id !== null && readable.has(row.id));
  if (request === undefined || shown.length === 0) return [];
  const slas = shown.flatMap(({ sla_id }) => agreements.slas.get(sla_id) ?? []);
  const [names, calendars, person] = await Promise.all([
    queryRows(source, statements.slas, [shown.map(({ sla_id }) => sla_id), account]),
    queryRows(source, statements.calendars, [shown.map(({ support_hours_id }) => support_hours_id), account]),
    loadCoveredPerson(source, request.requested_for, slas),
  ]);
  const explanations: Explanation[] = [];
  for (const row of shown) {
    const sla = names.find(({ id: slaId }) => slaId === row.sla_id);
    if (sla === undefined) continue;
    const { coverage, via } = await explainCoverage(source, agreements, row, request, person);
    explanations.push({
      ...explainClock(context, agreements, row, history),
      sla: { id: sla.id, name: sla.name },
      service_instance: { id: row.service_instance_id, name: sla.service_instance },
      offering: sla.offering === null ? null : { id: sla.offering, name: sla.offering_name ?? "" },
      kind:
        row.standard_service_request_id !== null
          ? "standard_service_request"
          : getTargetKind({ category: request.category, impact: row.impact }),
      hours: calendars.find(({ id: calendar }) => calendar === row.support_hours_id) ?? null,
      person: request.requested_for === null ? null : { id: request.requested_for, name: request.person ?? "" },
      coverage,
      via,
      decides: false,
    });
  }
  return markDecidingTarget(explanations, request.next_target_at);
}

async function loadReadableIds({ engine, by, source, request }: ExplainContext): Promise<ReadonlySet<number>> {
  const type = engine.types.get("affected_sla");
  const query = engine.statements.prepare(
    `${type.name}#readable of request`,
    { id: value(request), readable: buildReadClause(type, by, engine.rules) },
    (sql) => `SELECT a.id FROM ${type.table} a WHERE a.request_id = ${sql.id} AND ${sql.readable}`,
  );
  return new Set((await source.query(query.statement, query.values)).map(([id]) => Number(id)));
}

async function explainCoverage(
  source: ExplainContext["source"],
  agreements: Agreements,
  row: AffectedSlaRow,
  request: RequestRow,
  person: PersonMemberships | null,
): Promise<Pick<Explanation, "coverage" | "via">> {
  const sla = agreements.slas.get(row.sla_id);
  if (sla !== undefined && person !== null && request.requested_for !== null && covers(sla, person))
    return { coverage: sla.coverage, via: await loadCoverageReason(source, sla, person, request.requested_for) };
  return { coverage: row.accountability === "supplier" ? "supplier" : "everybody", via: null };
}

type ClockPart = Pick<
  Explanation,
  "row" | "time_zone" | "changes" | "stopped" | "response" | "resolution" | "next_target_at"
>;

function explainClock(
  { by, account }: ExplainContext,
  agreements: Agreements,
  row: AffectedSlaRow,
  history: RequestHistory,
): ClockPart {
  const facts = buildSlaFacts(agreements, row);
  const times = computeSlaTimes(facts);
  const hours = facts.support_hours;
  const now = parseMoment(toTimestamp(by.now));
  const response = row.actual_response_at ?? row.actual_resolution_at ?? now;
  return {
    row,
    time_zone: row.time_zone ?? (account === by.account ? by.accountRecord.time_zone : "UTC"),
    changes: history.changes.filter(({ at }) => at >= row.started_at),
    stopped: row.stopped_periods.map((period) => ({
      from: period.from,
      to: period.to,
      minutes: hours.minutesBetween(period.from, period.to ?? now),
      reason: findStopReason(history, period),
    })),
    response: {
      target_at: times.response_target_at,
      maximum: row.maximum_response_duration,
      maximum_in_days: row.maximum_response_duration_in_days,
      allowed: countAllowed(facts, times.response_target_at, row.maximum_response_duration, response),
      used: countUsed(facts, response),
      actual_at: row.actual_response_at,
      met: times.response_met,
    },
    resolution: {
      target_at: times.resolution_target_at,
      maximum: row.maximum_resolution_duration,
      maximum_in_days: row.maximum_resolution_duration_in_days,
      allowed: countAllowed(
        facts,
        times.resolution_target_at,
        row.maximum_resolution_duration,
        row.actual_resolution_at ?? now,
      ),
      used: countUsed(facts, row.actual_resolution_at ?? now),
      actual_at: row.actual_resolution_at,
      met: times.resolution_met,
    },
    next_target_at: times.next_target_at,
  };
}

/** Minutes of the clock until a moment, without those for which it was stopped. */
const countUsed = (facts: SlaFacts, until: Moment): number =>
  Math.max(
    0,
    facts.support_hours.minutesBetween(facts.started_at, until) -
      countStoppedMinutes(facts.support_hours, clipPeriods(facts.stopped_periods, until)),
  );

function countAllowed(facts: SlaFacts, target: Moment | null, minutes: number | null, until: Moment): number | null {
  if (minutes !== null || target === null) return minutes;
  const ended = facts.stopped_periods.filter(({ to }) => to !== null);
  const stopped = countStoppedMinutes(facts.support_hours, clipPeriods(ended, until));
  return facts.support_hours.minutesBetween(facts.started_at, target) - stopped;
}

/** The SLA whose target the request shows comes first. */
function markDecidingTarget(explanations: Explanation[], shown: string | null): Explanation[] {
  const moment = shown === null || !/^\d/.test(shown) ? shown : parseMoment(shown);
  const isDeciding = ({ response, resolution, next_target_at }: Explanation) =>
    typeof moment === "number"
      ? response.target_at === moment || resolution.target_at === moment
      : next_target_at === moment;
  const deciding = explanations.find(isDeciding);
  if (deciding === undefined) return explanations;
  return [{ ...deciding, decides: true }, ...explanations.filter((one) => one !== deciding)];
}

/** An explanation as the API answers it; moments in the time zone of the caller. */
export function serializeExplanation(
  explanation: Explanation,
  by: Caller,
  formatMoment: (moment: Moment) => string,
): AnswerOf<typeof explainedTargets> {
  const format = (moment: Moment | null) => (moment === null ? null : formatMoment(moment));
  const { row, response, resolution, next_target_at } = explanation;
  const target = ({ target_at, actual_at, ...rest }: ExplainedTarget) => ({
    target_at: format(target_at),
    ...rest,
    actual_at: format(actual_at),
  });
  return {
    sla: explanation.sla,
    service_instance: explanation.service_instance,
    accountability: row.accountability,
    decides: explanation.decides,
    because: { coverage: explanation.coverage, via: explanation.via, person: explanation.person },
    offering: explanation.offering,
    kind: explanation.kind,
    hours: explanation.hours,
    time_zone: explanation.time_zone,
    started_at: formatMoment(row.started_at),
    changes: explanation.changes.map((change) => ({ ...change, at: formatMoment(change.at) })),
    stopped: explanation.stopped.map((period) => ({
      ...period,
      from: formatMoment(period.from),
      to: format(period.to),
    })),
    response: target(response),
    resolution: target(resolution),
    next_target_at: typeof next_target_at === "number" ? format(next_target_at) : formatTarget(next_target_at),
    steps: writeSteps(explanation, by),
  };
}
