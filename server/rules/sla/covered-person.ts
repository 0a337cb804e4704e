import type { PersonMemberships } from "../../business-time/affected-slas.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { buildAncestorsCte } from "../people/organization-ancestors.ts";
import type { Sla } from "./agreement-cache.ts";

// Starts from the person, so that the cost does not depend on the number of SLAs and the people they list, and reads only
// what the coverages in $2 compare.
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

type MembershipList = "ancestors" | "skill_pools" | "teams" | "slas" | "service_instances";
/** A list is null when the person is in none, or when no coverage needs the list. */
type StoredPerson = Omit<PersonMemberships, MembershipList> & { [N in MembershipList]: PersonMemberships[N] | null };

const parsePerson = (text: string): PersonMemberships => {
  const person: StoredPerson = JSON.parse(text);
  return {
    ...person,
    ancestors: person.ancestors ?? [],
    skill_pools: person.skill_pools ?? [],
    teams: person.teams ?? [],
    slas: person.slas ?? [],
    service_instances: person.service_instances ?? [],
  };
};

const listCoverages = (slas: readonly Sla[]): string[] => [...new Set(slas.map(({ coverage }) => coverage))].sort();

/** Sends what `loadCoveredPerson` will ask for. */
export function readCoveredPersonAhead(tx: Transaction, id: number, slas: readonly Sla[]): void {
  if (slas.length > 0) tx.readAhead(selectCoveredPerson, [id, listCoverages(slas)]);
}

/** A person with the memberships that the coverages of these SLAs compare. */
export async function loadCoveredPerson(
  tx: Pick<Transaction, "query">,
  id: number | null,
  slas: readonly Sla[],
): Promise<PersonMemberships | null> {
  if (id === null || slas.length === 0) return null;
  const [row] = await tx.query(selectCoveredPerson, [id, listCoverages(slas)]);
  return row?.[0] == null ? null : parsePerson(row[0]);
}
