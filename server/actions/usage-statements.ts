import type { usageStatement } from "../../records/answers/account.ts";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import { Forbidden } from "../base/errors.ts";
import { toIanaZone } from "../base/time-zones.ts";
import { statement } from "../database/database.ts";
import { parseText } from "../database/rows.ts";
import { rolesIn } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";

// CV30: usage statements are computed from the history of roles; nothing is stored.

/** People who held a role other than key contact at any moment of a month and were not disabled before it. */
const selectBillable = `WITH held AS (
  SELECT person_id FROM permissions WHERE account_id = $1 AND role <> 'key_contact' AND created_at < $3
  UNION
  SELECT person FROM (
    SELECT (details ->> 'person')::integer AS person, details -> 'before' AS roles, created_at AS until,
      lag(created_at) OVER (PARTITION BY details ->> 'person' ORDER BY id) AS since
    FROM security_events WHERE account_id = $1 AND event = 'roles-changed') change
  WHERE until >= $2 AND (since IS NULL OR since < $3) AND EXISTS (SELECT 1 FROM jsonb_array_elements_text(roles) role WHERE role <> 'key_contact')
)
SELECT p.id FROM people p WHERE p.id IN (SELECT person_id FROM held) AND NOT (p.disabled AND EXISTS (
  SELECT 1 FROM security_events d WHERE d.event = 'person-disabled' AND (d.details ->> 'person')::integer = p.id AND d.created_at < $2))`;
const selectBillableIds = statement(`${selectBillable} ORDER BY p.id`);
const selectBillableUsers = statement(
  `SELECT json_build_object('id', p.id, 'primary_email', p.primary_email, 'name', p.name, 'organization', o.name, 'business_unit', u.name, 'region', o.region,
  'account', json_build_object('id', a.id, 'name', a.name),
  'last_visit', greatest((SELECT max(last_seen_at) FROM sessions WHERE person_id = p.id), (SELECT max(last_used_at) FROM tokens WHERE person_id = p.id)),
  'sign_ins', (SELECT count(*) FROM security_events WHERE person_id = p.id AND event = 'sign-in'),
  'updates', (SELECT count(*) FROM audit_lines WHERE account_id = $1 AND created_by_id = p.id AND created_at >= $2 AND created_at < $3))
FROM people p JOIN accounts a ON a.id = p.account_id LEFT JOIN organizations o ON o.id = p.organization_id LEFT JOIN organizations u ON u.id = o.business_unit_organization_id
WHERE p.id IN (${selectBillable}) ORDER BY p.id`,
);
const selectPlan = statement("SELECT owner_id, plan, created_at, time_zone FROM accounts WHERE id = $1");

export type Month = { year: number; month: number };
export const getMonthId = ({ year, month }: Month): number => year * 100 + month;
const padTwoDigits = (number: number): string => String(number).padStart(2, "0");
const nextMonth = ({ year, month }: Month): Month =>
  month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
const firstDay = ({ year, month }: Month): string => `${year}-${padTwoDigits(month)}-01`;
const lastDay = ({ year, month }: Month): string => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);

/** The month of a moment, in the time zone of the account. */
function getMonthIn(moment: Date, zone: string): Month {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit" });
  const [year, month] = format.format(moment).split("-"); // 2031-02
  return { year: Number(year), month: Number(month) };
}

/** The account whose usage is reported; `months`: from its creation until the current one, newest first. */
export type UsageAccount = {
  account: string;
  plan: string;
  zone: string;
  months: Month[];
  currentMonth: Month;
  /** who asks */
  by: Caller;
};

/** For the owner of the account, and for people with the role of an owner. */
export async function requireUsageAccount({ database, clock }: Engine, by: Caller): Promise<UsageAccount> {
  const [row] = await database.read(selectPlan, [by.account]);
  if (Number(row?.[0]) !== by.person && !rolesIn(by, by.account).has("account_owner")) throw new Forbidden();
  const zone = toIanaZone(row?.[3]);
  const first = getMonthIn(new Date(`${row?.[2]}:00`.replace(" ", "T")), zone);
  const currentMonth = getMonthIn(clock.now(), zone);
  const months = listMonths(first, currentMonth);
  return { account: by.account, plan: parseText(row?.[1]), zone, months, currentMonth, by };
}

function listMonths(first: Month, last: Month): Month[] {
  const months: Month[] = [];
  for (let month = first; getMonthId(month) <= getMonthId(last); month = nextMonth(month)) months.unshift(month);
  return months;
}

const buildValues = (account: string, month: Month) => [account, firstDay(month), firstDay(nextMonth(month))];

type UsageStatement = AnswerOf<typeof usageStatement>;

export async function loadUsageStatement(
  { database }: Engine,
  { account, plan, zone, by }: UsageAccount,
  month: Month,
): Promise<UsageStatement> {
  const rows = await database.readMany(selectBillableIds, buildValues(account, month), { ...by, zone }, "high");
  const billable_user_ids = rows.map(([id]) => Number(id));
  return {
    id: getMonthId(month),
    plan,
    ...month,
    start_date: firstDay(month),
    end_date: lastDay(month),
    user_months: billable_user_ids.length,
    billable_user_ids,
  };
}

/** The JSON text of each person. */
export async function loadBillableUsers(
  { database }: Engine,
  { account, zone, by }: UsageAccount,
  month: Month,
): Promise<string[]> {
  const rows = await database.readMany(selectBillableUsers, buildValues(account, month), { ...by, zone }, "high");
  return rows.map(([json]) => parseText(json));
}
