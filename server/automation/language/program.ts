import { type Compiled, compile, type Scope } from "./compile.ts";
import { readableText } from "./operators.ts";
import { parseActions, parseCondition, parseExpressions, reserved } from "./parser.ts";
import { SyntaxProblem, told } from "./problem.ts";
import { type Evaluate, limitedText } from "./run.ts";
import type { Schema, Shape } from "./schema.ts";
import type { Action, Node } from "./tree.ts";

// The texts of a rule, read, checked and compiled.

export type Texts = { condition: string | null; expressions: string | null; actions: string | null };
type TextName = keyof Texts;

export type Step =
  | { kind: "set"; target: Evaluate; field: readonly string[]; value: Evaluate }
  | { kind: "note"; target: Evaluate; internal: boolean; text: Evaluate; attachments: Evaluate | null }
  | { kind: "add" | "remove"; target: Evaluate; value: Evaluate; field: string }
  | { kind: "webhook"; name: string; payload: readonly { name: string; value: Evaluate }[] }
  | { kind: "email"; to: Evaluate; subject: Evaluate; body: Evaluate }
  | { kind: "start"; after: Evaluate; rule: string };

export type Program = {
  names: readonly string[];
  expressions: readonly Evaluate[];
  /** null: always */
  condition: Evaluate | null;
  steps: readonly Step[];
  webhooks: readonly string[];
  starts: readonly string[];
};

/** What is wrong with a text of a rule, and where. */
export class ProgramProblem extends Error {
  readonly text: TextName;
  readonly at: number;
  constructor(text: TextName, source: string, problem: SyntaxProblem) {
    super(told(source, problem));
    this.text = text;
    this.at = problem.at;
  }
}

function within<T>(text: TextName, source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxProblem) throw new ProgramProblem(text, source, error);
    throw error;
  }
}

/** `record`: the type of the records the rule is about, where that is known. */
export function compileProgram(texts: Texts, schema: Schema, record: string | null): Program {
  const calls = { count: 0 };
  const names = new Map<string, { index: number; shape: Shape }>();
  const expressions: Evaluate[] = [];
  const source = texts.expressions ?? "";
  within("expressions", source, () => {
    const list = parseExpressions(source);
    const later = new Set(list.map(({ name }) => name));
    for (const { name, value } of list) {
      // Its own name is a word like any other: completed: status = completed.
      later.delete(name);
      const scope: Scope = { schema, record, names: new Map(names), later, elements: [], calls };
      const { evaluate, shape } = compile(value, scope);
      names.set(name, { index: expressions.length, shape });
      expressions.push(evaluate);
    }
  });
  const scope: Scope = { schema, record, names, later: new Set(), elements: [], calls };
  const condition = within("condition", texts.condition ?? "", () => {
    const node = parseCondition(texts.condition ?? "");
    return node === null ? null : compile(node, scope).evaluate;
  });
  const actions = texts.actions ?? "";
  const steps = within("actions", actions, () => parseActions(actions).map((action) => compileAction(action, scope)));
  return {
    names: [...names.keys()],
    expressions,
    condition,
    steps,
    webhooks: steps.flatMap((step) => (step.kind === "webhook" ? [step.name] : [])),
    starts: steps.flatMap((step) => (step.kind === "start" ? [step.rule] : [])),
  };
}

function compileAction(action: Action, scope: Scope): Step {
  const { at } = action;
  switch (action.kind) {
    case "change":
      return compileChange(action, scope);
    case "webhook":
      return { kind: "webhook", name: action.name, payload: payloadOf(action, scope) };
    case "email":
      return {
        kind: "email",
        to: compile(action.to, scope).evaluate,
        subject: template(action.subject, at, scope),
        body: template(action.body, at, scope),
      };
    case "start":
      return { kind: "start", after: compile(action.after, scope).evaluate, rule: action.rule };
  }
}

