import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { scimState } from "../../records/answers/provisioning.ts";
import { statement } from "../database/database.ts";
import type { Scim } from "./scim-context.ts";
import { listScimTokens } from "./tokens.ts";

const countAll = statement(
  `SELECT (SELECT count(*) FROM scim_users WHERE account_id = $1 AND active AND NOT deleted),
  (SELECT count(*) FROM scim_users WHERE account_id = $1 AND NOT active),
  (SELECT count(*) FROM scim_users WHERE account_id = $1 AND failed),
  (SELECT count(*) FROM scim_groups WHERE account_id = $1)`,
);
const maxRuns = 20;
const selectRuns = statement(
  `SELECT coalesce(json_agg(x), '[]') FROM (
  SELECT n.* FROM (SELECT id FROM automation_rules WHERE account_id = $1 AND generic IN ('scim_user', 'scim_group') LIMIT 100) r,
  LATERAL (SELECT id, rule_id, rule_name, record_type, record_id, started_at, outcome, actions, error FROM automation_runs
    WHERE rule_id = r.id AND account_id = $1 ORDER BY id DESC LIMIT ${maxRuns}) n
  ORDER BY n.id DESC LIMIT ${maxRuns}) x`,
);

type ScimState = AnswerOf<typeof scimState>;

/** Whether provisioning is on, how much there is, and what rules did last. */
export async function loadScimState(scim: Pick<Scim, "engine">, account: string): Promise<Omit<ScimState, "base_url">> {
  const { database } = scim.engine;
  const owner = { account, person: 0, zone: "UTC" };
  const [tokens, [counts = []], [runs]] = await Promise.all([
    listScimTokens(scim, account),
    database.readMany(countAll, [account], owner),
    database.readMany(selectRuns, [account], owner),
  ]);
  const [active = 0, inactive = 0, failed = 0, groups = 0] = counts.map(Number);
  return {
    enabled: tokens.length > 0,
    tokens,
    users: { active, inactive, failed },
    groups,
    runs: JSON.parse(runs?.[0] ?? "[]"),
  };
}
