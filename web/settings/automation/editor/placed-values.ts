import type { RuleDryRun } from "../rule-answers.ts";
import type { LineValue } from "./code-area.tsx";
import type { RuleDraft, RulePart } from "./rule-draft.ts";
import { listNames } from "./rule-syntax.ts";

/** A dry run of the rule, with the texts it used. */
export type RuleTry = { result: RuleDryRun; of: RuleDraft };

type PlacedValues = Record<RulePart, ReadonlyMap<number, LineValue>>;

/** Places the values of the last dry run next to their lines. */
export function placeValues(draft: RuleDraft, tried: RuleTry | null): PlacedValues {
  const none: PlacedValues = { expressions: new Map(), condition: new Map(), actions: new Map() };
  if (tried === null) return none;
  const { result, of } = tried;
  const tone = of === draft ? "value" : "stale";
  const lines = listNames(draft.expressions);
  const expressions = result.expressions.flatMap(({ name, value, error }): [number, LineValue][] => {
    const line = lines.get(name);
    if (line === undefined) return [];
    return [[line, error === null ? { text: value, tone } : { text: error, tone: "problem" }]];
  });
  const condition: [number, LineValue][] =
    result.condition === null || draft.condition.trim() === "" ? [] : [[0, { text: result.condition, tone }]];
  return { ...none, expressions: new Map(expressions), condition: new Map(condition) };
}
