import type { Value } from "../../engine/kinds/kind.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { lockRowsNoWait, statement } from "../../storage/database.ts";
import { parseNumberOrNull } from "../shared/parse-number.ts";

// Requests that are dealt with together: GR1 to GR12.

/** GR6: what the requests of a group have from it. */
const sharedFields = [
  ...["status", "completion_reason", "team", "member", "impact", "service_instance", "waiting_until"],
  "desired_completion_at",
];

const selectRequest = statement(
  "SELECT grouping, status, subject, category, impact, service_instance_id, team_id, member_id, template_id FROM requests WHERE id = $1",
);
const selectMembers = statement(
  "SELECT id, status, impact FROM requests WHERE grouped_into_id = $1 AND life_cycle = 'active' ORDER BY id",
);
const selectGroup = statement("SELECT status, category, impact FROM requests WHERE id = $1");

/** GR1: the group that the two become part of is a request of its own. */
async function createGroup({ create }: Change, other: readonly (string | null)[]): Promise<number> {
  const [, , subject, category, impact, instance, team, member, template] = other;
  return create("request", {
    grouping: "group",
    subject: subject ?? null,
    category: category ?? null,
    impact: impact ?? null,
    service_instance: parseNumberOrNull(instance),
    team: parseNumberOrNull(team),
    member: parseNumberOrNull(member),
    template: parseNumberOrNull(template),
  });
}

/** Part of `check`, before the status is looked at. */
export async function joinGroup(change: Change): Promise<void> {
  const { tx, id, by, before, after, changed, given, cause, problem } = change;
  const follows = before?.grouping === "grouped" && after.grouped_into !== null;
  if (follows && cause === null && !by.isService && !given.has("satisfaction"))
    for (const name of sharedFields) if (changed.has(name)) problem(name, "is not valid"); // GR7
  const [old, wanted] = [before?.grouped_into ?? null, after.grouped_into as number | null];
  if (old === wanted) return;
  if (wanted === null)
    after.grouping = "none"; // GR9
  else {
    // Two that want the same request at the same moment become one group with it, or one of them is refused.
    await lockRowsNoWait(tx, "requests", [wanted]);
    const [other] = await tx.query(selectRequest, [wanted]);
    if (other === undefined) return;
    const isWrong =
      wanted === id || before?.grouping === "group" || other[0] === "grouped" || after.status === "completed"; // GR3
    if (isWrong || other[1] === "completed") return problem("grouped_into", "is not valid");
    if (other[0] === "none") {
      const group = await createGroup(change, other);
      after.grouped_into = group;
      change.runAfterSave(async () => void (await change.update("request", wanted, { grouped_into: group })));
    }
    after.grouping = "grouped";
  }
  change.runAfterSave(async () => {
    await lockRowsNoWait(tx, "requests", [old, after.grouped_into].filter((id) => id !== null) as number[]);
    if (old !== null) await updateGroupAfterLeave(change, old as number);
    if (after.grouped_into !== null) await raiseImpact(change, after.grouped_into as number);
  });
}

const raisedImpacts: Record<string, string> = { low: "high", medium: "top" };

/** GR4: with the second request of an incident group it is more than one person's matter. */
async function raiseImpact({ tx, update }: Change, group: number): Promise<void> {
  const members = await tx.query(selectMembers, [group]);
  const [row] = await tx.query(selectGroup, [group]);
  if (members.length !== 2 || row?.[1] !== "incident") return;
  const impact = raisedImpacts[String(row[2])];
  if (impact !== undefined) await update("request", group, { impact });
  else
    for (const [id, status, own] of members)
      if (status !== "completed" && raisedImpacts[String(own)] !== undefined)
        await update("request", Number(id), { impact: raisedImpacts[String(own)] as string });
}

/** GR10: a group of nobody is no longer needed; another one looks at its targets again. */
async function updateGroupAfterLeave({ tx, create, update }: Change, group: number): Promise<void> {
  const [row] = await tx.query(selectGroup, [group]);
  if (row?.[0] === "completed") return;
  if ((await tx.query(selectMembers, [group])).length > 0) {
    await update("request", group, {});
    return;
  }
  await create("note", {
    request: group,
    text: "Completed because no request is left in the group.",
    medium: "system",
  });
  await update("request", group, { status: "completed", completion_reason: "withdrawn" });
}

/** A group that is erased leaves nobody grouped. */
export const ungroupMembers = statement("UPDATE requests SET grouping = 'none' WHERE grouped_into_id = $1");

const isMoment = (value: Value | undefined): boolean => typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
const isSameValue = (one: Value | undefined, other: Value | undefined): boolean =>
  one === other || (isMoment(one) && isMoment(other) && Date.parse(String(one)) === Date.parse(String(other)));

/** GR6: whether the request does what its group does. */
export const isCausedByGroup = ({ after, cause }: Change): boolean =>
  cause?.type === "request" && after.grouping === "grouped" && cause.id === after.grouped_into;

/** Who changes a group waits for its requests: a request that changes its group does not wait for it. */
export async function updateGroup({ tx, update }: Change, group: number, values: Values): Promise<void> {
  await lockRowsNoWait(tx, "requests", [group]);
  await update("request", group, values);
}

/** Part of `saved`: GR6, GR8 and GR12. */
export async function syncGroup(change: Change): Promise<void> {
  const { tx, id, before, after, cause, update } = change;
  if (after.grouping === "grouped" && cause?.id !== after.grouped_into) {
    const hasJoined = before?.grouped_into !== after.grouped_into;
    if (hasJoined || !isSameValue(before?.next_target_at, after.next_target_at))
      change.runAfterSave(() => updateGroup(change, after.grouped_into as number, {}));
  }
  if (before === null || after.grouping !== "group") return;
  const names = new Set(sharedFields.filter((name) => !isSameValue(before[name] ?? null, after[name] ?? null)));
  if (names.size === 0) return;
  if (names.has("status")) for (const name of ["completion_reason", "waiting_until"]) names.add(name);
  if (names.has("team") || names.has("member")) for (const name of ["team", "member"]) names.add(name);
  const values: Values = Object.fromEntries([...names].map((name) => [name, after[name] ?? null]));
  const members = (await tx.query(selectMembers, [id])).filter(([, status]) => status !== "completed");
  for (const [member] of members) await update("request", Number(member), values);
  if (members.length > 0) await update("request", id, {});
}

const selectEarliestTarget = statement(
  "SELECT min(next_target_at) FROM requests WHERE grouped_into_id = $1 AND status <> 'completed' AND next_target_at LIKE '____-%'",
);

/** GR12: a group has no targets of its own. */
export async function loadNextTargetOfGroup({ tx, id, after }: Change): Promise<Value> {
  if (after.status === "completed") return null;
  return (await tx.query(selectEarliestTarget, [id]))[0]?.[0] ?? "best_effort";
}
