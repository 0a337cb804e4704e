import type { request } from "../../../records/work/request.ts";
import { toTimestamp } from "../../base/clock.ts";
import {
  affectsEverybody,
  covers,
  findAffectedSlas,
  getAccountability,
  isActiveOn,
  type PersonMemberships,
} from "../../business-time/affected-slas.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { getImpactAbove, isTracked, pickMaximums } from "../../business-time/sla-targets.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Change, ReferenceFacts } from "../../engine/rules.ts";
import { getToday } from "../shared/current-date.ts";
import { advanceClock } from "./advance-clock.ts";
import type { AffectedSlaRow } from "./affected-sla-rows.ts";
import { type Agreements, getStandardServiceRequest, type Impact, type Sla } from "./agreement-cache.ts";
import { buildPersonFacts, loadCoveredPerson } from "./covered-person.ts";
import { fieldsDecidingSlas, hasChanged, type RequestFacts } from "./request-facts.ts";

// The SLAs that a request affects, and their targets: SLA11 to SLA25.

type RequestChange = Change<typeof request>;

/** The facts that decide which SLAs a new request affects. */
export type SlaDecidingFacts = Pick<RequestFacts, "category" | "impact" | "template" | "service_instance">;

type ParentInstances = ReadonlyMap<number, Impact | null>;

type SlaContext = {
  agreements: Agreements;
  request: RequestFacts;
  parents: ParentInstances;
  /** the same by SLAs that are active or have expired */
  formerParents: ParentInstances;
  person: PersonMemberships | null;
  now: Moment;
};

/** The service instances that depend on the one of the request by SLAs that count, with the impact on each. */
function collectParentInstances(
  agreements: Agreements,
  request: SlaDecidingFacts,
  counts: (sla: Sla) => boolean,
): ParentInstances {
  const impacts = new Map<number, Impact | null>();
  if (request.service_instance === null) return impacts;
  const visit = (instance: number, impact: Impact | null): void => {
    for (const parent of agreements.parentsByServiceInstance.get(instance) ?? []) {
      if (parent.instance === request.service_instance || impacts.has(parent.instance)) continue;
      if (!counts(parent.sla)) continue;
      const impactOnParent = impact === null ? null : getImpactAbove(impact, parent.relation);
      impacts.set(parent.instance, impactOnParent);
      visit(parent.instance, impactOnParent ?? impact);
    }
  };
  visit(request.service_instance, request.impact);
  return impacts;
}

/** The offering of the SLA has targets for such a request. */
const isTrackedBy = (agreements: Agreements, request: SlaDecidingFacts, sla: Sla): boolean =>
  isTracked(request.category, getStandardServiceRequest(agreements, sla.service_offering, request.template));

/** SLA24: copied when the row is created, and again when impact, category or template change. */
function pickTargets(agreements: Agreements, request: RequestFacts, sla: Sla | undefined, impact: Impact | null) {
  const offering = sla === undefined ? undefined : agreements.offerings.get(sla.service_offering);
  const standard =
    sla === undefined ? null : getStandardServiceRequest(agreements, sla.service_offering, request.template);
  const maximums =
    offering === undefined ? null : pickMaximums({ category: request.category, impact }, offering, standard);
  return {
    standard_service_request_id: standard?.id ?? null,
    support_hours_id: maximums?.support_hours ?? null,
    service_hours_id: maximums?.service_hours ?? null,
    maximum_response_duration: maximums?.maximum_response_duration ?? null,
    maximum_response_duration_in_days: maximums?.maximum_response_duration_in_days ?? null,
    maximum_resolution_duration: maximums?.maximum_resolution_duration ?? null,
    maximum_resolution_duration_in_days: maximums?.maximum_resolution_duration_in_days ?? null,
  };
}

/** SLA25: the request's own impact on its service instance; on a parent what the relation says, else the fallback. */
function pickImpact(context: SlaContext, instance: number, fallback: Impact | null): Impact | null {
  const { request, parents, formerParents } = context;
  if (instance === request.service_instance) return request.impact;
  return parents.get(instance) ?? formerParents.get(instance) ?? fallback;
}

function buildRow(context: SlaContext, sla: Sla, started_at: Moment): AffectedSlaRow {
  const { agreements, request, parents, person } = context;
  const instance = agreements.instances.get(sla.service_instance);
  const impact = pickImpact(context, sla.service_instance, request.impact);
  return {
    id: null,
    sla_id: sla.id,
    service_instance_id: sla.service_instance,
    accountability: getAccountability(sla, {
      service_instance: request.service_instance,
      above: [...parents.keys()],
    }),
    impact,
    support_team_id: instance?.support_team ?? null,
    first_line_team_id: instance?.first_line_team ?? null,
    supplier_id: instance?.supplier ?? null,
    time_zone: agreements.offerings.get(sla.service_offering)?.time_zone ?? null,
    started_at,
    ...pickTargets(agreements, request, sla, impact),
    actual_response_at: null,
    actual_resolution_at: null,
    downtime_start_at: null,
    downtime_end_at: null,
    desired_completion_at: null,
    provider_not_accountable: false,
    covers_requester: person !== null && covers(sla, person),
    stopped_periods: [],
    notified: [],
    notify_at: null,
  };
}

