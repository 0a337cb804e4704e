import { Failure } from "./errors.ts";
import type { Numeric } from "./number.ts";
import type { Day, Moment, Reference, Value } from "./values.ts";

// One evaluation. Closures are synchronous: one that needs data that is not loaded throws MissingData; the data is
// loaded and the evaluation starts again. Iterations collect the data of all elements, so that it is loaded in one statement.

export type DataRequest =
  | { kind: "record"; type: string; id: number | string }
  | { kind: "relation"; of: Reference; name: string }
  | { kind: "find"; type: string; value: string | Numeric }
  | { kind: "search"; type: string; text: string }
  | { kind: "new"; subject: string; key: string }
  | { kind: "hours"; calendar: number };

export class MissingData {
  readonly requests: readonly DataRequest[];
  constructor(wanted: readonly DataRequest[]) {
    this.requests = wanted;
  }
}

/** The data that an evaluation can read. */
export type EvaluationContext = {
  zone: string;
  locale: string;
  clockOf24Hours: boolean;
  now: Moment;
  today: Day;
  self: Reference | null;
  /** pseudo names besides self, now and today */
  pseudo(name: string): Value;
  /** a field or relation; undefined: there is none with that name */
  field(of: Reference, name: string): Value | undefined;
  /** the value of the record itself before the save */
  previousValue(name: string): Value;
  display(of: Reference): string;
  find(type: string, value: string | Numeric): Reference | null;
  search(type: string, text: string): readonly Value[];
  create(subject: string, key: string): Reference | null;
  /** the active minutes of a calendar */
  targetAt(calendar: Reference, start: Moment, minutes: number, businessDays: number, zone: string): Moment | null;
  minutesBetween(calendar: Reference, start: Moment, end: Moment, zone: string): number;
};

const maxSteps = 1_000_000;
export const maxListLength = 1000;
const maxTextLength = 1_000_000;
export const timeLimit = 10_000;

const unset = Symbol("not evaluated yet");
export type Evaluator = (run: Evaluation) => Value;

export class Evaluation {
  readonly context: EvaluationContext;
  private readonly expressions: readonly Evaluator[];
  private readonly values: (Value | typeof unset)[];
  /** the current elements of the enclosing iterations, the outermost first */
  elements: Value[] = [];
  private steps = 0;
  readonly deadline: number;

  constructor(world: EvaluationContext, expressions: readonly Evaluator[], deadline = Date.now() + timeLimit) {
    this.context = world;
    this.expressions = expressions;
    this.values = expressions.map(() => unset);
    this.deadline = deadline;
  }

  /** A named expression, evaluated on first use. */
  evaluateNamed(index: number): Value {
    const known = this.values[index] as Value | typeof unset;
    if (known !== unset) return known;
    const { elements } = this;
    this.elements = [];
    try {
      const value = (this.expressions[index] as Evaluator)(this);
      this.values[index] = value;
      return value;
    } finally {
      this.elements = elements;
    }
  }

  /** The values that were evaluated so far, by the index of the expression. */
  getEvaluated(): [number, Value][] {
    return this.values.flatMap((value, index) => (value === unset ? [] : [[index, value] as [number, Value]]));
  }

  countStep(): void {
    if (++this.steps > maxSteps) throw new Failure("limit", "too many steps");
    if (this.steps % 256 === 0) this.checkTime();
  }

  checkTime(): void {
    if (Date.now() > this.deadline) throw new Failure("limit", `took longer than ${timeLimit / 1000} seconds`);
  }
}

export const checkListLength = <T extends readonly Value[]>(list: T): T => {
  if (list.length > maxListLength) throw new Failure("limit", `a list has more than ${maxListLength} elements`);
  return list;
};
export const checkTextLength = (text: string): string => {
  if (text.length > maxTextLength) throw new Failure("limit", "a text is too long");
  return text;
};

/** Iterates over a list with its elements at that depth, and collects the missing data of all elements. */
export function mapElements<T>(
  run: Evaluation,
  list: readonly Value[],
  depth: number | null,
  act: (item: Value) => T,
): T[] {
  const results: T[] = [];
  const wanted: DataRequest[] = [];
  for (const item of list) {
    run.countStep();
    if (depth !== null) run.elements[depth] = item;
    try {
      results.push(act(item));
    } catch (error) {
      if (!(error instanceof MissingData)) throw error;
      wanted.push(...error.requests);
    }
  }
  if (wanted.length > 0) throw new MissingData(wanted);
  return results;
}
