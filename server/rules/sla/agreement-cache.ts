import { toIanaZone } from "../../base/time-zones.ts";
import { type ActiveTime, getActiveTime } from "../../business-time/active-time.ts";
import type { ServiceLevelAgreement } from "../../business-time/affected-slas.ts";
import type { Calendar } from "../../business-time/calendar.ts";
import { impacts, type Offering, type StandardServiceRequest } from "../../business-time/sla-targets.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import type { PgListener } from "../../database/pg-listener.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import { buildAncestorsCte } from "../people/organization-ancestors.ts";

// Caches the agreements of an account in the form that the SLA clock needs, until one of their records changes. What
// depends on people (members of teams, users of configuration items) is not cached.

export type Sla = ServiceLevelAgreement & { service_offering: number };
export type Impact = (typeof impacts)[number];
type Target = "response" | "resolution";
type SchemeIds = Readonly<Record<Target, number | null>>;

export type SlaNotificationRule = {
  id: number;
  threshold_percentage: number;
  notify_current_assignee: boolean;
  notify_service_owner: boolean;
  notify_support_team_manager: boolean;
  notify_support_team_coordinator: boolean;
  notify_first_line_team_manager: boolean;
  notify_first_line_team_coordinator: boolean;
};
export type FollowUp = { auto_complete: boolean; days: readonly number[] };
type SlaServiceInstance = { first_line_team: number | null; support_team: number | null; supplier: number | null };
type ParentInstance = { instance: number; relation: "down" | "degraded"; sla: Sla };
type SlaOffering = Offering<number> & {
  waiting_for_customer_follow_up: number | null;
  schemes: Record<string, SchemeIds>;
};
type SlaRequestTemplate = {
  team: number | null;
  desired_completion: number | null;
  support_hours: number | null;
  time_zone: string | null;
};
type SlaStandardServiceRequest = StandardServiceRequest<number> & { id: number; schemes: SchemeIds };

export type Agreements = {
  slas: ReadonlyMap<number, Sla>;
  slasByServiceInstance: ReadonlyMap<number, readonly Sla[]>;
  instances: ReadonlyMap<number, SlaServiceInstance>;
  /** the service instances that depend on one, by SLAs that are in force or not */
  parentsByServiceInstance: ReadonlyMap<number, readonly ParentInstance[]>;
  offerings: ReadonlyMap<number, SlaOffering>;
  standardServiceRequests: ReadonlyMap<string, SlaStandardServiceRequest>;
  templates: ReadonlyMap<number, SlaRequestTemplate>;
  /** enabled ones only */
  notificationSchemes: ReadonlyMap<number, readonly SlaNotificationRule[]>;
  followUps: ReadonlyMap<number, FollowUp>;
  /** A calendar in a time zone; no calendar is 24x7, no time zone that of the account. */
  activeTimeFor(calendar: number | null, zone: string | null): ActiveTime;
};

export const getStandardServiceRequest = (
  agreements: Agreements,
  offering: number,
  template: number | null,
): SlaStandardServiceRequest | null =>
  (template === null ? undefined : agreements.standardServiceRequests.get(`${offering} ${template}`)) ?? null;

const targetKinds = [...impacts, "rfc", "rfi", "case"];
const selectLinkedIds = (table: string, column: string) =>
  `(SELECT coalesce(json_agg(l.${column}), '[]') FROM ${table} l WHERE l.sla_id = s.id)`;

