import * as dates from "./dates.ts";
import { compareNumbers, divide, isNumeric, parseNumber, toFloat } from "./number.ts";
import { equal, nameAll, textOf } from "./operators.ts";
import { firstMatch } from "./patterns.ts";
import { Failure, SyntaxProblem } from "./problem.ts";
import { each, limited, limitedText, type Run } from "./run.ts";
import { asText, Bag, Day, Duration, isBlank, isList, kindOf, Moment, Reference, type Value } from "./values.ts";

// What stands behind a dot: reference, automation.md sections 4.4 to 4.6.

type Member<T> = (run: Run, of: T, args: readonly Value[]) => Value;

const argument = (run: Run, args: readonly Value[], index = 0): string => textOf(run, args[index] ?? null);
const count = (args: readonly Value[]): number => {
  const amount = args[0] ?? null;
  if (!isNumeric(amount)) throw new Failure("evaluation", "expected a number");
  return Math.max(0, Math.min(Math.trunc(toFloat(amount)), 1_000_000));
};

function matched(run: Run, text: string, args: readonly Value[]): Value {
  try {
    return firstMatch(argument(run, args), text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw new Failure("evaluation", error.message);
    throw error;
  }
}

// biome-ignore format: a table keeps its columns
const ofText: Record<string, Member<string>> = {
  length:       (_, text) => [...text].length,
  upcase:       (_, text) => text.toUpperCase(),
  downcase:     (_, text) => text.toLowerCase(),
  capitalize:   (_, text) => text.charAt(0).toUpperCase() + text.slice(1),
  strip:        (_, text) => text.trim(),
  replace:      (run, text, args) => replaced(text, argument(run, args), argument(run, args, 1)),
  split:        (run, text, args) => limited(text.split(argument(run, args), 1001)),
  starts_with:  (run, text, args) => text.startsWith(argument(run, args)),
  ends_with:    (run, text, args) => text.endsWith(argument(run, args)),
  contains:     (run, text, args) => text.includes(argument(run, args)),
  first:        (_, text, args) => [...text].slice(0, count(args)).join(""),
  last:         (_, text, args) => (count(args) === 0 ? "" : [...text].slice(-count(args)).join("")),
  match:        matched,
  to_number:    (_, text) => parseNumber(text),
  to_date:      (_, text) => dates.parseDay(text),
  to_date_time: (run, text) => dates.parseMoment(text, run.world.zone),
  to_text:      (_, text) => text,
};

function replaced(text: string, what: string, by: string): string {
  if (what === "") return text;
  if (by.length > what.length && text.length * (by.length / what.length) > 2_000_000)
    throw new Failure("limit", "a text is too long");
  return limitedText(text.replaceAll(what, () => by));
}

const weekdays = ["", "mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const two = (value: number) => String(value).padStart(2, "0");

// biome-ignore format: a table keeps its columns
const ofMoment: Record<string, Member<Moment>> = {
  to_date:      ({ world }, at) => dates.dayOf(at, world.zone),
  to_date_time: (_, at) => at,
  time:         ({ world }, at) => `${two(dates.zoned(at, world.zone).hour)}:${two(dates.zoned(at, world.zone).minute)}`,
  year:         ({ world }, at) => dates.zoned(at, world.zone).year,
  month:        ({ world }, at) => dates.zoned(at, world.zone).month,
  day:          ({ world }, at) => dates.zoned(at, world.zone).day,
  weekday:      ({ world }, at) => weekdays[dates.zoned(at, world.zone).dayOfWeek] as string,
  format:       (run, at, args) => dates.formatted(at, argument(run, args).slice(0, 100), run.world.zone),
  to_text:      (run, at) => textOf(run, at),
};

// biome-ignore format: a table keeps its columns
const ofDuration: Record<string, Member<Duration>> = {
  minutes: (_, duration) => dates.minutesOf(duration),
  hours:   (_, duration) => divide(dates.minutesOf(duration), 60),
  days:    (_, duration) => divide(dates.minutesOf(duration), 1440),
  to_text: (run, duration) => textOf(run, duration),
};

/** Those that take no expression about their elements. */
// biome-ignore format: a table keeps its columns
const ofList: Record<string, Member<readonly Value[]>> = {
  count:   (_, list) => list.length,
  reverse: (_, list) => list.toReversed(),
  compact: (_, list) => list.filter((item) => !isBlank(item)),
  uniq:    (run, list) => uniq(run, list),
  join:    (run, list, args) => limitedText(each(run, list, null, (item) => textOf(run, item)).join(argument(run, args))),
};

function uniq(run: Run, list: readonly Value[]): readonly Value[] {
  const kept: Value[] = [];
  for (const item of list) {
    for (let i = 0; i < kept.length; i++) run.step();
    if (!kept.some((one) => equal(run, one, item))) kept.push(item);
  }
  return kept;
}

export const textMembers: ReadonlySet<string> = new Set(Object.keys(ofText));
export const listMembers: ReadonlySet<string> = new Set(Object.keys(ofList));

const called = <T>(table: Record<string, Member<T>>, name: string): Member<T> | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** `of.name` or `of.name(args)`; blank has only blank members. */
export function memberOf(run: Run, of: Value, name: string, args: readonly Value[]): Value {
  if (of === null || of === "") return name === "count" || name === "length" ? 0 : null;
  if (isList(of)) {
    const member = called(ofList, name);
    if (member !== undefined) return member(run, of, args);
    return limited(each(run, of, null, (item) => memberOf(run, item, name, args)).flat() as Value[]);
  }
  if (of instanceof Reference) return ofRecord(run, of, name, args);
  if (of instanceof Bag) return Object.hasOwn(of.members, name) ? (of.members[name] as Value) : null;
  const text = asText(of);
  const member =
    text !== null
      ? called(ofText, name)?.(run, text, args)
      : of instanceof Moment
        ? called(ofMoment, name)?.(run, of, args)
        : of instanceof Day
          ? name === "to_text"
            ? of.text
            : called(ofMoment, name)?.(run, dates.startOf(of, run.world.zone), args)
          : of instanceof Duration
            ? called(ofDuration, name)?.(run, of, args)
            : isNumeric(of)
              ? (dates.durationOf(of, name) ??
                (name === "to_text" ? textOf(run, of) : name === "to_number" ? of : undefined))
              : name === "to_text"
                ? textOf(run, of)
                : undefined;
  if (member === undefined) throw new Failure("evaluation", `${kindOf(of)} has no member '${name}'`);
  return member;
}

function ofRecord(run: Run, of: Reference, name: string, args: readonly Value[]): Value {
  if (of.type === "calendar" && name === "target_at") return targetAt(run, of, args);
  if (of.type === "calendar" && name === "duration") return timeBetween(run, of, args);
  const value = run.world.field(of, name);
  if (value === undefined) throw new Failure("evaluation", `${of.type} has no field '${name}'`);
  return value;
}

const momentIn = (run: Run, value: Value | undefined): Moment | null => {
  if (value === undefined || isBlank(value)) return null;
  if (value instanceof Moment) return value;
  if (value instanceof Day) return dates.startOf(value, run.world.zone);
  const read = typeof value === "string" ? dates.parseMoment(value, run.world.zone) : null;
  if (read === null) throw new Failure("evaluation", `${kindOf(value)} is no date-time`);
  return read;
};

const zoneIn = (run: Run, value: Value | undefined): string =>
  value === undefined || isBlank(value) ? run.world.zone : textOf(run, value);

function targetAt(run: Run, calendar: Reference, [start, by, zone]: readonly Value[]): Value {
  const from = momentIn(run, start);
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
  return run.world.targetAt(calendar, from, Math.round(minutes), Math.trunc(days), zoneIn(run, zone));
}

function timeBetween(run: Run, calendar: Reference, [start, end, zone]: readonly Value[]): Value {
  const [from, until] = [momentIn(run, start), momentIn(run, end)];
  return from === null || until === null
    ? null
    : new Duration(run.world.minutesBetween(calendar, from, until, zoneIn(run, zone)));
}

/** The element at a place, from 1, or of that name. */
export function elementAt(run: Run, of: Value, index: Value): Value {
  if (isBlank(of)) return null;
  if (of instanceof Bag)
    return typeof index === "string" && Object.hasOwn(of.members, index) ? (of.members[index] as Value) : null;
  const list = isList(of) ? of : [of];
  if (isNumeric(index)) return typeof index === "number" ? (list[index - 1] ?? null) : null;
  const name = asText(index);
  if (name === null) throw new Failure("evaluation", `${kindOf(index)} is no index`);
  nameAll(run, list);
  return (
    list.find((item) => (item instanceof Reference ? run.world.display(item) === name : equal(run, item, name))) ?? null
  );
}
