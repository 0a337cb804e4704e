import { stampOf } from "../base/clock.ts";
import { accountabilityOf, affectedSlas, type Covered, covers, hitsEverybody, isInForce } from "../clock/affected.ts";
import { clockOf, responseAt, type SlaClock } from "../clock/affected-sla.ts";
import { type Moment, momentOf } from "../clock/moment.ts";
import { nextTargetOfRequest, requestTargets } from "../clock/request-targets.ts";
import { impactAbove, isTracked, maximumsFor } from "../clock/sla-targets.ts";
import { completed, isNotAccountable, isStopped, reopened, turned } from "../clock/stopped-clock.ts";
import type { Change, Values } from "../engine/rules.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { factsOf, type Row, rowsOf, stampOr, type Written, writeRows } from "./affected-sla-rows.ts";
import { type Agreements, agreementsOf, type Impact, type Sla, standardOf } from "./agreements.ts";
import { followUpWaiting } from "./follow-ups.ts";
import { showToCustomers } from "./onlookers.ts";
import { organizationsAbove } from "./organizations-above.ts";
import { nextNotification, planNotification } from "./sla-notifications.ts";
import { todayOf } from "./today.ts";

// What a save of a request means for the SLAs it affects: sla-clock.md. Worked out before the request is stored, because
// the request shows the targets, and written with it.

/** what decides which SLAs are affected, and by what targets */
const concerning = ["service_instance", "requested_for", "category", "impact", "template"];
/** what moves the clock of those that are */
const moving = [
  "status",
  "team",
  "provider_not_accountable",
  "desired_completion_at",
  "downtime_start_at",
  "downtime_end_at",
  "workflow",
];

const differs = ({ before, after }: Change, names: readonly string[]): boolean =>
  before === null || names.some((name) => (before[name] ?? null) !== (after[name] ?? null));

type Request = {
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

const momentIn = (values: Values, name: string): Moment | null =>
  typeof values[name] === "string" ? momentOf(values[name]) : null;

const blameless = statement(
  `SELECT 1 FROM tasks WHERE workflow_id = $1 AND provider_not_accountable
AND status NOT IN ('registered', 'failed', 'rejected', 'completed', 'approved', 'canceled') LIMIT 1`,
);

async function requestOf({ tx, before, after }: Change): Promise<Request> {
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
    created_at: momentIn(after, "created_at") as Moment,
    notAccountable: after.provider_not_accountable === true,
    taskNotAccountable: workflow != null && (await tx.query(blameless, [workflow])).length > 0,
    desired_completion_at: momentIn(after, "desired_completion_at"),
    downtime_start_at: momentIn(after, "downtime_start_at"),
    downtime_end_at: momentIn(after, "downtime_end_at"),
  };
}

/** The service instances above one by SLAs that count, each with the impact there of what happens below. */
function instancesAbove(
  agreements: Agreements,
  request: Request,
  counts: (sla: Sla) => boolean,
): Map<number, Impact | null> {
  const above = new Map<number, Impact | null>();
  if (request.service_instance === null) return above;
  const walk = (instance: number, impact: Impact | null): void => {
    for (const parent of agreements.parents.get(instance) ?? []) {
      if (parent.instance === request.service_instance || above.has(parent.instance)) continue;
      if (!counts(parent.sla)) continue;
      const there = impact === null ? null : impactAbove(impact, parent.relation);
      above.set(parent.instance, there);
      walk(parent.instance, there ?? impact);
    }
  };
  walk(request.service_instance, request.impact);
  return above;
}

