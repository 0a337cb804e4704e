import type {
  SuggestedArticle,
  SuggestedService,
  SuggestedTemplate,
  Suggestions,
} from "../../records/answers/suggestions.ts";
import { toTimestamp } from "../base/clock.ts";
import { hasAnyGrant } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { list, type RowScope } from "../engine/list.ts";
import type { Parameter } from "../engine/read/list-query.ts";
import { search } from "../engine/search/search.ts";
import type { Type } from "../engine/types.ts";
import { serviceInstanceCovered } from "../rules/sla/coverage.ts";
import { localizeArticles } from "./portal/articles.ts";
import { addApprovers, type RequestRow, requestRowFields } from "./portal/own-requests.ts";

// Suggestions for the beginning of a new request: its service, templates, articles that may answer it, and similar
// requests. Everything is read with the rights of the caller.

const maxSuggestions = 5;
const maxWords = 8;
/** so many matches are looked at: not all of them are open, or offered to that person */
const maxMatches = 25;
const similarDays = 14;

/** `person`: whom the request is for; null: no one has been chosen yet */
export async function loadSuggestions(
  engine: Engine,
  by: Caller,
  text: string,
  person: number | null,
): Promise<Suggestions> {
  const words = pickWords(text).join("|");
  const isAbout = buildRelevance(text);
  const [requests, articles, templates, instances] = await Promise.all([
    findIds(engine, by, "request", words),
    findIds(engine, by, "knowledge_article", words),
    findIds(engine, by, "request_template", words),
    findIds(engine, by, "service_instance", words),
  ]);
  const [similar, matching, offered, services] = await Promise.all([
    listByIds<RequestRow>(engine, by, "request", requests, {
      fields: requestRowFields,
      views: ["open"],
      filters: [{ name: "created_at", value: `>=${toTimestamp(daysBefore(by.now, similarDays))}` }],
    }),
    listByIds<SuggestedArticle>(engine, by, "knowledge_article", articles, {
      fields: ["subject", "description", "service", "times_applied"],
      views: ["active"],
    }),
    listByIds<SuggestedTemplate>(engine, by, "request_template", templates, {
      fields: ["subject", "category", "impact", "service", "team", "times_applied"],
      views: ["enabled"],
    }),
    suggestServices(engine, by, instances, requests, person),
  ]);
  const [shownArticles, shownRequests] = await Promise.all([
    localizeArticles(engine, by, matching.filter(isAbout)),
    addApprovers(engine, by, similar.filter(isAbout)),
  ]);
  return { services, templates: offered, articles: shownArticles.map(shortenDescription), similar: shownRequests };
}

/** The words of a text; short ones match everything and are useless. */
const pickWords = (text: string, shortest = 3): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
    .filter((word) => word.length >= shortest)
    .slice(0, maxWords);

/**
 * The search finds all texts that share one word, and a single shared "desk" does not make them similar: a third of the
 * words must occur, with other endings too.
 */
function buildRelevance(text: string): (record: { subject: string; description?: string }) => boolean {
  const stems = pickWords(text, 4).map((word) => word.slice(0, Math.max(4, word.length - 2)));
  const needed = Math.ceil(stems.length / 3);
  return ({ subject, description }) => {
    const own = `${subject} ${description ?? ""}`.toLowerCase();
    return stems.filter((stem) => own.includes(stem)).length >= needed;
  };
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000);

/** The ids of the best matches, the best first. */
async function findIds(engine: Engine, by: Caller, name: string, words: string): Promise<readonly number[]> {
  const type = engine.types.get(name);
  if (words === "" || !hasAnyGrant(type, "read", by)) return [];
  const page = { sort: "relevance", perPage: maxMatches, page: null, after: null, before: null } as const;
  const { records } = await search(engine, by, { text: words, types: [type], ...page });
  return records.map((json) => {
    const { id }: { id: number } = JSON.parse(json);
    return id;
  });
}

type Selection = {
  fields: readonly string[];
  views?: readonly string[];
  filters?: readonly Parameter[];
  scope?: RowScope;
};

/** The records of these ids that meet the selection, in the order of the ids. */
async function listByIds<Listed extends { id: number }>(
  engine: Engine,
  by: Caller,
  name: string,
  ids: readonly number[],
  { fields, views = [], filters = [], scope }: Selection,
): Promise<Listed[]> {
  if (ids.length === 0) return [];
  const type: Type = engine.types.get(name);
  const query = {
    views: views.filter((view) => view in type.views),
    fields,
    filters: [{ name: "id", value: ids.join(",") }, ...filters],
    sort: null,
    perPage: 100,
    page: null,
    after: null,
    before: null,
  };
  const { records } = await list(engine, by, type, query, scope);
  const found = records.map((json): Listed => JSON.parse(json));
  const place = new Map(ids.map((id, index) => [id, index]));
  return found.sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0)).slice(0, maxSuggestions);
}

/** Services that bear such a name, then those of matching requests, then those that the person had requests about. */
async function suggestServices(
  engine: Engine,
  by: Caller,
  named: readonly number[],
  requests: readonly number[],
  person: number | null,
): Promise<SuggestedService[]> {
  const [matching, own] = await Promise.all([
    listServicesOf(engine, by, requests.length === 0 ? null : [{ name: "id", value: requests.join(",") }]),
    listServicesOf(engine, by, person === null ? null : [{ name: "requested_for", value: String(person) }]),
  ]);
  const scores = new Map<number, number>();
  const add = (id: number, score: number) => scores.set(id, (scores.get(id) ?? 0) + score);
  for (const [index, id] of named.entries()) add(id, 10 - Math.min(index, 5));
  for (const id of matching) add(id, 2);
  for (const id of own) add(id, 1);
  const ids = [...scores]
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => id)
    .slice(0, maxMatches);
  const scope: RowScope | undefined =
    person === null ? undefined : { clause: serviceInstanceCovered(by, person), rights: "own" };
  return listByIds(engine, by, "service_instance", ids, {
    fields: ["name", "service", "support_team"],
    views: ["active"],
    ...(scope === undefined ? {} : { scope }),
  });
}

async function listServicesOf(
  engine: Engine,
  by: Caller,
  filters: readonly Parameter[] | null,
): Promise<readonly number[]> {
  if (filters === null) return [];
  const query = { views: [], fields: ["service_instance"], filters, sort: "-id", perPage: maxMatches };
  const { records } = await list(engine, by, engine.types.get("request"), {
    ...query,
    page: null,
    after: null,
    before: null,
  });
  return records.flatMap((json) => {
    const { service_instance }: { service_instance: { id: number } | null } = JSON.parse(json);
    return service_instance === null ? [] : [service_instance.id];
  });
}

/** The first words are enough to recognize an article. */
const shortenDescription = (article: SuggestedArticle): SuggestedArticle => ({
  ...article,
  description: article.description.slice(0, 200),
});
