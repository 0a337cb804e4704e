import { type ExecutionResult, GraphQLError, locatedError } from "graphql";
import { SharedTurns, type Turn } from "../../base/shared-turns.ts";
import type { CallContext } from "../call-context.ts";
import type { PlanField, QueryPlan, VariableValues } from "../document/query-plan.ts";
import { estimateJson } from "./response-budget.ts";

// Runs the plan of an operation. The executor of the library prepares every field of every record again and awaits each object
// on its own; with hundreds of records most of a call was that (D-380). It also knows no limit: this one counts what it
// builds and shares the event loop with other calls (D-777).

type Members = Record<string, unknown>;
type PickedObject = { name: string; fields: readonly PlanField[] };

/** The position of an object or a list in the response: for the paths of errors, and for nulls that propagate upwards. */
type Slot = { holder: Members | unknown[] | null; key: string | number; isRequired: boolean; up: Slot | null };

/** Of all calls of the process. */
export const turns = new SharedTurns();
/** The approximate memory of a field's plan. */
const planFieldBytes = 600;
/** Errors beyond these say nothing new. */
const maxErrors = 1000;

class QueryRun {
  private readonly plan: QueryPlan;
  private readonly context: CallContext;
  private readonly variables: VariableValues;
  private readonly given: (Members | undefined)[];
  private readonly errors: GraphQLError[] = [];
  private readonly deferred: (() => void)[] = [];
  private plannedFields = 0;
  private turn: Turn = { end: 0 };
  private isWaitingForTurn = false;
  private pending = 0;
  private isDataNull = false;
  private finish: () => void = () => {};

  constructor(plan: QueryPlan, context: CallContext, variables: VariableValues) {
    this.plan = plan;
    this.context = context;
    this.variables = variables;
    this.given = new Array(plan.length);
  }

  async run(): Promise<ExecutionResult> {
    const { rootFields, rootName: name, isSerial } = this.plan;
    const root: Slot = { holder: null, key: "", isRequired: false, up: null };
    const data: Members = {};
    for (const fields of isSerial ? rootFields.map((field) => [field]) : [rootFields]) {
      const done = new Promise<void>((resolve) => {
        this.finish = resolve;
      });
      this.defer(() => this.readFields(data, { name, fields }, undefined, root));
      await done;
      const { refusal } = this.context.budget;
      if (refusal === null) continue;
      if (!isSerial) return { errors: [wrapRefusal(refusal)], data: null };
      // A mutation that has run says so even if its answer is too large; those behind it do not run.
      this.refuseRootFields(data, rootFields.slice(rootFields.indexOf(fields[0] as PlanField)), refusal);
      break;
    }
    return {
      ...(this.errors.length === 0 ? {} : { errors: this.errors }),
      data: this.isDataNull ? null : data,
    };
  }

  private refuseRootFields(data: Members, fields: readonly PlanField[], refusal: Error): void {
    for (const { responseName, nodes } of fields) {
      data[responseName] = null;
      this.errors.push(locatedError(refusal, nodes, [responseName]));
    }
  }

  private settle(): void {
    if (--this.pending === 0) this.finish();
  }

  private get isStopped(): boolean {
    return this.context.budget.refusal !== null;
  }

  /** Does the work in the next turn of this call. Until then nothing is loaded: the level is not complete. */
  private defer(work: () => void): void {
    this.pending++;
    this.deferred.push(work);
    if (this.isWaitingForTurn) return;
    this.isWaitingForTurn = true;
    this.context.batches.hold();
    turns.request((turn) => this.continue(turn));
  }

  private continue(turn: Turn): void {
    this.turn = turn;
    let done = 0;
    do {
      const work = this.deferred[done++];
      if (!this.isStopped) work?.();
      this.settle();
    } while (done < this.deferred.length && (this.isStopped || !this.isTurnOver()));
    this.deferred.splice(0, done);
    if (this.deferred.length > 0) turns.request((next) => this.continue(next));
    else {
      this.isWaitingForTurn = false;
      this.context.batches.release();
    }
  }

  private isTurnOver(): boolean {
    return performance.now() >= this.turn.end;
  }

  /** The awaited value has arrived: it is read now if the turn still lasts and nothing else waits for the next one. */
  private resume(work: () => void): void {
    if (!this.isWaitingForTurn && !this.isTurnOver()) {
      if (!this.isStopped) work();
    } else this.defer(work);
  }

  private readObject(picked: PickedObject, source: unknown, slot: Slot): Members {
    const object: Members = {};
    this.readFields(object, picked, source, slot);
    return object;
  }

  private readFields(object: Members, { name, fields }: PickedObject, source: unknown, slot: Slot): void {
    for (const field of fields) {
      if (field.isTypeName) {
        object[field.responseName] = name;
        continue;
      }
      try {
        const value = field.resolve(source, this.getArguments(field), this.context, field.info);
        if (value instanceof Promise) this.await(value, object, field, slot);
        else this.put(object, field, slot, value);
      } catch (error) {
        this.fail(object, field, slot, error);
      }
      if (this.isStopped) return;
    }
  }

