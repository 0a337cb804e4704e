import { queryOptions } from "@tanstack/react-query";
import type { TypeName } from "../../records/index.ts";
import { type Api, collectionPath, type FieldNamed, type ListQuery, type Query, revisionsApi } from "../api/index.ts";
import { readAfterWrites } from "../live/write-queue.ts";
import { changesOfList, changesOfRecord } from "./change-rules.ts";

type Id = number | string;
/** A record type, or its entry in the index of types. */
export type NamedType = { readonly name: string; readonly collection: string };

export const pagePath = ({ collection }: Pick<NamedType, "collection">, id: Id): string =>
  `/${collection}/${encodeURIComponent(id)}`;

export const recordQueries = {
  /** Prefix of all data that a page has loaded for a record. */
  all: (api: Pick<Api, "account">, type: string, id: Id) => [api.account, "record", type, String(id)] as const,
  /** The record with its revision: shown by its page, and preloaded by lists. */
  page: (api: Pick<Api, "account">, type: NamedType, id: Id) =>
    queryOptions({
      queryKey: [...recordQueries.all(api, type.name, id), "page"],
      queryFn: () => readAfterWrites(() => revisionsApi(api.account).get(pagePath(type, id))),
      meta: { changedBy: changesOfRecord(type.name, id) },
    }),
  /** Further data of a record's page. */
  part: <T>(api: Pick<Api, "account">, type: string, id: Id, name: string, load: () => Promise<T>) =>
    queryOptions({
      queryKey: [...recordQueries.all(api, type, id), name],
      queryFn: load,
      meta: { changedBy: changesOfRecord(type, id) },
    }),
};

/** The key of `recordQueries.page`. */
export const recordPageKey = (account: string, type: string, id: Id) =>
  [...recordQueries.all({ account }, type, id), "page"] as const;

export const listQueries = {
  /** Prefix of all lists of the account. */
  all: (api: Pick<Api, "account">) => [api.account, "list"] as const,
  /** Prefix of all lists of a path. */
  of: (api: Pick<Api, "account">, path: string) => [...listQueries.all(api), path] as const,
  path: (api: Api, path: string, query: Query = {}) =>
    queryOptions({
      queryKey: [...listQueries.of(api, path), query],
      queryFn: () => api.list(path, query),
      meta: { changedBy: changesOfList(path) },
    }),
  /** `type(api, "risk", { fields: ["subject"] })`: rows with the types of the fields. */
  type: <N extends TypeName, const F extends FieldNamed<N>>(api: Api, type: N, query: ListQuery<F>) => {
    const path = query.at ?? collectionPath(type);
    return queryOptions({
      queryKey: [...listQueries.of(api, path), query],
      queryFn: () => api.list(type, query),
      meta: { changedBy: changesOfList(path) },
    });
  },
};
