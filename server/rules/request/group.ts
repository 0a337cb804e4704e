import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import type { InputOf } from "../../../records/vocabulary/index.ts";
import { request } from "../../../records/work/request.ts";
import { lockRowsNoWait, type Row, statement } from "../../database/database.ts";
import { parseChoice, parseNumberOrNull } from "../../database/rows.ts";
import type { Value } from "../../engine/kinds/kind.ts";
import type { Change } from "../../engine/rules.ts";
import { pickFields } from "../shared/pick-fields.ts";

// Request groups: GR1 to GR12.

type RequestChange = Change<typeof request>;
type Impact = EnumerationValue<"request.impact">;

/** GR6: the fields that a group copies to its members. */
const sharedFields = [
  ...(["status", "completion_reason", "team", "member", "impact", "service_instance", "waiting_until"] as const),
  "desired_completion_at",
] as const;

const selectRequest = statement(
  "SELECT grouping, status, subject, category, impact, service_instance_id, team_id, member_id, template_id FROM requests WHERE id = $1 AND account_id = $2",
);
const selectMembers = statement(
  "SELECT id, status, impact FROM requests WHERE grouped_into_id = $1 AND account_id = $2 AND life_cycle = 'active' ORDER BY id",
);
const selectGroup = statement("SELECT status, category, impact FROM requests WHERE id = $1 AND account_id = $2");

const parseImpact = (text: string | null | undefined): Impact | null => parseChoice(request.fields.impact, text);

/** GR1: the group is a new request, made from the request that was named. */
async function createGroup({ create }: RequestChange, row: Row): Promise<number> {
  const [, , subject, category, impact, instance, team, member, template] = row;
  return create("request", {
    grouping: "group",
    subject: subject ?? null,
    category: parseChoice(request.fields.category, category),
    impact: parseImpact(impact),
    service_instance: parseNumberOrNull(instance),
    team: parseNumberOrNull(team),
    member: parseNumberOrNull(member),
    template: parseNumberOrNull(template),
  });
}

/** GR7 */
function checkSharedFieldsUnchanged({ by, before, after, changed, given, cause, problem }: RequestChange): void {
  const isMember = before?.grouping === "grouped" && after.grouped_into !== null;
  if (!isMember || cause !== null || by.isService || given.has("satisfaction")) return;
  for (const name of sharedFields) if (changed.has(name)) problem(name, "is not valid");
}

/** Runs before the status is settled: the checks of the status depend on the grouping. */
export async function joinGroup(change: RequestChange): Promise<void> {
  const { tx, id, account, before, after, problem } = change;
  checkSharedFieldsUnchanged(change);
  const [previous, wanted] = [before?.grouped_into ?? null, after.grouped_into];
  if (previous === wanted) return;
  if (wanted === null)
    after.grouping = "none"; // GR9
  else {
    // Of two requests that name a third at the same moment, the second joins the group of the first or is refused.
    await lockRowsNoWait(tx, "requests", [wanted], account);
    const [row] = await tx.query(selectRequest, [wanted, account]);
    if (row === undefined) return problem("grouped_into", "is not valid"); // a group is of one account
    const [grouping, status] = row;
    const isNested = wanted === id || before?.grouping === "group" || grouping === "grouped"; // GR3
    if (isNested || after.status === "completed" || status === "completed")
      return problem("grouped_into", "is not valid");
    if (grouping === "none") {
      const group = await createGroup(change, row);
      after.grouped_into = group;
      change.runAfterSave(async () => void (await change.update("request", wanted, { grouped_into: group })));
    }
    after.grouping = "grouped";
  }
  change.runAfterSave(async () => {
    const groups = [previous, after.grouped_into].filter((group) => group !== null);
    await lockRowsNoWait(tx, "requests", groups, account);
    if (previous !== null) await updateGroupAfterLeave(change, previous);
    if (after.grouped_into !== null) await raiseImpact(change, after.grouped_into);
  });
}

