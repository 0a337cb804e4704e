import { useEffect, useRef, useState } from "react";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { RuleSuggestion } from "../rule-answers.ts";

// Suggestions at the cursor. The server is called once per position; while the person continues to type the word, its
// response is filtered here.

/** The rule in the server's format, and the offset of each displayed line to the one sent. */
export type CompletionSource = {
  part: "expressions" | "condition" | "actions";
  buildRule(text: string): { rule: Record<string, unknown>; shifts: readonly number[] };
  record: number | null;
};

export type CompletionState = {
  /** the start of the text that the chosen suggestion replaces, up to the cursor */
  from: number;
  items: readonly RuleSuggestion[];
  active: number;
};

type Place = { text: string; from: number; items: readonly RuleSuggestion[] };

const delay = 120; // milliseconds
const mostItems = 60;

const toPosition = (text: string, at: number) => {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
};

/** A complete word isn't suggested unless the person requested suggestions. */
function narrow(items: readonly RuleSuggestion[], word: string, explicit: boolean): RuleSuggestion[] {
  const wanted = word.toLowerCase();
  const ranked = items.flatMap((item) => {
    const text = item.text.toLowerCase();
    if (text === wanted && !explicit) return [];
    return text.startsWith(wanted) ? [{ item, rank: 0 }] : text.includes(wanted) ? [{ item, rank: 1 }] : [];
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, mostItems)
    .map(({ item }) => item);
}

export function useCompletion(source: CompletionSource) {
  const { api } = useCurrentAccount();
  const [state, setState] = useState<CompletionState | null>(null);
  const place = useRef<Place | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const callNumber = useRef(0);
  const current = useRef(source);
  current.current = source;
  useEffect(() => () => clearTimeout(timer.current), []);

  const close = () => {
    clearTimeout(timer.current);
    callNumber.current++;
    setState(null);
  };

  const show = ({ from, items }: Place, text: string, at: number, explicit = false) => {
    const found = narrow(items, text.slice(from, at), explicit);
    setState(found.length === 0 ? null : { from, items: found, active: 0 });
  };

  const loadSuggestions = async (text: string, at: number, explicit: boolean) => {
    const number = ++callNumber.current;
    const { part, record, buildRule } = current.current;
    const { rule, shifts } = buildRule(text);
    const { line, column } = toPosition(text, at);
    const shift = shifts[line - 1] ?? 0;
    const body = { rule, part, line, column: column + shift, record_id: record };
    const answer = await api.call("POST /automation_rule_completion", {}, body).catch(() => null);
    if (answer === null || number !== callNumber.current) return;
    const before = shifts.slice(0, line).reduce((sum, each) => sum + each, 0);
    const from = Math.min(at, Math.max(0, answer.from - before));
    place.current = { text: text.slice(0, from), from, items: answer.items };
    show(place.current, text, at, explicit);
  };

  /** `explicit`: the person requested suggestions, possibly before typing anything. */
  const update = (text: string, at: number, explicit = false) => {
    clearTimeout(timer.current);
    const known = place.current;
    const isWord = /[A-Za-z]\w*$|\.$|\b(?:webhook|start)\s+'$/.test(text.slice(0, at));
    if (!explicit && !isWord) return close();
    const isSamePlace =
      known !== null && at > known.from && text.startsWith(known.text) && /^\w+$/.test(text.slice(known.from, at));
    if (isSamePlace && !explicit) return show(known, text, at);
    timer.current = setTimeout(() => void loadSuggestions(text, at, explicit), explicit ? 0 : delay);
  };

  const move = (step: number) =>
    setState((before) =>
      before === null
        ? null
        : { ...before, active: (before.active + step + before.items.length) % before.items.length },
    );
  /**
   * Drops the server's response: after leaving the text, the person may change the names above it, the type or the
   * record.
   */
  const forget = () => {
    place.current = null;
  };
  return { state, update, close, move, forget };
}
