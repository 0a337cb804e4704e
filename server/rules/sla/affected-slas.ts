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
import { computeRequestTargets, pickNextRequestTarget } from "../../business-time/request-targets.ts";
import { getImpactAbove, isTracked, pickMaximums } from "../../business-time/sla-targets.ts";
import { computeResponseMoment, computeSlaTimes, type SlaTimes } from "../../business-time/sla-times.ts";
import {
  closeStoppedPeriods,
  isNotAccountable,
  isStopped,
  reopenStoppedPeriods,
  updateStoppedPeriods,
} from "../../business-time/stopped-periods.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { buildAncestorsCte } from "../people/organization-ancestors.ts";
import { getToday } from "../shared/current-date.ts";
import {
  type AffectedSlaJson,
  type AffectedSlaRow,
  buildSlaFacts,
  formatMomentOrNull,
  loadAffectedSlaRows,
  writeAffectedSlaRows,
} from "./affected-sla-rows.ts";
import {
  type Agreements,
  getStandardServiceRequest,
  type Impact,
  loadAgreements,
  type Sla,
} from "./agreement-cache.ts";
import { addCustomerViewers } from "./customer-viewers.ts";
import { getNextNotificationAt, scheduleSlaNotification } from "./sla-notifications.ts";
import { updateFollowUpSchedule } from "./waiting-for-customer-follow-ups.ts";

// What a save of a request means for the SLAs it affects: SLA11 to SLA46. Worked out before the request is stored,
// because the request shows the targets, and written with it.

/** what decides which SLAs are affected, and by what targets */
const fieldsDecidingSlas = ["service_instance", "requested_for", "category", "impact", "template"];
/** what moves the clock of those that are */
const fieldsDecidingClock = [
  "status",
  "team",
  "provider_not_accountable",
  "desired_completion_at",
  "downtime_start_at",
  "downtime_end_at",
  "workflow",
];

const hasChanged = ({ before, after }: Change, names: readonly string[]): boolean =>
  before === null || names.some((name) => (before[name] ?? null) !== (after[name] ?? null));

type RequestFacts = {
  isNew: boolean;
  status: string;
  /** null when it is new */
  oldStatus: string | null;
  category: string;
  impact: Impact | null;
  template: number | null;
  service_instance: number | null;
  team: number | null;
  created_at: Moment;
  notAccountable: boolean;
  taskNotAccountable: boolean;
  desired_completion_at: Moment | null;
  downtime_start_at: Moment | null;
  downtime_end_at: Moment | null;
};

const parseMomentField = (values: Values, name: string): Moment | null =>
  typeof values[name] === "string" ? parseMoment(values[name]) : null;

const selectUnaccountableTask = statement(
  `SELECT 1 FROM tasks WHERE workflow_id = $1 AND provider_not_accountable
AND status NOT IN ('registered', 'failed', 'rejected', 'completed', 'approved', 'canceled') LIMIT 1`,
);

async function loadRequestFacts({ tx, before, after }: Change): Promise<RequestFacts> {
  const workflow = after.workflow as number | null;
  return {
    isNew: before === null,
    status: String(after.status),
    oldStatus: before === null ? null : String(before.status),
    category: String(after.category),
    impact: after.impact as Impact | null,
    template: after.template as number | null,
    service_instance: after.service_instance as number | null,
    team: after.team as number | null,
    created_at: parseMomentField(after, "created_at") as Moment,
    notAccountable: after.provider_not_accountable === true,
    taskNotAccountable: workflow != null && (await tx.query(selectUnaccountableTask, [workflow])).length > 0,
    desired_completion_at: parseMomentField(after, "desired_completion_at"),
    downtime_start_at: parseMomentField(after, "downtime_start_at"),
    downtime_end_at: parseMomentField(after, "downtime_end_at"),
  };
}

