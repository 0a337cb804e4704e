import { createDuration } from "./dates.ts";
import { Failure, SyntaxProblem } from "./errors.ts";
import { checkListLength, type Evaluation, type Evaluator, mapElements } from "./evaluation.ts";
import { evaluateMember, listMemberNames, pickElement, textMemberNames } from "./member-access.ts";
import { add, isNumeric, negate } from "./number.ts";
import { compare, isEqual, isIn, loadNames, minus, plus, product, toText } from "./operators.ts";
import { compilePattern, findFirstMatch } from "./patterns.ts";
import { bagShape, listShape, plainShape, recordShape, type Schema, type Shape, unknownShape } from "./schema.ts";
import type { ComparisonOperator, Node } from "./syntax-tree.ts";
import { Bag, Duration, describeValueKind, isBlank, isList, isTrue, Reference, type Value } from "./values.ts";

// Compiles a tree to closures, once per rule, and resolves every name on the way: AL9.

export type CompiledNode = { evaluate: Evaluator; shape: Shape };

/** The meaning of names at one place of a rule. */
export type Scope = {
  schema: Schema;
  /** the type of the record that the rule runs for; null: not known yet */
  record: string | null;
  /** the expressions above */
  names: ReadonlyMap<string, { index: number; shape: Shape }>;
  /** the expressions below */
  later: ReadonlySet<string>;
  /** the elements of the enclosing list iterations, the outermost first */
  elements: readonly Shape[];
  /** calls of `new`, each of which creates one task */
  calls: { count: number };
};

const pseudoNameShapes: Record<string, Shape> = {
  rule: bagShape,
  current_person: recordShape("person"),
  account: bagShape,
  rule_app_instance: recordShape("app_instance"),
  note: recordShape("note"),
  person_is_new: plainShape,
  now: plainShape,
  today: plainShape,
};

const compileConstant = (value: Value, shape: Shape = plainShape): CompiledNode => ({ evaluate: () => value, shape });

export function compile(node: Node, scope: Scope): CompiledNode {
  switch (node.kind) {
    case "number":
    case "text":
      return compileConstant(node.value);
    case "constant":
      return compileConstant(node.value);
    case "list":
      return compileList(node.items, scope);
    case "name":
      return compileName(node.name, node.at, scope, false);
    case "call":
      return compileCall(node.name, node.args, node.at, scope);
    case "member":
      return compileMember(node, scope);
    case "index":
      return compileIndex(node, scope);
    case "not": {
      const { evaluate } = compile(node.of, scope);
      return { evaluate: (run) => !isTrue(evaluate(run)), shape: plainShape };
    }
    case "minus": {
      const { evaluate } = compile(node.of, scope);
      return { evaluate: (run) => negateValue(evaluate(run)), shape: plainShape };
    }
    case "sum":
      return compileSum(node, scope);
    case "comparison":
      return { evaluate: compileComparison(node.operator, node.left, node.right, scope), shape: plainShape };
    case "and": {
      const parts = node.parts.map((part) => compile(part, scope).evaluate);
      return { evaluate: (run) => parts.every((part) => isTrue(part(run))), shape: plainShape };
    }
    case "or": {
      const parts = node.parts.map((part) => compile(part, scope).evaluate);
      return { evaluate: (run) => parts.some((part) => isTrue(part(run))), shape: plainShape };
    }
    case "choice": {
      const [test, yes, no] = [node.test, node.yes, node.no].map((part) => compile(part, scope)) as [
        CompiledNode,
        CompiledNode,
        CompiledNode,
      ];
      return {
        evaluate: (run) => (isTrue(test.evaluate(run)) ? yes.evaluate(run) : no.evaluate(run)),
        shape: JSON.stringify(yes.shape) === JSON.stringify(no.shape) ? yes.shape : unknownShape,
      };
    }
  }
}

function negateValue(value: Value): Value {
  if (value === null) return null;
  if (isNumeric(value)) return negate(value);
  if (value instanceof Duration) return product("*", value, -1);
  throw new Failure("evaluation", `${describeValueKind(value)} has no opposite`);
}

/** An omitted element is blank, so `[]` contains one blank. */
function compileList(items: readonly (Node | null)[], scope: Scope): CompiledNode {
  const parts = items.map((item) => (item === null ? compileConstant(null) : compile(item, scope)));
  const shape = listShape(
    parts.length > 0 && parts.every((part) => part.shape.kind === "record")
      ? (parts[0] as CompiledNode).shape
      : unknownShape,
  );
  if (items.every((item) => item === null || item.kind === "text" || item.kind === "number")) {
    const fixed = parts.map(({ evaluate }) => evaluate(undefined as never));
    return { evaluate: () => checkListLength(fixed), shape };
  }
  return { evaluate: (run) => checkListLength(parts.map(({ evaluate }) => evaluate(run))), shape };
}

