import type { RunExtension } from "../../automation/run-rule.ts";
import { toTimestamp } from "../../base/clock.ts";
import { batchedRead } from "../../database/batch.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Members } from "../change/draft.ts";
import { isObject } from "../filter/match-filter.ts";
import type { ScimJobPayload } from "../jobs.ts";
import type { Scim } from "../scim-context.ts";
import { disablePerson } from "./disable-person.ts";
import { planFailureMail } from "./failure-mail.ts";
import { processReports } from "./reports.ts";
import { loadScimRules, runScimRules } from "./run-rules.ts";
import { newPersonId, savePerson, type UserRun } from "./save-person.ts";

const lock = statement(
  "SELECT document, person_id, active FROM scim_users WHERE account_id = $1 AND id = $2 FOR UPDATE",
);
const selectPerson = batchedRead(
  "SELECT id FROM people WHERE account_id = $1 AND lower(primary_email) = lower($2) AND life_cycle = 'active'",
  { 2: "text" },
);
const selectActive = batchedRead("SELECT 1 FROM people WHERE id = $1 AND account_id = $2 AND life_cycle = 'active'", {
  1: "integer",
});
const saveRun = statement(
  "UPDATE scim_users SET person_id = $3, last_error = $4::text, failed = $4::text IS NOT NULL, processed_at = $5 WHERE account_id = $1 AND id = $2",
);

/** Runs the rules of a user. The lock of the row keeps two runs of one user apart. */
export async function processUser(scim: Scim, { account, id }: ScimJobPayload): Promise<void> {
  const { engine } = scim;
  await engine.database.transaction(async (tx) => {
    const [[row], rules] = await Promise.all([tx.query(lock, [account, id]), loadScimRules(tx, account, "scim_user")]);
    if (row === undefined) return;
    const isActive = row[2] === "t";
    const found = await findPerson(tx, account, row[1] ?? null, JSON.parse(row[0] ?? "{}") as Members);
    const run = startUserRun(account, id, found);
    const errors = await runScimRules(scim, tx, run.subject, rules, run.extension, run.undo);
    // No rule can keep a person enabled whom the identity provider has deactivated.
    if (!isActive && run.state.person !== null) await disablePerson(scim, tx, account, run.state.person);
    const problems = [...errors, ...run.state.refusals];
    recordOutcome(tx, engine.clock.now(), { account, id, person: run.state.person, problems });
    if (row[1] == null && run.state.person !== null) await processReports(scim, tx, account, [id]);
  });
}

/** Stores the error with the user, and notifies administrators. */
export function recordOutcome(
  tx: Transaction,
  now: Date,
  {
    account,
    id,
    person,
    problems,
  }: { account: string; id: number; person: number | null; problems: readonly string[] },
): void {
  const lastError = problems.length === 0 ? null : problems.join("\n").slice(0, 2000);
  tx.send(saveRun, [account, id, person, lastError, toTimestamp(now)]);
  if (lastError !== null) planFailureMail(tx, account, now);
}

/** The context of one user's rules. `found`: its person; null: there is none yet. */
export function startUserRun(account: string, id: number, found: number | null) {
  const saved = { person: found ?? newPersonId };
  const state: UserRun = { account, person: found, saved, refusals: [] };
  const extension: RunExtension = {
    names: { person_is_new: found === null },
    saveInstead: (context, target, members) => savePerson(state, context, target, members),
  };
  const undo = () => {
    state.person = found;
    saved.person = found ?? newPersonId;
  };
  return { state, extension, undo, subject: { account, type: "scim_user" as const, id, saved } };
}

/** For a rule that is tried with a user. Null: the user no longer exists. */
export async function extendUserRun(tx: Transaction, account: string, id: number) {
  const [row] = await tx.query(lock, [account, id]);
  if (row === undefined) return null;
  const found = await findPerson(tx, account, row[1] ?? null, JSON.parse(row[0] ?? "{}") as Members);
  const { subject, extension } = startUserRun(account, id, found);
  return { saved: subject.saved, extension };
}

/** The person that was linked once stays linked; else the one with the address of the user. */
export async function findPerson(
  tx: Transaction,
  account: string,
  linked: string | null,
  document: Members,
): Promise<number | null> {
  if (linked !== null && (await tx.query(selectActive, [linked, account])).length > 0) return Number(linked);
  const address = pickAddress(document);
  if (address === null) return null;
  const [row] = await tx.query(selectPerson, [account, address]);
  return row === undefined ? null : Number(row[0]);
}

/** The userName when it is an email address, else the primary email, else the first. */
export function pickAddress({ userName, emails }: Members): string | null {
  if (typeof userName === "string" && userName.includes("@")) return userName;
  const list = Array.isArray(emails) ? emails.filter(isObject) : [];
  const picked = (list.find(({ primary }) => primary === true) ?? list[0])?.value;
  return typeof picked === "string" && picked !== "" ? picked : null;
}
