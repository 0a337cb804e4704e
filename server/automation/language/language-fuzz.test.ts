import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure, SyntaxProblem } from "./errors.ts";
import { Evaluation, type EvaluationContext, MissingData } from "./evaluation.ts";
import { parseActions, parseCondition, parseExpressions } from "./parser.ts";
import { printActions, printExpressions, printNode } from "./printer.ts";
import { compileProgram, ProgramProblem } from "./program.ts";
import { bagShape, listShape, plainShape, recordShape, type Schema, type Shape } from "./schema.ts";
import type { Node, OperatorTerm } from "./syntax-tree.ts";
import { Bag, Choice, Day, Duration, Moment, Reference, type Value } from "./values.ts";

// Any text is either rejected with a position, or runs and ends within its limits, with a value or a failure
// that can be logged. There is no other outcome, and no side effect.

const words = [
  "a",
  "b",
  "status",
  "team",
  "tasks",
  "custom_fields",
  "subject",
  "first",
  "set",
  "to",
  "self",
  "now",
  "today",
];
const members = [
  "name",
  "count",
  "length",
  "select",
  "map",
  "reverse",
  "first",
  "upcase",
  "split",
  "hours",
  "months",
  "to_date",
  "constructor",
  "prototype",
];
const at = 0;
const { node } = fc.letrec<{ node: Node; leaf: Node }>((tie) => {
  const inner = tie("node");
  const args = fc.array(inner, { maxLength: 2 });
  const leaf: fc.Arbitrary<Node> = fc.oneof(
    fc.nat(10_000).map((value): Node => ({ kind: "number", value, at })),
    fc
      .string({ maxLength: 12, unit: "binary" })
      .filter((text) => text.isWellFormed())
      .map((value): Node => ({ kind: "text", value, at })),
    fc.constantFrom<true | false | null>(true, false, null).map((value): Node => ({ kind: "constant", value, at })),
    fc.constantFrom(...words).map((name): Node => ({ kind: "name", name, at })),
  );
  // A chain of one precedence is one node: a nested operation has another precedence, or is in parentheses.
  const chain = (operators: readonly OperatorTerm["operator"][]): fc.Arbitrary<Node> =>
    fc
      .tuple(
        inner,
        fc.array(fc.record({ operator: fc.constantFrom(...operators), operand: inner }), {
          minLength: 1,
          maxLength: 3,
        }),
      )
      .map(([first, rest]): Node => ({ kind: "sum", first, rest, at }));
  const several = fc.array(inner, { minLength: 2, maxLength: 3 });
  return {
    leaf,
    node: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      tie("leaf"),
      fc.array(fc.option(inner), { minLength: 1, maxLength: 3 }).map((items): Node => ({ kind: "list", items, at })),
      fc
        .tuple(fc.constantFrom("find", "find_all", "coalesce", "search", "nonsense"), args)
        .map(([name, list]): Node => ({ kind: "call", name, args: list, at })),
      fc
        .tuple(inner, fc.constantFrom(...members), fc.option(args))
        .map(([of, name, list]): Node => ({ kind: "member", of, name, args: list, at })),
      fc
        .tuple(inner, fc.oneof(fc.constantFrom<"first" | "last">("first", "last"), inner))
        .map(([of, index]): Node => ({ kind: "index", of, index, at })),
      inner.map((of): Node => ({ kind: "not", of, at })),
      inner.map((of): Node => ({ kind: "minus", of, at })),
      chain(["+", "-"]),
      chain(["*", "/", "%"]),
      fc
        .tuple(fc.constantFrom("=", "!=", "<", ">=", "in", "not_in", "~", "!~"), inner, inner)
        .map(([operator, left, right]): Node => ({ kind: "comparison", operator: operator as never, left, right, at })),
      several.map((parts): Node => ({ kind: "and", parts, at })),
      several.map((parts): Node => ({ kind: "or", parts, at })),
      fc.tuple(inner, inner, inner).map(([test, yes, no]): Node => ({ kind: "choice", test, yes, no, at })),
    ),
  };
});

const bare = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (key === "at" ? undefined : value)));

const shapes: Record<string, Record<string, Shape>> = {
  request: {
    status: plainShape,
    subject: plainShape,
    team: recordShape("team"),
    tasks: listShape(recordShape("task")),
    custom_fields: bagShape,
  },
  team: { name: plainShape },
  task: { name: plainShape, status: plainShape, team: recordShape("team") },
};
const schema: Schema = {
  memberShape: (type, name) => (Object.hasOwn(shapes[type] ?? {}, name) ? (shapes[type]?.[name] ?? null) : null),
  isSettable: () => true,
  linkableType: () => "task",
  takesNotes: () => true,
  findableType: (word) => (word === "team" ? "team" : null),
};
const values: Record<string, Value> = {
  status: new Choice("assigned", ["registered", "assigned", "completed"]),
  subject: "A subject",
  name: "Some name",
  team: new Reference("team", 1),
  tasks: Array.from({ length: 40 }, (_, id) => new Reference("task", id)),
  custom_fields: new Bag({ a: "1", b: null, c: ["x"] }),
};
const world: EvaluationContext = {
  ...{ zone: "Europe/Amsterdam", locale: "en-US", clockOf24Hours: true },
  now: new Moment(0),
  today: new Day("2025-03-03"),
  self: new Reference("request", 1),
  pseudo: () => null,
  field: ({ type }, name) => (Object.hasOwn(shapes[type] ?? {}, name) ? (values[name] ?? null) : undefined),
  previousValue: () => null,
  display: () => "Name",
  find: () => new Reference("team", 1),
  search: () => [],
  create: () => null,
  targetAt: () => null,
  minutesBetween: () => 0,
};

