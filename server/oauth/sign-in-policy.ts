import { enumerations } from "../../records/enumerations/index.ts";
import { Invalid, type Problem } from "../base/errors.ts";
import type { Person } from "../engine/caller.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { Oauth } from "./context.ts";
import { recordSecurityEvent } from "./security-trail.ts";

// How the people of an account sign in. Enforced where sessions begin: server/pages/sign-in/.

export type SignInPolicy = {
  /** who must have a second factor: nobody, those with certain roles, or everyone */
  second_factor: "optional" | "roles" | "everyone";
  second_factor_roles: readonly string[];
};

const defaultPolicy: SignInPolicy = { second_factor: "optional", second_factor_roles: [] };

const roleNames: ReadonlySet<string> = new Set(enumerations["permission.role"]);

// biome-ignore format: a table keeps its columns
const validators: Record<keyof SignInPolicy, (value: unknown) => boolean> = {
  second_factor:       (value) => ["optional", "roles", "everyone"].includes(value as string),
  second_factor_roles: (value) => Array.isArray(value) && value.every((role) => roleNames.has(role as string)),
};

const selectPolicies = statement(
  "SELECT account_id, settings FROM sign_in_policies WHERE account_id = ANY($1::text[])",
);
const upsertPolicy = statement(
  `INSERT INTO sign_in_policies (account_id, settings, updated_at) VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
);
const lockAccount = statement("SELECT id FROM accounts WHERE id = $1 FOR UPDATE");

type Reader = Pick<Transaction, "query">;

async function loadPolicies(reader: Reader, accounts: readonly string[]): Promise<ReadonlyMap<string, SignInPolicy>> {
  const rows = await reader.query(selectPolicies, [accounts]);
  return new Map(
    rows.map(([account, settings]) => [
      account as string,
      { ...defaultPolicy, ...(JSON.parse(settings as string) as Partial<SignInPolicy>) },
    ]),
  );
}

export const loadSignInPolicy = async (oauth: Pick<Oauth, "database">, account: string): Promise<SignInPolicy> =>
  (await loadPolicies(asReader(oauth), [account])).get(account) ?? defaultPolicy;

const asReader = ({ database }: Pick<Oauth, "database">): Reader => ({
  query: (query, values) => database.read(query, values),
});

/** Whether the account of the person, or an account in which they have a role, demands a second factor of them. */
export async function isSecondFactorRequired(oauth: Pick<Oauth, "database">, person: Person): Promise<boolean> {
  const accounts = [...new Set([person.account, ...person.roles.keys()])];
  for (const [account, policy] of await loadPolicies(asReader(oauth), accounts)) {
    const roles = person.roles.get(account) ?? new Set<string>();
    if (policy.second_factor === "everyone") return true;
    if (policy.second_factor === "roles" && policy.second_factor_roles.some((role) => roles.has(role))) return true;
  }
  return false;
}

export type PolicyChange = {
  account: string;
  members: Readonly<Record<string, unknown>>;
  by: { person: number; address: string };
};

/** Members that are not given keep their value. */
export async function changeSignInPolicy(
  { database, clock }: Pick<Oauth, "database" | "clock">,
  { account, members, by }: PolicyChange,
): Promise<SignInPolicy> {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(members)) {
    const isValid = Object.hasOwn(validators, name) ? validators[name as keyof SignInPolicy] : undefined;
    if (isValid === undefined) problems.push([name, "is unknown"]);
    else if (!isValid(value)) problems.push([name, "is not valid"]);
  }
  if (problems.length > 0) throw new Invalid(problems);
  return database.transaction(async (tx) => {
    await tx.query(lockAccount, [account]);
    const before = (await loadPolicies(tx, [account])).get(account) ?? defaultPolicy;
    const after: SignInPolicy = { ...before, ...members };
    const names = Object.keys(after) as (keyof SignInPolicy)[];
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    if (changed.length === 0) return after;
    const now = clock.now().toISOString();
    tx.send(upsertPolicy, [account, JSON.stringify(after), now]);
    recordSecurityEvent(tx, now, {
      ...{ account, person: by.person, address: by.address },
      event: "sign-in-policy-changed",
      details: Object.fromEntries(changed.map((name) => [name, [before[name], after[name]]])),
    });
    return after;
  });
}
