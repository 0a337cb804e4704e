/** One parameter of a query string, decoded. */
export type Parameter = { name: string; value: string };

/** What a caller asks of a collection, as it came; server/engine/filter.ts and sort.ts give it meaning. */
export type ListQuery = {
  views: readonly string[];
  fields: readonly string[] | null;
  filters: readonly Parameter[];
  sort: string | null;
  perPage: number;
  page: number | null;
  after: string | null;
  before: string | null;
};
