import * as dates from "./dates.ts";
import { Failure } from "./errors.ts";
import { checkListLength, checkTextLength, type Evaluation, mapElements } from "./evaluation.ts";
import {
  add,
  compareNumbers,
  divide,
  isNumeric,
  multiply,
  type Numeric,
  negate,
  parseNumber,
  printNumber,
  remainder,
  subtract,
} from "./number.ts";
import {
  asText,
  Bag,
  Choice,
  Day,
  Duration,
  describeValueKind,
  isBlank,
  isList,
  Moment,
  Reference,
  type Value,
} from "./values.ts";

// AL3, AL8

/** The text of a value for concatenation. */
export function toText(run: Evaluation, value: Value): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (isNumeric(value)) return printNumber(value);
  if (isList(value)) return checkTextLength(mapElements(run, value, null, (item) => toText(run, item)).join(","));
  if (value instanceof Choice) return value.value;
  if (value instanceof Day) return value.text;
  if (value instanceof Moment) return dates.formatIso(value, run.context.zone);
  if (value instanceof Duration) return printNumber(dates.toMinutes(value));
  if (value instanceof Reference) return run.context.display(value);
  return JSON.stringify(toJson(run, value));
}

/** The text of a value in notes and emails. */
export function toReadableText(run: Evaluation, value: Value): string {
  if (isList(value)) return mapElements(run, value, null, (item) => toReadableText(run, item)).join(", ");
  const { locale, zone, clockOf24Hours } = run.context;
  if (value instanceof Moment)
    return new Intl.DateTimeFormat(locale, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: zone,
      hour12: !clockOf24Hours,
    })
      .format(value.milliseconds)
      .replaceAll("\u202f", " ");
  if (value instanceof Day)
    return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(value.text));
  return toText(run, value);
}

const buildShortReference =
  (run: Evaluation) =>
  (of: Reference): unknown => ({ id: of.id, name: run.context.display(of) });

/** The JSON of a value in webhook payloads: AC8. */
export function toJson(run: Evaluation, value: Value, ofReference = buildShortReference(run)): unknown {
  if (isBlank(value)) return null;
  if (isNumeric(value)) return Number(printNumber(value));
  if (isList(value)) return mapElements(run, value, null, (item) => toJson(run, item, ofReference));
  if (value instanceof Reference) return ofReference(value);
  if (value instanceof Duration) return Number(printNumber(dates.toMinutes(value)));
  if (value instanceof Bag)
    return Object.fromEntries(
      Object.entries(value.members).map(([name, member]) => [name, toJson(run, member, ofReference)]),
    );
  return typeof value === "boolean" ? value : toText(run, value);
}

export function isEqual(run: Evaluation, a: Value, b: Value): boolean {
  if (a === b) return true;
  const [blankA, blankB] = [isBlank(a), isBlank(b)];
  if (blankA || blankB) return blankA && blankB;
  if (isList(a) || isList(b))
    return isList(a) && isList(b) && a.length === b.length && a.every((item, i) => isEqual(run, item, b[i] ?? null));
  if (a instanceof Reference && b instanceof Reference) return a.type === b.type && String(a.id) === String(b.id);
  const [textA, textB] = [asText(a), asText(b)];
  if (textA !== null && textB !== null) return textA === textB;
  if (textB !== null) return equalsText(run, a, textB);
  if (textA !== null) return equalsText(run, b, textA);
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (a instanceof Duration && b instanceof Duration)
    return compareNumbers(dates.toMinutes(a), dates.toMinutes(b)) === 0;
  const [momentA, momentB] = [asMoment(run, a), asMoment(run, b)];
  return momentA !== null && momentB !== null && momentA === momentB;
}

function equalsText(run: Evaluation, value: Value, text: string): boolean {
  if (value instanceof Reference) return run.context.display(value) === text;
  if (typeof value === "boolean") return String(value) === text;
  if (isNumeric(value)) {
    const number = parseNumber(text);
    return number !== null && compareNumbers(value, number) === 0;
  }
  if (value instanceof Day) return value.text === text.trim();
  if (value instanceof Moment) return dates.parseMoment(text, run.context.zone)?.milliseconds === value.milliseconds;
  return false;
}

const asMoment = (run: Evaluation, value: Value): number | null =>
  value instanceof Moment
    ? value.milliseconds
    : value instanceof Day
      ? dates.startOfDay(value, run.context.zone).milliseconds
      : null;

const compareByCodePoint = (a: string, b: string): number => {
  if (a === b) return 0;
  const [one, other] = [[...a], [...b]];
  for (let i = 0; i < one.length && i < other.length; i++)
    if (one[i] !== other[i])
      return ((one[i] as string).codePointAt(0) ?? 0) - ((other[i] as string).codePointAt(0) ?? 0);
  return one.length - other.length;
};

