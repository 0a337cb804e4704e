import type { Change } from "../../engine/rules.ts";
import { selectTeamMember } from "../people/team.ts";
import { findTeamOfPerson } from "../request/assignment.ts";

// Who works on a request or a problem when nobody says: R20 to R22, RQ20.

/** R20, R21: whoever acts takes it up, in its team or in the first own one. Without such a team nothing changes. */
export async function assignToCaller(change: Change): Promise<void> {
  const { tx, by, after, given } = change;
  if (by.isService) return;
  if (after.team !== null && (await tx.query(selectTeamMember, [after.team as number, by.person])).length > 0)
    after.member = by.person;
  else if (!given.has("team")) await assignToPerson(change, by.person);
}

/** R22: somebody gets it, with the first team of theirs. */
export async function assignToPerson(change: Change, person: number): Promise<void> {
  const { after, given } = change;
  if (given.has("member") || given.has("team")) return;
  const team = await findTeamOfPerson(change, person);
  if (team === null) return;
  after.team = team;
  after.member = person;
}
