import { BadRequest } from "../../base/errors.ts";
import { type Database, statement, type Value } from "../../database/database.ts";
import { parseText } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";

// The log of API calls as people see it: their own calls; administrators see those of the whole account.

export type CallFilter = {
  /** "error", or a status */
  status?: string;
  method?: string;
  /** the beginning of the path */
  path?: string;
  person?: number;
  application?: number;
  token?: number;
  /** only those of browsers */
  browser?: boolean;
  /** how far back, in hours */
  hours?: number;
  request?: string;
  before?: number;
  after?: number;
};

export const callPageSize = 100;

/** `everyone`: also the calls of others. */
function buildConditions(by: Caller, everyone: boolean, filter: CallFilter, values: Value[]): string {
  const next = (value: Value) => `$${values.push(value)}`;
  const conditions = [`c.account_id = ${next(by.account)}`];
  if (!everyone) conditions.push(`c.person_id = ${next(by.person)}`);
  else if (filter.person !== undefined) conditions.push(`c.person_id = ${next(filter.person)}`);
  if (filter.status === "error") conditions.push("c.status >= 400");
  else if (filter.status !== undefined) {
    if (!/^[1-5]\d\d$/.test(filter.status)) throw new BadRequest("status is not valid");
    if (Number(filter.status) >= 400) conditions.push("c.status >= 400");
    conditions.push(`c.status = ${next(Number(filter.status))}`);
  }
  if (filter.request !== undefined) conditions.push(`c.request_id = ${next(filter.request)}`);
  if (filter.before !== undefined) conditions.push(`c.id < ${next(filter.before)}`);
  if (filter.after !== undefined) conditions.push(`c.id > ${next(filter.after)}`);
  return conditions.join(" AND ");
}

/** Conditions that no index finds. */
function buildComparisons(by: Caller, filter: CallFilter, values: Value[]): string[] {
  const next = (value: Value) => `$${values.push(value)}`;
  const { method, path, application, token, browser, hours } = filter;
  return [
    ...(method === undefined ? [] : [`c.method = ${next(method)}`]),
    ...(path === undefined ? [] : [`starts_with(c.path, ${next(path)})`]),
    ...(application === undefined
      ? []
      : [`c.token_id IN (SELECT t.id FROM tokens t WHERE t.application_id = ${next(application)})`]),
    ...(token === undefined ? [] : [`c.token_id = ${next(token)}`]),
    ...(browser === true ? ["c.is_session"] : []),
    ...(hours === undefined ? [] : [`c.called_at >= ${next(findBegin(by, hours))}::timestamptz`]),
  ];
}

const findBegin = ({ now }: Caller, hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString();

/** Calls, newest first, as JSON. Only the newest 20,000 that the indexes find are compared with other filters. */
export async function listCallsAsJson(
  database: Database,
  by: Caller,
  everyone: boolean,
  filter: CallFilter,
): Promise<string> {
  const values: Value[] = [];
  const found = buildConditions(by, everyone, filter, values);
  const compared = buildComparisons(by, filter, values);
  const scanned = compared.length === 0 ? callPageSize : 20_000;
  const list = statement(
    `SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]') FROM (
  SELECT c.id, date_trunc('second', c.called_at) AS called_at, c.method, c.path, c.status, c.milliseconds, c.request_id, c.address, c.sent, c.answered, c.is_session,
    (SELECT json_build_object('id', p.id, 'name', p.name) FROM people p WHERE p.id = c.person_id) AS person,
    (SELECT json_build_object('id', a.id, 'name', a.name) FROM tokens t JOIN oauth_applications a ON a.id = t.application_id WHERE t.id = c.token_id) AS application,
    (SELECT t.name FROM tokens t WHERE t.id = c.token_id) AS token, (SELECT t.scopes FROM tokens t WHERE t.id = c.token_id AND NOT c.is_session) AS scopes
  FROM (SELECT * FROM api_calls c WHERE ${found} ORDER BY c.id DESC LIMIT ${scanned}) c WHERE ${["true", ...compared].join(" AND ")}
  ORDER BY c.id DESC LIMIT ${callPageSize}) x`,
  );
  const [row] = await database.read(list, values, by.zone);
  return row?.[0] ?? "[]";
}

/** Beyond this number, figures are those of the newest calls. */
const maxCounted = 50_000;

/** As many callers as a menu offers. */
const maxCallers = 50;

/** Counts by hour and by caller, share of errors and usual durations, as JSON. */
export async function countCallsAsJson(
  database: Database,
  by: Caller,
  everyone: boolean,
  hours: number,
): Promise<string> {
  const values: Value[] = [];
  const found = buildConditions(by, everyone, {}, values);
  const since = `$${values.push(findBegin(by, hours))}::timestamptz`;
  const count = statement(
    `WITH c AS MATERIALIZED (SELECT * FROM (SELECT c.called_at, c.status, c.milliseconds, c.person_id, c.token_id, c.is_session FROM api_calls c WHERE ${found}
  ORDER BY c.id DESC LIMIT ${maxCounted}) n WHERE called_at >= ${since}),
callers AS (SELECT count(*) AS calls, count(*) FILTER (WHERE c.status >= 400) AS errors, count(*) FILTER (WHERE c.status = 429) AS refused, c.is_session,
  t.application_id, CASE WHEN c.is_session THEN c.person_id END AS person_id, CASE WHEN NOT c.is_session AND t.application_id IS NULL THEN c.token_id END AS token_id
  FROM c LEFT JOIN tokens t ON t.id = c.token_id GROUP BY c.is_session, 5, 6, 7)
SELECT json_build_object('calls', (SELECT count(*) FROM c), 'callers', (SELECT count(*) FROM callers),
  'errors', (SELECT count(*) FROM c WHERE status >= 400),
  'median', (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY milliseconds) FROM c),
  'p99', (SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY milliseconds) FROM c),
  'hours', (SELECT coalesce(json_agg(h ORDER BY h.hour), '[]') FROM (SELECT date_trunc('hour', called_at) AS hour, count(*) AS calls,
    count(*) FILTER (WHERE status >= 400) AS errors FROM c GROUP BY 1) h),
  'by_caller', (SELECT coalesce(json_agg(x), '[]') FROM (SELECT b.calls, b.errors, b.refused, b.is_session,
    (SELECT json_build_object('id', a.id, 'name', a.name) FROM oauth_applications a WHERE a.id = b.application_id) AS application,
    (SELECT json_build_object('id', p.id, 'name', p.name) FROM people p WHERE p.id = b.person_id) AS person,
    (SELECT json_build_object('id', t.id, 'name', t.name) FROM tokens t WHERE t.id = b.token_id) AS token
    FROM callers b ORDER BY b.calls DESC LIMIT ${maxCallers}) x))`,
  );
  const [row] = await database.read(count, values, by.zone);
  return parseText(row?.[0]);
}
