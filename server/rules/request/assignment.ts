import type { Change } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { isInternal } from "../people/organization.ts";
import { buildAncestorsCte, buildOrganizationOfPersonSql } from "../people/organization-ancestors.ts";
import { isAssignedToOwnTeam } from "./participant-accounts.ts";

// Who gets a request: RQ8, RQ9, RQ20.

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
const selectTeamOfServiceInstance = statement(
  "SELECT coalesce(first_line_team_id, support_team_id) FROM service_instances WHERE id = $1",
);
const selectServiceDeskOfPerson = statement(
  `${buildAncestorsCte(buildOrganizationOfPersonSql("$1"))} SELECT service_desk_team_id FROM flsas
WHERE status = 'active' AND account_id = $2 AND service_desk_team_id IS NOT NULL AND customer_id IN (SELECT id FROM above)
ORDER BY id LIMIT 1`,
);

const firstId = (rows: readonly (readonly unknown[])[]): number | null =>
  rows[0]?.[0] == null ? null : Number(rows[0][0]);

/** The first team a person belongs to, in the order of RQ20. */
export const findTeamOfPerson = async (
  { tx, account, participant: side, after }: Change,
  person: number,
): Promise<number | null> =>
  firstId(
    await tx.query(selectTeamOfPerson, [person, (after.service_instance ?? null) as number | null, side ?? account]),
  );

/** The team a request without one goes to. */
async function findDefaultTeam(change: Change): Promise<number | null> {
  const { tx, account, after } = change;
  const instance = after.service_instance as number | null;
  const ofInstance = instance === null ? null : firstId(await tx.query(selectTeamOfServiceInstance, [instance]));
  if (ofInstance !== null || after.requested_for === null) return ofInstance;
  return firstId(await tx.query(selectServiceDeskOfPerson, [after.requested_for as number, account]));
}

/** Fills team and supplier from what the call or its template says. */
export async function chooseTeamAndMember(change: Change): Promise<void> {
  const { before, after, changed } = change;
  const isNew = before === null;
  if (!changed.has("team")) {
    const isMoved = !isNew && changed.has("service_instance") && after.team === before.team;
    const byMember = changed.has("member") && after.member !== null && (isNew || isMoved || after.team === null);
    const ofMember = byMember ? await findTeamOfPerson(change, after.member as number) : null;
    const isOpen = (isNew && after.team === null) || isMoved;
    after.team = ofMember ?? (isOpen ? await findDefaultTeam(change) : null) ?? after.team ?? null;
  }
  // Who worked on it for the team before does not follow it to the next one.
  const hasMemberOfBefore = before?.member === after.member && !changed.has("member");
  if (!isNew && before.team !== after.team && hasMemberOfBefore) after.member = null;
  if (changed.has("service_instance") && !changed.has("supplier")) after.supplier = await findExternalProvider(change);
}

/** When it is known who gets the request. */
export async function countAssignment(change: Change): Promise<void> {
  const { before, after } = change;
  if (after.team !== null && after.team !== before?.team && (await isAssignedToOwnTeam(change)))
    after.assignment_count = Number(after.assignment_count ?? 0) + 1;
}

/** The provider of the service instance, when that is no organization of ours. */
async function findExternalProvider({ tx, by, after }: Change): Promise<number | null> {
  if (after.service_instance === null) return null;
  const internal = isInternal("provider_id", by);
  let used = 1;
  const built = statement(
    `SELECT s.provider_id FROM services s JOIN service_instances i ON i.service_id = s.id WHERE i.id = $1 AND NOT (${internal.sql("s", () => `$${++used}`)})`,
  );
  return firstId(await tx.query(built, [after.service_instance as number, ...internal.values]));
}
