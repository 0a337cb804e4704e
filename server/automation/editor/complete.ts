import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ruleCompletion } from "../../../records/answers/automation.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { plainShape, type Shape, unknownShape } from "../language/schema.ts";
import { Bag, Moment, Reference, type Value } from "../language/values.ts";
import { getRecordType } from "../program-cache.ts";
import type { Automation } from "../run-rule.ts";
import { suggestForAction } from "./complete-action.ts";
import {
  buildScope,
  type CompletionScope,
  compileChain,
  getElement,
  suggestChoicesOf,
  suggestWords,
} from "./completion-scope.ts";
import { type Cursor, cutChain, readCursor } from "./read-cursor.ts";
import { evaluateSuggestions, openReading, type RecordReading } from "./record-reading.ts";
import type { Suggestion } from "./suggestions.ts";
import * as lists from "./suggestions.ts";

// Completion at the cursor of a rule that is being written, with values for a record.

export type CompletionRequest = {
  rule: Readonly<Record<string, unknown>>;
  part: "expressions" | "condition" | "actions";
  /** the offset of the cursor in the text of the part */
  at: number;
  /** the record whose values are shown */
  record: number | null;
};

const selectWebhooks = statement(
  "SELECT DISTINCT name FROM webhooks WHERE account_id = $1 AND event = 'automation_rule' AND NOT disabled ORDER BY name LIMIT 100",
);
const selectDelayedRules = statement(
  "SELECT DISTINCT name FROM automation_rules WHERE account_id = $1 AND trigger = 'after delay' AND generic = $2 ORDER BY name LIMIT 100",
);

export async function completeRule(
  automation: Automation,
  by: Caller,
  { rule, part, at, record }: CompletionRequest,
): Promise<AnswerOf<typeof ruleCompletion>> {
  const { engine } = automation;
  const type = getRecordType(engine.types, rule as never);
  const own = type === null ? null : engine.types.get(type);
  const text = String(rule[part] ?? "").slice(0, at);
  const entryAt = part === "condition" ? 0 : findEntry(text, part);
  const cursor = readCursor(text.slice(entryAt));
  if (cursor === null) return { from: at, items: [] };
  const from = cursor.from + entryAt;
  if (cursor.inQuotes === "webhook" || cursor.inQuotes === "rule") {
    const rows =
      cursor.inQuotes === "webhook"
        ? await engine.database.read(selectWebhooks, [by.account])
        : await engine.database.read(selectDelayedRules, [by.account, type]);
    const words = rows.map(([name]) => ({ ...lists.wordSuggestion(name as string), value: null }));
    return { from, items: words };
  }
  const above = part === "expressions" ? text.slice(0, entryAt) : String(rule.expressions ?? "");
  const here = buildScope(engine.types, own, above);
  return engine.database.transaction(async (tx) => {
    const reading = own === null || record === null ? null : await openReading(engine, tx, by, own, record, here);
    const suggestions = await suggest(here, cursor, part, reading);
    const items = await evaluateSuggestions(reading, suggestions, getPrefix(cursor, reading));
    return { from, items };
  });
}

/** The start of the line with the cursor, or of the line that it continues. */
function findEntry(text: string, part: "expressions" | "actions"): number {
  const label = part === "actions" ? /^a\d+:/gm : /^[A-Za-z]\w*:/gm;
  return [...text.matchAll(label)].at(-1)?.index ?? 0;
}

/** The shapes of the elements that the cursor is about, the outermost first. */
function compileIterations(here: CompletionScope, { iterations }: Cursor): Shape[] {
  const elements: Shape[] = [];
  for (const chain of iterations) elements.push(getElement(compileChain(here, chain, elements)?.shape ?? unknownShape));
  return elements;
}

async function suggest(
  here: CompletionScope,
  cursor: Cursor,
  part: CompletionRequest["part"],
  reading: RecordReading | null,
): Promise<Suggestion[]> {
  const elements = compileIterations(here, cursor);
  if (cursor.inQuotes === "expressions") return [...here.names];
  if (cursor.chain !== null) return suggestAfterDot(here, cursor.chain, elements, reading);
  if (cursor.call !== null && ["find", "find_all", "search", "new"].includes(cursor.call))
    return here.types.all
      .filter(({ name }) => here.schema.findableType(name) !== null && (cursor.call !== "new" || name === "task"))
      .map(({ name }) => lists.typeSuggestion(name));
  const words = part === "actions" ? suggestForAction(here, cursor.head.replace(/^a\d+:\s*/, "")) : null;
  if (words !== null) return words;
  const choices = suggestChoices(here, cursor.head, elements);
  return [...choices, ...suggestWords(here, elements)];
}

/** After `status =` or `impact in [`: the words of the enumeration. */
function suggestChoices(here: CompletionScope, head: string, elements: readonly Shape[]): Suggestion[] {
  const operator = /\s*(?:!=|<=|>=|=|<|>|\b(?:in|not_in)\s*\[[^[\]]*)\s*$/.exec(head);
  return operator === null ? [] : suggestChoicesOf(here, cutChain(head.slice(0, operator.index)), elements);
}

async function suggestAfterDot(
  here: CompletionScope,
  chain: string,
  elements: readonly Shape[],
  reading: RecordReading | null,
): Promise<Suggestion[]> {
  if (/^\d+(\.\d+)?$/.test(chain)) return lists.durationSuggestions;
  const compiled = compileChain(here, chain, elements);
  if (compiled === null) return [];
  const { shape } = compiled;
  const element = getElement(shape);
  const members =
    element.kind === "record" ? lists.suggestMembers(here.types, here.schema, here.types.get(element.type)) : [];
  if (shape.kind === "list") return [...lists.listSuggestions, ...members];
  if (shape.kind === "record") return shape.type === "calendar" ? [...members, ...lists.calendarSuggestions] : members;
  const value = elements.length > 0 ? null : ((await reading?.evaluate(compiled.evaluate)) ?? null);
  return suggestByValue(here, value, isCustomField(here, chain, elements) ? plainShape : shape);
}

/** A custom field has no declaration here: without a value it may be a text or a moment, like any plain field. */
function isCustomField(here: CompletionScope, chain: string, elements: readonly Shape[]): boolean {
  const dot = chain.lastIndexOf(".");
  return dot > 0 && compileChain(here, chain.slice(0, dot), elements)?.shape.kind === "bag";
}

/** If the declarations leave it open, the value for the record decides. */
function suggestByValue({ types, schema }: CompletionScope, value: Value, shape: Shape): Suggestion[] {
  if (value instanceof Bag)
    return Object.keys(value.members).map((text) => ({ text, kind: "field" as const, type: null }));
  if (value instanceof Reference) return lists.suggestMembers(types, schema, types.get(value.type));
  if (value instanceof Moment) return lists.momentSuggestions;
  if (Array.isArray(value)) return lists.listSuggestions;
  return shape.kind === "plain" ? [...lists.textSuggestions, ...lists.momentSuggestions] : [];
}

/** The expression before the cursor; null: its value depends on something else, such as the element of a list. */
const getPrefix = ({ chain, iterations }: Cursor, reading: RecordReading | null): string | null =>
  reading === null || iterations.length > 0 ? null : chain === null ? "" : `${chain}.`;
