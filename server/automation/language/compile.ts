import { durationOf } from "./dates.ts";
import { elementAt, listMembers, memberOf, textMembers } from "./members.ts";
import { add, isNumeric, negative } from "./number.ts";
import { compare, equal, isIn, minus, nameAll, plus, product, textOf } from "./operators.ts";
import { firstMatch, pattern } from "./patterns.ts";
import { Failure, SyntaxProblem } from "./problem.ts";
import { type Evaluate, each, limited, type Run } from "./run.ts";
import { bag, listOf, plain, recordOf, type Schema, type Shape, unknown } from "./schema.ts";
import type { Comparison, Node } from "./tree.ts";
import { Bag, Duration, isBlank, isList, isTrue, kindOf, Reference, type Value } from "./values.ts";

// A tree becomes closures, once per rule; on the way every name gets its meaning: reference, automation.md section 5.4.

export type Compiled = { evaluate: Evaluate; shape: Shape };

/** What names mean at one place of a rule. */
export type Scope = {
  schema: Schema;
  /** the record the rule is about; null: not known yet */
  record: string | null;
  /** the expressions above */
  names: ReadonlyMap<string, { index: number; shape: Shape }>;
  /** the expressions below */
  later: ReadonlySet<string>;
  /** the elements of the lists that are gone through here, the outermost first */
  elements: readonly Shape[];
  /** calls of new, which happen once each */
  calls: { count: number };
};

const pseudoNames: Record<string, Shape> = {
  rule: bag,
  current_person: recordOf("person"),
  account: bag,
  rule_app_instance: recordOf("app_instance"),
  note: recordOf("note"),
  now: plain,
  today: plain,
};

const constant = (value: Value, shape: Shape = plain): Compiled => ({ evaluate: () => value, shape });

export function compile(node: Node, scope: Scope): Compiled {
  switch (node.kind) {
    case "number":
    case "text":
      return constant(node.value);
    case "constant":
      return constant(node.value);
    case "list":
      return listLiteral(node.items, scope);
    case "name":
      return name(node.name, node.at, scope, false);
    case "call":
      return call(node.name, node.args, node.at, scope);
    case "member":
      return member(node, scope);
    case "index":
      return index(node, scope);
    case "not": {
      const { evaluate } = compile(node.of, scope);
      return { evaluate: (run) => !isTrue(evaluate(run)), shape: plain };
    }
    case "minus": {
      const { evaluate } = compile(node.of, scope);
      return { evaluate: (run) => opposite(evaluate(run)), shape: plain };
    }
    case "sum":
      return sum(node, scope);
    case "comparison":
      return { evaluate: comparison(node.operator, node.left, node.right, scope), shape: plain };
    case "and": {
      const parts = node.parts.map((part) => compile(part, scope).evaluate);
      return { evaluate: (run) => parts.every((part) => isTrue(part(run))), shape: plain };
    }
    case "or": {
      const parts = node.parts.map((part) => compile(part, scope).evaluate);
      return { evaluate: (run) => parts.some((part) => isTrue(part(run))), shape: plain };
    }
    case "choice": {
      const [test, yes, no] = [node.test, node.yes, node.no].map((part) => compile(part, scope)) as [
        Compiled,
        Compiled,
        Compiled,
      ];
      return {
        evaluate: (run) => (isTrue(test.evaluate(run)) ? yes.evaluate(run) : no.evaluate(run)),
        shape: JSON.stringify(yes.shape) === JSON.stringify(no.shape) ? yes.shape : unknown,
      };
    }
  }
}

function opposite(value: Value): Value {
  if (value === null) return null;
  if (isNumeric(value)) return negative(value);
  if (value instanceof Duration) return product("*", value, -1);
  throw new Failure("evaluation", `${kindOf(value)} has no opposite`);
}

/** An element that is left out is blank; so `[]` holds one blank. */
function listLiteral(items: readonly (Node | null)[], scope: Scope): Compiled {
  const parts = items.map((item) => (item === null ? constant(null) : compile(item, scope)));
  const shape = listOf(
    parts.length > 0 && parts.every((part) => part.shape.kind === "record") ? (parts[0] as Compiled).shape : unknown,
  );
  if (items.every((item) => item === null || item.kind === "text" || item.kind === "number")) {
    const fixed = parts.map(({ evaluate }) => evaluate(undefined as never));
    return { evaluate: () => limited(fixed), shape };
  }
  return { evaluate: (run) => limited(parts.map(({ evaluate }) => evaluate(run))), shape };
}

// ---- names

