import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Api, Row } from "../api/index.ts";
import { changesOfPath } from "./change-rules.ts";
import type { Reference } from "./reference.ts";

// Collections have no filter by a part of a name. So the names are loaded page by page, up to a limit, and searched
// here; in a larger collection the server's search finds the others (D-708).

const pages = 5;

type Narrowed = Readonly<Record<string, string>>;

const buildMeta = (path: string) => ({ changedBy: changesOfPath(path) });

export const referenceOptionQueries = {
  /** `further`: fields in addition to the names. */
  all: (api: Api, path: string, narrowed: Narrowed, further: readonly string[]) =>
    infiniteQueryOptions({
      queryKey: [api.account, "options", path, "of", ...further],
      queryFn: ({ pageParam }) =>
        api.list(path, pageParam === "" ? narrowed : { ...narrowed, search_after: pageParam }),
      initialPageParam: "",
      getNextPageParam: (page, all) => (all.length < pages ? page.next : null),
      staleTime: 60_000,
      meta: buildMeta(path),
    }),
  found: (api: Api, path: string, narrowed: Narrowed, search: string, types: string | undefined) =>
    queryOptions({
      queryKey: [api.account, "options", path, search],
      queryFn: async () => {
        const hits = (await api.list("/search", { q: search, types, per_page: "20" })).rows;
        if (hits.length === 0) return [];
        return (await api.list(path, { ...narrowed, per_page: "20", ids: hits.map(({ id }) => id).join() })).rows;
      },
      meta: buildMeta(path),
    }),
};

/** Enabled records whose name may match. */
export function useReferenceOptions(
  type: RecordType | undefined,
  search: string,
  wanted: boolean,
  further: string[] = [],
) {
  const { api } = useCurrentAccount();
  const path = `/${type?.collection}`;
  const display = type?.display ?? "id";
  const hasLabel = type?.fields.label?.kind === "string";
  const narrowed = {
    fields: [display, ...(hasLabel ? ["label"] : []), ...further].join(),
    ...(type?.sortable.includes(display) ? { sort: display } : {}),
    ...(type?.filterable.includes("disabled") ? { disabled: "false" } : {}),
    per_page: "100",
  };
  const loaded = useInfiniteQuery({
    ...referenceOptionQueries.all(api, path, narrowed, further),
    enabled: wanted && type !== undefined,
  });
  const { hasNextPage, isFetching, fetchNextPage } = loaded;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);

  const rows = loaded.data?.pages.flatMap((page) => page.rows) ?? [];
  const beyond = (loaded.data?.pages[0]?.total ?? 0) > rows.length;
  const searched = useQuery({
    ...referenceOptionQueries.found(api, path, narrowed, search, type?.name.replaceAll("_", "-")),
    enabled: beyond && search !== "" && (type?.searchable.length ?? 0) > 0,
  });
  const found = searched.data ?? [];
  const all = [...rows, ...found.filter((row) => !rows.some(({ id }) => id === row.id))];
  // Items of one model have the same name: their label tells them apart.
  const buildName = (row: Row): string => {
    const name = String(row[display] ?? `#${row.id}`);
    return hasLabel && typeof row.label === "string" ? `${row.label} · ${name}` : name;
  };
  const options = all.map((row): Reference => ({ ...row, name: buildName(row) }));
  const loading = loaded.isFetching || searched.isFetching;
  /** `isPartial`: the server has more records than these options; it finds them by `search` */
  return { options, found: new Set(found.map(({ id }) => id)), loading, isPartial: beyond };
}
