import type { Numeric } from "./number.ts";
import { Failure } from "./problem.ts";
import type { Day, Moment, Reference, Value } from "./values.ts";

// One evaluation. Closures are synchronous: where one needs what has not been read yet it throws a Need, which is read,
// and the evaluation begins again. Elements of a list gather their needs, so that they are read together.

export type Wanted =
  | { kind: "record"; type: string; id: number | string }
  | { kind: "relation"; of: Reference; name: string }
  | { kind: "find"; type: string; value: string | Numeric }
  | { kind: "search"; type: string; text: string }
  | { kind: "new"; subject: string; key: string }
  | { kind: "hours"; calendar: number };

export class Need {
  readonly wanted: readonly Wanted[];
  constructor(wanted: readonly Wanted[]) {
    this.wanted = wanted;
  }
}

/** What an evaluation sees of the service. */
export type World = {
  zone: string;
  locale: string;
  clockOf24Hours: boolean;
  now: Moment;
  today: Day;
  self: Reference | null;
  /** pseudo names beside self, now and today */
  pseudo(name: string): Value;
  /** a field or relation; undefined: there is none of that name */
  field(of: Reference, name: string): Value | undefined;
  /** of the record itself, before the save */
  was(name: string): Value;
  display(of: Reference): string;
  find(type: string, value: string | Numeric): Reference | null;
  search(type: string, text: string): readonly Value[];
  create(subject: string, key: string): Reference | null;
  /** the active minutes of a calendar */
  targetAt(calendar: Reference, start: Moment, minutes: number, businessDays: number, zone: string): Moment | null;
  minutesBetween(calendar: Reference, start: Moment, end: Moment, zone: string): number;
};

const mostSteps = 1_000_000;
export const longestList = 1000;
const longestText = 1_000_000;
export const patience = 10_000;

const unset = Symbol("not evaluated yet");
export type Evaluate = (run: Run) => Value;

export class Run {
  readonly world: World;
  private readonly expressions: readonly Evaluate[];
  private readonly values: (Value | typeof unset)[];
  /** the elements of the lists that are gone through, the outermost first */
  elements: Value[] = [];
  private steps = 0;
  readonly deadline: number;

  constructor(world: World, expressions: readonly Evaluate[], deadline = Date.now() + patience) {
    this.world = world;
    this.expressions = expressions;
    this.values = expressions.map(() => unset);
    this.deadline = deadline;
  }

  /** A named expression, evaluated when it is first needed. */
  named(index: number): Value {
    const known = this.values[index] as Value | typeof unset;
    if (known !== unset) return known;
    const { elements } = this;
    this.elements = [];
    try {
      const value = (this.expressions[index] as Evaluate)(this);
      this.values[index] = value;
      return value;
    } finally {
      this.elements = elements;
    }
  }

  /** What was evaluated so far, by the place of the expression. */
  evaluated(): [number, Value][] {
    return this.values.flatMap((value, index) => (value === unset ? [] : [[index, value] as [number, Value]]));
  }

  step(): void {
    if (++this.steps > mostSteps) throw new Failure("limit", "too many steps");
    if (this.steps % 256 === 0) this.checkTime();
  }

  checkTime(): void {
    if (Date.now() > this.deadline) throw new Failure("limit", `took longer than ${patience / 1000} seconds`);
  }
}

export const limited = <T extends readonly Value[]>(list: T): T => {
  if (list.length > longestList) throw new Failure("limit", `a list has more than ${longestList} elements`);
  return list;
};
export const limitedText = (text: string): string => {
  if (text.length > longestText) throw new Failure("limit", "a text is too long");
  return text;
};

/** Goes through a list, its elements at that depth if they have names; what single ones need is gathered. */
export function each<T>(run: Run, list: readonly Value[], depth: number | null, act: (item: Value) => T): T[] {
  const results: T[] = [];
  const wanted: Wanted[] = [];
  for (const item of list) {
    run.step();
    if (depth !== null) run.elements[depth] = item;
    try {
      results.push(act(item));
    } catch (error) {
      if (!(error instanceof Need)) throw error;
      wanted.push(...error.wanted);
    }
  }
  if (wanted.length > 0) throw new Need(wanted);
  return results;
}
