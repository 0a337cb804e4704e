import { requestLogOperations } from "../../../../records/answers/administration.ts";
import { type CallFilter, countCallsAsJson, listCallsAsJson } from "../../../actions/request-log/api-calls.ts";
import { BadRequest } from "../../../base/errors.ts";
import type { Caller } from "../../../engine/caller.ts";
import { getParameter, parseNumberParameter } from "../../http/parameters.ts";
import { type Call, okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// The calls of seven days: people see their own, administrators those of the account.

/** Older calls are deleted. */
const mostHours = 168;
const scope = { type: "request-log", action: "Read" } as const;
const administratorRoles = ["account_administrator", "directory_administrator"];
const maySeeAll = ({ roles }: Caller): boolean => administratorRoles.some((role) => roles.has(role));

export const requestLogRoutes = (): Route[] =>
  serve(requestLogOperations, {
    "GET /request_log": {
      scope,
      async handle(call) {
        const { caller, engine } = call;
        return okJson(await listCallsAsJson(engine.database, caller, maySeeAll(caller), parseFilter(call)));
      },
    },
    "GET /request_log_statistics": {
      scope,
      async handle(call) {
        const { caller, engine } = call;
        const hours = parseNumberParameter(call.query, "hours", mostHours) ?? mostHours;
        return okJson(await countCallsAsJson(engine.database, caller, maySeeAll(caller), hours));
      },
    },
  });

function parseBrowser(text: string | undefined): boolean | undefined {
  if (text !== undefined && text !== "true" && text !== "false") throw new BadRequest("browser is not valid");
  return text === "true" ? true : undefined;
}

function parseFilter(call: Call): CallFilter {
  const members = {
    status: getParameter(call.query, "status"),
    method: getParameter(call.query, "method")?.toUpperCase(),
    path: getParameter(call.query, "path"),
    request: getParameter(call.query, "request_id"),
    person: parseNumberParameter(call.query, "person_id", 2_147_483_647),
    application: parseNumberParameter(call.query, "application_id", 2_147_483_647),
    token: parseNumberParameter(call.query, "token_id", 2_147_483_647),
    browser: parseBrowser(getParameter(call.query, "browser")),
    hours: parseNumberParameter(call.query, "hours", mostHours),
    before: parseNumberParameter(call.query, "before", Number.MAX_SAFE_INTEGER),
    after: parseNumberParameter(call.query, "after", Number.MAX_SAFE_INTEGER),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as CallFilter;
}
