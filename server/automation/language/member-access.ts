import * as dates from "./dates.ts";
import { Failure, SyntaxProblem } from "./errors.ts";
import { checkListLength, checkTextLength, type Evaluation, mapElements } from "./evaluation.ts";
import { compareNumbers, divide, isNumeric, parseNumber, toFloat } from "./number.ts";
import { isEqual, loadNames, toText } from "./operators.ts";
import { findFirstMatch } from "./patterns.ts";
import {
  asText,
  Bag,
  Day,
  Duration,
  describeValueKind,
  isBlank,
  isList,
  Moment,
  Reference,
  type Value,
} from "./values.ts";

// Members after a dot: AL4, AL5.

type MemberFunction<T> = (run: Evaluation, of: T, args: readonly Value[]) => Value;

const toTextArgument = (run: Evaluation, args: readonly Value[], index = 0): string => toText(run, args[index] ?? null);
const toCount = (args: readonly Value[]): number => {
  const amount = args[0] ?? null;
  if (!isNumeric(amount)) throw new Failure("evaluation", "expected a number");
  return Math.max(0, Math.min(Math.trunc(toFloat(amount)), 1_000_000));
};

function matchPattern(run: Evaluation, text: string, args: readonly Value[]): Value {
  try {
    return findFirstMatch(toTextArgument(run, args), text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw new Failure("evaluation", error.message);
    throw error;
  }
}

// biome-ignore format: a table keeps its columns
const textFunctions: Record<string, MemberFunction<string>> = {
  length:       (_, text) => [...text].length,
  upcase:       (_, text) => text.toUpperCase(),
  downcase:     (_, text) => text.toLowerCase(),
  capitalize:   (_, text) => text.charAt(0).toUpperCase() + text.slice(1),
  strip:        (_, text) => text.trim(),
  replace:      (run, text, args) => replaceText(text, toTextArgument(run, args), toTextArgument(run, args, 1)),
  split:        (run, text, args) => checkListLength(text.split(toTextArgument(run, args), 1001)),
  starts_with:  (run, text, args) => text.startsWith(toTextArgument(run, args)),
  ends_with:    (run, text, args) => text.endsWith(toTextArgument(run, args)),
  contains:     (run, text, args) => text.includes(toTextArgument(run, args)),
  first:        (_, text, args) => [...text].slice(0, toCount(args)).join(""),
  last:         (_, text, args) => (toCount(args) === 0 ? "" : [...text].slice(-toCount(args)).join("")),
  match:        matchPattern,
  to_number:    (_, text) => parseNumber(text),
  to_date:      (_, text) => dates.parseDay(text),
  to_date_time: (run, text) => dates.parseMoment(text, run.context.zone),
  to_text:      (_, text) => text,
};

function replaceText(text: string, what: string, by: string): string {
  if (what === "") return text;
  if (by.length > what.length && text.length * (by.length / what.length) > 2_000_000)
    throw new Failure("limit", "a text is too long");
  return checkTextLength(text.replaceAll(what, () => by));
}

const weekdays = ["", "mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const padTwo = (value: number) => String(value).padStart(2, "0");

// biome-ignore format: a table keeps its columns
const momentFunctions: Record<string, MemberFunction<Moment>> = {
  to_date:      ({ context: world }, at) => dates.toDay(at, world.zone),
  to_date_time: (_, at) => at,
  time:         ({ context: world }, at) => `${padTwo(dates.toZonedDateTime(at, world.zone).hour)}:${padTwo(dates.toZonedDateTime(at, world.zone).minute)}`,
  year:         ({ context: world }, at) => dates.toZonedDateTime(at, world.zone).year,
  month:        ({ context: world }, at) => dates.toZonedDateTime(at, world.zone).month,
  day:          ({ context: world }, at) => dates.toZonedDateTime(at, world.zone).day,
  weekday:      ({ context: world }, at) => weekdays[dates.toZonedDateTime(at, world.zone).dayOfWeek] as string,
  format:       (run, at, args) => dates.formatMoment(at, toTextArgument(run, args).slice(0, 100), run.context.zone),
  to_text:      (run, at) => toText(run, at),
};

// biome-ignore format: a table keeps its columns
const durationFunctions: Record<string, MemberFunction<Duration>> = {
  minutes: (_, duration) => dates.toMinutes(duration),
  hours:   (_, duration) => divide(dates.toMinutes(duration), 60),
  days:    (_, duration) => divide(dates.toMinutes(duration), 1440),
  to_text: (run, duration) => toText(run, duration),
};

/** Members of lists without an expression about the elements. */
// biome-ignore format: a table keeps its columns
const listFunctions: Record<string, MemberFunction<readonly Value[]>> = {
  count:   (_, list) => list.length,
  reverse: (_, list) => list.toReversed(),
  compact: (_, list) => list.filter((item) => !isBlank(item)),
  uniq:    (run, list) => removeDuplicates(run, list),
  join:    (run, list, args) => checkTextLength(mapElements(run, list, null, (item) => toText(run, item)).join(toTextArgument(run, args))),
};

function removeDuplicates(run: Evaluation, list: readonly Value[]): readonly Value[] {
  const kept: Value[] = [];
  for (const item of list) {
    for (let i = 0; i < kept.length; i++) run.countStep();
    if (!kept.some((one) => isEqual(run, one, item))) kept.push(item);
  }
  return kept;
}

export const textMemberNames: ReadonlySet<string> = new Set(Object.keys(textFunctions));
export const listMemberNames: ReadonlySet<string> = new Set(Object.keys(listFunctions));

const findFunction = <T>(table: Record<string, MemberFunction<T>>, name: string): MemberFunction<T> | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** `of.name` or `of.name(args)`; all members of blank are blank. */
export function evaluateMember(run: Evaluation, of: Value, name: string, args: readonly Value[]): Value {
  if (of === null || of === "") return name === "count" || name === "length" ? 0 : null;
  if (isList(of)) {
    const member = findFunction(listFunctions, name);
    if (member !== undefined) return member(run, of, args);
    return checkListLength(
      mapElements(run, of, null, (item) => evaluateMember(run, item, name, args)).flat() as Value[],
    );
  }
  if (of instanceof Reference) return evaluateRecordMember(run, of, name, args);
  if (of instanceof Bag) return Object.hasOwn(of.members, name) ? (of.members[name] as Value) : null;
  const text = asText(of);
  const member =
    text !== null
      ? findFunction(textFunctions, name)?.(run, text, args)
      : of instanceof Moment
        ? findFunction(momentFunctions, name)?.(run, of, args)
        : of instanceof Day
          ? name === "to_text"
            ? of.text
            : findFunction(momentFunctions, name)?.(run, dates.startOfDay(of, run.context.zone), args)
          : of instanceof Duration
            ? findFunction(durationFunctions, name)?.(run, of, args)
            : isNumeric(of)
              ? (dates.createDuration(of, name) ??
                (name === "to_text" ? toText(run, of) : name === "to_number" ? of : undefined))
              : name === "to_text"
                ? toText(run, of)
                : undefined;
  if (member === undefined) throw new Failure("evaluation", `${describeValueKind(of)} has no member '${name}'`);
  return member;
}

function evaluateRecordMember(run: Evaluation, of: Reference, name: string, args: readonly Value[]): Value {
  if (of.type === "calendar" && name === "target_at") return computeTarget(run, of, args);
  if (of.type === "calendar" && name === "duration") return computeDuration(run, of, args);
  const value = run.context.field(of, name);
  if (value === undefined) throw new Failure("evaluation", `${of.type} has no field '${name}'`);
  return value;
}

const toMoment = (run: Evaluation, value: Value | undefined): Moment | null => {
  if (value === undefined || isBlank(value)) return null;
  if (value instanceof Moment) return value;
  if (value instanceof Day) return dates.startOfDay(value, run.context.zone);
  const read = typeof value === "string" ? dates.parseMoment(value, run.context.zone) : null;
  if (read === null) throw new Failure("evaluation", `${describeValueKind(value)} is no date-time`);
  return read;
};

const toZone = (run: Evaluation, value: Value | undefined): string =>
  value === undefined || isBlank(value) ? run.context.zone : toText(run, value);

function computeTarget(run: Evaluation, calendar: Reference, [start, by, zone]: readonly Value[]): Value {
  const from = toMoment(run, start);
  if (from === null || by === undefined || by === null) return null;
  if (!(by instanceof Duration)) throw new Failure("evaluation", "target_at needs a duration");
  if (by.months !== 0) throw new Failure("evaluation", "target_at counts no months");
  const [minutes, days] = [toFloat(by.minutes), toFloat(by.businessDays)];
  if (
    compareNumbers(by.minutes, 0) < 0 ||
    compareNumbers(by.businessDays, 0) < 0 ||
    minutes > 60_000_000 ||
    days > 100_000
  )
    throw new Failure("evaluation", "the duration is out of range");
  return run.context.targetAt(calendar, from, Math.round(minutes), Math.trunc(days), toZone(run, zone));
}

function computeDuration(run: Evaluation, calendar: Reference, [start, end, zone]: readonly Value[]): Value {
  const [from, until] = [toMoment(run, start), toMoment(run, end)];
  return from === null || until === null
    ? null
    : new Duration(run.context.minutesBetween(calendar, from, until, toZone(run, zone)));
}

/** The element at an index, from 1, or with a name. */
export function pickElement(run: Evaluation, of: Value, index: Value): Value {
  if (isBlank(of)) return null;
  if (of instanceof Bag)
    return typeof index === "string" && Object.hasOwn(of.members, index) ? (of.members[index] as Value) : null;
  const list = isList(of) ? of : [of];
  if (isNumeric(index)) return typeof index === "number" ? (list[index - 1] ?? null) : null;
  const name = asText(index);
  if (name === null) throw new Failure("evaluation", `${describeValueKind(index)} is no index`);
  loadNames(run, list);
  return (
    list.find((item) => (item instanceof Reference ? run.context.display(item) === name : isEqual(run, item, name))) ??
    null
  );
}
