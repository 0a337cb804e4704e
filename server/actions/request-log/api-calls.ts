import { BadRequest } from "../../base/errors.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Database, statement, type Value } from "../../storage/database.ts";

// The log of API calls as people see it: their own calls; administrators see those of the whole account.

export type CallFilter = {
  /** "error", or a status */
  status?: string;
  method?: string;
  /** the beginning of the path */
  path?: string;
  person?: number;
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
  if (filter.method !== undefined) conditions.push(`c.method = ${next(filter.method)}`);
  if (filter.path !== undefined) conditions.push(`starts_with(c.path, ${next(filter.path)})`);
  if (filter.request !== undefined) conditions.push(`c.request_id = ${next(filter.request)}`);
  if (filter.before !== undefined) conditions.push(`c.id < ${next(filter.before)}`);
  if (filter.after !== undefined) conditions.push(`c.id > ${next(filter.after)}`);
  return conditions.join(" AND ");
}

/** Calls, newest first, as JSON. Only the newest 20,000 that the indexes find are compared with other filters. */
export async function listCallsAsJson(
  database: Database,
  by: Caller,
  everyone: boolean,
  filter: CallFilter,
): Promise<string> {
  const values: Value[] = [];
  const { method, path, ...indexed } = filter;
  const found = buildConditions(by, everyone, indexed, values);
  const scanned = method === undefined && path === undefined ? callPageSize : 20_000;
  const compared: string[] = ["true"];
  if (method !== undefined) compared.push(`c.method = $${values.push(method)}`);
  if (path !== undefined) compared.push(`starts_with(c.path, $${values.push(path)})`);
  const list = statement(
    `SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]') FROM (
  SELECT c.id, date_trunc('second', c.called_at) AS called_at, c.method, c.path, c.status, c.milliseconds, c.request_id, c.address, c.sent, c.answered, c.is_session,
    (SELECT json_build_object('id', p.id, 'name', p.name) FROM people p WHERE p.id = c.person_id) AS person,
    (SELECT json_build_object('id', a.id, 'name', a.name) FROM tokens t JOIN oauth_applications a ON a.id = t.application_id WHERE t.id = c.token_id) AS application,
    (SELECT t.name FROM tokens t WHERE t.id = c.token_id) AS token
  FROM (SELECT * FROM api_calls c WHERE ${found} ORDER BY c.id DESC LIMIT ${scanned}) c WHERE ${compared.join(" AND ")}
  ORDER BY c.id DESC LIMIT ${callPageSize}) x`,
  );
  const [row] = await database.read(list, values, by.zone);
  return row?.[0] ?? "[]";
}

/** Beyond this number, figures are those of the newest calls. */
const maxCounted = 50_000;

/** Counts by hour, share of errors and usual durations, as JSON. */
export async function countCallsAsJson(
  database: Database,
  by: Caller,
  everyone: boolean,
  hours: number,
): Promise<string> {
  const values: Value[] = [];
  const found = buildConditions(by, everyone, {}, values);
  const since = `$${values.push(new Date(by.now.getTime() - hours * 3_600_000).toISOString())}::timestamptz`;
  const count = statement(
    `WITH c AS MATERIALIZED (SELECT * FROM (SELECT c.called_at, c.status, c.milliseconds, c.person_id, c.token_id FROM api_calls c WHERE ${found}
  ORDER BY c.id DESC LIMIT ${maxCounted}) n WHERE called_at >= ${since})
SELECT json_build_object('calls', (SELECT count(*) FROM c), 'callers', (SELECT count(DISTINCT token_id) FROM c),
  'errors', (SELECT count(*) FROM c WHERE status >= 400),
  'median', (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY milliseconds) FROM c),
  'p99', (SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY milliseconds) FROM c),
  'hours', (SELECT coalesce(json_agg(h ORDER BY h.hour), '[]') FROM (SELECT date_trunc('hour', called_at) AS hour, count(*) AS calls,
    count(*) FILTER (WHERE status >= 400) AS errors FROM c GROUP BY 1) h))`,
  );
  const [row] = await database.read(count, values, by.zone);
  return row?.[0] as string;
}