// biome-ignore format: a table keeps its columns
const statements = {
  account:   jsonStatement<{ time_zone: string | null }>("SELECT time_zone FROM accounts WHERE id = $1"),
  slas:      jsonStatement<Sla>(`SELECT s.id, s.status, s.start_date, s.expiry_date, s.service_instance_id AS service_instance, s.coverage, s.customer_account_id AS customer_account,
    s.service_offering_id AS service_offering, ${selectLinkedIds("sla_organizations", "organization_id")} AS organizations, ${selectLinkedIds("sla_sites", "site_id")} AS sites,
    ${selectLinkedIds("sla_skill_pools", "skill_pool_id")} AS skill_pools, (SELECT coalesce(json_agg(i.support_team_id), '[]') FROM parent_service_instances l
      JOIN service_instances i ON i.id = l.service_instance_id WHERE l.sla_id = s.id AND i.support_team_id IS NOT NULL) AS support_teams
    FROM slas s WHERE s.account_id = $1 AND s.service_instance_id IS NOT NULL ORDER BY s.id`),
  parents:   jsonStatement<{ sla: number; instance: number; relation: "down" | "degraded" }>("SELECT l.sla_id AS sla, l.service_instance_id AS instance, l.impact_relation AS relation FROM parent_service_instances l WHERE l.account_id = $1 ORDER BY l.id"),
  // A provider is external when it is not below the organization of the account or of its directory.
  instances: jsonStatement<SlaServiceInstance & { id: number }>(`SELECT i.id, i.first_line_team_id AS first_line_team, i.support_team_id AS support_team, CASE WHEN NOT EXISTS (
    ${buildAncestorsCte("s.provider_id")}
    SELECT 1 FROM above JOIN accounts c ON c.organization_id = above.id WHERE c.id = $1 OR c.id = (SELECT d.directory_account_id FROM accounts d WHERE d.id = $1)
    ) THEN s.provider_id END AS supplier FROM service_instances i JOIN services s ON s.id = i.service_id WHERE i.account_id = $1`),
  offerings: jsonStatement<SlaOffering & { id: number }>(`SELECT o.id, o.time_zone, o.service_hours_id AS service_hours, o.waiting_for_customer_follow_up_id AS waiting_for_customer_follow_up,
    ${targetKinds.map((k) => `o.response_target_${k}, o.response_target_${k}_in_days, o.resolution_target_${k}, o.resolution_target_${k}_in_days, o.support_hours_${k}_id AS support_hours_${k}`).join(", ")},
    json_build_object(${impacts.map((i) => `'${i}', json_build_object('response', o.response_target_notification_scheme_${i}_id, 'resolution', coalesce(o.resolution_target_notification_scheme_${i}_id, o.sla_notification_scheme_${i}_id))`).join(", ")}) AS schemes
    FROM service_offerings o WHERE o.account_id = $1`),
  standards: jsonStatement<SlaStandardServiceRequest & { service_offering: number; request_template: number }>(`SELECT r.id, r.service_offering_id AS service_offering, r.request_template_id AS request_template, r.support_hours_id AS support_hours,
    ${["response", "resolution"].map((t) => `CASE WHEN NOT coalesce(r.${t}_target_best_effort, false) THEN r.${t}_target END AS ${t}_target, CASE WHEN NOT coalesce(r.${t}_target_best_effort, false) THEN r.${t}_target_in_days END AS ${t}_target_in_days`).join(", ")},
    json_build_object('response', r.response_target_notification_scheme_id, 'resolution', coalesce(r.resolution_target_notification_scheme_id, r.sla_notification_scheme_id)) AS schemes
    FROM standard_service_requests r WHERE r.account_id = $1`),
  templates: jsonStatement<SlaRequestTemplate & { id: number }>("SELECT id, team_id AS team, desired_completion, support_hours_id AS support_hours, time_zone FROM request_templates WHERE account_id = $1 AND num_nonnulls(team_id, desired_completion) > 0"),
  calendars: jsonStatement<Calendar & { id: number }>(`SELECT c.id, (SELECT coalesce(json_agg(json_build_object('weekday', h.weekday, 'time_from', h.time_from, 'time_until', h.time_until) ORDER BY h.id), '[]') FROM calendar_hours h WHERE h.calendar_id = c.id) AS hours,
    (SELECT coalesce(json_agg(json_build_object('start_at', h.start_at, 'end_at', h.end_at) ORDER BY h.id), '[]') FROM calendar_holidays l JOIN holidays h ON h.id = l.holiday_id WHERE l.calendar_id = c.id) AS holidays
    FROM calendars c WHERE c.account_id = $1`),
  schemes:   jsonStatement<SlaNotificationRule & { scheme: number }>(`SELECT r.sla_notification_scheme_id AS scheme, r.id, r.threshold_percentage, r.notify_current_assignee, r.notify_service_owner, r.notify_support_team_manager,
    r.notify_support_team_coordinator, r.notify_first_line_team_manager, r.notify_first_line_team_coordinator
    FROM sla_notification_rules r JOIN sla_notification_schemes s ON s.id = r.sla_notification_scheme_id WHERE r.account_id = $1 AND NOT s.disabled ORDER BY r.threshold_percentage`),
  followUps: jsonStatement<FollowUp & { id: number }>(`SELECT f.id, coalesce(f.auto_complete, false) AS auto_complete, (SELECT coalesce(json_agg(r.nr_of_business_days ORDER BY r.nr_of_business_days), '[]') FROM waiting_for_customer_rules r WHERE r.waiting_for_customer_follow_up_id = f.id) AS days
    FROM waiting_for_customer_follow_ups f WHERE f.account_id = $1 AND NOT f.disabled`),
};

const byId = <T extends { id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));

function groupBy<Key, Value>(values: readonly Value[], key: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group === undefined) groups.set(key(value), [value]);
    else group.push(value);
  }
  return groups;
}

