import { type ExecutionResult, type GraphQLError, locatedError } from "graphql";
import type { CallContext } from "../call-context.ts";
import type { PlanField, QueryPlan, VariableValues } from "../document/query-plan.ts";

// Runs the plan of a query. The executor of the library prepares every field of every record anew and awaits each object on
// its own; with hundreds of records most of a call was that (D-380). Mutations and introspection still use it.

type Members = Record<string, unknown>;

/** Where an object or a list stands in the answer: for the paths of errors, and for nulls that spread upwards. */
type Slot = { holder: Members | unknown[] | null; key: string | number; isRequired: boolean; up: Slot | null };

class QueryRun {
  private readonly context: CallContext;
  private readonly variables: VariableValues;
  private readonly given: (Members | undefined)[];
  private readonly errors: GraphQLError[] = [];
  private pending = 0;
  private isDataNull = false;
  private finish: () => void = () => {};

  constructor(plan: QueryPlan, context: CallContext, variables: VariableValues) {
    this.context = context;
    this.variables = variables;
    this.given = new Array(plan.length);
  }

  async run(plan: QueryPlan): Promise<ExecutionResult> {
    const root: Slot = { holder: null, key: "", isRequired: false, up: null };
    const done = new Promise<void>((resolve) => {
      this.finish = resolve;
    });
    this.pending++;
    const data = this.readObject({ name: plan.rootName, fields: plan.rootFields }, undefined, root);
    this.settle();
    await done;
    return {
      ...(this.errors.length === 0 ? {} : { errors: this.errors }),
      data: this.isDataNull ? null : data,
    };
  }

  private settle(): void {
    if (--this.pending === 0) this.finish();
  }

  private readObject(
    { name, fields }: { name: string; fields: readonly PlanField[] },
    source: unknown,
    slot: Slot,
  ): Members {
    const object: Members = {};
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
    }
    return object;
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
        try {
          this.put(object, field, slot, found);
        } catch (error) {
          this.fail(object, field, slot, error);
        }
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
    if (value === null || value === undefined) {
      if (field.isRequired) throw new Error(`Cannot return null for non-nullable field ${field.place}.`);
      object[name] = null;
      return;
    }
    if (!field.isList) {
      if (field.write !== null) object[name] = field.write(value);
      else {
        const own: Slot = { holder: object, key: name, isRequired: field.isRequired, up: slot };
        object[name] = this.readObject(field.pickObject(value, this.context), value, own);
      }
      return;
    }
    const items: unknown[] = [];
    object[name] = items;
    const own: Slot = { holder: object, key: name, isRequired: field.isRequired, up: slot };
    for (const item of value as Iterable<unknown>) {
      const index = items.push(null) - 1;
      if (item instanceof Promise) this.awaitItem(item, items, index, field, own);
      else this.putItem(items, index, field, own, item);
    }
  }

  private awaitItem(value: Promise<unknown>, items: unknown[], index: number, field: PlanField, slot: Slot): void {
    this.pending++;
    value.then(
      (found) => {
        this.putItem(items, index, field, slot, found);
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
      } else if (field.write !== null) items[index] = field.write(item);
      else items[index] = this.readObject(field.pickObject(item, this.context), item, own);
    } catch (error) {
      this.failAt(own, field, error);
    }
  }

  private fail(object: Members, field: PlanField, slot: Slot, error: unknown): void {
    this.failAt({ holder: object, key: field.responseName, isRequired: field.isRequired, up: slot }, field, error);
  }

  /** The value is null; where it must not be, what contains it is. */
  private failAt(slot: Slot, field: PlanField, error: unknown): void {
    this.errors.push(locatedError(error, field.nodes, buildPath(slot)));
    let at: Slot | null = slot;
    while (at?.isRequired) at = at.up;
    if (at === null || at.holder === null) this.isDataNull = true;
    else (at.holder as Members)[at.key] = null;
  }
}

const noArguments: Members = {};

function buildPath(slot: Slot): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Slot | null = slot; at !== null && at.holder !== null; at = at.up) path.unshift(at.key);
  return path;
}

export const runQuery = (plan: QueryPlan, context: CallContext, variables: VariableValues): Promise<ExecutionResult> =>
  new QueryRun(plan, context, variables).run(plan);