/** `leads`: a dot or a bracket follows, so it must be something that has parts. */
function name(word: string, at: number, scope: Scope, leads: boolean): Compiled {
  const known = scope.names.get(word);
  if (known !== undefined) return { evaluate: (run) => run.named(known.index), shape: known.shape };
  const pseudo = pseudoName(word, scope);
  if (pseudo !== null) return pseudo;
  const candidates = [...scope.elements.keys()].reverse();
  for (const depth of candidates) {
    const shape = scope.elements[depth] as Shape;
    if (shape.kind === "record") {
      const field = scope.schema.member(shape.type, word);
      if (field !== null)
        return { evaluate: (run) => memberOf(run, run.elements[depth] ?? null, word, []), shape: field };
    } else if (shape.kind !== "plain")
      return somewhere(word, depth, name(word, at, { ...scope, elements: scope.elements.slice(0, depth) }, false));
  }
  const own = ownField(word, scope);
  if (own !== null) return own;
  if (scope.record === null) return { evaluate: (run) => fieldOrWord(run, word), shape: unknown };
  if (scope.later.has(word)) throw new SyntaxProblem(`'${word}' is used before it is defined`, at);
  if (leads) throw new SyntaxProblem(`'${word}' is no field and no expression`, at);
  return constant(word);
}

function pseudoName(word: string, scope: Scope): Compiled | null {
  if (word === "self")
    return { evaluate: (run) => run.world.self, shape: scope.record === null ? unknown : recordOf(scope.record) };
  if (word === "now") return { evaluate: (run) => run.world.now, shape: plain };
  if (word === "today") return { evaluate: (run) => run.world.today, shape: plain };
  const shape = Object.hasOwn(pseudoNames, word) ? pseudoNames[word] : undefined;
  return shape === undefined ? null : { evaluate: (run) => run.world.pseudo(word), shape };
}

/** What an element is becomes known only when it is there: its own field, or whatever the name means otherwise. */
const somewhere = (word: string, depth: number, otherwise: Compiled): Compiled => ({
  evaluate: (run) => {
    const item = run.elements[depth] ?? null;
    if (item instanceof Reference) {
      const value = run.world.field(item, word);
      if (value !== undefined) return value;
    }
    if (item instanceof Bag && Object.hasOwn(item.members, word)) return item.members[word] as Value;
    return otherwise.evaluate(run);
  },
  shape: unknown,
});

function ownField(word: string, { schema, record }: Scope): Compiled | null {
  if (record === null) return null;
  const shape = schema.member(record, word);
  if (shape !== null) {
    const evaluate: Evaluate = ({ world }) => (world.self === null ? null : (world.field(world.self, word) ?? null));
    return { evaluate, shape };
  }
  const before = word.endsWith("_was") ? schema.member(record, word.slice(0, -4)) : null;
  if (before === null) return null;
  return { evaluate: (run) => run.world.was(word.slice(0, -4)), shape: before };
}

function fieldOrWord(run: Run, word: string): Value {
  const { world } = run;
  if (world.self === null) return word;
  return world.field(world.self, word) ?? word;
}

// ---- members and elements

/** What takes an expression about its elements. */
const aboutElements = ["select", "reject", "map", "sum", "min", "max", "sort"] as const;
type AboutElements = (typeof aboutElements)[number];

function member(node: Extract<Node, { kind: "member" }>, scope: Scope): Compiled {
  const of = node.of.kind === "name" ? name(node.of.name, node.of.at, scope, true) : compile(node.of, scope);
  const { name: word, args, at } = node;
  const fixed = node.of.kind === "number" && args === null ? durationOf(node.of.value, word) : null;
  if (fixed !== null) return constant(fixed);
  if ((aboutElements as readonly string[]).includes(word) && args !== null)
    return elementwise(word as AboutElements, of, args, at, scope);
  const given = (args ?? []).map((arg) => compile(arg, scope).evaluate);
  const { evaluate } = of;
  const isSelf = node.of.kind === "name" && node.of.name === "self" && !scope.names.has("self");
  if (isSelf && args === null && scope.record !== null) {
    const own = ownField(word, scope);
    if (own !== null) return own;
  }
  const shape = shapeOfMember(of.shape, word, at, scope, args);
  if (given.length === 0) return { evaluate: (run) => memberOf(run, evaluate(run), word, none), shape };
  return {
    evaluate: (run) =>
      memberOf(
        run,
        evaluate(run),
        word,
        given.map((arg) => arg(run)),
      ),
    shape,
  };
}

const none: readonly Value[] = [];

