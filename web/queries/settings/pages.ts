// Lists that load more at the end: the server returns the cursor of the next page.

/** For `infiniteQueryOptions`, with `search_after: toCursor(pageParam)`. */
export const cursorPages = {
  initialPageParam: "",
  getNextPageParam: ({ next }: { next: string | null }): string | null => next,
};

/** The first page has no cursor. */
export const toCursor = (pageParam: string): string | undefined => pageParam || undefined;

/** For lists without cursors, whose next page starts before the last entry. */
export const pagesBefore = (pageSize: number) => ({
  initialPageParam: "",
  getNextPageParam: (page: readonly { id: number }[]): string | null =>
    page.length < pageSize ? null : String(page.at(-1)?.id),
});