  private pickObject(field: PlanField, value: unknown): PickedObject {
    const picked = field.pickObject(value, this.context);
    const { length } = this.plan;
    if (length > this.plannedFields) {
      this.context.budget.take((length - this.plannedFields) * planFieldBytes);
      this.plannedFields = length;
    }
    return picked;
  }

  private getArguments(field: PlanField): Members {
    if (!field.takesArguments) return noArguments;
    let given = this.given[field.index];
    if (given === undefined) {
      given = field.readArguments(this.variables);
      this.given[field.index] = given;
    }
    return given;
  }

  private await(value: Promise<unknown>, object: Members, field: PlanField, slot: Slot): void {
    object[field.responseName] = null; // keeps the order of the members
    this.pending++;
    value.then(
      (found) => {
        this.resume(() => {
          try {
            this.put(object, field, slot, found);
          } catch (error) {
            this.fail(object, field, slot, error);
          }
        });
        this.settle();
      },
      (error) => {
        this.fail(object, field, slot, error);
        this.settle();
      },
    );
  }

  private put(object: Members, field: PlanField, slot: Slot, value: unknown): void {
    const name = field.responseName;
    const { budget } = this.context;
    if (value === null || value === undefined) {
      if (field.isRequired) throw new Error(`Cannot return null for non-nullable field ${field.place}.`);
      budget.countOutput(name.length + 8);
      object[name] = null;
      return;
    }
    if (!field.isList) {
      if (field.write !== null) {
        const written = field.write(value);
        budget.countOutput(name.length + 4 + estimateJson(written));
        object[name] = written;
      } else {
        const own: Slot = { holder: object, key: name, isRequired: field.isRequired, up: slot };
        budget.countOutput(name.length + 6);
        object[name] = this.readObject(this.pickObject(field, value), value, own);
      }
      return;
    }
    budget.countOutput(name.length + 6);
    const items: unknown[] = [];
    object[name] = items;
    const own: Slot = { holder: object, key: name, isRequired: field.isRequired, up: slot };
    this.putItems((value as Iterable<unknown>)[Symbol.iterator](), items, field, own);
  }

  /** A long list takes several turns. */
  private putItems(iterator: Iterator<unknown>, items: unknown[], field: PlanField, slot: Slot): void {
    while (!this.isStopped) {
      if (this.isTurnOver()) {
        this.defer(() => this.putItems(iterator, items, field, slot));
        return;
      }
      const { value: item, done } = iterator.next();
      if (done) return;
      const index = items.push(null) - 1;
      if (item instanceof Promise) this.awaitItem(item, items, index, field, slot);
      else this.putItem(items, index, field, slot, item);
    }
  }

  private awaitItem(value: Promise<unknown>, items: unknown[], index: number, field: PlanField, slot: Slot): void {
    this.pending++;
    value.then(
      (found) => {
        this.resume(() => this.putItem(items, index, field, slot, found));
        this.settle();
      },
      (error) => {
        this.failAt({ holder: items, key: index, isRequired: field.areItemsRequired, up: slot }, field, error);
        this.settle();
      },
    );
  }

  private putItem(items: unknown[], index: number, field: PlanField, slot: Slot, item: unknown): void {
    const own: Slot = { holder: items, key: index, isRequired: field.areItemsRequired, up: slot };
    try {
      if (item === null || item === undefined) {
        if (field.areItemsRequired) throw new Error(`Cannot return null for non-nullable field ${field.place}.`);
        this.context.budget.countOutput(5);
      } else if (field.write !== null) {
        const written = field.write(item);
        this.context.budget.countOutput(1 + estimateJson(written));
        items[index] = written;
      } else {
        this.context.budget.countOutput(3);
        items[index] = this.readObject(this.pickObject(field, item), item, own);
      }
    } catch (error) {
      this.failAt(own, field, error);
    }
  }

  private fail(object: Members, field: PlanField, slot: Slot, error: unknown): void {
    this.failAt({ holder: object, key: field.responseName, isRequired: field.isRequired, up: slot }, field, error);
  }

  /** The value is null; where it must not be, what contains it is. */
  private failAt(slot: Slot, field: PlanField, error: unknown): void {
    if (this.isStopped) {
      this.context.batches.stop(this.context.budget.refusal);
      return;
    }
    if (this.errors.length < maxErrors) this.errors.push(locatedError(error, field.nodes, buildPath(slot)));
    let at: Slot | null = slot;
    while (at?.isRequired) at = at.up;
    if (at === null || at.holder === null) this.isDataNull = true;
    else (at.holder as Members)[at.key] = null;
  }
}

const wrapRefusal = (refusal: Error): GraphQLError => new GraphQLError(refusal.message, { originalError: refusal });

const noArguments: Members = {};

function buildPath(slot: Slot): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Slot | null = slot; at !== null && at.holder !== null; at = at.up) path.unshift(at.key);
  return path;
}

export const runQuery = (plan: QueryPlan, context: CallContext, variables: VariableValues): Promise<ExecutionResult> =>
  new QueryRun(plan, context, variables).run();
