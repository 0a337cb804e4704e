import type { PersonMemberships } from "../../business-time/affected-slas.ts";
import { type IncludedRead, type Statement, statement, type Transaction } from "../../storage/database.ts";
import { buildAncestorsCte, selectOrganizationOfPerson } from "../people/organization-ancestors.ts";
import type { Sla } from "./agreement-cache.ts";

/** What a coverage compares: the member of `StoredPerson`, and the query of it. */
const membershipsByCoverage: Readonly<Record<string, readonly [MembershipList, string]>> = {
  organizations_and_descendants: [
    "ancestors",
    `${buildAncestorsCte("p.organization_id")} SELECT json_agg(id) FROM above WHERE id <> p.organization_id`,
  ],
  skill_pools: ["skill_pools", "SELECT json_agg(m.skill_pool_id) FROM skill_pool_members m WHERE m.person_id = p.id"],
  service_instances: ["teams", "SELECT json_agg(m.team_id) FROM team_members m WHERE m.person_id = p.id"],
  people: ["slas", "SELECT json_agg(l.sla_id) FROM sla_people l WHERE l.person_id = p.id"],
  cis_of_service_instance: [
    "service_instances",
    "SELECT json_agg(DISTINCT c.service_instance_id) FROM ci_users u JOIN service_instance_cis c ON c.ci_id = u.ci_id WHERE u.person_id = p.id",
  ],
};

/**
 * Starts from the person, so that the cost does not depend on the number of SLAs and the people they list, and reads only what the
 * coverages compare: PostgreSQL prepares every query in a statement at every call, also one that it does not run.
 */
function buildPersonStatement(slas: readonly Sla[]): Statement {
  const coverages = new Set(slas.map(({ coverage }) => coverage));
  const members = Object.entries(membershipsByCoverage).flatMap(([coverage, [member, query]]) =>
    coverages.has(coverage as Sla["coverage"]) ? [`, '${member}', (${query})`] : [],
  );
  return statement(
    `SELECT json_build_object('account', p.account_id, 'organization', p.organization_id, 'site', p.site_id${members.join("")}), p.organization_id FROM people p WHERE p.id = $1`,
  );
}

type MembershipList = "ancestors" | "skill_pools" | "teams" | "slas" | "service_instances";
/** A list is null when the person is in none, and left out when no coverage needs it. */
type StoredPerson = Omit<PersonMemberships, MembershipList> & { [N in MembershipList]?: PersonMemberships[N] | null };

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

/** Sends what `loadCoveredPerson` will ask for, or else for the organization of the person, which it includes. */
export function readCoveredPersonAhead(tx: Transaction, id: number, slas: readonly Sla[]): void {
  if (slas.length === 0) {
    tx.readAhead(selectOrganizationOfPerson, [id]);
    return;
  }
  const organization: IncludedRead = {
    statement: selectOrganizationOfPerson,
    values: [id],
    pick: (rows) => rows.map((row) => [row[1] ?? null]),
  };
  tx.readAhead(buildPersonStatement(slas), [id], [organization]);
}

/** A person with the memberships that the coverages of these SLAs compare. */
export async function loadCoveredPerson(
  tx: Pick<Transaction, "query">,
  id: number | null,
  slas: readonly Sla[],
): Promise<PersonMemberships | null> {
  if (id === null || slas.length === 0) return null;
  const [row] = await tx.query(buildPersonStatement(slas), [id]);
  return row?.[0] == null ? null : parsePerson(row[0]);
}