function shapeOfMember(of: Shape, word: string, at: number, scope: Scope, args: readonly Node[] | null): Shape {
  if (of.kind === "list") {
    if (word === "reverse" || word === "uniq" || word === "compact") return of;
    if (listMembers.has(word)) return plain;
    const inner = shapeOfMember(of.of, word, at, scope, args);
    return inner.kind === "list" ? inner : listOf(inner);
  }
  if (of.kind !== "record")
    return of.kind === "plain" && textMembers.has(word) ? (word === "split" ? listOf(plain) : plain) : unknown;
  if (of.type === "calendar" && args !== null && (word === "target_at" || word === "duration")) return plain;
  const field = scope.schema.member(of.type, word);
  if (field === null) throw new SyntaxProblem(`${of.type} has no field '${word}'`, at + 1);
  return field;
}

const elementOf = (shape: Shape): Shape =>
  shape.kind === "list" ? shape.of : shape.kind === "record" ? shape : unknown;

function index(node: Extract<Node, { kind: "index" }>, scope: Scope): Compiled {
  const of = node.of.kind === "name" ? name(node.of.name, node.of.at, scope, true) : compile(node.of, scope);
  const { evaluate } = of;
  const shape = elementOf(of.shape);
  if (node.index === "first") return { evaluate: (run) => elementAt(run, evaluate(run), 1), shape };
  if (node.index === "last")
    return {
      evaluate: (run) => {
        const list = evaluate(run);
        return isList(list) ? (list.at(-1) ?? null) : elementAt(run, list, 1);
      },
      shape,
    };
  const inner = compile(node.index, scope).evaluate;
  return { evaluate: (run) => elementAt(run, evaluate(run), inner(run)), shape };
}

const asList = (value: Value): readonly Value[] => (isBlank(value) ? [] : isList(value) ? value : [value]);

function elementwise(word: AboutElements, of: Compiled, args: readonly Node[], at: number, scope: Scope): Compiled {
  if (args.length !== 1) throw new SyntaxProblem(`${word} takes one expression`, at + 1);
  const depth = scope.elements.length;
  const inner = compile(args[0] as Node, { ...scope, elements: [...scope.elements, elementOf(of.shape)] });
  const list: Evaluate = of.evaluate;
  const values = (run: Run) => {
    const items = limited(asList(list(run)));
    return { items, values: each(run, items, depth, () => inner.evaluate(run)) };
  };
  const present = (run: Run): Value[] => values(run).values.filter((value) => !isBlank(value));
  // biome-ignore format: a table keeps its columns
  const verbs: Record<AboutElements, Compiled> = {
    select: { shape: of.shape, evaluate: (run) => { const found = values(run); return found.items.filter((_, i) => isTrue(found.values[i] as Value)); } },
    reject: { shape: of.shape, evaluate: (run) => { const found = values(run); return found.items.filter((_, i) => !isTrue(found.values[i] as Value)); } },
    map:    { shape: inner.shape.kind === "list" ? inner.shape : listOf(inner.shape), evaluate: (run) => limited(values(run).values.flat() as Value[]) },
    sum:    { shape: plain, evaluate: (run) => present(run).reduce((total, value) => (isNumeric(value) && isNumeric(total) ? add(total, value) : added(run, total, value)), 0 as Value) },
    min:    { shape: inner.shape, evaluate: (run) => extreme(run, present(run), -1) },
    max:    { shape: inner.shape, evaluate: (run) => extreme(run, present(run), 1) },
    sort:   { shape: of.shape, evaluate: (run) => sorted(run, values(run)) },
  };
  return verbs[word];
}

const added = (run: Run, total: Value, value: Value): Value => {
  if (total === 0 && value instanceof Duration) return value;
  if (typeof value === "string") throw new Failure("evaluation", "cannot sum text");
  return plus(run, total, value);
};

function extreme(run: Run, values: readonly Value[], sign: number): Value {
  nameAll(run, values);
  let best: Value = values[0] ?? null;
  for (const value of values) if (sign * (compare(run, value, best) ?? 0) > 0) best = value;
  return best;
}

function sorted(run: Run, { items, values }: { items: readonly Value[]; values: readonly Value[] }): Value {
  nameAll(run, values);
  const order = items.map((_, i) => i);
  order.sort((a, b) => compareBlankFirst(run, values[a] as Value, values[b] as Value) || a - b);
  return order.map((i) => items[i] as Value);
}

const compareBlankFirst = (run: Run, a: Value, b: Value): number =>
  isBlank(a) || isBlank(b) ? Number(isBlank(b)) - Number(isBlank(a)) : (compare(run, a, b) ?? 0);

// ---- operators

