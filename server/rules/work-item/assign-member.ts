import type { problem } from "../../../records/work/problem.ts";
import type { request } from "../../../records/work/request.ts";
import type { Change } from "../../engine/rules.ts";
import { selectTeamMember } from "../people/team.ts";
import { findTeamOfPerson } from "../request/assignment.ts";

// The member of a request or a problem when the call names none: R20 to R22, RQ20.

type WorkItemChange = Change<typeof request | typeof problem>;

/** R20, R21: the caller becomes the member, in the present team or in the first team of the caller. */
export async function assignToCaller(change: WorkItemChange): Promise<void> {
  const { tx, by, after, given } = change;
  if (by.isService) return;
  if (after.team !== null && (await tx.query(selectTeamMember, [after.team, by.person])).length > 0)
    after.member = by.person;
  else if (!given.has("team")) await assignToPerson(change, by.person);
}

/** R22: a person becomes the member, with the first of the person's teams. A person without a team changes nothing. */
export async function assignToPerson(change: WorkItemChange, person: number): Promise<void> {
  const { after, given } = change;
  if (given.has("member") || given.has("team")) return;
  const team = await findTeamOfPerson(change, person);
  if (team === null) return;
  after.team = team;
  after.member = person;
}
