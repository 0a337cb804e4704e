import { BadRequest, Forbidden, NotFound } from "../../../base/errors.ts";
import { toIanaZone } from "../../../base/time-zones.ts";
import { rolesIn } from "../../../engine/access.ts";
import type { Caller } from "../../../engine/caller.ts";
import type { Page } from "../../../engine/list.ts";
import { statement } from "../../../storage/database.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type ApiResponse, type Call, ok, type Route } from "../../http/route.ts";

// CV30: a statement is worked out from who held which role when; nothing is stored.

/** Everybody who held a role other than key contact at any moment of a month, and was not disabled before it. */
const billable = `WITH held AS (
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
const billableIds = statement(`${billable} ORDER BY p.id`);
const billableUsers = statement(
  `SELECT json_build_object('id', p.id, 'primary_email', p.primary_email, 'name', p.name, 'organization', o.name, 'business_unit', u.name, 'region', o.region,
  'account', json_build_object('id', a.id, 'name', a.name),
  'last_visit', greatest((SELECT max(last_seen_at) FROM sessions WHERE person_id = p.id), (SELECT max(last_used_at) FROM tokens WHERE person_id = p.id)),
  'sign_ins', (SELECT count(*) FROM security_events WHERE person_id = p.id AND event = 'sign-in'),
  'updates', (SELECT count(*) FROM audit_lines WHERE account_id = $1 AND created_by_id = p.id AND created_at >= $2 AND created_at < $3))
FROM people p JOIN accounts a ON a.id = p.account_id LEFT JOIN organizations o ON o.id = p.organization_id LEFT JOIN organizations u ON u.id = o.business_unit_organization_id
WHERE p.id IN (${billable}) ORDER BY p.id`,
);
const accountFacts = statement("SELECT owner_id, plan, created_at, time_zone FROM accounts WHERE id = $1");

type Month = { year: number; month: number };
const getMonthId = ({ year, month }: Month): number => year * 100 + month;
const padTwoDigits = (number: number): string => String(number).padStart(2, "0");
const nextMonth = ({ year, month }: Month): Month =>
  month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
const firstDay = ({ year, month }: Month): string => `${year}-${padTwoDigits(month)}-01`;
const lastDay = ({ year, month }: Month): string => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);

/** The month a moment falls into, in the time zone of the account. */
function getMonthIn(moment: Date, zone: string): Month {
  const [year, month] = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit" })
    .format(moment)
    .split("-")
    .map(Number) as [number, number];
  return { year, month };
}

export function usageRoutes(api: Api): Route[] {
  const scope = { type: "account", action: "Read" } as const;
  const { database, clock } = api.engine;

  const factsOf = async (by: Caller) => {
    const [row] = await database.read(accountFacts, [by.account]);
    if (Number(row?.[0]) !== by.person && !rolesIn(by, by.account).has("account_owner")) throw new Forbidden();
    const zone = toIanaZone(row?.[3]);
    return {
      plan: row?.[1] as string,
      zone,
      first: getMonthIn(new Date(`${row?.[2]}:00`.replace(" ", "T")), zone),
      last: getMonthIn(clock.now(), zone),
    };
  };
  const statementOf = async (by: Caller, plan: string, zone: string, month: Month, withIds: boolean) => {
    const ids = (await database.read(billableIds, [by.account, firstDay(month), firstDay(nextMonth(month))], zone)).map(
      ([id]) => Number(id),
    );
    const shown = {
      id: getMonthId(month),
      plan,
      ...month,
      start_date: firstDay(month),
      end_date: lastDay(month),
      user_months: ids.length,
    };
    return withIds ? { ...shown, billable_user_ids: ids } : shown;
  };
  const months = (from: Month, to: Month): Month[] => {
    const list: Month[] = [];
    for (let month = from; getMonthId(month) <= getMonthId(to); month = nextMonth(month)) list.unshift(month);
    return list;
  };

  return [
    {
      method: "GET",
      path: "/account/usage_statements",
      scope,
      async handle(call) {
        const { plan, zone, first, last } = await factsOf(call.caller);
        const wanted = filterMonths(months(first, last), call);
        return respondWithMonths(call, wanted, (month) => statementOf(call.caller, plan, zone, month, false));
      },
    },
    {
      method: "GET",
      path: "/account/usage_statements/:id",
      scope,
      async handle(call) {
        const { plan, zone, first, last } = await factsOf(call.caller);
        const month = months(first, last).find((each) => String(getMonthId(each)) === call.params.id);
        if (month === undefined) throw new NotFound();
        return ok(JSON.stringify(await statementOf(call.caller, plan, zone, month, true)));
      },
    },
    {
      method: "GET",
      path: "/account/billable_users",
      scope,
      async handle(call) {
        const { zone, first, last } = await factsOf(call.caller);
        const asked = call.query.some(({ name }) => ["id", "year", "month"].includes(name));
        const month = asked ? filterMonths(months(first, last), call)[0] : last;
        if (month === undefined) return ok("[]");
        const rows = await database.read(
          billableUsers,
          [call.caller.account, firstDay(month), firstDay(nextMonth(month))],
          zone,
        );
        return ok(`[${rows.map(([json]) => json).join(",")}]`);
      },
    },
  ];
}

/** ?id=, ?year= and ?month=, the filters that months have. */
function filterMonths(list: readonly Month[], call: Call): Month[] {
  const { filters } = parseListQuery(call.query, null);
  const unknown = filters.filter(({ name }) => !["id", "year", "month"].includes(name));
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${unknown.map(({ name }) => name).join(", ")}`);
  for (const { name, value } of filters)
    if (!/^\d{1,6}$/.test(value)) throw new BadRequest(`Invalid value for field '${name}'`);
  const values = (month: Month): Record<string, number> => ({ ...month, id: getMonthId(month) });
  return list.filter((month) => filters.every(({ name, value }) => values(month)[name] === Number(value)));
}

/** Few and computed: paged by number. */
async function respondWithMonths(
  call: Call,
  list: readonly Month[],
  show: (month: Month) => Promise<unknown>,
): Promise<ApiResponse> {
  const { perPage, page: asked } = parseListQuery(call.query, null);
  const number = asked ?? 1;
  const rows = await Promise.all(list.slice((number - 1) * perPage, number * perPage).map(show));
  const page: Page = {
    records: rows.map((row) => JSON.stringify(row)),
    total: list.length,
    throttled: false,
    currentPage: number,
    totalPages: Math.ceil(list.length / perPage),
    hasPrevious: false,
    hasNext: false,
    startCursor: null,
    endCursor: null,
  };
  return respondWithPage(call, page, perPage);
}