async function loadFromDatabase(database: Database, account: string): Promise<Agreements> {
  const [accounts, slaRows, parentRows, instances, offerings, standards, templates, calendars, schemes, followUps] =
    await Promise.all([
      queryRows(database, statements.account, [account]),
      queryRows(database, statements.slas, [account]),
      queryRows(database, statements.parents, [account]),
      queryRows(database, statements.instances, [account]),
      queryRows(database, statements.offerings, [account]),
      queryRows(database, statements.standards, [account]),
      queryRows(database, statements.templates, [account]),
      queryRows(database, statements.calendars, [account]),
      queryRows(database, statements.schemes, [account]),
      queryRows(database, statements.followUps, [account]),
    ]);
  const slas = byId(slaRows);
  const parents = parentRows.flatMap(({ sla, instance, relation }): ParentInstance[] => {
    const found = slas.get(sla);
    return found?.coverage === "service_instances" ? [{ instance, relation, sla: found }] : [];
  });
  return {
    slas,
    slasByServiceInstance: groupBy(slaRows, (sla) => sla.service_instance),
    instances: byId(instances),
    parentsByServiceInstance: groupBy(parents, ({ sla }) => sla.service_instance),
    offerings: byId(offerings),
    standardServiceRequests: new Map(
      standards.map((row) => [`${row.service_offering} ${row.request_template}`, row] as const),
    ),
    templates: byId(templates),
    notificationSchemes: groupBy(schemes, ({ scheme }) => scheme),
    followUps: byId(followUps),
    activeTimeFor: buildActiveTimes(byId(calendars), accounts[0]?.time_zone ?? null),
  };
}

/** Prepares each combination of calendar and time zone once. */
function buildActiveTimes(
  calendars: ReadonlyMap<number, Calendar>,
  accountZone: string | null,
): Agreements["activeTimeFor"] {
  const prepared = new Map<string, ActiveTime>();
  return (calendar, zone) => {
    const key = `${calendar} ${zone}`;
    let time = prepared.get(key);
    if (time === undefined) {
      const rows = calendar === null ? null : (calendars.get(calendar) ?? null);
      time = getActiveTime(rows, toIanaZone(zone ?? accountZone));
      prepared.set(key, time);
    }
    return time;
  };
}

// biome-ignore format: a table keeps its columns
export const cachedTypes: ReadonlySet<string> = new Set([
  "account", "sla", "parent_service_instance", "service", "service_instance", "service_offering", "standard_service_request", "request_template",
  "calendar", "calendar_hour", "holiday", "sla_notification_scheme", "sla_notification_rule", "waiting_for_customer_follow_up", "waiting_for_customer_rule",
]);
const channel = "agreements_changed";
const notifyAgreementsChanged = statement(`NOTIFY ${channel}`);

/** Caches only while invalidations can arrive; without a connection every call reads the database. */
class AgreementCache {
  private readonly database: Database;
  private listener: PgListener | null = null;
  private cached = new Map<string, Promise<Agreements>>();

  constructor(database: Database) {
    this.database = database;
  }

  subscribe(listener: PgListener): void {
    this.listener = listener;
    listener.subscribe(channel, () => this.invalidate());
  }

  invalidate(): void {
    this.cached = new Map();
  }

  get(account: string): Promise<Agreements> {
    const hit = this.cached.get(account);
    if (hit !== undefined) return hit;
    const loading = loadFromDatabase(this.database, account);
    if (this.listener?.isConnected || this.database.isSingleTransaction) {
      const { cached } = this;
      cached.set(account, loading);
      loading.catch(() => cached.delete(account));
    }
    return loading;
  }
}

const caches = new WeakMap<Database, AgreementCache>();

export function getAgreementCache(database: Database): AgreementCache {
  const cache = caches.get(database) ?? new AgreementCache(database);
  caches.set(database, cache);
  return cache;
}

export const loadAgreements = (tx: Transaction, account: string): Promise<Agreements> =>
  getAgreementCache(tx.database).get(account);

/** Runs for every change event. */
export function invalidateAgreementsOnChange(
  tx: Transaction,
  _by: Caller | null,
  { type, changes, before }: ChangeEvent,
): void {
  // An organization with another parent may become external.
  const affectsAgreements =
    cachedTypes.has(type.name) || (type.name === "organization" && before !== null && "parent" in changes);
  if (!affectsAgreements) return;
  const cache = getAgreementCache(tx.database);
  cache.invalidate();
  tx.send(notifyAgreementsChanged);
  tx.afterCommit(() => cache.invalidate());
}
