/** One parameter of a query string, decoded. */
export type Parameter = { name: string; value: string };

/** The parameters of a list; filter.ts and sort.ts interpret them. */
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
