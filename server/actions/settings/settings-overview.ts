import type { AttentionItem, SettingsOverview } from "../../../records/answers/settings.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";

// The line of state on each card of the settings, and what needs attention. One statement each; no count looks at more
// than 100,000 rows, so the page is quick in an account of any size.

const most = 100_000;
const count = (rows: string): string => `(SELECT count(*)::integer FROM (SELECT 1 FROM ${rows} LIMIT ${most}) x)`;
/** $1: the account, $2: the account and its directory, $3: thirty days ago */
const counts: Readonly<Record<string, string>> = {
  people: count("people WHERE account_id = ANY($2::text[]) AND life_cycle = 'active' AND disabled IS NOT TRUE"),
  people_with_roles: count("(SELECT DISTINCT person_id FROM permissions WHERE account_id = $1) p"),
  teams: count("teams WHERE account_id = $1 AND disabled IS NOT TRUE"),
  skill_pools: count("skill_pools WHERE account_id = $1 AND disabled IS NOT TRUE"),
  calendars: count("calendars WHERE account_id = $1 AND disabled IS NOT TRUE"),
  holidays: count("holidays WHERE account_id = $1"),
  sites: count("sites WHERE account_id = ANY($2::text[]) AND disabled IS NOT TRUE"),
  request_templates: count("request_templates WHERE account_id = $1 AND disabled IS NOT TRUE"),
  workflow_templates: count("workflow_templates WHERE account_id = $1 AND disabled IS NOT TRUE"),
  rules_on: count("automation_rules WHERE account_id = $1 AND disabled IS NOT TRUE"),
  rules_off: count("automation_rules WHERE account_id = $1 AND disabled"),
  forms: count("ui_extensions WHERE account_id = $1 AND disabled IS NOT TRUE"),
  slas: count("slas WHERE account_id = $1 AND status = 'active'"),
  webhooks: count("webhooks WHERE account_id = $1 AND verified AND disabled IS NOT TRUE"),
  mails: count("mails WHERE account_id = $1"),
  mails_failed: count("mails WHERE account_id = $1 AND state = 'failed'"),
  identity_providers: count("identity_providers WHERE account_id = $1 AND NOT disabled"),
  webhooks_retrying: count(
    "webhooks w WHERE w.account_id = $1 AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.account_id = w.account_id AND d.state = 'waiting' AND d.tries > 0)",
  ),
  grants: count("oauth_authorizations WHERE account_id = $1"),
  applications: count("oauth_applications WHERE account_id = $1 AND disabled IS NOT TRUE"),
  calls: count("api_calls WHERE account_id = $1"),
  failed_calls: count("api_calls WHERE account_id = $1 AND status >= 400"),
  archived: count("archive WHERE account_id = $1"),
  trashed: count("trash WHERE account_id = $1"),
  changes: count("audit_lines WHERE account_id = $1 AND created_at > $3"),
};

/** The state on the card of the account. */
const selectFacts = jsonStatement<NonNullable<SettingsOverview["account"]>>(
  "SELECT time_zone, locale, currency FROM accounts WHERE id = $1",
);

const selectCounts = jsonStatement<SettingsOverview["counts"]>(
  `SELECT ${Object.entries(counts)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ")}`,
);

/** $2: the day, $3: 30 days later. At most three of a kind; the page is no list of everything. */
const selectAttention = jsonStatement<AttentionItem>(
  `(SELECT 'rule_failing' AS kind, r.rule_id AS id, a.name, r.failures AS count FROM (
  SELECT rule_id, count(*)::integer AS failures FROM (
    SELECT rule_id, outcome FROM automation_runs WHERE account_id = $1 ORDER BY id DESC LIMIT 2000) last
  WHERE outcome = 'failed' GROUP BY rule_id) r
JOIN automation_rules a ON a.id = r.rule_id AND a.account_id = $1 ORDER BY r.failures DESC, r.rule_id LIMIT 3)
UNION ALL
(SELECT 'webhook_off', id, name, 0 FROM webhooks WHERE account_id = $1 AND disabled_reason IS NOT NULL AND disabled ORDER BY id LIMIT 3)
UNION ALL
(SELECT 'webhook_unverified', id, name, 0 FROM webhooks WHERE account_id = $1 AND verified IS NOT TRUE AND disabled IS NOT TRUE ORDER BY id LIMIT 3)
UNION ALL
(SELECT 'webhook_twice', max(id)::integer, (array_agg(name ORDER BY id))[count(*)::integer], count(*)::integer FROM webhooks
WHERE account_id = $1 AND disabled IS NOT TRUE GROUP BY uri, event HAVING count(*) > 1 ORDER BY 2 LIMIT 3)
UNION ALL
(SELECT 'sla_ends', id, name, (expiry_date - $2::date)::integer FROM slas
WHERE account_id = $1 AND status = 'active' AND expiry_date >= $2::date AND expiry_date <= $3::date ORDER BY expiry_date, id LIMIT 3)
UNION ALL
(SELECT 'jobs_failed', NULL, NULL, count(*)::integer FROM jobs WHERE account_id = $1 AND dead_at IS NOT NULL HAVING count(*) > 0)`,
);

const day = 86_400_000;
const toDay = (moment: Date): string => moment.toISOString().slice(0, 10);

export async function loadSettingsOverview({ database }: Engine, by: Caller): Promise<SettingsOverview> {
  const monthAgo = new Date(by.now.getTime() - 30 * day).toISOString();
  const inAMonth = new Date(by.now.getTime() + 30 * day);
  const [found, attention, account] = await Promise.all([
    queryFirst(database, selectCounts, [by.account, by.directoryAccounts, monthAgo]),
    queryRows(database, selectAttention, [by.account, toDay(by.now), toDay(inAMonth)]),
    queryFirst(database, selectFacts, [by.account]),
  ]);
  const rules_failing = attention.filter(({ kind }) => kind === "rule_failing").length;
  return { counts: { ...found, rules_failing }, attention, account };
}
