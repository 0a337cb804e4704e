import { getGraphForm } from "../../engine/kinds/index.ts";
import type { Type, Types } from "../../engine/types.ts";
import { type CompiledNode, compile, type Scope } from "../language/compile.ts";
import { SyntaxProblem } from "../language/errors.ts";
import type { Evaluator } from "../language/evaluation.ts";
import { parseCondition, parseExpressions } from "../language/parser.ts";
import { recordShape, type Schema, type Shape, unknownShape } from "../language/schema.ts";
import { getSchema } from "../program-cache.ts";
import type { Suggestion } from "./suggestions.ts";
import * as lists from "./suggestions.ts";

// The names that a rule has at the cursor, and what they are.

/** The names that the words at the cursor can refer to. */
export type CompletionScope = {
  types: Types;
  schema: Schema;
  /** the type of the record; null: not known yet */
  own: Type | null;
  scope: Scope;
  /** what is compiled of the expressions above */
  evaluators: readonly Evaluator[];
  names: readonly Suggestion[];
};

/** Expressions that cannot be read are names of an unknown shape: the one being written is often broken. */
export function buildScope(types: Types, own: Type | null, source: string): CompletionScope {
  const schema = getSchema(types);
  const names = new Map<string, { index: number; shape: Shape }>();
  const evaluators: Evaluator[] = [];
  const suggestions: Suggestion[] = [];
  const starts = [...source.matchAll(/^[A-Za-z]\w*:/gm)].map(({ index }) => index);
  const calls = { count: 0 };
  for (const [index, start] of starts.slice(0, 200).entries()) {
    const entry = source.slice(start, starts[index + 1]);
    const scope: Scope = {
      ...{ schema, record: own?.name ?? null, names: new Map(names) },
      ...{ later: new Set<string>(), elements: [], calls },
    };
    const compiled = tolerate(() => {
      const [expression] = parseExpressions(entry);
      return expression === undefined ? null : compile(expression.value, scope);
    });
    const name = entry.slice(0, entry.indexOf(":"));
    const shape = compiled?.shape ?? unknownShape;
    names.set(name, { index, shape });
    evaluators.push(compiled?.evaluate ?? (() => null));
    suggestions.push({ text: name, kind: "name", type: lists.describeShape(types, shape) });
  }
  const scope: Scope = {
    ...{ schema, record: own?.name ?? null, names },
    ...{ later: new Set<string>(), elements: [], calls },
  };
  return { types, schema, own, scope, evaluators, names: suggestions };
}

function tolerate<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxProblem) return null;
    throw error;
  }
}

/** A chain as it would be compiled at the cursor. */
export function compileChain(
  { scope }: CompletionScope,
  chain: string,
  elements: readonly Shape[] = [],
): CompiledNode | null {
  return tolerate(() => {
    const node = parseCondition(chain);
    return node === null ? null : compile(node, { ...scope, elements });
  });
}

export const getElement = (shape: Shape): Shape => (shape.kind === "list" ? shape.of : shape);

/** Everything that an expression can begin with. */
export function suggestWords(here: CompletionScope, elements: readonly Shape[] = []): Suggestion[] {
  const { types, schema, own } = here;
  const members = [...elements.toReversed(), ...(own === null ? [] : [recordShape(own.name)])].flatMap((shape) =>
    shape.kind === "record" ? lists.suggestMembers(types, schema, types.get(shape.type)) : [],
  );
  const before = own === null ? [] : lists.suggestBefore(types, schema, own);
  const all = [...here.names, ...members, ...lists.pseudoSuggestions, ...lists.functionSuggestions];
  return [
    ...new Map([...all, ...lists.operatorSuggestions, ...before].reverse().map((each) => [each.text, each])).values(),
  ].reverse();
}

/** The words that a field can have, by the chain that leads to it. */
export function suggestChoicesOf(here: CompletionScope, chain: string, elements: readonly Shape[] = []): Suggestion[] {
  const dot = chain.lastIndexOf(".");
  const shape =
    dot < 0
      ? (elements.at(-1) ?? (here.own === null ? unknownShape : recordShape(here.own.name)))
      : (compileChain(here, chain.slice(0, dot), elements)?.shape ?? unknownShape);
  const name = chain.slice(dot + 1).replace(/_was$/, "");
  const target = getElement(shape);
  const field = target.kind === "record" ? here.types.get(target.type).fields[name] : undefined;
  const form = field === undefined ? null : getGraphForm(field);
  return form?.is === "choice" ? form.values.map(lists.choiceSuggestion) : [];
}