function payloadOf({ payload, at }: Extract<Action, { kind: "webhook" }>, scope: Scope) {
  if (payload === null) return [];
  if ("pairs" in payload)
    return payload.pairs.map(({ name, value }) => ({ name, value: compile(value, scope).evaluate }));
  const words = payload.names.split(/\s+/).filter((word) => word !== "");
  return words.map((name) => {
    if (!scope.names.has(name)) throw new SyntaxProblem(`'${name}' is no expression of the rule`, at);
    return { name, value: compile({ kind: "name", name, at }, scope).evaluate };
  });
}

function compileChange({ target: node, operation, at }: Extract<Action, { kind: "change" }>, scope: Scope): Step {
  const self: Node = { kind: "name", name: "self", at };
  const target: Compiled = node === null ? compile(self, { ...scope, names: new Map() }) : compile(node, scope);
  const shape = target.shape.kind === "list" ? target.shape.of : target.shape;
  const type = shape.kind === "record" ? shape.type : null;
  const { schema } = scope;
  switch (operation.kind) {
    case "set":
    case "clear": {
      const { field } = operation;
      checkField(schema, type, field, at);
      const value = operation.kind === "clear" ? () => null : compile(operation.value, scope).evaluate;
      return { kind: "set", target: target.evaluate, field, value };
    }
    case "note": {
      if (type !== null && !schema.takesNotes(type, operation.internal))
        throw new SyntaxProblem(`${type} takes no ${operation.internal ? "internal " : ""}notes`, at);
      const attachments = operation.attachments === null ? null : compile(operation.attachments, scope).evaluate;
      const text = template(operation.text, at, scope);
      return { kind: "note", target: target.evaluate, internal: operation.internal, text, attachments };
    }
    default: {
      const field = operation.field.join(".");
      if (type !== null && schema.linkable(type, field) === null)
        throw new SyntaxProblem(`nothing can be added to '${field}' of ${type}`, at);
      return { kind: operation.kind, target: target.evaluate, value: compile(operation.value, scope).evaluate, field };
    }
  }
}

function checkField(schema: Schema, type: string | null, [name, ...members]: readonly string[], at: number): void {
  const isCustom = name === "custom_fields";
  if (members.length > (isCustom ? 1 : 0) || (isCustom && members.length === 0))
    throw new SyntaxProblem(isCustom ? "expected custom_fields.<id>" : `'${members[0]}' cannot be set`, at);
  if (type !== null && !schema.settable(type, name as string))
    throw new SyntaxProblem(`'${name}' of ${type} cannot be set`, at);
}

/** Text in which {{expression}} stands for its value. */
function template(text: string, at: number, scope: Scope): Evaluate {
  const parts: (string | Evaluate)[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf("{{", from);
    const close = open < 0 ? -1 : text.indexOf("}}", open);
    if (close < 0) break;
    const source = text.slice(open + 2, close);
    parts.push(text.slice(from, open));
    from = close + 2;
    const word = source.trim();
    if (/^[A-Za-z]\w*$/.test(word) && !reserved.has(word)) {
      const known = scope.names.has(word) || scope.record === null || scope.schema.member(scope.record, word) !== null;
      const pseudo = [
        "self",
        "now",
        "today",
        "rule",
        "account",
        "current_person",
        "note",
        "rule_app_instance",
      ].includes(word);
      const before = word.endsWith("_was") && scope.record !== null;
      if (!known && !pseudo && !before) throw new SyntaxProblem(`'${word}' is no expression of the rule`, at);
    }
    try {
      const node = parseCondition(source);
      if (node === null) throw new SyntaxProblem("{{}} is empty", at);
      parts.push(compile(node, scope).evaluate);
    } catch (error) {
      if (error instanceof SyntaxProblem) throw new SyntaxProblem(`${error.message} in {{${source.slice(0, 60)}}}`, at);
      throw error;
    }
  }
  parts.push(text.slice(from));
  return (run) =>
    limitedText(parts.map((part) => (typeof part === "string" ? part : readableText(run, part(run)))).join(""));
}
