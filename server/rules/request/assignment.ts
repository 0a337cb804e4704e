import type { request } from "../../../records/work/request.ts";
import { type IncludedRead, statement } from "../../database/database.ts";
import { parseFirstId, parseNumberOrNull } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Change, ReferenceFacts } from "../../engine/rules.ts";
import type { Query } from "../../engine/sql/query.ts";
import { buildBoardOfTeamSql, selectBoardOfTeam } from "../board/board.ts";
import { getAccountAndDirectory } from "../people/organization.ts";
import { buildAncestorsCte, buildOrganizationOfPersonSql } from "../people/organization-ancestors.ts";
import { isAssignedToOwnTeam } from "./participant-accounts.ts";

// Team, member and supplier of a request: RQ8, RQ9, RQ20.

type RequestChange = Change<typeof request>;

const serviceDeskTeamsSql = "SELECT service_desk_team_id FROM flsas WHERE status = 'active' AND account_id =";
const selectTeamOfPerson = statement(
  `SELECT t.id FROM teams t JOIN team_members m ON m.team_id = t.id AND m.person_id = $1
LEFT JOIN service_instances i ON i.id = $2
WHERE NOT t.disabled AND (t.account_id = $3 OR t.account_id = i.account_id)
ORDER BY CASE
  WHEN t.id IN (${serviceDeskTeamsSql} $3) THEN 1
  WHEN t.id IN (${serviceDeskTeamsSql} i.account_id) THEN 2
  WHEN t.id = i.first_line_team_id THEN 3
  WHEN t.id = i.support_team_id THEN 4
  ELSE 5 END, t.name, t.id LIMIT 1`,
);
const selectServiceDeskOfPerson = statement(
  `${buildAncestorsCte(buildOrganizationOfPersonSql("$1"))} SELECT service_desk_team_id FROM flsas
WHERE status = 'active' AND account_id = $2 AND service_desk_team_id IS NOT NULL AND customer_id IN (SELECT id FROM above)
ORDER BY id LIMIT 1`,
);

/** The first team of a person, in the order of RQ20. Only requests have a service instance. */
export async function findTeamOfPerson(change: Change, person: number): Promise<number | null> {
  const { tx, account, participant, after } = change;
  const instance = typeof after.service_instance === "number" ? after.service_instance : null;
  return parseFirstId(await tx.query(selectTeamOfPerson, [person, instance, participant ?? account]));
}

/** RQ8: the team of a request that has none. */
async function findDefaultTeam(change: RequestChange): Promise<number | null> {
  const { tx, account, after } = change;
  const { team } = await loadInstanceFacts(change);
  if (team !== null || after.requested_for === null) return team;
  return parseFirstId(await tx.query(selectServiceDeskOfPerson, [after.requested_for, account]));
}

/** RQ8, RQ9: fills team and supplier from what the call or its template gives. */
export async function chooseTeamAndSupplier(change: RequestChange): Promise<void> {
  const { before, after, changed } = change;
  if (!changed.has("team")) after.team = await chooseTeam(change);
  // The member of the old team does not follow the request to another one.
  const keepsMember = before?.member === after.member && !changed.has("member");
  if (before !== null && before.team !== after.team && keepsMember) after.member = null;
  if (changed.has("service_instance") && !changed.has("supplier")) after.supplier = await findExternalProvider(change);
}

/** R32: another service instance looks for a team again, unless the template has just set one. */
async function chooseTeam(change: RequestChange): Promise<number | null> {
  const { before, after, changed } = change;
  const isNew = before === null;
  const hasOtherInstance = !isNew && changed.has("service_instance") && after.team === before.team;
  const followsMember = changed.has("member") && (isNew || hasOtherInstance || after.team === null);
  const teamOfMember = followsMember && after.member !== null ? await findTeamOfPerson(change, after.member) : null;
  if (teamOfMember !== null) return teamOfMember;
  const needsTeam = (isNew && after.team === null) || hasOtherInstance;
  return (needsTeam ? await findDefaultTeam(change) : null) ?? after.team;
}

