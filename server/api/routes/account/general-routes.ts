import { generalOperations } from "../../../../records/answers/account.ts";
import { type EnumerationName, enumerations } from "../../../../records/enumerations/index.ts";
import { choiceLabel, parseLanguage } from "../../../../records/languages/index.ts";
import { updateOwnSettings } from "../../../actions/own-settings.ts";
import { NotAcceptable, NotFound, TooManyRequests } from "../../../base/errors.ts";
import { find } from "../../../engine/find.ts";
import { always } from "../../../engine/sql/clauses.ts";
import { getClientAddress } from "../../http/origin.ts";
import { parseFields } from "../../http/parameters.ts";
import {
  type Api,
  identify,
  pickRateBucket,
  readHeader,
  requireIdentity,
  setRateLimitHeaders,
} from "../../http/pipeline.ts";
import { buildIgnoredFieldsHeader, type Call, ok, okJson, type Route } from "../../http/route.ts";
import { StaticContent } from "../../http/static-content.ts";
import { serve } from "../../operations/serve.ts";

// Routes outside the collections: entry, caller, account, enumerations, rate limit.

export function generalRoutes(api: Api): Route[] {
  const person = api.engine.types.get("person");
  const account = api.engine.types.get("account");
  const meScope = { type: "me", action: "All" } as const;
  const handleMe = async (call: Call) => {
    // People see their own record in every account.
    return okJson(
      await find(call.engine, call.caller, person, call.caller.person, parseFields(call.query), {
        clause: always,
        rights: "of the parent",
      }),
    );
  };
  return serve(generalOperations, {
    "GET ": { scope: null, anonymous: true, handle: async () => okJson("{}") },
    "GET /me": { scope: meScope, handle: handleMe },
    "GET /people/me": { scope: meScope, handle: handleMe },
    "PATCH /me": {
      scope: meScope,
      async handle(call) {
        const { json, ignored } = await updateOwnSettings(call.engine, call.caller, await call.body());
        return { status: 200, json, headers: buildIgnoredFieldsHeader(ignored) };
      },
    },
    "GET /account": {
      scope: { type: "account", action: "Read" },
      handle: async (call) =>
        okJson(await find(call.engine, call.caller, account, call.caller.account, parseFields(call.query))),
    },
    // A page of the user interface, not a resource.
    "GET /account/billing": { scope: null, handle: () => Promise.reject(new NotAcceptable()) },
    "GET /enums": {
      scope: null,
      anonymous: true,
      handle: async (call) => ({ status: 200, content: renderEnumerations(pickLanguage(call)) }),
    },
    "GET /enums/:language": {
      scope: null,
      anonymous: true,
      async handle(call) {
        const language = parseLanguage(call.params.language ?? "");
        if (language === null) throw new NotFound();
        return { status: 200, content: renderEnumerations(language) };
      },
    },
    "GET /rate_limit": {
      scope: null,
      anonymous: true,
      exemptFromRateLimit: true,
      handle: (call) => handleRateLimit(api, call),
    },
  });
}

function pickLanguage(call: Call): string {
  const requested = parseLanguage(readHeader(call.request, "language", "x-xurrent-language", "x-4me-language") ?? "");
  if (requested !== null) return requested;
  try {
    return call.caller.language;
  } catch {
    return "en-US"; // anonymous
  }
}

const enumerationCache = new Map<string, StaticContent>();

/** All enumerations in one language, rendered once. */
function renderEnumerations(language: string): StaticContent {
  let content = enumerationCache.get(language);
  if (content === undefined) {
    const lists = Object.entries(enumerations).map(([key, values]) => [
      key,
      values.map((id) => ({ id, txt: choiceLabel(language, key as EnumerationName, id) })),
    ]);
    content = new StaticContent("application/json; charset=utf-8", JSON.stringify(Object.fromEntries(lists)));
    enumerationCache.set(language, content);
  }
  return content;
}

async function handleRateLimit(api: Api, call: Call) {
  const identity = requireIdentity(await identify(api, call.request), true);
  const status =
    identity === null
      ? await api.limiter.status(`address ${getClientAddress(api.configuration, call.request.raw)}`)
      : await api.limiter.status(...pickRateBucket(api, identity));
  setRateLimitHeaders(call.reply, status);
  if (status.retryAfter !== null) throw new TooManyRequests(status.retryAfter);
  const core = { limit: status.limit, remaining: status.remaining, reset: status.reset };
  return ok({ ...core, resources: { core } });
}
