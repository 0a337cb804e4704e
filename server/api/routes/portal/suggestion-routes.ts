import { suggestionOperations } from "../../../../records/answers/suggestions.ts";
import { loadSuggestions } from "../../../actions/suggestions.ts";
import { suggestTags } from "../../../actions/tag-suggestions.ts";
import { BadRequest } from "../../../base/errors.ts";
import { requireRecord } from "../../../engine/find.ts";
import { getParameter } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { needScopes } from "./needed-scopes.ts";

const maxTextLength = 500;
const maxTagLength = 128;

/** Suggestions for the beginning of a new request, and tags in use. */
export function suggestionRoutes({ engine: { types } }: Api): Route[] {
  return serve(suggestionOperations, {
    "GET /suggestions": {
      ...needScopes(
        types,
        ...([
          ["request", "Read"],
          ["service_instance", "Read"],
          ["request_template", "Read"],
        ] as const),
        ["knowledge_article", "Read"],
      ),
      async handle({ engine, caller: by, query }) {
        const text = (getParameter(query, "text") ?? "").slice(0, maxTextLength);
        const person = parsePerson(getParameter(query, "for") ?? "");
        if (person !== null && person !== by.person)
          await requireRecord(engine, by, types.get("person"), person, "read");
        return ok(await loadSuggestions(engine, by, text, person));
      },
    },
    "GET /tags": {
      ...needScopes(types, ["tag", "Read"]),
      handle: async ({ engine, caller, query }) =>
        ok(await suggestTags(engine, caller, (getParameter(query, "text") ?? "").slice(0, maxTagLength))),
    },
  });
}

function parsePerson(text: string): number | null {
  if (text === "") return null;
  if (!/^\d{1,9}$/.test(text)) throw new BadRequest("Parameter 'for' must be the id of a person");
  return Number(text);
}
