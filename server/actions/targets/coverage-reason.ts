import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { coverageReason } from "../../../records/answers/targets.ts";
import type { PersonMemberships } from "../../business-time/affected-slas.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Sla } from "../../rules/sla/agreement-cache.ts";

/** The record by which an SLA covers a person: the site where they work, the organization they belong to. */
export type CoverageReason = AnswerOf<typeof coverageReason>;

type Candidate = { type: string; ids: readonly number[] };

/** The records that the coverage of the SLA and the memberships of the person have in common, the nearest first. */
const candidates: Record<string, (sla: Sla, person: PersonMemberships) => Candidate> = {
  organizations: (sla, { organization }) => pickListed("organization", [organization], sla.organizations),
  organizations_and_descendants: (sla, { organization, ancestors }) =>
    pickListed("organization", [organization, ...ancestors], sla.organizations),
  sites: (sla, { site }) => pickListed("site", [site], sla.sites),
  organizations_and_sites: (sla, { site }) => pickListed("site", [site], sla.sites),
  skill_pools: (sla, { skill_pools }) => pickListed("skill_pool", skill_pools, sla.skill_pools),
  service_instances: (sla, { teams }) => pickListed("team", teams, sla.support_teams),
};

const pickListed = (type: string, ids: readonly (number | null)[], listed: readonly number[]): Candidate => ({
  type,
  ids: ids.filter((id): id is number => id !== null && listed.includes(id)),
});

// biome-ignore format: a table keeps its columns
const selectNames: Record<string, ReturnType<typeof statement>> = {
  organization: statement("SELECT id, name FROM organizations WHERE id = $1"),
  site:         statement("SELECT id, name FROM sites WHERE id = $1"),
  skill_pool:   statement("SELECT id, name FROM skill_pools WHERE id = $1"),
  team:         statement("SELECT id, name FROM teams WHERE id = $1"),
};
const selectAccount = statement("SELECT id, name FROM accounts WHERE id = $1");
const selectUsedItem = statement(
  `SELECT c.id, coalesce(c.label, c.name) FROM ci_users u JOIN service_instance_cis s ON s.ci_id = u.ci_id JOIN cis c ON c.id = u.ci_id
WHERE u.person_id = $1 AND s.service_instance_id = $2 ORDER BY c.id LIMIT 1`,
);

/** Null where the person is named by the SLA itself, or where nothing in common is left. */
export async function loadCoverageReason(
  { query }: Pick<Transaction, "query">,
  sla: Sla,
  person: PersonMemberships,
  personId: number,
): Promise<CoverageReason | null> {
  if (sla.coverage === "customer_account") return toReason("account", await query(selectAccount, [person.account]));
  if (sla.coverage === "cis_of_service_instance")
    return toReason("ci", await query(selectUsedItem, [personId, sla.service_instance]));
  const found = candidates[sla.coverage]?.(sla, person);
  const id = found?.ids[0];
  const select = found === undefined ? undefined : selectNames[found.type];
  if (found === undefined || id === undefined || select === undefined) return null;
  return toReason(found.type, await query(select, [id]));
}

const toReason = (type: string, [row]: readonly (readonly (string | null | undefined)[])[]): CoverageReason | null =>
  row === undefined
    ? null
    : { type, id: type === "account" ? String(row[0]) : Number(row[0]), name: String(row[1] ?? "") };