/** The service instances above one by SLAs that count, each with the impact there of what happens below. */
function collectParentInstances(
  agreements: Agreements,
  request: RequestFacts,
  counts: (sla: Sla) => boolean,
): Map<number, Impact | null> {
  const above = new Map<number, Impact | null>();
  if (request.service_instance === null) return above;
  const walk = (instance: number, impact: Impact | null): void => {
    for (const parent of agreements.parentsByServiceInstance.get(instance) ?? []) {
      if (parent.instance === request.service_instance || above.has(parent.instance)) continue;
      if (!counts(parent.sla)) continue;
      const there = impact === null ? null : getImpactAbove(impact, parent.relation);
      above.set(parent.instance, there);
      walk(parent.instance, there ?? impact);
    }
  };
  walk(request.service_instance, request.impact);
  return above;
}

// Asked from the side of the person, so that it costs the same however many SLAs there are and people they list; and only
// what the coverages at hand look at ($2).
const selectCoveredPerson = statement(
  `SELECT json_build_object('account', p.account_id, 'organization', p.organization_id, 'site', p.site_id,
  'ancestors', CASE WHEN 'organizations_and_descendants' = ANY($2::text[]) THEN (
    ${buildAncestorsCte("p.organization_id")}
    SELECT json_agg(id) FROM above WHERE id <> p.organization_id) END,
  'skill_pools', CASE WHEN 'skill_pools' = ANY($2::text[]) THEN (SELECT json_agg(m.skill_pool_id) FROM skill_pool_members m WHERE m.person_id = p.id) END,
  'teams', CASE WHEN 'service_instances' = ANY($2::text[]) THEN (SELECT json_agg(m.team_id) FROM team_members m WHERE m.person_id = p.id) END,
  'slas', CASE WHEN 'people' = ANY($2::text[]) THEN (SELECT json_agg(l.sla_id) FROM sla_people l WHERE l.person_id = p.id) END,
  'service_instances', CASE WHEN 'cis_of_service_instance' = ANY($2::text[]) THEN (
    SELECT json_agg(DISTINCT c.service_instance_id) FROM ci_users u JOIN service_instance_cis c ON c.ci_id = u.ci_id WHERE u.person_id = p.id) END)
FROM people p WHERE p.id = $1`,
);

async function loadCoveredPerson(
  tx: Transaction,
  id: number | null,
  slas: readonly Sla[],
): Promise<PersonMemberships | null> {
  if (id === null || slas.length === 0) return null;
  const [answer] = await tx.query(selectCoveredPerson, [id, [...new Set(slas.map(({ coverage }) => coverage))]]);
  if (answer?.[0] == null) return null;
  const found = JSON.parse(answer[0]) as Record<keyof PersonMemberships, never>;
  const listOf = (name: keyof PersonMemberships): readonly number[] => found[name] ?? [];
  return {
    ...found,
    ancestors: listOf("ancestors"),
    skill_pools: listOf("skill_pools"),
    teams: listOf("teams"),
    slas: listOf("slas"),
    service_instances: listOf("service_instances"),
  };
}

/** A request like this can affect the SLA: it has targets for it. */
const isTrackedBy = (agreements: Agreements, request: RequestFacts, sla: Sla): boolean =>
  isTracked(request.category, getStandardServiceRequest(agreements, sla.service_offering, request.template));

/** The copies that are made when a record is created, and again when impact, category or template change (SLA24). */
function pickTargets(agreements: Agreements, request: RequestFacts, sla: Sla | undefined, impact: Impact | null) {
  const offering = sla === undefined ? undefined : agreements.offerings.get(sla.service_offering);
  const standard =
    sla === undefined ? null : getStandardServiceRequest(agreements, sla.service_offering, request.template);
  const found =
    offering === undefined ? null : pickMaximums({ category: request.category, impact }, offering, standard);
  return {
    standard_service_request_id: standard?.id ?? null,
    support_hours_id: found?.support_hours ?? null,
    service_hours_id: found?.service_hours ?? null,
    maximum_response_duration: found?.maximum_response_duration ?? null,
    maximum_response_duration_in_days: found?.maximum_response_duration_in_days ?? null,
    maximum_resolution_duration: found?.maximum_resolution_duration ?? null,
    maximum_resolution_duration_in_days: found?.maximum_resolution_duration_in_days ?? null,
  };
}