/** RQ22: runs when the team is final. */
export async function countAssignment(change: RequestChange): Promise<void> {
  const { before, after } = change;
  if (after.team !== null && after.team !== before?.team && (await isAssignedToOwnTeam(change)))
    after.assignment_count = (after.assignment_count ?? 0) + 1;
}

/** RQ9: the provider of the service instance, unless it is an organization of the account itself. */
async function findExternalProvider(change: RequestChange): Promise<number | null> {
  const { tx, by, after } = change;
  const { provider, isOwn } = await loadInstanceFacts(change);
  if (provider === null || isOwn) return null;
  const { statement, values } = buildExternalProviderQuery(by, after.service_instance as number);
  return parseFirstId(await tx.query(statement, values));
}

/** What a request takes over from its service instance. `isOwn`: the provider is the account or its directory itself. */
async function loadInstanceFacts({ tx, by, after: { service_instance: instance } }: RequestChange) {
  if (instance === null) return { team: null, provider: null, isOwn: false };
  const { statement, values } = buildInstanceFactsQuery(by, instance);
  const [[team, provider, organizationOfDirectory] = []] = await tx.query(statement, values);
  const found = parseNumberOrNull(provider);
  const own = [by.accountRecord.organization, parseNumberOrNull(organizationOfDirectory)];
  return { team: parseNumberOrNull(team), provider: found, isOwn: found !== null && own.includes(found) };
}

const instanceColumns = `coalesce(a.first_line_team_id, a.support_team_id), (SELECT s.provider_id FROM services s WHERE s.id = a.service_id)`;
const selectDirectoryOrganization = (directory: string): string =>
  `(SELECT c.organization_id FROM accounts c WHERE c.id = ${directory})`;
const fromInstance = "FROM service_instances a WHERE a.id = $1";
const selectInstanceFacts = statement(`SELECT ${instanceColumns}, NULL ${fromInstance}`);
const selectInstanceFactsInDirectory = statement(
  `SELECT ${instanceColumns}, ${selectDirectoryOrganization("$2")} ${fromInstance}`,
);

/** Team and provider are loaded together: a new request usually needs both. The organization of the account is known. */
function buildInstanceFactsQuery({ accountRecord: { directory } }: Caller, instance: number): Query {
  return directory === null
    ? { statement: selectInstanceFacts, values: [instance] }
    : { statement: selectInstanceFactsInDirectory, values: [instance, directory] };
}

/** `boardOf`: the team that the request will probably get, if it may go to the board of that team. */
export function buildInstanceFacts(
  by: Caller,
  { instance, boardOf }: { instance: number; boardOf: number | null },
): ReferenceFacts {
  const { directory } = by.accountRecord;
  const board: IncludedRead = {
    statement: selectBoardOfTeam,
    values: [boardOf],
    pick: (rows) => (rows.length === 0 ? null : rows.map((row) => row.slice(3))),
  };
  return {
    of: "service_instance",
    id: instance,
    columns: {
      key: `facts${directory === null ? "" : ", directory"}${boardOf === null ? "" : ", board"}`,
      sql(_alias, next) {
        const ofDirectory = directory === null ? "NULL" : selectDirectoryOrganization(next());
        return `${instanceColumns}, ${ofDirectory}${boardOf === null ? "" : `, (${buildBoardOfTeamSql(next())})`}`;
      },
      values: [directory, boardOf].filter((value) => value !== null),
    },
    asked: buildInstanceFactsQuery(by, instance),
    included: boardOf === null ? [] : [board],
  };
}

// From the provider up: an account has many more organizations below its own than a provider has above it.
const selectExternalProvider = statement(
  `SELECT s.provider_id FROM services s JOIN service_instances i ON i.service_id = s.id WHERE i.id = $1 AND NOT EXISTS (
  ${buildAncestorsCte("s.provider_id")} SELECT 1 FROM above JOIN accounts c ON c.organization_id = above.id WHERE c.id IN ($2, $3))`,
);

/** Asked only where the provider is not the account itself. */
export const buildExternalProviderQuery = (by: Caller, instance: number): Query => ({
  statement: selectExternalProvider,
  values: [instance, ...getAccountAndDirectory(by)],
});