function sum({ first, rest }: Extract<Node, { kind: "sum" }>, scope: Scope): Compiled {
  const start = compile(first, scope);
  const steps = rest.map(({ operator, operand }) => ({ operator, operand: compile(operand, scope) }));
  const joins = start.shape.kind === "list" && steps.every(({ operator }) => operator === "+");
  const shape = joins
    ? start.shape
    : start.shape.kind === "plain" && steps.every(({ operand }) => operand.shape.kind === "plain")
      ? plain
      : unknown;
  return {
    shape,
    evaluate: (run) => {
      let value = start.evaluate(run);
      for (const { operator, operand } of steps) {
        const next = operand.evaluate(run);
        value =
          operator === "+"
            ? plus(run, value, next)
            : operator === "-"
              ? minus(run, value, next)
              : product(operator, value, next);
      }
      return value;
    },
  };
}

function comparison(operator: Comparison, leftNode: Node, rightNode: Node, scope: Scope): Evaluate {
  const [left, right] = [compile(leftNode, scope).evaluate, compile(rightNode, scope).evaluate];
  const ordered =
    (holds: (order: number) => boolean): Evaluate =>
    (run) => {
      const order = compare(run, left(run), right(run));
      return order !== null && holds(order);
    };
  if ((operator === "~" || operator === "!~") && rightNode.kind === "text") {
    try {
      pattern(rightNode.value);
    } catch (error) {
      throw new SyntaxProblem((error as Error).message, rightNode.at);
    }
  }
  switch (operator) {
    case "=":
      return (run) => equal(run, left(run), right(run));
    case "!=":
      return (run) => !equal(run, left(run), right(run));
    case "<":
      return ordered((order) => order < 0);
    case "<=":
      return ordered((order) => order <= 0);
    case ">":
      return ordered((order) => order > 0);
    case ">=":
      return ordered((order) => order >= 0);
    case "in":
      return (run) => isIn(run, left(run), right(run));
    case "not_in":
      return (run) => !isIn(run, left(run), right(run));
    case "~":
      return (run) => matches(run, left(run), right(run));
    case "!~":
      return (run) => !matches(run, left(run), right(run));
  }
}

function matches(run: Run, value: Value, regex: Value): boolean {
  try {
    return firstMatch(textOf(run, regex), textOf(run, value)) !== null;
  } catch (error) {
    if (error instanceof SyntaxProblem) throw new Failure("evaluation", error.message);
    throw error;
  }
}

// ---- functions

function call(word: string, args: readonly Node[], at: number, scope: Scope): Compiled {
  if (word === "coalesce") {
    const parts = args.map((arg) => compile(arg, scope));
    const evaluate: Evaluate = (run) => {
      for (const part of parts) {
        const value = part.evaluate(run);
        if (!isBlank(value)) return value;
      }
      return null;
    };
    const same = parts.every(({ shape }) => JSON.stringify(shape) === JSON.stringify(parts[0]?.shape));
    return { evaluate, shape: same ? (parts[0]?.shape ?? plain) : unknown };
  }
  if (!["find", "find_all", "search", "new"].includes(word))
    throw new SyntaxProblem(`there is no function '${word}'`, at);
  const [first, second] = args;
  const type = first?.kind === "name" ? scope.schema.findable(first.name) : null;
  if (first === undefined || second === undefined || args.length !== 2)
    throw new SyntaxProblem(`${word} takes a type and a value`, at);
  if (type === null || (word === "new" && type !== "task"))
    throw new SyntaxProblem(
      `${word} does not know the type '${first.kind === "name" ? first.name : "here"}'`,
      first.at,
    );
  const { evaluate } = compile(second, scope);
  const record = recordOf(type);
  if (word === "find") return { evaluate: (run) => found(run, type, evaluate(run)), shape: record };
  if (word === "search")
    return { evaluate: (run) => run.world.search(type, textOf(run, evaluate(run))), shape: listOf(record) };
  if (word === "new") {
    const key = `new ${scope.calls.count++}`;
    return { evaluate: (run) => run.world.create(textOf(run, evaluate(run)), key), shape: record };
  }
  return {
    evaluate: (run) => {
      const depth = scope.elements.length;
      const list = each(run, limited(severalIn(evaluate(run))), depth, (value) => found(run, type, value));
      return list
        .filter((one) => one !== null)
        .filter((one, i, all) => all.findIndex((other) => equal(run, one, other)) === i);
    },
    shape: listOf(record),
  };
}

/** A custom field of several choices may hold its values as one text of ids. */
const severalIn = (value: Value): readonly Value[] =>
  typeof value === "string" && /^\s*\d+(\s*,\s*\d+)+\s*$/.test(value)
    ? value.split(",").map((id) => id.trim())
    : asList(value);

function found(run: Run, type: string, value: Value): Value {
  if (isBlank(value)) return null;
  if (value instanceof Reference) return value.type === type ? value : run.world.find(type, run.world.display(value));
  if (value instanceof Bag) return found(run, type, value.members.id ?? null);
  return run.world.find(type, isNumeric(value) ? value : textOf(run, value));
}
