import { loadSuggestions } from "../actions/suggestions.ts";
import { suggestTags } from "../actions/tag-suggestions.ts";
import { BadRequest } from "../base/errors.ts";
import { requireRecord } from "../engine/find.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import { loadSessionCaller, type SessionRoute } from "./session-routes.ts";

const maxLength = 500;

/**
 * GET /suggestions?text=&for=: what the beginning of a new request suggests to the person. GET /tags?text=: tags in use, for
 * whoever tags a record.
 */
export const suggestionRoutes: readonly SessionRoute[] = [
  {
    method: "GET",
    path: "/suggestions",
    async handle(visit, params) {
      const by = await loadSessionCaller(visit, params);
      const text = (visit.query.get("text") ?? "").slice(0, maxLength);
      if (!isStorable(text)) throw new BadRequest("Parameter 'text' contains invalid characters");
      const { engine } = visit.pages;
      const person = parsePerson(visit.query.get("for"));
      if (person !== null && person !== by.person)
        await requireRecord(engine, by, engine.types.get("person"), person, "read");
      return loadSuggestions(engine, by, text, person);
    },
  },
  {
    method: "GET",
    path: "/tags",
    async handle(visit, params) {
      const by = await loadSessionCaller(visit, params);
      const text = (visit.query.get("text") ?? "").slice(0, 128);
      if (!isStorable(text)) throw new BadRequest("Parameter 'text' contains invalid characters");
      return suggestTags(visit.pages.engine, by, text);
    },
  },
];

function parsePerson(text: string | null): number | null {
  if (text === null || text === "") return null;
  if (!/^\d{1,9}$/.test(text)) throw new BadRequest("Parameter 'for' must be the id of a person");
  return Number(text);
}
