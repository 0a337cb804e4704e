import type { Field, Share } from "../../../records/vocabulary/index.ts";
import { BadRequest } from "../../base/errors.ts";
import type { Caller } from "../caller.ts";
import { getKind } from "../kinds/index.ts";
import { Refusal } from "../kinds/kind.ts";
import { isReference } from "../kinds/reference.ts";
import type { ListQuery, Parameter } from "../read/list-query.ts";
import type { Type } from "../types.ts";

// The query of a summary: the fields to group by, and the values to measure. D-427.

export const periodUnits = ["day", "week", "month"] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** `limits`: the moments or days that periods of unequal length begin with, ascending */
export type Periods = { every: PeriodUnit } | { limits: readonly string[] };
export type Grouping = { name: string; field: Field; periods: Periods | null };

const aggregates = ["median", "average", "sum"] as const;
type Aggregate = (typeof aggregates)[number];
export type Measure =
  | { is: "count" }
  | { is: Aggregate; name: string; field: Field }
  | { is: "share"; name: string; share: Share };

export type Question = {
  groupings: readonly Grouping[];
  measure: Measure;
  query: Pick<ListQuery, "views" | "filters">;
};

/** The parameters of a summary; all others are those of a list. */
export const summaryParameters = ["by", "then_by", "every", "bounds", "measure"] as const;
const maxBounds = 20;

const mayKnow = (field: Field, by: Caller | null): boolean =>
  field.confidential === undefined || by === null || field.confidential.roles.some((role) => by.roles.has(role));

/** The fields that the caller may group by; without a caller, those that any caller may. */
export const listGroupFields = (type: Type, by: Caller | null): string[] =>
  type.filterable.filter((name) => {
    const field = type.fields[name] as Field;
    return getKind(field).groups !== undefined && type.columns.has(name) && mayKnow(field, by);
  });

/** Whether summaries of the type exist: those of a list that ends early would be wrong. */
export const isSummarizable = (type: Type): boolean =>
  type.routes.cap === null && !type.storage.virtual && listGroupFields(type, null).length > 0;

/** The measures of the type beside `count`. */
export function listMeasures(type: Type, by: Caller | null): string[] {
  const numbers = type.outputFields.filter((name) => {
    const field = type.fields[name] as Field;
    return getKind(field).isMeasure && type.columns.has(name) && type.selectable.has(name) && mayKnow(field, by);
  });
  return [
    ...aggregates.flatMap((aggregate) => numbers.map((name) => `${aggregate}:${name}`)),
    ...Object.keys(type.routes.shares).map((name) => `share:${name}`),
  ];
}

export function parseQuestion(
  type: Type,
  by: Caller,
  parameters: readonly Parameter[],
  query: Question["query"],
): Question {
  const given = new Map<string, string>();
  for (const { name, value } of parameters) {
    if (given.has(name) && given.get(name) !== value)
      throw new BadRequest(`Parameter '${name}' is given more than once`);
    if (value !== "") given.set(name, value);
  }
  const names = [given.get("by"), given.get("then_by")].filter((name) => name !== undefined);
  if (given.has("then_by") && !given.has("by")) throw new BadRequest("Parameter 'then_by' needs 'by'");
  if (names.length === 2 && pickName(type, names[0] as string) === pickName(type, names[1] as string))
    throw new BadRequest("Parameters 'by' and 'then_by' name the same field");
  const groupings = names.map((name) => parseGrouping(type, by, name, given));
  const periodical = groupings.filter(({ periods }) => periods !== null);
  if (periodical.length > 1) throw new BadRequest("Only one of 'by' and 'then_by' can be a date or time");
  if (periodical.length === 0 && (given.has("every") || given.has("bounds")))
    throw new BadRequest("Parameters 'every' and 'bounds' need a date or time to group by");
  const measure = parseMeasure(type, by, given.get("measure") ?? "count");
  const among = measure.is === "share" ? toParameters(measure.share.among) : [];
  return { groupings, measure, query: { views: query.views, filters: [...query.filters, ...among] } };
}

export const toParameters = (filters: Readonly<Record<string, string>>): Parameter[] =>
  Object.entries(filters).map(([name, value]) => ({ name, value }));

/** `team_id` means `team`, as in filters. */
const pickName = (type: Type, name: string): string =>
  name.endsWith("_id") && isReference(type.fields[name.slice(0, -3)]) ? name.slice(0, -3) : name;

function parseGrouping(type: Type, by: Caller, given: string, parameters: ReadonlyMap<string, string>): Grouping {
  const name = pickName(type, given);
  if (!Object.hasOwn(type.fields, name)) throw new BadRequest(`Unknown fields: ${given}`);
  if (!listGroupFields(type, by).includes(name)) throw new BadRequest(`Grouping not allowed on fields: ${given}`);
  const field = type.fields[name] as Field;
  return { name, field, periods: getKind(field).groups === "periods" ? parsePeriods(field, by, parameters) : null };
}

function parsePeriods(field: Field, by: Caller, parameters: ReadonlyMap<string, string>): Periods {
  const [every, bounds] = [parameters.get("every"), parameters.get("bounds")];
  if ((every === undefined) === (bounds === undefined))
    throw new BadRequest("Give one of 'every' and 'bounds' to group by a date or time");
  if (bounds === undefined) {
    const unit = periodUnits.find((each) => each === every);
    if (unit === undefined) throw new BadRequest(`Parameter 'every' must be one of ${periodUnits.join(", ")}`);
    return { every: unit };
  }
  const limits = bounds.split(",").map((text) => parseLimit(field, by, text));
  if (limits.length > maxBounds) throw new BadRequest(`Parameter 'bounds' has more than ${maxBounds} values`);
  if (limits.some((limit, at) => at > 0 && limit <= (limits[at - 1] as string)))
    throw new BadRequest("Parameter 'bounds' must ascend");
  return { limits };
}

function parseLimit(field: Field, by: Caller, text: string): string {
  try {
    return String(getKind(field).read(text.trim(), field, by));
  } catch (error) {
    if (error instanceof Refusal) throw new BadRequest("Invalid value for parameter 'bounds'");
    throw error;
  }
}

function parseMeasure(type: Type, by: Caller, text: string): Measure {
  if (text === "count") return { is: "count" };
  if (!listMeasures(type, by).includes(text)) throw new BadRequest(`Unknown measure: ${text}`);
  const at = text.indexOf(":");
  const [is, name] = [text.slice(0, at), text.slice(at + 1)];
  if (is === "share") return { is: "share", name, share: type.routes.shares[name] as Share };
  return { is: is as Aggregate, name, field: type.fields[name] as Field };
}
