import type { Moment } from "../../business-time/moment.ts";
import { computeNotificationMoment, type SlaFacts } from "../../business-time/sla-times.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import type { Engine } from "../../engine/engine.ts";
import { triggerNotification } from "../../mail/notification-outbox.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import {
  type AffectedSlaRow,
  buildSlaFacts,
  loadAffectedSlaRows,
  writeSentNotifications,
} from "./affected-sla-rows.ts";
import { type Agreements, loadAgreements, type SlaNotificationRule } from "./agreement-cache.ts";

// Emails when a share of a target has passed: FU2. Each affected SLA has one job, for the rule that is due next; a
// change of the targets moves the job.

export const slaNotificationJob = "sla notification";
type DueNotification = { account: string; request: number; sla: number };

const targets = ["response", "resolution"] as const;
type PlannedNotification = { target: (typeof targets)[number]; rule: SlaNotificationRule; at: Moment; name: string };

/** The rules that have not fired yet, each with its moment; none while the clock is stopped. */
function listPlannedNotifications(
  agreements: Agreements,
  category: string,
  row: AffectedSlaRow,
  facts: SlaFacts,
): PlannedNotification[] {
  const schemes = pickNotificationSchemes(agreements, category, row);
  if (schemes === undefined) return [];
  return targets.flatMap((target) => {
    const scheme = schemes[target];
    return (scheme === null ? [] : (agreements.notificationSchemes.get(scheme) ?? [])).flatMap((rule) => {
      const name = `${target} ${rule.id}`;
      const at = row.notified.includes(name)
        ? null
        : computeNotificationMoment(facts, target, rule.threshold_percentage);
      return at === null ? [] : [{ target, rule, at, name }];
    });
  });
}

function pickNotificationSchemes(agreements: Agreements, category: string, row: AffectedSlaRow) {
  const offering = agreements.slas.get(row.sla_id)?.service_offering;
  if (offering === undefined) return undefined;
  if (row.standard_service_request_id !== null)
    return [...agreements.standardServiceRequests.values()].find(({ id }) => id === row.standard_service_request_id)
      ?.schemes;
  if (category !== "incident" || row.impact === null) return undefined;
  return agreements.offerings.get(offering)?.schemes[row.impact];
}

export function getNextNotificationAt(
  agreements: Agreements,
  category: string,
  row: AffectedSlaRow,
  facts: SlaFacts,
): Moment | null {
  const moments = listPlannedNotifications(agreements, category, row, facts).map(({ at }) => at);
  return moments.length === 0 ? null : Math.min(...moments);
}

const buildJobKey = (request: number, row: AffectedSlaRow): string => `${request} ${row.sla_id}`;

export function scheduleSlaNotification(
  tx: Transaction,
  account: string,
  request: number,
  row: AffectedSlaRow,
  planned: Moment | null,
): void {
  if (row.notify_at === planned) return;
  const key = buildJobKey(request, row);
  const payload: DueNotification = { account, request, sla: row.sla_id };
  if (row.notify_at === null) deleteJob(tx, slaNotificationJob, key);
  else addJob(tx, { kind: slaNotificationJob, key, account, payload, runAt: new Date(row.notify_at) });
}

// Locks the request first, in the order in which a save takes its locks.
const lockRequest = statement(
  "SELECT category, member_id FROM requests WHERE id = $1 AND account_id = $2 AND life_cycle = 'active' FOR NO KEY UPDATE",
);
const selectRecipients = statement(
  `SELECT (SELECT v.service_owner_id FROM service_instances i JOIN services v ON v.id = i.service_id WHERE i.id = $1),
  s.manager_id, s.coordinator_id, f.manager_id, f.coordinator_id
FROM (SELECT 1) one LEFT JOIN teams s ON s.id = $2 LEFT JOIN teams f ON f.id = $3`,
);

/** The job: every rule that is due notifies its recipients, once. */
export async function runSlaNotification(engine: Engine, { account, request, sla }: DueNotification): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const now = engine.clock.now();
    const [requestRow] = await tx.query(lockRequest, [request, account]);
    const row = (await loadAffectedSlaRows(tx, account, request)).find(({ sla_id }) => sla_id === sla);
    if (requestRow === undefined || row === undefined) return;
    const agreements = await loadAgreements(tx, account);
    const category = requestRow[0] ?? "";
    const assignee = parseNumberOrNull(requestRow[1]);
    const facts = buildSlaFacts(agreements, row);
    const due = listPlannedNotifications(agreements, category, row, facts).filter(({ at }) => at <= now.getTime());
    for (const { target, rule } of due) {
      const people = await loadRecipients(tx, row, rule, assignee);
      const notification = {
        ...{ type: "request", id: request, account, by: null, values: {}, people },
        facts: { percentage: rule.threshold_percentage },
      };
      triggerNotification(tx, `request/upcoming_asla_${target}_target`, notification, now);
    }
    const next: AffectedSlaRow = { ...row, notified: [...row.notified, ...due.map(({ name }) => name)] };
    next.notify_at = getNextNotificationAt(agreements, category, next, facts);
    writeSentNotifications(tx, account, next);
    scheduleSlaNotification(tx, account, request, next, null);
  });
}

async function loadRecipients(
  tx: Transaction,
  row: AffectedSlaRow,
  rule: SlaNotificationRule,
  assignee: number | null,
): Promise<number[]> {
  const ids = [row.service_instance_id, row.support_team_id, row.first_line_team_id];
  const [people = []] = await tx.query(selectRecipients, ids);
  const [owner, supportManager, supportCoordinator, firstLineManager, firstLineCoordinator] =
    people.map(parseNumberOrNull);
  const recipients = [
    rule.notify_current_assignee ? assignee : null,
    rule.notify_service_owner ? owner : null,
    rule.notify_support_team_manager ? supportManager : null,
    rule.notify_support_team_coordinator ? supportCoordinator : null,
    rule.notify_first_line_team_manager ? firstLineManager : null,
    rule.notify_first_line_team_coordinator ? firstLineCoordinator : null,
  ];
  return recipients.filter((id) => id != null);
}
