import type { Caller } from "../../engine/caller.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";

// A request that is worked on in several accounts: the one it was registered in, and those whose teams it went to or
// whose service instance it is about. Each has a status, a team and a member of its own. What one of them does, the
// others hear of here. Null stands for the account the request belongs to, as in `side` of a change.

type Participant = { side: string | null; status: string; teamAccount: string | null };

const selectAccountOfTeam = statement("SELECT account_id FROM teams WHERE id = $1");
const selectTeamOfServiceInstance = statement(
  `SELECT i.account_id, t.id FROM service_instances i
LEFT JOIN teams t ON t.id = coalesce(i.first_line_team_id, i.support_team_id) AND t.account_id = i.account_id WHERE i.id = $1`,
);
const selectParticipants = statement(
  `SELECT p.side, p.status, t.account_id FROM (
  SELECT NULL AS side, r.status, r.team_id FROM requests r WHERE r.id = $1
  UNION ALL SELECT s.account_id, s.status, s.team_id FROM request_accounts s WHERE s.request_id = $1
) p LEFT JOIN teams t ON t.id = p.team_id`,
);

const hasTrusts = ({ accountRecord: { trusts, trustedBy } }: Caller): boolean =>
  trusts.length > 0 || trustedBy.length > 0;

const getActingAccount = ({ account, participant: side }: Change): string => side ?? account;

/** The account of a team; where nothing is shared it can only be the one of the request. */
async function loadAccountOfTeam({ tx, by, account }: Change, team: unknown): Promise<string | null> {
  if (team == null) return null;
  if (!hasTrusts(by)) return account;
  return (await tx.query(selectAccountOfTeam, [team as number]))[0]?.[0] ?? null;
}

/** assignment_count: only assignments to teams of the account that counts. */
export const isAssignedToOwnTeam = async (change: Change): Promise<boolean> =>
  (await loadAccountOfTeam(change, change.after.team)) === getActingAccount(change);

/** Who works on a request of another account gives it to a team of theirs, or back to where they got it from. */
export async function checkTeamOfParticipant(change: Change): Promise<void> {
  const { id, participant: side, account, after, changed, cause, problem } = change;
  if (side === null || cause !== null || after.team === null || !changed.has("team")) return;
  const owner = await loadAccountOfTeam(change, after.team);
  if (owner === side) return;
  const home = (await loadParticipants(change, id)).find((place) => place.side === null);
  if (owner !== account || home?.teamAccount !== side) problem("team", "is not valid");
}

/** The target of an account that works on the request of another one: the clock runs where the request belongs. */
export function pickNextTargetOfParticipant({ after }: Change): string | null {
  if (after.status === "completed") return null;
  const given = [after.response_target_at, after.desired_completion_at].filter((at) => at != null) as string[];
  return given.sort()[0] ?? (after.resolution_target_at as string | null) ?? "best_effort";
}

export async function loadParticipants({ tx, by }: Change, id: number): Promise<Participant[]> {
  if (!hasTrusts(by)) return [];
  const rows = await tx.query(selectParticipants, [id]);
  return rows.map(([side, status, teamOf]) => ({
    side: side ?? null,
    status: status as string,
    teamAccount: teamOf ?? null,
  }));
}

const selectIsRequester = statement(
  "SELECT 1 FROM requests WHERE id = $1 AND $2 IN (requested_by_id, requested_for_id)",
);

/** R9, for the other accounts: what a note of the requester changes there. */
export async function buildUpdateWhenAnswered({ tx, after }: Change, { side, status }: Participant): Promise<Values> {
  if (side === null || status !== "waiting_for_customer" || after.medium === "system") return {};
  const rows = await tx.query(selectIsRequester, [after.request as number, after.person as number | null]);
  return rows.length > 0 ? { status: "assigned" } : {};
}

/** The other accounts than its own that work on a request. */
const loadOtherAccounts = async (change: Change, id: number): Promise<string[]> =>
  (await loadParticipants(change, id)).flatMap(({ side }) => side ?? []);

