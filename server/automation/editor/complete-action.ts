import type { Type } from "../../engine/types.ts";
import { type CompletionScope, compileChain, getElement, suggestChoicesOf, suggestWords } from "./completion-scope.ts";
import type { Suggestion } from "./suggestions.ts";
import * as lists from "./suggestions.ts";

// Completion at the cursor of an action: the words of the grammar first, else an expression.

/** `head`: the action up to the word at the cursor, without its label. null: the cursor is in an expression. */
export function suggestForAction(here: CompletionScope, head: string): Suggestion[] | null {
  if (head.trim() === "") return lists.actionSuggestions;
  if (/^call\s+$/.test(head)) return [lists.wordSuggestion("webhook ''")];
  if (/^call\s+webhook\s+'[^']*'\s+$/.test(head)) return [lists.wordSuggestion("with payload ''")];
  if (/^send\s+$/.test(head)) return [lists.wordSuggestion("email to")];
  if (/^send\s+email\s+to\s+\S.*\s$/.test(head))
    return [/\bsubject\b/.test(head) ? lists.wordSuggestion("body ''") : lists.wordSuggestion("subject ''")];
  if (/^after\s+\S.*\s$/.test(head)) return [lists.wordSuggestion("start ''")];
  if (/^(call|send|after)\b/.test(head)) return null;
  const [target, operation] = splitTarget(head);
  if (operation === null) return /^update\s+\S.*\s$/.test(head) ? lists.operationSuggestions : null;
  const type = findTarget(here, target);
  if (/^(set|clear)\s+$/.test(operation))
    return type === null ? [] : lists.suggestSettable(here.types, here.schema, type);
  const field = /^set\s+([\w.]+)\s*=\s*$/.exec(operation)?.[1];
  if (field !== undefined) {
    const choices = type === null ? [] : suggestChoicesOf({ ...here, own: type }, field);
    return [...choices, ...suggestWords(here)];
  }
  if (/^add\s+$/.test(operation)) return [...lists.noteSuggestions, ...suggestWords(here)];
  if (/^add\s+.*\sto\s+$|^remove\s+.*\sfrom\s+$/.test(operation))
    return type === null ? [] : lists.suggestLinkable(here.schema, type);
  if (/^add\s+(internal\s+)?note\s+'[^']*'\s+$/.test(operation)) return [lists.wordSuggestion("with attachments")];
  if (/^add\s+\S+\s+$/.test(operation)) return [lists.wordSuggestion("to")];
  if (/^remove\s+\S+\s+$/.test(operation)) return [lists.wordSuggestion("from")];
  return null;
}

/** The chain after `update`, and the operation from its first word on. */
function splitTarget(head: string): [target: string | null, operation: string | null] {
  if (!/^update\s/.test(head)) return [null, head];
  const rest = head.replace(/^update\s+/, "");
  const at = /\s(set|clear|add|remove)\s/.exec(rest);
  return at === null ? [null, null] : [rest.slice(0, at.index), rest.slice(at.index).trimStart()];
}

function findTarget(here: CompletionScope, target: string | null): Type | null {
  if (target === null) return here.own;
  const shape = compileChain(here, target)?.shape;
  const element = shape === undefined ? null : getElement(shape);
  return element?.kind === "record" ? here.types.get(element.type) : null;
}
