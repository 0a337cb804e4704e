import type { Problem } from "../base/errors.ts";
import { requireValidMembers } from "../database/account-policy.ts";
import { statement } from "../database/database.ts";
import type { Person } from "../engine/caller.ts";
import type { Oauth } from "./oauth-context.ts";
import { isInNetworks } from "./policy/networks.ts";
import { type SignInPolicy, signInPolicies } from "./policy/policy-members.ts";
import { recordSecurityEvent } from "./security-trail.ts";

// How the people of an account sign in: read and changed by its administrators. policy/ holds the members and what enforces
// them.

export const loadSignInPolicy = ({ database }: Pick<Oauth, "database">, account: string): Promise<SignInPolicy> =>
  signInPolicies.load({ query: (query, values) => database.read(query, values) }, account);

/** Whether the account of the person, or an account in which they have a role, demands a second factor of them. */
export async function isSecondFactorRequired({ identities }: Pick<Oauth, "identities">, person: Person) {
  for (const account of new Set([person.account, ...person.roles.keys()])) {
    const policy = await identities.getPolicy(account);
    const roles = person.roles.get(account) ?? new Set<string>();
    if (policy.second_factor === "everyone") return true;
    if (policy.second_factor === "roles" && policy.second_factor_roles.some((role) => roles.has(role))) return true;
  }
  return false;
}

/** `isSession`: the change comes from a browser, not from an API client. */
export type PolicyAuthor = { person: number; address: string; isSession: boolean };
export type PolicyChange = { account: string; members: Readonly<Record<string, unknown>>; by: PolicyAuthor };

// Running sessions get the shorter of both lifetimes.
const shortenSessions = statement(
  `UPDATE sessions SET idle_expires_at = least(idle_expires_at, last_seen_at + make_interval(mins => $2)),
  expires_at = least(expires_at, created_at + make_interval(hours => $3)) WHERE account_id = $1`,
);

/** Members that are not given keep their value. */
export async function changeSignInPolicy(
  oauth: Pick<Oauth, "database" | "clock" | "identities">,
  { account, members, by }: PolicyChange,
): Promise<SignInPolicy> {
  requireValidMembers(signInPolicies.findProblems(members));
  return oauth.database.transaction(async (tx) => {
    const now = oauth.clock.now().toISOString();
    const { after, changes } = await signInPolicies.save(tx, account, members as Partial<SignInPolicy>, now);
    requireValidMembers(await findLockOut(oauth, after, changes, by));
    if (Object.keys(changes).length === 0) return after;
    if ("idle_session_minutes" in changes || "longest_session_hours" in changes)
      tx.send(shortenSessions, [account, after.idle_session_minutes, after.longest_session_hours]);
    tx.afterCommit(() => oauth.identities.invalidate());
    recordSecurityEvent(tx, now, {
      ...{ account, person: by.person, address: by.address },
      event: "sign-in-policy-changed",
      details: changes,
    });
    return after;
  });
}

const selectOtherWays = statement(
  `SELECT 'passkey' FROM passkeys WHERE person_id = $1
UNION SELECT method FROM sessions WHERE person_id = $1 AND expires_at > $2 AND method <> 'password'`,
);

/** The administrator who changes the policy must be able to change it back: from their network, with their way to sign in. */
async function findLockOut(
  { database, clock }: Pick<Oauth, "database" | "clock">,
  policy: SignInPolicy,
  changes: Readonly<Record<string, unknown>>,
  { person, address, isSession }: PolicyAuthor,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const networks = isSession ? "web_networks" : "api_networks";
  if (networks in changes && !isInNetworks(policy[networks], address))
    problems.push([networks, `would lock you out: your address ${address} is not among them`]);
  if ("sign_in_methods" in changes && !policy.sign_in_methods.includes("password")) {
    const ways = await database.read(selectOtherWays, [person, clock.now().toISOString()]);
    if (!ways.some(([way]) => policy.sign_in_methods.some((method) => method === way)))
      problems.push([
        "sign_in_methods",
        "would lock you out: first sign in once in one of these ways, or add a passkey",
      ]);
  }
  return problems;
}

/** For the command line: resets the settings that could lock everyone out. */
export function resetSignInPolicy({ database, clock }: Pick<Oauth, "database" | "clock">, account: string) {
  return database.transaction(async (tx) => {
    const now = clock.now().toISOString();
    const { sign_in_methods } = signInPolicies.defaults;
    const open: Partial<SignInPolicy> = { sign_in_methods, web_networks: [], api_networks: [] };
    const { changes } = await signInPolicies.save(tx, account, open, now);
    recordSecurityEvent(tx, now, {
      ...{ account, person: null, event: "sign-in-policy-changed" as const },
      details: { ...changes, by: "command line" },
    });
  });
}