// ---- names

/** `leads`: a dot or a bracket follows, so the name must be something with members. */
function compileName(word: string, at: number, scope: Scope, leads: boolean): CompiledNode {
  const known = scope.names.get(word);
  if (known !== undefined) return { evaluate: (run) => run.evaluateNamed(known.index), shape: known.shape };
  const pseudo = compilePseudoName(word, scope);
  if (pseudo !== null) return pseudo;
  const candidates = [...scope.elements.keys()].reverse();
  for (const depth of candidates) {
    const shape = scope.elements[depth] as Shape;
    if (shape.kind === "record") {
      const field = scope.schema.memberShape(shape.type, word);
      if (field !== null)
        return { evaluate: (run) => evaluateMember(run, run.elements[depth] ?? null, word, []), shape: field };
    } else if (shape.kind !== "plain")
      return compileDynamicName(
        word,
        depth,
        compileName(word, at, { ...scope, elements: scope.elements.slice(0, depth) }, false),
      );
  }
  const own = compileOwnField(word, scope);
  if (own !== null) return own;
  if (scope.record === null) return { evaluate: (run) => evaluateFieldOrWord(run, word), shape: unknownShape };
  if (scope.later.has(word)) throw new SyntaxProblem(`'${word}' is used before it is defined`, at);
  if (leads) throw new SyntaxProblem(`'${word}' is no field and no expression`, at);
  return compileConstant(word);
}

function compilePseudoName(word: string, scope: Scope): CompiledNode | null {
  if (word === "self")
    return {
      evaluate: (run) => run.context.self,
      shape: scope.record === null ? unknownShape : recordShape(scope.record),
    };
  if (word === "now") return { evaluate: (run) => run.context.now, shape: plainShape };
  if (word === "today") return { evaluate: (run) => run.context.today, shape: plainShape };
  const shape = Object.hasOwn(pseudoNameShapes, word) ? pseudoNameShapes[word] : undefined;
  return shape === undefined ? null : { evaluate: (run) => run.context.pseudo(word), shape };
}

/** The type of an element is known only at run time: the name is its field, or has its usual meaning. */
const compileDynamicName = (word: string, depth: number, otherwise: CompiledNode): CompiledNode => ({
  evaluate: (run) => {
    const item = run.elements[depth] ?? null;
    if (item instanceof Reference) {
      const value = run.context.field(item, word);
      if (value !== undefined) return value;
    }
    if (item instanceof Bag && Object.hasOwn(item.members, word)) return item.members[word] as Value;
    return otherwise.evaluate(run);
  },
  shape: unknownShape,
});

function compileOwnField(word: string, { schema, record }: Scope): CompiledNode | null {
  if (record === null) return null;
  const shape = schema.memberShape(record, word);
  if (shape !== null) {
    const evaluate: Evaluator = ({ context: world }) =>
      world.self === null ? null : (world.field(world.self, word) ?? null);
    return { evaluate, shape };
  }
  const before = word.endsWith("_was") ? schema.memberShape(record, word.slice(0, -4)) : null;
  if (before === null) return null;
  return { evaluate: (run) => run.context.previousValue(word.slice(0, -4)), shape: before };
}

function evaluateFieldOrWord(run: Evaluation, word: string): Value {
  const { context: world } = run;
  if (world.self === null) return word;
  return world.field(world.self, word) ?? word;
}

// ---- members and elements

/** Members that take an expression about the elements of a list. */
const elementwiseMembers = ["select", "reject", "map", "sum", "min", "max", "sort"] as const;
type ElementwiseMember = (typeof elementwiseMembers)[number];

function compileMember(node: Extract<Node, { kind: "member" }>, scope: Scope): CompiledNode {
  const of = node.of.kind === "name" ? compileName(node.of.name, node.of.at, scope, true) : compile(node.of, scope);
  const { name: word, args, at } = node;
  const fixed = node.of.kind === "number" && args === null ? createDuration(node.of.value, word) : null;
  if (fixed !== null) return compileConstant(fixed);
  if ((elementwiseMembers as readonly string[]).includes(word) && args !== null)
    return compileElementwise(word as ElementwiseMember, of, args, at, scope);
  const given = (args ?? []).map((arg) => compile(arg, scope).evaluate);
  const { evaluate } = of;
  const isSelf = node.of.kind === "name" && node.of.name === "self" && !scope.names.has("self");
  if (isSelf && args === null && scope.record !== null) {
    const own = compileOwnField(word, scope);
    if (own !== null) return own;
  }
  const shape = getMemberShape(of.shape, word, at, scope, args);
  if (given.length === 0) return { evaluate: (run) => evaluateMember(run, evaluate(run), word, noArguments), shape };
  return {
    evaluate: (run) =>
      evaluateMember(
        run,
        evaluate(run),
        word,
        given.map((arg) => arg(run)),
      ),
    shape,
  };
}

