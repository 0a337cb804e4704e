import type { Caller } from "../caller.ts";
import { getKind } from "../kinds/index.ts";
import { parseFilter } from "../read/filter.ts";
import type { ListQuery, Parameter } from "../read/list-query.ts";
import type { Grouping } from "./question.ts";

// The list behind a group: the query that answers exactly the records that the group counts.

/** The filter that selects the records of a group; null: no filter can. */
export type GroupFilter = { name: string; value: string } | null;

/** A text that the syntax of filters would read as something else has no filter. */
export const buildTextFilter = (name: string, text: string | null): GroupFilter => {
  if (text === null) return { name, value: "" };
  return text === "" || text !== text.trim() || text.includes(",") || /^[!<>]/.test(text)
    ? null
    : { name, value: text };
};

/** The first and the last moment or day of a period; null where it has no limit. */
export type Period = { from: string | null; until: string | null };

export const buildPeriodFilter = (name: string, { from, until }: Period): GroupFilter => ({
  name,
  value: `${from === null ? "" : `>=${from}`}${until === null ? "" : `<=${until}`}`,
});

const isFor = (grouping: Grouping, { name }: Parameter): boolean =>
  [grouping.name, `${grouping.name}_id`].includes(name.replace(/!$/, ""));

/** Whether a filter by the same field says nothing beyond the period. */
function isWider(parameter: Parameter, period: Period, { field }: Grouping, by: Caller): boolean {
  const { negated, blank, list, comparisons } = parseFilter(parameter);
  if (list !== null || (blank && !negated)) return false;
  if (blank) return true;
  const read = (text: string) => String(getKind(field).read(text.trim(), field, by));
  return comparisons.every(({ operator, value }) => {
    const limit = read(value);
    if (operator === ">=") return period.from !== null && limit <= read(period.from);
    if (operator === ">") return period.from !== null && limit < read(period.from);
    if (operator === "<=") return period.until !== null && limit >= read(period.until);
    if (operator === "<") return period.until !== null && limit > read(period.until);
    return false;
  });
}

/** `period`: that of the group, for a field that is grouped by periods; null for records without a value */
export type GroupPart = { grouping: Grouping; filter: GroupFilter; period: Period | null };

/** As a query string; null when no filter can name the group. `more`: filters that hold for some of its records only. */
export function buildGroupQuery(
  { views, filters }: Pick<ListQuery, "views" | "filters">,
  parts: readonly GroupPart[],
  by: Caller,
  more: readonly Parameter[] = [],
): string | null {
  if (parts.some(({ filter }) => filter === null)) return null;
  // A filter of the question by the field of the group holds for all its records: the value of the group replaces it.
  const kept = filters.filter((parameter) =>
    parts.every(
      ({ grouping, period }) =>
        !isFor(grouping, parameter) || (period !== null && !isWider(parameter, period, grouping, by)),
    ),
  );
  const viewParameters = ["state", "predefined_filter"];
  const parameters: Parameter[] = [
    ...views.map((view, at) => ({ name: viewParameters[at] as string, value: view })),
    ...kept,
    ...parts.map(({ filter }) => filter as Parameter),
    ...more,
  ];
  return parameters.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}
