import type { FieldName, InputOf } from "../../../records/vocabulary/index.ts";
import type { note } from "../../../records/work/note.ts";
import { request } from "../../../records/work/request.ts";
import { type Row, type Statement, statement, type Transaction } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, isChangeOf } from "../../engine/rules.ts";
import { pickFields } from "../shared/pick-fields.ts";

// A shared request: several accounts work on it, the owner where it was registered and those whose teams or service
// instance it got. Each has its own status, team and member; this file propagates a change in one account to
// the others. As in `participant` of a change, null means the owner.

type RequestChange = Change<typeof request>;
type RequestInput = InputOf<typeof request>;
/** an account, or null for the owner of the request */
type ParticipantKey = string | null;
type Participant = { account: ParticipantKey; status: string | null; teamAccount: string | null };

const selectAccountOfTeam = statement("SELECT account_id FROM teams WHERE id = $1");
const selectTeamOfServiceInstance = statement(
  `SELECT i.account_id, t.id FROM service_instances i
LEFT JOIN teams t ON t.id = coalesce(i.first_line_team_id, i.support_team_id) AND t.account_id = i.account_id WHERE i.id = $1`,
);
const selectParticipants = statement(
  `SELECT p.participant, p.status, t.account_id FROM (
  SELECT NULL AS participant, r.status, r.team_id FROM requests r WHERE r.id = $1 AND r.account_id = $2
  UNION ALL SELECT s.account_id, s.status, s.team_id FROM request_accounts s WHERE s.request_id = $1 AND s.home_account_id = $2
) p LEFT JOIN teams t ON t.id = p.team_id`,
);

/** By transaction: what was read about teams and service instances, which a new request does not change. */
const knownTeams = new WeakMap<Transaction, Map<number, Promise<Row[]>>>();
const knownProviders = new WeakMap<Transaction, Map<number, Promise<Row[]>>>();

function readOnce(
  known: WeakMap<Transaction, Map<number, Promise<Row[]>>>,
  tx: Transaction,
  query: Statement,
  id: number,
): Promise<Row[]> {
  const answers = known.get(tx) ?? new Map<number, Promise<Row[]>>();
  known.set(tx, answers);
  const answer = answers.get(id) ?? tx.query(query, [id]);
  answers.set(id, answer);
  return answer;
}

/** Asks for what `syncParticipants` wants to know of a new request, before it is written. `team`: the one it will probably get. */
export function readParticipantsAhead(
  tx: Transaction,
  by: Caller,
  { team, instance }: { team: number | null; instance: number | null },
): void {
  if (!hasTrusts(by)) return;
  if (team !== null) readOnce(knownTeams, tx, selectAccountOfTeam, team).catch(() => {});
  if (instance !== null) readOnce(knownProviders, tx, selectTeamOfServiceInstance, instance).catch(() => {});
}

const hasTrusts = ({ accountRecord: { trusts, trustedBy } }: Caller): boolean =>
  trusts.length > 0 || trustedBy.length > 0;

const getActingAccount = ({ account, participant }: RequestChange): string => participant ?? account;

/** The account of a team. Without trusts no request is shared, so it is the account of the request. */
async function loadAccountOfTeam(
  { tx, by, account }: RequestChange,
  team: number | null | undefined,
): Promise<string | null> {
  if (team == null) return null;
  if (!hasTrusts(by)) return account;
  // A team never changes its account.
  return (await readOnce(knownTeams, tx, selectAccountOfTeam, team))[0]?.[0] ?? null;
}

/** RQ22: an account counts only assignments to its own teams. */
export const isAssignedToOwnTeam = async (change: RequestChange): Promise<boolean> =>
  (await loadAccountOfTeam(change, change.after.team)) === getActingAccount(change);

/** A participant assigns the request to a team of its own, or back to the owner who handed it over. */
export async function checkTeamOfParticipant(change: RequestChange): Promise<void> {
  const { id, participant, account, after, changed, cause, problem } = change;
  if (participant === null || cause !== null || after.team === null || !changed.has("team")) return;
  const accountOfTeam = await loadAccountOfTeam(change, after.team);
  if (accountOfTeam === participant) return;
  const owner = (await loadParticipants(change, id)).find((other) => other.account === null);
  if (accountOfTeam !== account || owner?.teamAccount !== participant) problem("team", "is not valid");
}

/** The next target of a participant: the SLA clock runs in the account of the owner. */
export function pickNextTargetOfParticipant({ after }: RequestChange): string | null {
  if (after.status === "completed") return null;
  const moments = [after.response_target_at, after.desired_completion_at].filter((moment) => moment !== null);
  return moments.sort()[0] ?? after.resolution_target_at ?? "best_effort";
}

export async function loadParticipants(
  { tx, by, account: owner }: Pick<Change, "tx" | "by" | "account">,
  id: number,
): Promise<Participant[]> {
  if (!hasTrusts(by)) return [];
  const rows = await tx.query(selectParticipants, [id, owner]);
  return rows.map(([account, status, teamAccount]) => ({
    account: account ?? null,
    status: status ?? null,
    teamAccount: teamAccount ?? null,
  }));
}

const selectIsRequester = statement(
  "SELECT 1 FROM requests WHERE id = $1 AND account_id = $3 AND $2 IN (requested_by_id, requested_for_id)",
);