const noArguments: readonly Value[] = [];

function getMemberShape(of: Shape, word: string, at: number, scope: Scope, args: readonly Node[] | null): Shape {
  if (of.kind === "list") {
    if (word === "reverse" || word === "uniq" || word === "compact") return of;
    if (listMemberNames.has(word)) return plainShape;
    const inner = getMemberShape(of.of, word, at, scope, args);
    return inner.kind === "list" ? inner : listShape(inner);
  }
  if (of.kind !== "record")
    return of.kind === "plain" && textMemberNames.has(word)
      ? word === "split"
        ? listShape(plainShape)
        : plainShape
      : unknownShape;
  if (of.type === "calendar" && args !== null && (word === "target_at" || word === "duration")) return plainShape;
  const field = scope.schema.memberShape(of.type, word);
  if (field === null) throw new SyntaxProblem(`${of.type} has no field '${word}'`, at + 1);
  return field;
}

const getElementShape = (shape: Shape): Shape =>
  shape.kind === "list" ? shape.of : shape.kind === "record" ? shape : unknownShape;

function compileIndex(node: Extract<Node, { kind: "index" }>, scope: Scope): CompiledNode {
  const of = node.of.kind === "name" ? compileName(node.of.name, node.of.at, scope, true) : compile(node.of, scope);
  const { evaluate } = of;
  const shape = getElementShape(of.shape);
  if (node.index === "first") return { evaluate: (run) => pickElement(run, evaluate(run), 1), shape };
  if (node.index === "last")
    return {
      evaluate: (run) => {
        const list = evaluate(run);
        return isList(list) ? (list.at(-1) ?? null) : pickElement(run, list, 1);
      },
      shape,
    };
  const inner = compile(node.index, scope).evaluate;
  return { evaluate: (run) => pickElement(run, evaluate(run), inner(run)), shape };
}

const toList = (value: Value): readonly Value[] => (isBlank(value) ? [] : isList(value) ? value : [value]);

function compileElementwise(
  word: ElementwiseMember,
  of: CompiledNode,
  args: readonly Node[],
  at: number,
  scope: Scope,
): CompiledNode {
  if (args.length !== 1) throw new SyntaxProblem(`${word} takes one expression`, at + 1);
  const depth = scope.elements.length;
  const inner = compile(args[0] as Node, { ...scope, elements: [...scope.elements, getElementShape(of.shape)] });
  const list: Evaluator = of.evaluate;
  const values = (run: Evaluation) => {
    const items = checkListLength(toList(list(run)));
    return { items, values: mapElements(run, items, depth, () => inner.evaluate(run)) };
  };
  const present = (run: Evaluation): Value[] => values(run).values.filter((value) => !isBlank(value));
  // biome-ignore format: a table keeps its columns
  const verbs: Record<ElementwiseMember, CompiledNode> = {
    select: { shape: of.shape, evaluate: (run) => { const found = values(run); return found.items.filter((_, i) => isTrue(found.values[i] as Value)); } },
    reject: { shape: of.shape, evaluate: (run) => { const found = values(run); return found.items.filter((_, i) => !isTrue(found.values[i] as Value)); } },
    map:    { shape: inner.shape.kind === "list" ? inner.shape : listShape(inner.shape), evaluate: (run) => checkListLength(values(run).values.flat() as Value[]) },
    sum:    { shape: plainShape, evaluate: (run) => present(run).reduce((total, value) => (isNumeric(value) && isNumeric(total) ? add(total, value) : addToSum(run, total, value)), 0 as Value) },
    min:    { shape: inner.shape, evaluate: (run) => pickExtreme(run, present(run), -1) },
    max:    { shape: inner.shape, evaluate: (run) => pickExtreme(run, present(run), 1) },
    sort:   { shape: of.shape, evaluate: (run) => sortItems(run, values(run)) },
  };
  return verbs[word];
}

const addToSum = (run: Evaluation, total: Value, value: Value): Value => {
  if (total === 0 && value instanceof Duration) return value;
  if (typeof value === "string") throw new Failure("evaluation", "cannot sum text");
  return plus(run, total, value);
};

function pickExtreme(run: Evaluation, values: readonly Value[], sign: number): Value {
  loadNames(run, values);
  let best: Value = values[0] ?? null;
  for (const value of values) if (sign * (compare(run, value, best) ?? 0) > 0) best = value;
  return best;
}

function sortItems(run: Evaluation, { items, values }: { items: readonly Value[]; values: readonly Value[] }): Value {
  loadNames(run, values);
  const order = items.map((_, i) => i);
  order.sort((a, b) => compareBlankFirst(run, values[a] as Value, values[b] as Value) || a - b);
  return order.map((i) => items[i] as Value);
}

