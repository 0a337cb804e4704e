import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import type { Reference } from "../reference.ts";
import { cursorPages, toCursor } from "./pages.ts";

// Records removed from the lists.

export type RemovedList = "archive" | "trash";
/** The record is in the member named after its type. */
export type RemovedEntry = {
  id: number;
  archived?: string;
  trashed?: string;
  archived_by?: Reference | null;
  trashed_by?: Reference | null;
  created_at: string;
};

export const archiveQueries = {
  all: (api: Api, list: RemovedList) => [api.account, list] as const,
  entries: (api: Api, list: RemovedList, type: string | undefined) =>
    infiniteQueryOptions({
      queryKey: [...archiveQueries.all(api, list), type],
      queryFn: ({ pageParam }) =>
        api.list<RemovedEntry>(`/${list}`, { type, per_page: "50", search_after: toCursor(pageParam) }),
      ...cursorPages,
    }),
};