const raisedImpacts: Partial<Record<Impact, Impact>> = { low: "high", medium: "top" };
const pickRaisedImpact = (impact: Impact | null): Impact | undefined =>
  impact === null ? undefined : raisedImpacts[impact];

/** GR4: with its second member an incident group concerns more than one person. */
async function raiseImpact({ tx, account, update }: RequestChange, group: number): Promise<void> {
  const members = await tx.query(selectMembers, [group, account]);
  const [row] = await tx.query(selectGroup, [group, account]);
  if (members.length !== 2 || row?.[1] !== "incident") return;
  const impact = pickRaisedImpact(parseImpact(row[2]));
  if (impact !== undefined) {
    await update("request", group, { impact });
    return;
  }
  for (const [id, status, impactOfMember] of members) {
    const raised = pickRaisedImpact(parseImpact(impactOfMember));
    if (status !== "completed" && raised !== undefined) await update("request", Number(id), { impact: raised });
  }
}

/** GR10: a group without members is completed; any other derives its targets again. */
async function updateGroupAfterLeave({ tx, account, create, update }: RequestChange, group: number): Promise<void> {
  const [row] = await tx.query(selectGroup, [group, account]);
  if (row?.[0] === "completed") return;
  if ((await tx.query(selectMembers, [group, account])).length > 0) {
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

/** The members of a group that is purged are no longer grouped. */
export const ungroupMembers = statement(
  "UPDATE requests SET grouping = 'none', revision = revision + 1 WHERE grouped_into_id = $1 AND account_id = $2",
);

const isMoment = (value: Value | undefined): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
const isSameValue = (one: Value | undefined, other: Value | undefined): boolean =>
  one === other || (isMoment(one) && isMoment(other) && Date.parse(one) === Date.parse(other));

/** GR6: the group of the request causes this change. */
export const isCausedByGroup = ({ after, cause }: RequestChange): boolean =>
  cause?.type === "request" && after.grouping === "grouped" && cause.id === after.grouped_into;

/** A group waits for the locks of its members, so a member must not wait for the lock of its group: it gives up. */
export async function updateGroup(
  { tx, account, update }: Pick<Change, "tx" | "account" | "update">,
  group: number,
  values: InputOf<typeof request>,
): Promise<void> {
  await lockRowsNoWait(tx, "requests", [group], account);
  await update("request", group, values);
}

/** GR12: another next target of a member can be the next target of the group. */
export function refreshGroupOfMember(change: RequestChange): void {
  const { before, after, cause } = change;
  const group = after.grouped_into;
  if (after.grouping !== "grouped" || group === null || cause?.id === group) return;
  const hasJoined = before?.grouped_into !== group;
  if (hasJoined || !isSameValue(before?.next_target_at, after.next_target_at))
    change.runAfterSave(() => updateGroup(change, group, {}));
}

/** GR6, GR8: copies the shared fields that changed to the open members; then the group derives its target again. */
export async function copyToMembers({ tx, id, account, before, after, update }: RequestChange): Promise<void> {
  if (before === null || after.grouping !== "group") return;
  const names = new Set(sharedFields.filter((name) => !isSameValue(before[name], after[name])));
  if (names.size === 0) return;
  if (names.has("status")) names.add("completion_reason").add("waiting_until");
  if (names.has("team") || names.has("member")) names.add("team").add("member");
  const values = pickFields(after, names);
  const members = (await tx.query(selectMembers, [id, account])).filter(([, status]) => status !== "completed");
  for (const [member] of members) await update("request", Number(member), values);
  if (members.length > 0) await update("request", id, {});
}

const selectEarliestTarget = statement(
  "SELECT min(next_target_at) FROM requests WHERE grouped_into_id = $1 AND account_id = $2 AND status <> 'completed' AND next_target_at LIKE '____-%'",
);

/** GR12 */
export async function loadNextTargetOfGroup({ tx, id, account, after }: RequestChange): Promise<string | null> {
  if (after.status === "completed") return null;
  return (await tx.query(selectEarliestTarget, [id, account]))[0]?.[0] ?? "best_effort";
}
