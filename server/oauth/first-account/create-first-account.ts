import { buildAdministratorCaller } from "../../actions/accounts/administrator-caller.ts";
import { createAccount, isAccountId } from "../../actions/accounts/create-account.ts";
import { grantRoles } from "../../actions/accounts/grant-roles.ts";
import { runInOneTransaction } from "../../actions/accounts/one-transaction.ts";
import { loadSampleRequests } from "../../actions/sample-work/sample-requests.ts";
import { Invalid, type Problem } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { create } from "../../engine/create.ts";
import type { Engine } from "../../engine/engine.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { Oauth } from "../oauth-context.ts";
import { checkPasswordRules, firstPasswordRules, storePassword } from "../passwords/passwords.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { type FirstAccountForm, weekdays } from "./first-account-form.ts";

// Everything of the first account in one transaction: account, administrator, calendar, sample requests. Two people, or two
// processes, that press the button at the same time get one account: the table of accounts is locked before it is looked at,
// which also waits for the command line.

const lockAccounts = statement("LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE");
const findAccount = statement("SELECT 1 FROM accounts LIMIT 1");

/** Another account was there first. */
export class AlreadySetUp extends Error {}

export type FirstAdministrator = { id: number; account: string; accountName: string };

export async function createFirstAccount(
  engine: Engine,
  oauth: Oauth,
  form: FirstAccountForm,
  address: string,
): Promise<FirstAdministrator> {
  await checkForm(form);
  const hashed = await oauth.hasher.hash(form.password);
  return runInOneTransaction(engine, async (joined, tx) => {
    await tx.query(lockAccounts);
    if ((await tx.query(findAccount)).length > 0) throw new AlreadySetUp();
    const now = engine.clock.now();
    const source = { source: "Steward setup", changeOrigin: { kind: "browser" as const, address } };
    const { account_name: name, time_zone, locale, currency } = form;
    const input = { id: form.account_id, fields: { name, time_zone, locale, currency } };
    const account = await renameProblems({ name: "account_name" }, createAccount(joined, tx, input, source, now));
    const by = buildAdministratorCaller(account, source, now);
    const members = { name: form.name, primary_email: form.email, organization_id: account.organization };
    const person = await renameProblems(
      { primary_email: "email" },
      create(joined, by, joined.types.get("person"), { members }),
    );
    await grantRoles(joined, tx, by, { person: person.id, account: account.id, roles: ["account_administrator"] });
    storePassword(tx, now.toISOString(), { id: person.id, account: account.id }, hashed);
    recordSecurityEvent(tx, now.toISOString(), {
      ...{ account: account.id, person: person.id, event: "account-created" as const, address },
    });
    await createWorkingHours(joined, by, form);
    if (form.sample) await loadSampleRequests(joined, tx, by, person.id);
    return { id: person.id, account: account.id, accountName: account.name };
  });
}

async function checkForm(form: FirstAccountForm): Promise<void> {
  const problems: Problem[] = [];
  const add = (field: string, text: string) => problems.push([field, text]);
  for (const field of ["account_name", "name", "email"] as const) {
    if (form[field].trim() === "") add(field, "can't be blank");
    else if (!isStorable(form[field])) add(field, "is not valid");
  }
  if (form.account_name.trim() !== "" && !isAccountId(form.account_id))
    add("account_id", "must be lower-case letters, digits and single hyphens, at most 60");
  if (form.days.length === 0) add("days", "can't be blank");
  const [from, until] = [parseTime(form.from), parseTime(form.until)];
  if (from === null) add("from", "must be a time such as 08:30");
  if (until === null) add("until", "must be a time such as 17:00");
  if (from !== null && until !== null && until <= from) add("until", "must be later than the start time");
  if (form.password !== form.password_again) add("password_again", "doesn't match");
  try {
    if (!isStorable(form.password)) add("password", "is not valid");
    else await checkPasswordRules(firstPasswordRules, form.password);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    problems.push(...error.problems);
  }
  if (problems.length > 0) throw new Invalid(problems);
}

/** Minutes since midnight; 24:00 is the end of the day. */
function parseTime(text: string): number | null {
  const [, hour = "", minute = ""] = /^([01]?\d|2[0-4]):([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hour === "" || (hour === "24" && minute !== "00")) return null;
  return Number(hour) * 60 + Number(minute);
}

const formatTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

async function createWorkingHours(
  engine: Engine,
  by: ReturnType<typeof buildAdministratorCaller>,
  { calendar_name, days, from, until }: FirstAccountForm,
): Promise<void> {
  const calendar = await create(engine, by, engine.types.get("calendar"), { members: { name: calendar_name } });
  const hours = { time_from: formatTime(parseTime(from) ?? 0), time_until: formatTime(parseTime(until) ?? 0) };
  const type = engine.types.get("calendar_hour");
  const parent = { fixed: { calendar: calendar.id }, account: by.account };
  for (const weekday of weekdays.filter((day) => days.includes(day)))
    await create(engine, by, type, { members: { weekday, ...hours } }, parent);
}

/** The form has other names for what the engine refuses. */
async function renameProblems<T>(names: Readonly<Record<string, string>>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    throw new Invalid(error.problems.map(([field, ...rest]): Problem => [names[field] ?? field, ...rest]));
  }
}
