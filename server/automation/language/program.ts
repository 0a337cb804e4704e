import { type CompiledNode, compile, type Scope } from "./compile.ts";
import { formatSyntaxProblem, SyntaxProblem } from "./errors.ts";
import { checkTextLength, type Evaluator } from "./evaluation.ts";
import { toReadableText } from "./operators.ts";
import { parseActions, parseCondition, parseExpressions, reservedWords } from "./parser.ts";
import type { Schema, Shape } from "./schema.ts";
import type { Action, Node } from "./syntax-tree.ts";

// Parses, checks and compiles the texts of a rule.

export type RuleTexts = { condition: string | null; expressions: string | null; actions: string | null };
type TextName = keyof RuleTexts;

/** `targetType`: the type of the records; null: known only at run time */
type ActionTarget = { target: Evaluator; targetType: string | null };

export type CompiledAction =
  | ({ kind: "set"; field: readonly string[]; value: Evaluator } & ActionTarget)
  | ({ kind: "note"; internal: boolean; text: Evaluator; attachments: Evaluator | null } & ActionTarget)
  | ({ kind: "add" | "remove"; value: Evaluator; field: string } & ActionTarget)
  | { kind: "webhook"; name: string; payload: readonly { name: string; value: Evaluator }[] }
  | { kind: "email"; to: Evaluator; subject: Evaluator; body: Evaluator }
  | { kind: "start"; after: Evaluator; rule: string };

export type Program = {
  names: readonly string[];
  expressions: readonly Evaluator[];
  /** null: always */
  condition: Evaluator | null;
  actions: readonly CompiledAction[];
  webhooks: readonly string[];
  startedRules: readonly string[];
};

/** An error in a text of a rule, with its position. */
export class ProgramProblem extends Error {
  readonly text: TextName;
  readonly at: number;
  constructor(text: TextName, source: string, problem: SyntaxProblem) {
    super(formatSyntaxProblem(source, problem));
    this.text = text;
    this.at = problem.at;
  }
}

function attributeProblems<T>(text: TextName, source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxProblem) throw new ProgramProblem(text, source, error);
    throw error;
  }
}

/** `record`: the type of the records that the rule runs for, if known. */
export function compileProgram(texts: RuleTexts, schema: Schema, record: string | null): Program {
  const calls = { count: 0 };
  const names = new Map<string, { index: number; shape: Shape }>();
  const expressions: Evaluator[] = [];
  const source = texts.expressions ?? "";
  attributeProblems("expressions", source, () => {
    const list = parseExpressions(source);
    const later = new Set(list.map(({ name }) => name));
    for (const { name, value } of list) {
      // Its own name is an ordinary word inside an expression: completed: status = completed.
      later.delete(name);
      const scope: Scope = { schema, record, names: new Map(names), later, elements: [], calls };
      const { evaluate, shape } = compile(value, scope);
      names.set(name, { index: expressions.length, shape });
      expressions.push(evaluate);
    }
  });
  const scope: Scope = { schema, record, names, later: new Set(), elements: [], calls };
  const condition = attributeProblems("condition", texts.condition ?? "", () => {
    const node = parseCondition(texts.condition ?? "");
    return node === null ? null : compile(node, scope).evaluate;
  });
  const actions = texts.actions ?? "";
  const steps = attributeProblems("actions", actions, () =>
    parseActions(actions).map((action) => compileAction(action, scope)),
  );
  return {
    names: [...names.keys()],
    expressions,
    condition,
    actions: steps,
    webhooks: steps.flatMap((step) => (step.kind === "webhook" ? [step.name] : [])),
    startedRules: steps.flatMap((step) => (step.kind === "start" ? [step.rule] : [])),
  };
}