const compareBlankFirst = (run: Evaluation, a: Value, b: Value): number =>
  isBlank(a) || isBlank(b) ? Number(isBlank(b)) - Number(isBlank(a)) : (compare(run, a, b) ?? 0);

// ---- operators

function compileSum({ first, rest }: Extract<Node, { kind: "sum" }>, scope: Scope): CompiledNode {
  const start = compile(first, scope);
  const steps = rest.map(({ operator, operand }) => ({ operator, operand: compile(operand, scope) }));
  const joins = start.shape.kind === "list" && steps.every(({ operator }) => operator === "+");
  const shape = joins
    ? start.shape
    : start.shape.kind === "plain" && steps.every(({ operand }) => operand.shape.kind === "plain")
      ? plainShape
      : unknownShape;
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

function compileComparison(operator: ComparisonOperator, leftNode: Node, rightNode: Node, scope: Scope): Evaluator {
  const [left, right] = [compile(leftNode, scope).evaluate, compile(rightNode, scope).evaluate];
  const ordered =
    (holds: (order: number) => boolean): Evaluator =>
    (run) => {
      const order = compare(run, left(run), right(run));
      return order !== null && holds(order);
    };
  if ((operator === "~" || operator === "!~") && rightNode.kind === "text") {
    try {
      compilePattern(rightNode.value);
    } catch (error) {
      throw new SyntaxProblem((error as Error).message, rightNode.at);
    }
  }
  switch (operator) {
    case "=":
      return (run) => isEqual(run, left(run), right(run));
    case "!=":
      return (run) => !isEqual(run, left(run), right(run));
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
      return (run) => matchesPattern(run, left(run), right(run));
    case "!~":
      return (run) => !matchesPattern(run, left(run), right(run));
  }
}

function matchesPattern(run: Evaluation, value: Value, regex: Value): boolean {
  try {
    return findFirstMatch(toText(run, regex), toText(run, value)) !== null;
  } catch (error) {
    if (error instanceof SyntaxProblem) throw new Failure("evaluation", error.message);
    throw error;
  }
}

// ---- functions

function compileCall(word: string, args: readonly Node[], at: number, scope: Scope): CompiledNode {
  if (word === "coalesce") {
    const parts = args.map((arg) => compile(arg, scope));
    const evaluate: Evaluator = (run) => {
      for (const part of parts) {
        const value = part.evaluate(run);
        if (!isBlank(value)) return value;
      }
      return null;
    };
    const same = parts.every(({ shape }) => JSON.stringify(shape) === JSON.stringify(parts[0]?.shape));
    return { evaluate, shape: same ? (parts[0]?.shape ?? plainShape) : unknownShape };
  }
  if (!["find", "find_all", "search", "new"].includes(word))
    throw new SyntaxProblem(`there is no function '${word}'`, at);
  const [first, second] = args;
  const type = first?.kind === "name" ? scope.schema.findableType(first.name) : null;
  if (first === undefined || second === undefined || args.length !== 2)
    throw new SyntaxProblem(`${word} takes a type and a value`, at);
  if (type === null || (word === "new" && type !== "task"))
    throw new SyntaxProblem(
      `${word} does not know the type '${first.kind === "name" ? first.name : "here"}'`,
      first.at,
    );
  const { evaluate } = compile(second, scope);
  const record = recordShape(type);
  if (word === "find") return { evaluate: (run) => findRecord(run, type, evaluate(run)), shape: record };
  if (word === "search")
    return { evaluate: (run) => run.context.search(type, toText(run, evaluate(run))), shape: listShape(record) };
  if (word === "new") {
    const key = `new ${scope.calls.count++}`;
    return { evaluate: (run) => run.context.create(toText(run, evaluate(run)), key), shape: record };
  }
  return {
    evaluate: (run) => {
      const depth = scope.elements.length;
      const list = mapElements(run, checkListLength(splitIds(evaluate(run))), depth, (value) =>
        findRecord(run, type, value),
      );
      return list
        .filter((one) => one !== null)
        .filter((one, i, all) => all.findIndex((other) => isEqual(run, one, other)) === i);
    },
    shape: listShape(record),
  };
}

/** A custom field with several choices may contain its values as one text of ids. */
const splitIds = (value: Value): readonly Value[] =>
  typeof value === "string" && /^\s*\d+(\s*,\s*\d+)+\s*$/.test(value)
    ? value.split(",").map((id) => id.trim())
    : toList(value);

function findRecord(run: Evaluation, type: string, value: Value): Value {
  if (isBlank(value)) return null;
  if (value instanceof Reference)
    return value.type === type ? value : run.context.find(type, run.context.display(value));
  if (value instanceof Bag) return findRecord(run, type, value.members.id ?? null);
  return run.context.find(type, isNumeric(value) ? value : toText(run, value));
}
