import type { PersonMemberships } from "../../business-time/affected-slas.ts";
import { type IncludedRead, type Row, type Statement, statement, type Transaction } from "../../database/database.ts";
import { parseIds, parseNumberOrNull, parseText } from "../../database/rows.ts";
import type { ReferenceFacts } from "../../engine/rules.ts";
import { selectOrganizationOfPerson } from "../people/organization-ancestors.ts";
import type { Sla } from "./agreement-cache.ts";

type MembershipList = "ancestors" | "skill_pools" | "teams" | "slas" | "service_instances";

/** A comparison of a coverage: the member of `PersonMemberships`, and its ids as JSON, from a person `a`; null for none. */
const membershipsByCoverage: readonly (readonly [coverage: string, MembershipList, sql: string])[] = [
  // The function is not called for an organization without a parent: to prepare a recursion takes longer than all the rest (D-723).
  [
    "organizations_and_descendants",
    "ancestors",
    "organizations_above((SELECT o.parent_id FROM organizations o WHERE o.id = a.organization_id))",
  ],
  [
    "skill_pools",
    "skill_pools",
    "(SELECT json_agg(m.skill_pool_id) FROM skill_pool_members m WHERE m.person_id = a.id)",
  ],
  ["service_instances", "teams", "(SELECT json_agg(m.team_id) FROM team_members m WHERE m.person_id = a.id)"],
  ["people", "slas", "(SELECT json_agg(l.sla_id) FROM sla_people l WHERE l.person_id = a.id)"],
  [
    "cis_of_service_instance",
    "service_instances",
    "(SELECT json_agg(DISTINCT c.service_instance_id) FROM ci_users u JOIN service_instance_cis c ON c.ci_id = u.ci_id WHERE u.person_id = a.id)",
  ],
];

/** The columns of a person `a` that some coverages compare, and how a row of them is read. */
type PersonColumns = { columns: string; statement: Statement; parse: (row: Row) => PersonMemberships };

const columnsByCoverages = new Map<string, PersonColumns>();

/**
 * Starts from the person, so that the cost does not depend on the number of SLAs and the people they list, and reads only what the
 * coverages compare: PostgreSQL prepares every query in a statement at every call, also one that it does not run.
 */
function pickPersonColumns(slas: readonly Sla[]): PersonColumns {
  const lists = membershipsByCoverage.filter(([coverage]) => slas.some((sla) => sla.coverage === coverage));
  const key = lists.map(([, member]) => member).join();
  const known = columnsByCoverages.get(key);
  if (known !== undefined) return known;
  const columns = ["a.account_id", "a.organization_id", "a.site_id", ...lists.map(([, , sql]) => sql)].join(", ");
  const built: PersonColumns = {
    columns,
    statement: statement(`SELECT ${columns} FROM people a WHERE a.id = $1`),
    parse(row) {
      const person: PersonMemberships = {
        account: parseText(row[0]),
        organization: parseNumberOrNull(row[1]),
        ancestors: [],
        site: parseNumberOrNull(row[2]),
        skill_pools: [],
        teams: [],
        slas: [],
        service_instances: [],
      };
      lists.forEach(([, member], at) => {
        person[member] = parseIds(row[at + 3]);
      });
      return person;
    },
  };
  columnsByCoverages.set(key, built);
  return built;
}

/** The statement of `loadCoveredPerson`, or else the organization of the person, which it includes. */
export function buildPersonFacts(id: number, slas: readonly Sla[]): ReferenceFacts {
  const { columns, statement } = pickPersonColumns(slas);
  const organization: IncludedRead = {
    statement: selectOrganizationOfPerson,
    values: [id],
    pick: (rows) => rows.map((row) => [row[1] ?? null]),
  };
  return {
    of: "person",
    id,
    columns: { key: columns, sql: () => columns, values: [] },
    asked: { statement, values: [id] },
    included: [organization],
  };
}

/** A person with the memberships that the coverages of these SLAs compare. */
export async function loadCoveredPerson(
  tx: Pick<Transaction, "query">,
  id: number | null,
  slas: readonly Sla[],
): Promise<PersonMemberships | null> {
  if (id === null || slas.length === 0) return null;
  const { statement, parse } = pickPersonColumns(slas);
  const [row] = await tx.query(statement, [id]);
  return row === undefined ? null : parse(row);
}
