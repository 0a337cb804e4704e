import { type CallFilter, countCallsAsJson, listCallsAsJson } from "../../../actions/request-log/api-calls.ts";
import { BadRequest } from "../../../base/errors.ts";
import type { Caller } from "../../../engine/caller.ts";
import { type Call, ok, type Route } from "../../http/route.ts";

// The calls of seven days: everybody sees their own, administrators those of the account.

const scope = { type: "request-log", action: "Read" } as const;
const administratorRoles = ["account_administrator", "directory_administrator"];
const maySeeAll = ({ roles }: Caller): boolean => administratorRoles.some((role) => roles.has(role));

export const requestLogRoutes = (): Route[] => [
  {
    method: "GET",
    path: "/request_log",
    scope,
    async handle(call) {
      const { caller, engine } = call;
      return ok(await listCallsAsJson(engine.database, caller, maySeeAll(caller), parseFilter(call)));
    },
  },
  {
    method: "GET",
    path: "/request_log_statistics",
    scope,
    async handle(call) {
      const { caller, engine } = call;
      const hours = parseNumber(call, "hours", 168) ?? 168;
      return ok(await countCallsAsJson(engine.database, caller, maySeeAll(caller), hours));
    },
  },
];

const getParameter = ({ query }: Call, name: string): string | undefined =>
  query.find((each) => each.name === name)?.value;

function parseNumber(call: Call, name: string, most: number): number | undefined {
  const text = getParameter(call, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= 1 && number <= most)) throw new BadRequest(`${name} is not valid`);
  return number;
}

function parseFilter(call: Call): CallFilter {
  const members = {
    status: getParameter(call, "status"),
    method: getParameter(call, "method")?.toUpperCase(),
    path: getParameter(call, "path"),
    request: getParameter(call, "request_id"),
    person: parseNumber(call, "person_id", 2_147_483_647),
    before: parseNumber(call, "before", Number.MAX_SAFE_INTEGER),
    after: parseNumber(call, "after", Number.MAX_SAFE_INTEGER),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as CallFilter;
}
