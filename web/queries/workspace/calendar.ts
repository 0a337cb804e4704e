import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api, Query, Row } from "../../api/index.ts";

const mostPages = 3;

async function loadRows(api: Api, collection: string, query: Query) {
  const rows: Row[] = [];
  let after: string | null = "";
  for (let page = 0; page < mostPages && after !== null; page++) {
    const answer: { rows: Row[]; next: string | null } = await api.list(
      `/${collection}`,
      after === "" ? query : { ...query, search_after: after },
    );
    rows.push(...answer.rows);
    after = answer.next;
  }
  return { rows, isCut: after !== null };
}

export const calendarQueries = {
  /**
   * The rows of a calendar, in as many pages as it can show. The key begins like those of `rowQueries`, so that
   * `useLiveRows` reloads calendars, too. Not imported from there, because lists are loaded without their calendar.
   */
  month: (api: Api, collection: string, query: Query) =>
    queryOptions({
      queryKey: [api.account, "rows", collection, "calendar", query],
      queryFn: () => loadRows(api, collection, query),
      placeholderData: keepPreviousData,
    }),
};