// Asked from the side of the person, so that it costs the same however many SLAs there are and people they list; and only
// what the coverages at hand look at ($2).
const personOf = statement(
  `SELECT json_build_object('account', p.account_id, 'organization', p.organization_id, 'site', p.site_id,
  'ancestors', CASE WHEN 'organizations_and_descendants' = ANY($2::text[]) THEN (
    ${organizationsAbove("p.organization_id")}
    SELECT json_agg(id) FROM above WHERE id <> p.organization_id) END,
  'skill_pools', CASE WHEN 'skill_pools' = ANY($2::text[]) THEN (SELECT json_agg(m.skill_pool_id) FROM skill_pool_members m WHERE m.person_id = p.id) END,
  'teams', CASE WHEN 'service_instances' = ANY($2::text[]) THEN (SELECT json_agg(m.team_id) FROM team_members m WHERE m.person_id = p.id) END,
  'slas', CASE WHEN 'people' = ANY($2::text[]) THEN (SELECT json_agg(l.sla_id) FROM sla_people l WHERE l.person_id = p.id) END,
  'service_instances', CASE WHEN 'cis_of_service_instance' = ANY($2::text[]) THEN (
    SELECT json_agg(DISTINCT c.service_instance_id) FROM ci_users u JOIN service_instance_cis c ON c.ci_id = u.ci_id WHERE u.person_id = p.id) END)
FROM people p WHERE p.id = $1`,
);