/** Negative, zero or positive; null: the two cannot be compared. */
export function compare(run: Evaluation, a: Value, b: Value): number | null {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  const [blankA, blankB] = [isBlank(a), isBlank(b)];
  if (blankA && blankB) return 0;
  if (blankA || blankB) return typeof (blankA ? b : a) === "string" ? (blankA ? -1 : 1) : null;
  if (a instanceof Choice || b instanceof Choice) {
    const { words } = (a instanceof Choice ? a : b) as Choice;
    const [one, other] = [asText(a), asText(b)];
    if (one === null || other === null) throw buildComparisonFailure(a, b);
    const [rank, otherRank] = [words.indexOf(one), words.indexOf(other)];
    return rank < 0 || otherRank < 0 ? null : rank - otherRank;
  }
  if (a instanceof Reference || b instanceof Reference) {
    const named = (value: Value) => (value instanceof Reference ? run.context.display(value) : asText(value));
    const [one, other] = [named(a), named(b)];
    if (one === null || other === null) throw buildComparisonFailure(a, b);
    return compareByCodePoint(one, other);
  }
  if (typeof a === "string" && typeof b === "string") return compareByCodePoint(a, b);
  if (a instanceof Duration && b instanceof Duration) return compareNumbers(dates.toMinutes(a), dates.toMinutes(b));
  if (typeof a === "string" || typeof b === "string") return compareWithText(run, a, b);
  const [one, other] = [asMoment(run, a), asMoment(run, b)];
  if (one === null || other === null) throw buildComparisonFailure(a, b);
  return one - other;
}

function compareWithText(run: Evaluation, a: Value, b: Value): number | null {
  const read = (value: Value, like: Value): Value => {
    if (typeof value !== "string") return value;
    if (isNumeric(like)) return parseNumber(value);
    return like instanceof Day || like instanceof Moment ? dates.parseMoment(value, run.context.zone) : null;
  };
  const [one, other] = [read(a, b), read(b, a)];
  if (one === null || other === null) throw buildComparisonFailure(a, b);
  return compare(run, one, other);
}

const buildComparisonFailure = (a: Value, b: Value) =>
  new Failure("evaluation", `cannot compare ${describeValueKind(a)} with ${describeValueKind(b)}`);

const noValues: readonly Value[] = [];

/** Requests the names of all records of a list in one statement. */
export const loadNames = (run: Evaluation, list: readonly Value[]): void => {
  if (list.some((item) => item instanceof Reference)) mapElements(run, list, null, (item) => toText(run, item));
};

export function isIn(run: Evaluation, value: Value, list: Value): boolean {
  if (isList(list)) {
    loadNames(run, asText(value) === null ? noValues : list);
    for (const item of list) if (isEqual(run, value, item)) return true;
    return false;
  }
  return isEqual(run, value, list);
}

const buildOperatorFailure = (verb: string, a: Value, b: Value) =>
  new Failure("evaluation", `cannot ${verb} ${describeValueKind(a)} and ${describeValueKind(b)}`);

export function plus(run: Evaluation, a: Value, b: Value): Value {
  if (isNumeric(a) && isNumeric(b)) return add(a, b);
  const texts = asText(a) !== null || asText(b) !== null;
  if (texts && !isList(a)) return checkTextLength(toText(run, a) + toText(run, b));
  if (isList(a)) return concatenate(a, b);
  if (isList(b)) return a === null ? b : concatenate([a], b);
  if (b === null) return a instanceof Day || a instanceof Moment ? null : a;
  // A blank before a duration is a missing date, before a number it is 0.
  if (a === null) return isNumeric(b) ? b : null;
  if (a instanceof Duration && b instanceof Duration) return dates.addDurations(a, b);
  const [time, by] = a instanceof Duration ? [b, a] : [a, b];
  if (by instanceof Duration && time instanceof Moment) return dates.shiftMoment(time, by, run.context.zone);
  if (by instanceof Duration && time instanceof Day) return dates.shiftDay(time, by, run.context.zone);
  throw buildOperatorFailure("add", a, b);
}

function concatenate(list: readonly Value[], more: Value): Value {
  if (more === null) return list;
  const all = checkListLength([...list, ...(isList(more) ? more : [more])]);
  const kinds = new Set(all.filter((item) => !isBlank(item)).map(describeValueKind));
  if (kinds.size > 1) throw new Failure("evaluation", `a list cannot hold ${[...kinds].join(" and ")}`);
  return all;
}

export function minus(run: Evaluation, a: Value, b: Value): Value {
  if (isNumeric(a) && isNumeric(b)) return subtract(a, b);
  if (a === null && isNumeric(b)) return negate(b);
  if (b === null) return a instanceof Day || a instanceof Moment ? null : a;
  if (a === null) return null;
  if (b instanceof Duration) return plus(run, a, dates.negateDuration(b));
  const [one, other] = [asMoment(run, a), asMoment(run, b)];
  if (one !== null && other !== null) return new Duration(divide(Math.trunc(one - other), 60_000));
  throw buildOperatorFailure("subtract", a, b);
}

const toNumber = (value: Value): Numeric | null => (value === null ? 0 : isNumeric(value) ? value : null);

export function product(operator: "*" | "/" | "%", a: Value, b: Value): Value {
  if (a instanceof Duration && isNumeric(b) && operator === "*") return dates.multiplyDuration(a, b);
  if (b instanceof Duration && isNumeric(a) && operator === "*") return dates.multiplyDuration(b, a);
  if (a instanceof Duration && isNumeric(b) && operator === "/") return dates.divideDuration(a, b);
  const [one, other] = [toNumber(a), toNumber(b)];
  if (one === null || other === null) throw buildOperatorFailure(operator === "*" ? "multiply" : "divide", a, b);
  return operator === "*" ? multiply(one, other) : operator === "/" ? divide(one, other) : remainder(one, other);
}
