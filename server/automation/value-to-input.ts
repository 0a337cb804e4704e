import type { Field } from "../../records/vocabulary/index.ts";
import { toTimestamp } from "../base/clock.ts";
import { getKind } from "../engine/kinds/index.ts";
import { toMinutes } from "./language/dates.ts";
import type { Evaluation } from "./language/evaluation.ts";
import { isNumeric, printNumber } from "./language/number.ts";
import { toJson, toText } from "./language/operators.ts";
import { Bag, Choice, Day, Duration, isBlank, isList, Moment, Reference, type Value } from "./language/values.ts";

/** Converts a value of the language to what a caller of the API would send. */
export function toInputValue(run: Evaluation, value: Value, field: Field | undefined): unknown {
  const kind = field === undefined ? undefined : getKind(field);
  const isText = kind?.meaning === "text";
  if (isBlank(value)) return kind?.meaning === "records" ? [] : null;
  if (isList(value)) {
    const items = value.filter((item) => !isBlank(item)).map((item) => toInputValue(run, item, field));
    return isText ? toText(run, value) : items.length === 0 ? null : items;
  }
  if (value instanceof Reference) return isText ? run.context.display(value) : value.id;
  if (isNumeric(value)) return typeof value === "number" ? value : printNumber(value);
  if (value instanceof Choice) return value.value;
  if (value instanceof Day) return value.text;
  if (value instanceof Moment) return toTimestamp(new Date(value.milliseconds));
  if (value instanceof Duration) return Math.round(Number(printNumber(toMinutes(value))));
  if (value instanceof Bag) return toJson(run, value);
  return value;
}