async function coveredPerson(tx: Transaction, id: number | null, slas: readonly Sla[]): Promise<Covered | null> {
  if (id === null || slas.length === 0) return null;
  const [answer] = await tx.query(personOf, [id, [...new Set(slas.map(({ coverage }) => coverage))]]);
  if (answer?.[0] == null) return null;
  const found = JSON.parse(answer[0]) as Record<keyof Covered, never>;
  const listOf = (name: keyof Covered): readonly number[] => found[name] ?? [];
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
const isTrackedBy = (agreements: Agreements, request: Request, sla: Sla): boolean =>
  isTracked(request.category, standardOf(agreements, sla.service_offering, request.template));

/** The copies that are made when a record is created, and again when impact, category or template change (T4). */
function targetsFor(agreements: Agreements, request: Request, sla: Sla | undefined, impact: Impact | null) {
  const offering = sla === undefined ? undefined : agreements.offerings.get(sla.service_offering);
  const standard = sla === undefined ? null : standardOf(agreements, sla.service_offering, request.template);
  const found = offering === undefined ? null : maximumsFor({ category: request.category, impact }, offering, standard);
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

type Seen = {
  agreements: Agreements;
  request: Request;
  above: ReadonlyMap<number, Impact | null>;
  /** the same by SLAs that have expired as well */
  onceAbove: ReadonlyMap<number, Impact | null>;
  person: Covered | null;
  now: Moment;
};

/** The impact of the request where it happens; further up what the services say of each other, else what it was (T5). */
function impactOn({ request, above, onceAbove }: Seen, instance: number, was: Impact | null): Impact | null {
  if (instance === request.service_instance) return request.impact;
  return above.get(instance) ?? onceAbove.get(instance) ?? was;
}

function newRow(seen: Seen, sla: Sla, started_at: Moment): Row {
  const { agreements, request, above, person } = seen;
  const instance = agreements.instances.get(sla.service_instance);
  const impact = impactOn(seen, sla.service_instance, request.impact);
  return {
    id: null,
    sla_id: sla.id,
    service_instance_id: sla.service_instance,
    accountability: accountabilityOf(sla, {
      service_instance: request.service_instance,
      above: [...above.keys()],
    }),
    impact,
    support_team_id: instance?.support_team ?? null,
    first_line_team_id: instance?.first_line_team ?? null,
    supplier_id: instance?.supplier ?? null,
    time_zone: agreements.offerings.get(sla.service_offering)?.time_zone ?? null,
    started_at,
    ...targetsFor(agreements, request, sla, impact),
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

/** A record that exists, after what it is about has changed: E4, E7, E8, T4, T5. */
function reconsidered(seen: Seen, row: Row, newTargets: boolean): Row {
  const { agreements, request, above, onceAbove, person } = seen;
  const sla = agreements.slas.get(row.sla_id);
  // Who passed a request down answers for it, even when the agreement with the supplier has expired meanwhile.
  const instances = row.accountability === "supplier" ? onceAbove : above;
  const here = accountabilityOf(
    { service_instance: row.service_instance_id },
    { service_instance: request.service_instance, above: [...instances.keys()] },
  );
  const covered = sla !== undefined && person !== null && covers(sla, person);
  const stays =
    sla === undefined ||
    (isTrackedBy(agreements, request, sla) && (here === "supplier" || hitsEverybody(request) || covered));
  const accountability = stays ? here : "sla_not_affected";
  const next: Row = { ...row, accountability, covers_requester: covered };
  if (accountability === "sla_not_affected") return next;
  next.impact = impactOn(seen, row.service_instance_id, row.impact);
  return newTargets || next.impact !== row.impact
    ? { ...next, ...targetsFor(agreements, request, sla, next.impact) }
    : next;
}

/** Stops, starts, answers and ends the clock of a record, as the request stands now. */
function moved({ request, now }: Seen, row: Row): Row {
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
  const next: Row = {
    ...row,
    actual_response_at: responseAt(
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
    return { ...next, actual_resolution_at: now, stopped_periods: completed(row.stopped_periods, now) };
  }
  const stopped = isStopped(reasons);
  return {
    ...next,
    actual_resolution_at: null,
    stopped_periods:
      row.actual_resolution_at === null
        ? turned(row.stopped_periods, now, stopped, blame)
        : reopened(row.stopped_periods, row.actual_resolution_at, now, stopped, blame),
  };
}

const written = (row: Row, clock: SlaClock): Written => ({
  ...row,
  started_at: stampOr(row.started_at),
  actual_response_at: stampOr(row.actual_response_at),
  actual_resolution_at: stampOr(row.actual_resolution_at),
  downtime_start_at: stampOr(row.downtime_start_at),
  downtime_end_at: stampOr(row.downtime_end_at),
  desired_completion_at: stampOr(row.desired_completion_at),
  notify_at: stampOr(row.notify_at),
  stopped_periods: row.stopped_periods.map((period) => ({
    ...period,
    from: stampOr(period.from),
    to: stampOr(period.to),
  })),
  stopped_clock_at: stampOr(clock.stopped_clock_at),
  stopped_clock_duration: clock.stopped_clock_duration,
  provider_was_not_accountable: clock.provider_was_not_accountable,
  response_target_at: stampOr(clock.response_target_at),
  resolution_target_at: stampOr(clock.resolution_target_at),
  next_target_at: typeof clock.next_target_at === "number" ? stampOr(clock.next_target_at) : clock.next_target_at,
  actual_response_duration: clock.actual_response_duration,
  actual_resolution_duration: clock.actual_resolution_duration,
  downtime_duration: clock.downtime_duration,
});

/** The records of a request after this change: those it has, and those that are new. */
async function rowsAfter(change: Change, request: Request, agreements: Agreements, existing: readonly Row[]) {
  const { tx, by, after } = change;
  const today = todayOf(by);
  const now = momentOf(stampOf(by.now));
  const above = instancesAbove(agreements, request, (sla) => isInForce(sla, today));
  const onceAbove = instancesAbove(agreements, request, ({ status }) => status === "active" || status === "expired");
  const concerns = differs(change, concerning);
  // A change of the status alone takes nothing back; it may find an SLA that has come into force meanwhile.
  const seeksNew = concerns || (request.oldStatus !== request.status && request.status !== "completed");
  const known = new Set(existing.map((row) => row.sla_id));
  const instances = request.service_instance === null ? [] : [request.service_instance, ...above.keys()];
  const candidates = !seeksNew
    ? []
    : instances
        .flatMap((instance) => agreements.slasOfInstance.get(instance) ?? [])
        .filter((sla) => !known.has(sla.id) && isInForce(sla, today) && isTrackedBy(agreements, request, sla));
  const had = concerns ? existing.flatMap((row) => agreements.slas.get(row.sla_id) ?? []) : [];
  const person = await coveredPerson(tx, after.requested_for as number | null, [...candidates, ...had]);
  const seen: Seen = { agreements, request, above, onceAbove, person, now };
  const newTargets = differs(change, ["category", "template"]);
  const kept = concerns ? existing.map((row) => reconsidered(seen, row, newTargets)) : existing;
  const added =
    request.service_instance === null || person === null
      ? []
      : affectedSlas(
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
        ).map((sla) => newRow(seen, sla, existing.length === 0 ? request.created_at : now));
  return [...kept, ...added].map((row) => moved(seen, row));
}

/** At the end of the check of a request, when everything else about it is settled. */
export async function affectSlas(change: Change): Promise<void> {
  const { tx, id, account, before, by, cause } = change;
  if (!differs(change, concerning) && !differs(change, moving) && cause?.type !== "task") return;
  const [agreements, request, existing] = await Promise.all([
    agreementsOf(tx, account),
    requestOf(change),
    before === null ? [] : rowsOf(tx, account, id),
  ]);
  const rows = await rowsAfter(change, request, agreements, existing);
  const clocks = rows.map((row) => {
    const facts = factsOf(agreements, row);
    const clock = clockOf(facts);
    const next = { ...row, notify_at: nextNotification(agreements, request.category, row, facts) };
    return { row: next, clock };
  });
  showTargets(change, request, agreements, clocks);

  const ofBefore = new Map(existing.map((row) => [row.id, row]));
  change.whenSaved(async () => {
    const added: Written[] = [];
    const changed: Written[] = [];
    for (const { row, clock } of clocks) {
      (row.id === null ? added : changed).push(written(row, clock));
      planNotification(tx, account, id, row, ofBefore.get(row.id)?.notify_at ?? null);
    }
    writeRows(tx, account, id, stampOf(by.now), { added, changed });
    const news = clocks.flatMap(({ row }) => (row.id === null ? [row.sla_id] : []));
    showToCustomers(change, agreements, news);
    if (request.oldStatus !== request.status) followUpWaiting(change, agreements, clocks);
    await tellAccountability(change, existing, clocks);
  });
}

type Reckoned = { row: Row; clock: SlaClock };

function showTargets(change: Change, request: Request, agreements: Agreements, clocks: readonly Reckoned[]): void {
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
  const targets = requestTargets({ team: request.team, team_of_template }, slas);
  const next = nextTargetOfRequest(request, targets, slas);
  for (const [name, moment] of Object.entries(targets)) after[name] = stampOr(moment);
  after.next_target_at = typeof next === "number" ? stampOr(next) : next;
  if (request.notAccountable || clocks.some(({ clock }) => clock.provider_was_not_accountable))
    after.provider_was_not_accountable = true;
}

/** K12: that the provider is, or is no longer, held accountable is told in a note. */
async function tellAccountability(
  change: Change,
  existing: readonly Row[],
  clocks: readonly Reckoned[],
): Promise<void> {
  if (change.before === null) return;
  const was = change.before.provider_not_accountable === true || existing.some((row) => row.provider_not_accountable);
  const is = change.after.provider_not_accountable === true || clocks.some(({ row }) => row.provider_not_accountable);
  if (was === is) return;
  const text = is ? "The provider is not accountable." : "The provider is accountable again.";
  await change.create("note", { request: change.id, text, medium: "system" });
}

const requestsOfWorkflow = statement(
  "SELECT id FROM requests WHERE workflow_id = $1 AND account_id = $2 AND status <> 'completed' ORDER BY id",
);
const idle = ["registered", "failed", "rejected", "completed", "approved", "canceled"];

/** K3: a task for which the provider is not accountable began or ended; the requests of its workflow look again. */
export async function tellRequests({ tx, account, before, after, update }: Change): Promise<void> {
  const stops = (task: Values | null): boolean =>
    task !== null && task.provider_not_accountable === true && !idle.includes(String(task.status));
  if (stops(before) === stops(after) || after.workflow == null) return;
  for (const [request] of await tx.query(requestsOfWorkflow, [after.workflow as number, account]))
    await update("request", Number(request), {});
}
