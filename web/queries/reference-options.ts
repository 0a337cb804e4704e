import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../current-account.ts";
import type { Reference } from "./reference.ts";

// Collections have no filter by a part of a name. So the names are loaded, page by page, as far as is reasonable, and
// searched here; in a larger collection the whole name finds its record.

const pages = 5;

/** Enabled records whose name may match. */
export function useReferenceOptions(
  type: RecordType | undefined,
  search: string,
  wanted: boolean,
  further: string[] = [],
) {
  const { account, api } = useCurrentAccount();
  const path = `/${type?.collection}`;
  const display = type?.display ?? "id";
  const narrowed = {
    fields: [display, ...further].join(),
    ...(type?.sortable.includes(display) ? { sort: display } : {}),
    ...(type?.filterable.includes("disabled") ? { disabled: "false" } : {}),
    per_page: "100",
  };
  const loaded = useInfiniteQuery({
    queryKey: [account.id, "options", path, "of", ...further],
    queryFn: ({ pageParam }) => api.list(path, pageParam === "" ? narrowed : { ...narrowed, search_after: pageParam }),
    initialPageParam: "",
    getNextPageParam: (page, all) => (all.length < pages ? page.next : null),
    staleTime: 60_000,
    enabled: wanted && type !== undefined,
  });
  const { hasNextPage, isFetching, fetchNextPage } = loaded;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);

  const rows = loaded.data?.pages.flatMap((page) => page.rows) ?? [];
  const beyond = (loaded.data?.pages[0]?.total ?? 0) > rows.length;
  const exact = useQuery({
    queryKey: [account.id, "options", path, search],
    queryFn: () => api.list(path, { ...narrowed, per_page: "20", [display]: search }),
    enabled: beyond && search !== "" && (type?.filterable.includes(display) ?? false),
  });
  const all = [...rows, ...(exact.data?.rows ?? []).filter((row) => !rows.some(({ id }) => id === row.id))];
  const options = all.map((row): Reference => ({ ...row, name: String(row[display] ?? `#${row.id}`) }));
  return { options, loading: loaded.isFetching || exact.isFetching };
}