function compileAction(action: Action, scope: Scope): CompiledAction {
  const { at } = action;
  switch (action.kind) {
    case "change":
      return compileChange(action, scope);
    case "webhook":
      return { kind: "webhook", name: action.name, payload: compilePayload(action, scope) };
    case "email":
      return {
        kind: "email",
        to: compile(action.to, scope).evaluate,
        subject: compileTemplate(action.subject, at, scope),
        body: compileTemplate(action.body, at, scope),
      };
    case "start":
      return { kind: "start", after: compile(action.after, scope).evaluate, rule: action.rule };
  }
}

function compilePayload({ payload, at }: Extract<Action, { kind: "webhook" }>, scope: Scope) {
  if (payload === null) return [];
  if ("pairs" in payload)
    return payload.pairs.map(({ name, value }) => ({ name, value: compile(value, scope).evaluate }));
  const words = payload.names.split(/\s+/).filter((word) => word !== "");
  return words.map((name) => {
    if (!scope.names.has(name)) throw new SyntaxProblem(`'${name}' is no expression of the rule`, at);
    return { name, value: compile({ kind: "name", name, at }, scope).evaluate };
  });
}

function compileChange(
  { target: node, operation, at }: Extract<Action, { kind: "change" }>,
  scope: Scope,
): CompiledAction {
  const self: Node = { kind: "name", name: "self", at };
  const target: CompiledNode = node === null ? compile(self, { ...scope, names: new Map() }) : compile(node, scope);
  const shape = target.shape.kind === "list" ? target.shape.of : target.shape;
  const type = shape.kind === "record" ? shape.type : null;
  const { schema } = scope;
  switch (operation.kind) {
    case "set":
    case "clear": {
      const { field } = operation;
      checkField(scope, type, field, at);
      const value = operation.kind === "clear" ? () => null : compile(operation.value, scope).evaluate;
      return { kind: "set", target: target.evaluate, targetType: type, field, value };
    }
    case "note": {
      if (type !== null && !schema.takesNotes(type, operation.internal))
        throw new SyntaxProblem(`${type} takes no ${operation.internal ? "internal " : ""}notes`, at);
      const attachments = operation.attachments === null ? null : compile(operation.attachments, scope).evaluate;
      const text = compileTemplate(operation.text, at, scope);
      return {
        ...{ kind: "note", target: target.evaluate, targetType: type },
        ...{ internal: operation.internal, text, attachments },
      };
    }
    default: {
      const field = operation.field.join(".");
      if (type !== null && schema.linkableType(type, field) === null)
        throw new SyntaxProblem(`nothing can be added to '${field}' of ${type}`, at);
      const value = compile(operation.value, scope).evaluate;
      return { kind: operation.kind, target: target.evaluate, targetType: type, value, field };
    }
  }
}

function checkField(
  { schema, record }: Scope,
  type: string | null,
  [name, ...members]: readonly string[],
  at: number,
): void {
  const isCustom = name === "custom_fields";
  if (members.length > (isCustom ? 1 : 0) || (isCustom && members.length === 0))
    throw new SyntaxProblem(isCustom ? "expected custom_fields.<id>" : `'${members[0]}' cannot be set`, at);
  if (type !== null && !schema.isSettable(type, name as string, record))
    throw new SyntaxProblem(`'${name}' of ${type} cannot be set`, at);
}

/** Text with placeholders {{expression}}. */
function compileTemplate(text: string, at: number, scope: Scope): Evaluator {
  const parts: (string | Evaluator)[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf("{{", from);
    const close = open < 0 ? -1 : text.indexOf("}}", open);
    if (close < 0) break;
    const source = text.slice(open + 2, close);
    parts.push(text.slice(from, open));
    from = close + 2;
    const word = source.trim();
    if (/^[A-Za-z]\w*$/.test(word) && !reservedWords.has(word)) {
      const known =
        scope.names.has(word) || scope.record === null || scope.schema.memberShape(scope.record, word) !== null;
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
    checkTextLength(parts.map((part) => (typeof part === "string" ? part : toReadableText(run, part(run)))).join(""));
}
