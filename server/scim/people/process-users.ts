import { Unavailable } from "../../base/errors.ts";
import { runBatched } from "../../database/batch.ts";
import { type Row, statement, type Transaction } from "../../database/database.ts";
import type { Members } from "../change/draft.ts";
import type { ScimJobPayload } from "../jobs.ts";
import type { Scim } from "../scim-context.ts";
import { disablePerson } from "./disable-person.ts";
import { findPerson, processUser, recordOutcome, startUserRun } from "./process-user.ts";
import { processReports } from "./reports.ts";
import { loadScimRules, runScimRulesOrFail } from "./run-rules.ts";

// The rules of many users in one transaction: statements that they share are sent once, and all of them wait for the same
// commit. Users whose rules fail run alone, where a failure is rolled back and noted.

const lockUsers = statement(
  `SELECT u.id, u.document, u.person_id, u.active FROM scim_users u JOIN unnest($1::text[], $2::integer[]) AS given (account, id)
ON u.account_id = given.account AND u.id = given.id ORDER BY u.id FOR UPDATE OF u`,
);

export async function processUsers(scim: Scim, users: readonly ScimJobPayload[]): Promise<void> {
  const [first, ...others] = users;
  if (first === undefined) return;
  if (others.length === 0) return processUser(scim, first);
  for (const user of await processTogether(scim, users)) await processUser(scim, user);
}

/** Returns the users that have to run alone. When that is found out too late for the others, they run in two halves. */
async function processTogether(scim: Scim, users: readonly ScimJobPayload[]): Promise<readonly ScimJobPayload[]> {
  if (users.length <= 1) return users;
  try {
    return await scim.engine.database.transaction((tx) => runAll(scim, tx, users));
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    const middle = Math.ceil(users.length / 2);
    const halves = [users.slice(0, middle), users.slice(middle)];
    return [
      ...(await processTogether(scim, halves[0] as ScimJobPayload[])),
      ...(await processTogether(scim, halves[1] as ScimJobPayload[])),
    ];
  }
}

async function runAll(
  scim: Scim,
  tx: Transaction,
  users: readonly ScimJobPayload[],
): Promise<readonly ScimJobPayload[]> {
  const accounts = [...new Set(users.map(({ account }) => account))];
  const [rows, rules] = await Promise.all([
    tx.query(lockUsers, [users.map(({ account }) => account), users.map(({ id }) => id)]),
    Promise.all(accounts.map((account) => loadScimRules(tx, account, "scim_user"))),
  ]);
  const byId = new Map(rows.map((row) => [Number(row[0]), row]));
  const linked = new Set<number>();
  const outcomes = await runBatched(
    tx,
    users.map(({ account, id }) => async (part: Transaction) => {
      const row = byId.get(id);
      const ownRules = rules[accounts.indexOf(account)] as (typeof rules)[number];
      if (row !== undefined && (await runOne(scim, part, { account, id, row }, ownRules)) !== null) linked.add(id);
    }),
  );
  for (const [account, some] of Map.groupBy(users, ({ account }) => account)) {
    const isNew = (id: number) => byId.get(id)?.[2] == null && linked.has(id);
    await processReports(scim, tx, account, some.map(({ id }) => id).filter(isNew));
  }
  return users.filter((_, at) => outcomes[at]?.status === "rejected");
}

/** Returns the person of the user. */
async function runOne(
  scim: Scim,
  tx: Transaction,
  { account, id, row }: { account: string; id: number; row: Row },
  rules: Awaited<ReturnType<typeof loadScimRules>>,
): Promise<number | null> {
  const [, document, linked, active] = row;
  const found = await findPerson(tx, account, linked ?? null, JSON.parse(document ?? "{}") as Members);
  const run = startUserRun(account, id, found);
  await runScimRulesOrFail(scim, tx, run.subject, rules, run.extension);
  const { person, refusals } = run.state;
  // No rule can keep a person enabled whom the identity provider has deactivated.
  if (active !== "t" && person !== null) await disablePerson(scim, tx, account, person);
  recordOutcome(tx, scim.engine.clock.now(), { account, id, person, problems: refusals });
  return person;
}