type SlaContext = {
  agreements: Agreements;
  request: RequestFacts;
  above: ReadonlyMap<number, Impact | null>;
  /** the same by SLAs that have expired as well */
  onceAbove: ReadonlyMap<number, Impact | null>;
  person: PersonMemberships | null;
  now: Moment;
};

/**
 * The impact of the request where it happens; further up what the services say of each other, else what it was (SLA25).
 */
function pickImpact({ request, above, onceAbove }: SlaContext, instance: number, was: Impact | null): Impact | null {
  if (instance === request.service_instance) return request.impact;
  return above.get(instance) ?? onceAbove.get(instance) ?? was;
}

function buildRow(seen: SlaContext, sla: Sla, started_at: Moment): AffectedSlaRow {
  const { agreements, request, above, person } = seen;
  const instance = agreements.instances.get(sla.service_instance);
  const impact = pickImpact(seen, sla.service_instance, request.impact);
  return {
    id: null,
    sla_id: sla.id,
    service_instance_id: sla.service_instance,
    accountability: getAccountability(sla, {
      service_instance: request.service_instance,
      above: [...above.keys()],
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

/** A record that exists, after what it is about has changed: SLA14, SLA17, SLA18, SLA24, SLA25. */
function reassessRow(seen: SlaContext, row: AffectedSlaRow, newTargets: boolean): AffectedSlaRow {
  const { agreements, request, above, onceAbove, person } = seen;
  const sla = agreements.slas.get(row.sla_id);
  // Who passed a request down answers for it, even when the agreement with the supplier has expired meanwhile.
  const instances = row.accountability === "supplier" ? onceAbove : above;
  const here = getAccountability(
    { service_instance: row.service_instance_id },
    { service_instance: request.service_instance, above: [...instances.keys()] },
  );
  const covered = sla !== undefined && person !== null && covers(sla, person);
  const stays =
    sla === undefined ||
    (isTrackedBy(agreements, request, sla) && (here === "supplier" || affectsEverybody(request) || covered));
  const accountability = stays ? here : "sla_not_affected";
  const next: AffectedSlaRow = { ...row, accountability, covers_requester: covered };
  if (accountability === "sla_not_affected") return next;
  next.impact = pickImpact(seen, row.service_instance_id, row.impact);
  return newTargets || next.impact !== row.impact
    ? { ...next, ...pickTargets(agreements, request, sla, next.impact) }
    : next;
}

/** Stops, starts, answers and ends the clock of a record, as the request stands now. */
function advanceClock({ request, now }: SlaContext, row: AffectedSlaRow): AffectedSlaRow {
  const { accountability } = row;
  const reasons = {
    status: request.status,
    accountability,
    provider_not_accountable: request.notAccountable,
    task_not_accountable: request.taskNotAccountable,
    passed_on: false, // whoever passed it on is not affected any more
  };
  const blame = isNotAccountable(reasons);
  const isDone = request.status === "completed" && accountability !== "sla_not_affected";
  const next: AffectedSlaRow = {
    ...row,
    actual_response_at: computeResponseMoment(
      {
        first_line_team: row.first_line_team_id,
        support_team: row.support_team_id,
        service_instance: row.service_instance_id,
        started_at: row.started_at,
        actual_response_at: row.actual_response_at,
      },
      request,
      now,
    ),
    downtime_start_at: request.downtime_start_at,
    downtime_end_at: request.downtime_end_at,
    desired_completion_at: request.desired_completion_at,
    provider_not_accountable: blame,
  };
  if (isDone) {
    if (row.actual_resolution_at !== null) return next;
    return { ...next, actual_resolution_at: now, stopped_periods: closeStoppedPeriods(row.stopped_periods, now) };
  }
  const stopped = isStopped(reasons);
  return {
    ...next,
    actual_resolution_at: null,
    stopped_periods:
      row.actual_resolution_at === null
        ? updateStoppedPeriods(row.stopped_periods, now, stopped, blame)
        : reopenStoppedPeriods(row.stopped_periods, row.actual_resolution_at, now, stopped, blame),
  };
}

const serializeRow = (row: AffectedSlaRow, clock: SlaTimes): AffectedSlaJson => ({
  ...row,
  started_at: formatMomentOrNull(row.started_at),
  actual_response_at: formatMomentOrNull(row.actual_response_at),
  actual_resolution_at: formatMomentOrNull(row.actual_resolution_at),
  downtime_start_at: formatMomentOrNull(row.downtime_start_at),
  downtime_end_at: formatMomentOrNull(row.downtime_end_at),
  desired_completion_at: formatMomentOrNull(row.desired_completion_at),
  notify_at: formatMomentOrNull(row.notify_at),
  stopped_periods: row.stopped_periods.map((period) => ({
    ...period,
    from: formatMomentOrNull(period.from),
    to: formatMomentOrNull(period.to),
  })),
  stopped_clock_at: formatMomentOrNull(clock.stopped_clock_at),
  stopped_clock_duration: clock.stopped_clock_duration,
  provider_was_not_accountable: clock.provider_was_not_accountable,
  response_target_at: formatMomentOrNull(clock.response_target_at),
  resolution_target_at: formatMomentOrNull(clock.resolution_target_at),
  next_target_at:
    typeof clock.next_target_at === "number" ? formatMomentOrNull(clock.next_target_at) : clock.next_target_at,
  actual_response_duration: clock.actual_response_duration,
  actual_resolution_duration: clock.actual_resolution_duration,
  downtime_duration: clock.downtime_duration,
});

/** The records of a request after this change: those it has, and those that are new. */
async function calculateRows(
  change: Change,
  request: RequestFacts,
  agreements: Agreements,
  existing: readonly AffectedSlaRow[],
) {
  const { tx, by, after } = change;
  const today = getToday(by);
  const now = parseMoment(toTimestamp(by.now));
  const above = collectParentInstances(agreements, request, (sla) => isActiveOn(sla, today));
  const onceAbove = collectParentInstances(
    agreements,
    request,
    ({ status }) => status === "active" || status === "expired",
  );
  const concerns = hasChanged(change, fieldsDecidingSlas);
  // A change of the status alone takes nothing back; it may find an SLA that has come into force meanwhile.
  const seeksNew = concerns || (request.oldStatus !== request.status && request.status !== "completed");
  const known = new Set(existing.map((row) => row.sla_id));
  const instances = request.service_instance === null ? [] : [request.service_instance, ...above.keys()];
  const candidates = !seeksNew
    ? []
    : instances
        .flatMap((instance) => agreements.slasByServiceInstance.get(instance) ?? [])
        .filter((sla) => !known.has(sla.id) && isActiveOn(sla, today) && isTrackedBy(agreements, request, sla));
  const had = concerns ? existing.flatMap((row) => agreements.slas.get(row.sla_id) ?? []) : [];
  const person = await loadCoveredPerson(tx, after.requested_for as number | null, [...candidates, ...had]);
  const seen: SlaContext = { agreements, request, above, onceAbove, person, now };
  const newTargets = hasChanged(change, ["category", "template"]);
  const kept = concerns ? existing.map((row) => reassessRow(seen, row, newTargets)) : existing;
  const added =
    request.service_instance === null || person === null
      ? []
      : findAffectedSlas(
          {
            category: request.category,
            impact: request.impact,
            service_instance: request.service_instance,
            above: [...above.keys()],
            requested_for: person,
            affected_before: [],
          },
          candidates,
          today,
        ).map((sla) => buildRow(seen, sla, existing.length === 0 ? request.created_at : now));
  return [...kept, ...added].map((row) => advanceClock(seen, row));
}

/** At the end of the check of a request, when everything else about it is settled. */
export async function updateAffectedSlas(change: Change): Promise<void> {
  const { tx, id, account, before, by, cause } = change;
  if (!hasChanged(change, fieldsDecidingSlas) && !hasChanged(change, fieldsDecidingClock) && cause?.type !== "task")
    return;
  const [agreements, request, existing] = await Promise.all([
    loadAgreements(tx, account),
    loadRequestFacts(change),
    before === null ? [] : loadAffectedSlaRows(tx, account, id),
  ]);
  const rows = await calculateRows(change, request, agreements, existing);
  const clocks = rows.map((row) => {
    const facts = buildSlaFacts(agreements, row);
    const clock = computeSlaTimes(facts);
    const next = { ...row, notify_at: getNextNotificationAt(agreements, request.category, row, facts) };
    return { row: next, clock };
  });
  copyTargetsToRequest(change, request, agreements, clocks);

  const ofBefore = new Map(existing.map((row) => [row.id, row]));
  change.runAfterSave(async () => {
    const added: AffectedSlaJson[] = [];
    const changed: AffectedSlaJson[] = [];
    for (const { row, clock } of clocks) {
      (row.id === null ? added : changed).push(serializeRow(row, clock));
      scheduleSlaNotification(tx, account, id, row, ofBefore.get(row.id)?.notify_at ?? null);
    }
    writeAffectedSlaRows(tx, account, id, toTimestamp(by.now), { added, changed });
    const news = clocks.flatMap(({ row }) => (row.id === null ? [row.sla_id] : []));
    addCustomerViewers(change, agreements, news);
    if (request.oldStatus !== request.status) updateFollowUpSchedule(change, agreements, clocks);
    await addAccountabilityNote(change, existing, clocks);
  });
}

type RowWithClock = { row: AffectedSlaRow; clock: SlaTimes };

function copyTargetsToRequest(
  change: Change,
  request: RequestFacts,
  agreements: Agreements,
  clocks: readonly RowWithClock[],
): void {
  const { after } = change;
  const slas = clocks.map(({ row, clock }) => ({
    accountability: row.accountability,
    actual_response_at: row.actual_response_at,
    first_line_team: row.first_line_team_id,
    support_team: row.support_team_id,
    covers_requested_for: row.covers_requester,
    response_target_at: clock.response_target_at,
    resolution_target_at: clock.resolution_target_at,
  }));
  const team_of_template =
    request.template === null ? null : (agreements.templates.get(request.template)?.team ?? null);
  const targets = computeRequestTargets({ team: request.team, team_of_template }, slas);
  const next = pickNextRequestTarget(request, targets, slas);
  for (const [name, moment] of Object.entries(targets)) after[name] = formatMomentOrNull(moment);
  after.next_target_at = typeof next === "number" ? formatMomentOrNull(next) : next;
  if (request.notAccountable || clocks.some(({ clock }) => clock.provider_was_not_accountable))
    after.provider_was_not_accountable = true;
}

/** SLA42: that the provider is, or is no longer, held accountable is told in a note. */
async function addAccountabilityNote(
  change: Change,
  existing: readonly AffectedSlaRow[],
  clocks: readonly RowWithClock[],
): Promise<void> {
  if (change.before === null) return;
  const was = change.before.provider_not_accountable === true || existing.some((row) => row.provider_not_accountable);
  const is = change.after.provider_not_accountable === true || clocks.some(({ row }) => row.provider_not_accountable);
  if (was === is) return;
  const text = is ? "The provider is not accountable." : "The provider is accountable again.";
  await change.create("note", { request: change.id, text, medium: "system" });
}

const selectOpenRequestsOfWorkflow = statement(
  "SELECT id FROM requests WHERE workflow_id = $1 AND account_id = $2 AND status <> 'completed' ORDER BY id",
);
const inactiveTaskStatuses = ["registered", "failed", "rejected", "completed", "approved", "canceled"];

/** SLA33: a task for which the provider is not accountable began or ended; the requests of its workflow look again. */
export async function updateRequestsOfTask({ tx, account, before, after, update }: Change): Promise<void> {
  const stops = (task: Values | null): boolean =>
    task !== null && task.provider_not_accountable === true && !inactiveTaskStatuses.includes(String(task.status));
  if (stops(before) === stops(after) || after.workflow == null) return;
  for (const [request] of await tx.query(selectOpenRequestsOfWorkflow, [after.workflow as number, account]))
    await update("request", Number(request), {});
}