/** An existing row after a field changed that decides about SLAs: SLA14, SLA17, SLA18, SLA24, SLA25. */
function reassessRow(context: SlaContext, row: AffectedSlaRow, hasOtherTargets: boolean): AffectedSlaRow {
  const { agreements, request, parents, formerParents, person } = context;
  const sla = agreements.slas.get(row.sla_id);
  // A supplier stays accountable when the SLA with the instance below has expired in the meantime.
  const instances = row.accountability === "supplier" ? formerParents : parents;
  const accountabilityIfAffected = getAccountability(
    { service_instance: row.service_instance_id },
    { service_instance: request.service_instance, above: [...instances.keys()] },
  );
  const isCovered = sla !== undefined && person !== null && covers(sla, person);
  const isAffected =
    sla === undefined ||
    (isTrackedBy(agreements, request, sla) &&
      (accountabilityIfAffected === "supplier" || affectsEverybody(request) || isCovered));
  const accountability = isAffected ? accountabilityIfAffected : "sla_not_affected";
  const next: AffectedSlaRow = { ...row, accountability, covers_requester: isCovered };
  if (accountability === "sla_not_affected") return next;
  next.impact = pickImpact(context, row.service_instance_id, row.impact);
  return hasOtherTargets || next.impact !== row.impact
    ? { ...next, ...pickTargets(agreements, request, sla, next.impact) }
    : next;
}

/** The SLAs that are in force for the service instance of a request and those above it. */
function findSlasInForce(
  agreements: Agreements,
  request: SlaDecidingFacts,
  parents: ParentInstances,
  today: string,
): Sla[] {
  const instances = request.service_instance === null ? [] : [request.service_instance, ...parents.keys()];
  return instances
    .flatMap((instance) => agreements.slasByServiceInstance.get(instance) ?? [])
    .filter((sla) => isActiveOn(sla, today) && isTrackedBy(agreements, request, sla));
}

/** The columns that `calculateRows` needs of the person of a new request. */
export function buildFactsForNewRequest(
  agreements: Agreements,
  { by, person }: { by: Caller; person: number },
  request: SlaDecidingFacts,
): ReferenceFacts {
  const today = getToday(by);
  const parents = collectParentInstances(agreements, request, (sla) => isActiveOn(sla, today));
  return buildPersonFacts(person, findSlasInForce(agreements, request, parents, today));
}

/** The rows of a request after this change: the existing ones, and the new ones behind them. */
export async function calculateRows(
  change: RequestChange,
  request: RequestFacts,
  agreements: Agreements,
  existing: readonly AffectedSlaRow[],
): Promise<AffectedSlaRow[]> {
  const { tx, by, after } = change;
  const today = getToday(by);
  const now = parseMoment(toTimestamp(by.now));
  const parents = collectParentInstances(agreements, request, (sla) => isActiveOn(sla, today));
  const formerParents = collectParentInstances(
    agreements,
    request,
    ({ status }) => status === "active" || status === "expired",
  );
  const reassesses = hasChanged(change, fieldsDecidingSlas);
  // A change of the status alone removes no SLA, but can find one that has become active in the meantime.
  const seeksNew = reassesses || (request.oldStatus !== request.status && request.status !== "completed");
  const known = new Set(existing.map((row) => row.sla_id));
  const candidates = !seeksNew
    ? []
    : findSlasInForce(agreements, request, parents, today).filter((sla) => !known.has(sla.id));
  const knownSlas = reassesses ? existing.flatMap((row) => agreements.slas.get(row.sla_id) ?? []) : [];
  const person = await loadCoveredPerson(tx, after.requested_for, [...candidates, ...knownSlas]);
  const context: SlaContext = { agreements, request, parents, formerParents, person, now };
  const hasOtherTargets = hasChanged(change, ["category", "template"]);
  const kept = reassesses ? existing.map((row) => reassessRow(context, row, hasOtherTargets)) : existing;
  const added =
    request.service_instance === null || person === null
      ? []
      : findAffectedSlas(
          {
            category: request.category,
            impact: request.impact,
            service_instance: request.service_instance,
            above: [...parents.keys()],
            requested_for: person,
            affected_before: [],
          },
          candidates,
          today,
        ).map((sla) => buildRow(context, sla, existing.length === 0 ? request.created_at : now));
  return [...kept, ...added].map((row) => advanceClock(request, row, now));
}