/** R9 for participants: what a note of the requester changes in their accounts. */
export async function buildUpdateWhenAnswered(
  { tx, account: owner, after }: Change<typeof note>,
  { account, status }: Participant,
): Promise<RequestInput> {
  if (account === null || status !== "waiting_for_customer" || after.medium === "system") return {};
  const rows = await tx.query(selectIsRequester, [after.request, after.person, owner]);
  return rows.length > 0 ? { status: "assigned" } : {};
}

const targetFields = ["response_target_at", "resolution_target_at", "desired_completion_at"] as const;
/** The shared fields that the SLA clocks of the owner depend on. */
const sharedFieldsDecidingClock = [
  ...(["service_instance", "requested_for", "category", "impact", "template", "provider_not_accountable"] as const),
  ...(["desired_completion_at", "downtime_start_at", "downtime_end_at", "workflow"] as const),
];

const isCausedBySameRequest = ({ id, cause }: RequestChange): boolean => isChangeOf(request, cause) && cause.id === id;

/**
 * When the owner follows a participant, the shared values are stored already: `before` gets the values from before the
 * participant changed them, so that the SLA clock notices the difference.
 */
export function withPreviousSharedValues(change: RequestChange): RequestChange {
  const { id, before, cause } = change;
  if (before === null || !isChangeOf(request, cause) || cause.id !== id) return change;
  if (cause.participant === null || cause.before === null) return change;
  return { ...change, before: { ...before, ...pickFields(cause.before, sharedFieldsDecidingClock) } };
}

/** Carries a change in one account over to the others. */
export async function syncParticipants(change: RequestChange): Promise<void> {
  const { id, account, participant } = change;
  // An account that follows another one is not followed in turn.
  if (!hasTrusts(change.by) || isCausedBySameRequest(change)) return;
  const updates = new Map<ParticipantKey, RequestInput>();
  const addUpdate = (key: ParticipantKey, values: RequestInput) => updates.set(key, { ...updates.get(key), ...values });

  // A new request has no participants yet.
  const others =
    change.before === null ? [] : (await loadParticipants(change, id)).filter((other) => other.account !== participant);
  for (const [key, values] of await collectTransfers(change)) addUpdate(key, values);
  for (const [key, values] of await collectStatusUpdates(change, others)) addUpdate(key, values);
  // An empty update derives the targets of the account again.
  if (targetFields.some((name) => hasChanged(change, name))) for (const other of others) addUpdate(other.account, {});
  if (participant !== null && sharedFieldsDecidingClock.some((name) => hasChanged(change, name))) addUpdate(null, {});

  for (const [key, values] of updates) await change.update("request", id, values, { participant: key, account });
  // The update of the owner may have moved the targets.
  if (participant !== null && updates.has(null)) await change.update("request", id, {}, { participant, account });
}

const hasChanged = ({ before, after }: RequestChange, name: FieldName<typeof request>): boolean =>
  (before?.[name] ?? null) !== after[name];

/** The owner decides about the status of all, and so does the participant to whom the owner handed the request. */
async function collectStatusUpdates(
  change: RequestChange,
  others: readonly Participant[],
): Promise<[ParticipantKey, RequestInput][]> {
  const { before, after, participant } = change;
  if (others.length === 0) return [];
  const owner = others.find((other) => other.account === null);
  const holder = participant === null ? await loadAccountOfTeam(change, after.team) : owner?.teamAccount;
  if (!hasChanged(change, "status") || !(participant === null || holder === participant)) return [];
  return others.flatMap(({ account, status }): [ParticipantKey, RequestInput][] => {
    const hasRequest = account === null || account === holder;
    if (after.status === "completed" && status !== "completed")
      return [[account, { status: "completed", completion_reason: after.completion_reason }]];
    if (before?.status === "completed" && status === "completed" && hasRequest)
      return [[account, { status: "assigned" }]];
    return after.status === "declined" && account === null ? [[account, { status: "declined" }]] : [];
  });
}

/** The accounts that get the request, and those it is taken from, by its team and its service instance. */
async function collectTransfers(change: RequestChange): Promise<Map<ParticipantKey, RequestInput>> {
  const { tx, by, before, after, account, participant } = change;
  const transfers = new Map<ParticipantKey, RequestInput>();
  const mayGoTo = (other: string) =>
    other === account || participant !== null || by.accountRecord.trusts.includes(other);
  const assign = (other: string, team: number | null) =>
    transfers.set(other === account ? null : other, { team, member: null, status: "assigned" });
  if ((before?.team ?? null) !== after.team) {
    const [from, to] = [await loadAccountOfTeam(change, before?.team), await loadAccountOfTeam(change, after.team)];
    if (participant === null && from !== null && from !== account && from !== to) assign(from, after.team);
    if (to !== null && to !== getActingAccount(change) && mayGoTo(to)) assign(to, after.team);
  }
  const instance = after.service_instance;
  if (participant === null && instance !== null && before?.service_instance !== instance) {
    const [row] =
      before === null
        ? await readOnce(knownProviders, tx, selectTeamOfServiceInstance, instance)
        : await tx.query(selectTeamOfServiceInstance, [instance]);
    const [provider, team] = [row?.[0] ?? account, parseNumberOrNull(row?.[1])];
    if (provider === account || !mayGoTo(provider) || transfers.has(provider)) return transfers;
    const takesPart =
      before !== null && (await loadParticipants(change, change.id)).some((other) => other.account === provider);
    if (!takesPart) assign(provider, team);
  }
  return transfers;
}
