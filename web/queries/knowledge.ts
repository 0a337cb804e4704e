import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RecordOf } from "../../records/vocabulary/rows.ts";
import type { knowledgeArticle } from "../../records/work/knowledge-article.ts";
import type { Api } from "../api/index.ts";
import type { SearchResult } from "../api/search.ts";
import { changesOfList, changesOfPath, changesOfRecord } from "./change-rules.ts";

type Id = number | string;

const collection = "/knowledge_articles";

const entryFields = ["subject", "status", "service", "times_applied", "times_viewed"] as const;
/** An article in lists. */
export type KnowledgeEntry = Pick<RecordOf<typeof knowledgeArticle>, "id" | (typeof entryFields)[number]>;

export const knowledgeQueries = {
  search: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "search", "articles", text],
      queryFn: () => api.list<SearchResult>("/search", { q: text, types: "knowledge-article", per_page: "30" }),
      placeholderData: keepPreviousData,
    }),
  /** Articles of a view. */
  articles: (api: Api, view: "active" | "outdated", filter: Readonly<Record<string, string>> = {}) =>
    queryOptions({
      queryKey: [api.account, "list", collection, view, filter],
      queryFn: async (): Promise<readonly KnowledgeEntry[]> => {
        const at = `${collection}/${view}`;
        return (await api.list("knowledge_article", { per_page: "100", ...filter, at, fields: entryFields })).rows;
      },
      meta: { changedBy: changesOfList(collection) },
    }),
  /** Active articles of a service. */
  near: (api: Api, service: Id) =>
    queryOptions({
      queryKey: [api.account, "list", collection, "near", String(service)],
      queryFn: async () => {
        const query = { at: `${collection}/active`, service: String(service), per_page: "8" };
        return (await api.list("knowledge_article", { ...query, fields: ["subject"] })).rows;
      },
      meta: { changedBy: changesOfList(collection) },
    }),
  translations: (api: Api, id: Id) => {
    const at = `${collection}/${encodeURIComponent(id)}/translations`;
    return queryOptions({
      queryKey: [api.account, "list", at],
      queryFn: async () => {
        const fields = ["locale", "subject", "description", "instructions", "updated_at"] as const;
        return (await api.list("knowledge_article_translation", { at, fields, per_page: "100" })).rows;
      },
      meta: { changedBy: changesOfRecord("knowledge_article", id) },
    });
  },
  /** The readers' feedback on an article. */
  feedback: (api: Api, id: number) =>
    queryOptions({
      queryKey: [api.account, "list", `${collection}/${id}/feedback`],
      queryFn: () => api.call("GET /knowledge_articles/:id/feedback", { id }),
      meta: { changedBy: changesOfRecord("knowledge_article", id) },
    }),
  /** The newest requests that an article has solved. */
  solved: (api: Api, id: number) => {
    const at = `${collection}/${id}/requests`;
    return queryOptions({
      queryKey: [api.account, "list", at],
      queryFn: async () => {
        const fields = ["subject", "created_at"] as const;
        return (await api.list("request", { at, fields, sort: "-id", per_page: "4" })).rows;
      },
      retry: false,
      meta: { changedBy: changesOfPath(at) },
    });
  },
  /** The request from which a new article is created. */
  origin: (api: Api, request: string) =>
    queryOptions({
      queryKey: [api.account, "article from", request],
      queryFn: () => api.get("request", request),
      retry: false,
    }),
};