const kinds = [Choice, Day, Moment, Duration, Reference, Bag];
const isValue = (value: unknown): boolean =>
  value === null ||
  ["boolean", "string", "number"].includes(typeof value) ||
  (Array.isArray(value)
    ? value.every(isValue)
    : kinds.some((kind) => value instanceof kind) || "top" in (value as object));

/** Runs a text as condition; answers its value, or the kind of its failure. */
function outcome(condition: string): unknown {
  const began = Date.now();
  const spent = process.cpuUsage();
  try {
    const program = compileProgram(
      { condition, expressions: "a: tasks\nb: custom_fields", actions: null },
      schema,
      "request",
    );
    const result = program.condition?.(new Evaluation(world, program.expressions, began + 2000)) ?? null;
    expect(isValue(result)).toBe(true);
    return result;
  } catch (error) {
    if (error instanceof RangeError) return "too deep"; // callers report it as a limit
    expect(
      error instanceof Failure || error instanceof ProgramProblem || error instanceof MissingData,
      String(error),
    ).toBe(true);
    return error;
  } finally {
    expect(process.cpuUsage(spent).user).toBeLessThan(4_000_000); // microseconds
  }
}

test("AL2: printing and parsing a tree returns the same tree", () => {
  fc.assert(
    fc.property(node, (tree) => {
      const text = printNode(tree);
      let read: Node | null = null;
      try {
        read = parseCondition(text);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxProblem);
        expect((error as Error).message).toMatch(/too deeply|more than 20 steps/);
        return;
      }
      expect(bare(read)).toEqual(bare(tree));
      expect(printNode(read as Node)).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test("X18: random programs end with a value or a failure, within their limits", () => {
  fc.assert(
    fc.property(node, (tree) => void outcome(printNode(tree))),
    { numRuns: 4000 },
  );
});

test("random text is rejected with a position, or is a program", () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...words,
        ...members,
        "then",
        "else",
        "and",
        "or",
        "(",
        ")",
        "[",
        "]",
        ".",
        ",",
        "'",
        '"',
        "a1:",
        "\n",
        " ",
        "{{",
        "}}",
        "=",
        "update",
        "add",
        "note",
        "with",
        "payload",
        "after",
        "start",
        "1",
        "‘",
        "’",
        "–",
        "\\",
      ),
      fc.string({ maxLength: 3, unit: "binary" }),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pieces, (list) => {
      const text = list.join("");
      for (const read of [parseCondition, parseExpressions, parseActions])
        try {
          read(text);
        } catch (error) {
          expect(error, text).toBeInstanceOf(SyntaxProblem);
          expect((error as SyntaxProblem).at).toBeLessThanOrEqual(text.length);
        }
      void outcome(text);
    }),
    { numRuns: 4000 },
  );
});

test("parsing printed expressions and actions returns the originals", () => {
  const name = fc.constantFrom("x", "y", "z");
  fc.assert(
    fc.property(fc.uniqueArray(name), node, fc.string({ maxLength: 10 }), (names, value, text) => {
      const named = names.map((one) => ({ name: one, at, value }));
      const actions = [
        {
          kind: "change" as const,
          target: null,
          operation: { kind: "set" as const, field: ["custom_fields", "x"], value },
          at,
        },
        {
          kind: "change" as const,
          target: { kind: "name" as const, name: "team", at },
          operation: { kind: "note" as const, internal: true, text, attachments: value },
          at,
        },
        { kind: "webhook" as const, name: text, payload: { pairs: [{ name: "p", at, value }] }, at },
        { kind: "start" as const, after: value, rule: text, at },
        { kind: "email" as const, to: value, subject: text, body: text, at },
      ];
      try {
        expect(bare(parseExpressions(printExpressions(named)))).toEqual(bare(named));
        expect(bare(parseActions(printActions(actions)))).toEqual(bare(actions));
      } catch (error) {
        if (!(error instanceof SyntaxProblem)) throw error;
        expect(error.message).toMatch(/too deeply|more than 20 steps/);
      }
    }),
    { numRuns: 500 },
  );
});

test("programs that would run forever are stopped", () => {
  const many = "tasks + tasks + tasks + tasks + tasks";
  const nested = `(${many}).select((${many}).select((${many}).select((${many}).count > 1).count > 1).count > 1).count`;
  expect(outcome(nested)).toBeInstanceOf(Failure);
  expect(outcome(`'${"ab".repeat(100)}' ~ '(a*)*(a*)*(a*)*c'`)).toBe(false);
  expect(outcome(`'x'${".replace('x', 'xxxxxxxxxxxxxxxxxxxx')".repeat(19)}`)).toBeInstanceOf(Failure);
  expect(outcome(`[${"1,".repeat(1001)}]`)).toBeInstanceOf(Failure);
  expect(outcome(`2 ${"* 99999999999999999999".repeat(200)}`)).toBeInstanceOf(Failure);
  expect(outcome("custom_fields.constructor")).toBe(null);
  expect(outcome("custom_fields.__proto__")).toBeInstanceOf(ProgramProblem);
  expect(outcome("2.constructor")).toBeInstanceOf(Failure);
  expect(outcome("subject.constructor")).toBeInstanceOf(Failure);
});