const targetFields = ["response_target_at", "resolution_target_at", "desired_completion_at"];
/** of the values in common, those that the clocks of the account it belongs to depend on */
const fieldsDecidingClock = [
  ...["service_instance", "requested_for", "category", "impact", "template", "provider_not_accountable"],
  ...["desired_completion_at", "downtime_start_at", "downtime_end_at", "workflow"],
];

const isCausedBySameRequest = ({ type, id, cause }: Change): boolean => cause?.type === type && cause.id === id;

/** What another account changed of the values in common is stored already when this one follows: as it was before. */
export function withPreviousSharedValues(change: Change): Change {
  const { before, cause } = change;
  if (!isCausedBySameRequest(change) || cause?.participant == null || before === null) return change;
  const common = Object.fromEntries(fieldsDecidingClock.map((name) => [name, cause.before?.[name] ?? null]));
  return { ...change, before: { ...before, ...common } };
}

/** What a change in one account changes in the others. */
export async function syncParticipants(change: Change): Promise<void> {
  const { id, account, before, after, participant: side } = change;
  // An account that follows another one is not followed in turn.
  if (!hasTrusts(change.by) || isCausedBySameRequest(change)) return;
  const places = (await loadParticipants(change, id)).filter((place) => place.side !== side);
  const consequences = new Map<string | null, Values>();
  const add = (place: string | null, values: Values) =>
    consequences.set(place, { ...consequences.get(place), ...values });
  const differs = (name: string) => (before?.[name] ?? null) !== (after[name] ?? null);

  for (const [place, values] of await collectTransfers(change)) add(place, values);
  const home = side === null ? null : places.find((place) => place.side === null);
  // The account that the request was handed to speaks for the one that handed it over.
  const holder = side === null ? await loadAccountOfTeam(change, after.team) : home?.teamAccount;
  const speaks = side === null || holder === side;
  const isDone = after.status === "completed";
  if (differs("status") && speaks) {
    for (const place of places) {
      const hasIt = place.side === null || place.side === holder;
      if (isDone && place.status !== "completed")
        add(place.side, { status: "completed", completion_reason: after.completion_reason as string });
      else if (before?.status === "completed" && place.status === "completed" && hasIt)
        add(place.side, { status: "assigned" });
      else if (after.status === "declined" && place.side === null) add(null, { status: "declined" });
    }
  }
  if (targetFields.some(differs)) for (const place of places) add(place.side, {});
  if (side !== null && fieldsDecidingClock.some(differs)) add(null, {});
  for (const [place, values] of consequences)
    await change.update("request", id, values, { participant: place, account });
  // The targets may be others now.
  if (side !== null && consequences.has(null)) await change.update("request", id, {}, { participant: side, account });
}

/** Where a request goes, and from where it is taken, by its team and its service instance. */
async function collectTransfers(change: Change): Promise<Map<string | null, Values>> {
  const { tx, by, before, after, account, participant: side } = change;
  const moves = new Map<string | null, Values>();
  const mayGoTo = (other: string) => other === account || side !== null || by.accountRecord.trusts.includes(other);
  const placeOf = (other: string) => (other === account ? null : other);
  const assigned = (team: unknown): Values => ({ team: team as number | null, member: null, status: "assigned" });
  if ((before?.team ?? null) !== after.team) {
    const [from, to] = [await loadAccountOfTeam(change, before?.team), await loadAccountOfTeam(change, after.team)];
    if (side === null && from !== null && from !== account && from !== to)
      moves.set(placeOf(from), assigned(after.team));
    if (to !== null && to !== getActingAccount(change) && mayGoTo(to)) moves.set(placeOf(to), assigned(after.team));
  }
  if (side === null && after.service_instance != null && before?.service_instance !== after.service_instance) {
    const [row] = await tx.query(selectTeamOfServiceInstance, [after.service_instance as number]);
    const [owner, team] = [row?.[0] ?? account, row?.[1] == null ? null : Number(row[1])];
    const knows = moves.has(owner) || (await loadOtherAccounts(change, change.id)).includes(owner);
    if (owner !== account && mayGoTo(owner) && !knows) moves.set(owner, assigned(team));
  }
  return moves;
}
