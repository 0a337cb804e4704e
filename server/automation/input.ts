import type { Field } from "../../records/vocabulary/index.ts";
import { toTimestamp } from "../base/clock.ts";
import { minutesOf } from "./language/dates.ts";
import { isNumeric, printNumber } from "./language/number.ts";
import { jsonOf, textOf } from "./language/operators.ts";
import type { Run } from "./language/run.ts";
import { Bag, Choice, Day, Duration, isBlank, isList, Moment, Reference, type Value } from "./language/values.ts";

/** A value as a member of a body: what a caller of the API would send. */
export function inputOf(run: Run, value: Value, field: Field | undefined): unknown {
  if (isBlank(value)) return field?.kind === "references" ? [] : null;
  if (isList(value)) {
    const items = value.filter((item) => !isBlank(item)).map((item) => inputOf(run, item, field));
    return field?.kind === "string" || field?.kind === "text" ? textOf(run, value) : items.length === 0 ? null : items;
  }
  if (value instanceof Reference)
    return field?.kind === "string" || field?.kind === "text" ? run.world.display(value) : value.id;
  if (isNumeric(value)) return typeof value === "number" ? value : printNumber(value);
  if (value instanceof Choice) return value.value;
  if (value instanceof Day) return value.text;
  if (value instanceof Moment) return toTimestamp(new Date(value.milliseconds));
  if (value instanceof Duration) return Math.round(Number(printNumber(minutesOf(value))));
  if (value instanceof Bag) return jsonOf(run, value);
  return value;
}
