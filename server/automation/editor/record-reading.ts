import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import type { Type } from "../../engine/types.ts";
import { RecordEvaluationContext } from "../evaluation-context.ts";
import { Failure } from "../language/errors.ts";
import { type DataRequest, Evaluation, type Evaluator, MissingData } from "../language/evaluation.ts";
import { toText } from "../language/operators.ts";
import { isList, Reference, type Value } from "../language/values.ts";
import { evaluateLoadingMissing } from "../run-rule.ts";
import { type CompletionScope, compileChain } from "./completion-scope.ts";
import type { Suggestion } from "./suggestions.ts";

// The values of suggestions for a record, read with the permissions of the person who writes the rule.

export type RecordReading = {
  here: CompletionScope;
  run: Evaluation;
  context: RecordEvaluationContext;
  /** null: it has no value, or cannot be evaluated */
  evaluate(evaluator: Evaluator): Promise<Value>;
};

export async function openReading(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  here: CompletionScope,
): Promise<RecordReading> {
  await requireRecord(engine, by, type, id, "read");
  const context = new RecordEvaluationContext({
    ...{ engine, tx, by, self: new Reference(type.name, id), before: null, partly: false, saved: null },
    pseudo: { current_person: new Reference("person", by.person) },
    create: async () => null,
  });
  const run = new Evaluation(context, here.evaluators, Date.now() + 1000);
  const evaluate = async (evaluator: Evaluator): Promise<Value> => {
    try {
      return await evaluateLoadingMissing(run, context, () => evaluator(run));
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  };
  return { here, run, context, evaluate };
}

const maxLength = 60;
const maxRounds = 4;

/** Suggestions with their values. What all of them need is loaded together, in a few rounds; lists are only counted. */
export async function evaluateSuggestions(
  reading: RecordReading | null,
  suggestions: readonly Suggestion[],
  prefix: string | null,
): Promise<(Suggestion & { value: string | null })[]> {
  const values = new Map<string, string | null>();
  if (reading !== null && prefix !== null) {
    const { run, context, here } = reading;
    let open = suggestions.flatMap(({ text, kind }) => {
      if (kind !== "field" && kind !== "name") return [];
      const node = compileChain(here, prefix + text);
      return node === null ? [] : [{ text, evaluate: node.evaluate }];
    });
    for (let round = 0; round < maxRounds && open.length > 0; round++) {
      const requests: DataRequest[] = [];
      const waiting: typeof open = [];
      for (const each of open)
        try {
          values.set(each.text, describe(run, each.evaluate(run)));
        } catch (error) {
          if (error instanceof MissingData) {
            requests.push(...error.requests);
            waiting.push(each);
          } else if (!(error instanceof Failure)) throw error;
        }
      if (requests.length > 0) await context.loadMissing(requests);
      open = waiting;
    }
  }
  return suggestions.map((each) => ({ ...each, value: values.get(each.text) ?? null }));
}

function describe(run: Evaluation, value: Value): string | null {
  if (isList(value)) return String(value.length);
  if (value === null || value === "") return null;
  const text = toText(run, value).replaceAll("\0", "").toWellFormed();
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
