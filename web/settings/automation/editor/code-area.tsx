import { type KeyboardEvent, useId, useMemo, useRef } from "react";
import { t } from "../../../languages/index.ts";
import type { RuleSuggestion } from "../rule-answers.ts";
import { CompletionList } from "./completion-list.tsx";
import { type KnownNames, type Token, tokenize } from "./rule-syntax.ts";
import { type CompletionSource, useCompletion } from "./use-completion.ts";

export type LineValue = { text: string; tone: "value" | "stale" | "problem" };

type Props = {
  label: string;
  value: string;
  rows: number;
  onChange(value: string): void;
  readOnly?: boolean;
  known: KnownNames;
  /** the error and its position, both from 1 */
  problem: { line: number; column: number; message: string } | null;
  /** values shown at the end of lines, from 0 */
  values: ReadonlyMap<number, LineValue>;
  source: CompletionSource;
};

/**
 * The editor for a text of a rule. The input is a text field, so that undo, spell checking and screen readers work as
 * usual; the colored text is right behind it. Tab accepts an open suggestion, else it leaves the field. D-475
 */
export function CodeArea({ label, value, rows, onChange, readOnly = false, known, problem, values, source }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const behind = useRef<HTMLPreElement>(null);
  const { state, update, close, move, forget } = useCompletion(source);
  const isAction = source.part === "actions";
  const tokens = useMemo(
    () => markProblem(tokenize(value, known, isAction), value, problem),
    [value, known, isAction, problem],
  );
  const lines = value.split("\n");
  const shownRows = Math.max(rows, lines.length);

  const accept = (item: RuleSuggestion) => {
    const element = field.current;
    if (element === null || state === null) return;
    element.focus();
    element.setSelectionRange(state.from, element.selectionStart);
    // Preserves the undo history, which setting the value would clear.
    document.execCommand("insertText", false, item.text);
    if (/[)']$/.test(item.text)) {
      const inside = element.selectionStart - 1;
      element.setSelectionRange(inside, inside);
    }
    close();
  };

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key } = event;
    if (key === " " && event.ctrlKey) {
      event.preventDefault();
      update(value, event.currentTarget.selectionStart, true);
      return;
    }
    if (state === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = state.items[state.active];
    if (key === "ArrowDown" || key === "ArrowUp") move(key === "ArrowDown" ? 1 : -1);
    else if ((key === "Enter" || key === "Tab") && chosen !== undefined) accept(chosen);
    else if (key === "Escape") {
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  };

  const place = state === null ? null : findPlace(value, state.from);
  return (
    <div className="rule-text" data-invalid={problem === null ? undefined : true}>
      <LineNumbers rows={shownRows} lines={lines.length} problem={problem} />
      <div className="rule-lines">
        <pre ref={behind} aria-hidden="true">
          {tokens.map(({ kind, text, at, wrong }) => (
            <span key={at} className={wrong ? `rule-${kind} rule-wrong` : `rule-${kind}`}>
              {text}
            </span>
          ))}
          {"\n"}
        </pre>
        <textarea
          ref={field}
          id={id}
          aria-label={label}
          value={value}
          rows={shownRows}
          readOnly={readOnly}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          aria-invalid={problem !== null}
          aria-autocomplete="list"
          {...(state === null
            ? {}
            : { "aria-controls": `${id}-list`, "aria-activedescendant": `${id}-list-${state.active}` })}
          {...(problem === null ? {} : { "aria-describedby": `${id}-problem` })}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            update(currentTarget.value, currentTarget.selectionStart);
          }}
          onKeyDown={onKey}
          onBlur={() => {
            close();
            forget();
          }}
          onClick={close}
          onScroll={({ currentTarget }) => {
            // An added line scrolls the field for a moment, until it has grown: that must not move the text.
            if (behind.current === null || behind.current.scrollLeft === currentTarget.scrollLeft) return;
            behind.current.scrollLeft = currentTarget.scrollLeft;
            close();
          }}
        />
        <LineValues values={values} lines={lines.length} />
        {state !== null && place !== null && (
          <CompletionList id={`${id}-list`} state={state} place={place} onChoose={accept} />
        )}
      </div>
      {problem !== null && (
        <p className="rule-problem" id={`${id}-problem`}>
          {problem.message}
        </p>
      )}
      <span className="spoken" aria-live="polite">
        {state === null ? "" : t("ruleEditor.suggestions", { count: state.items.length })}
      </span>
    </div>
  );
}

type NumbersProps = Pick<Props, "problem"> & { rows: number; lines: number };

const LineNumbers = ({ rows, lines, problem }: NumbersProps) => (
  <div className="rule-numbers" aria-hidden="true">
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
      <span key={index} data-problem={problem?.line === index + 1 ? true : undefined}>
        {index < lines ? index + 1 : ""}
      </span>
    ))}
  </div>
);

/** Values of the last dry run, next to their lines. */
const LineValues = ({ values, lines }: Pick<Props, "values"> & { lines: number }) =>
  [...values].map(([line, { text, tone }]) =>
    line < lines ? (
      <span key={line} className="rule-value" data-tone={tone} style={{ top: `calc(${line} * var(--rule-line))` }}>
        {text === "" ? t("rules.blank") : text}
      </span>
    ) : null,
  );

/** The line and the column of a position in the text, both from 0. */
function findPlace(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length - 1, column: (before.at(-1) ?? "").length };
}

type MarkedToken = Token & { wrong: boolean };

/**
 * Marks the word at the position of the error; at the end of a line there is none, and only the line number is marked.
 */
function markProblem(tokens: readonly Token[], text: string, problem: Props["problem"]): MarkedToken[] {
  if (problem === null) return tokens.map((token) => ({ ...token, wrong: false }));
  const start = text
    .split("\n")
    .slice(0, problem.line - 1)
    .reduce((sum, line) => sum + line.length + 1, 0);
  const at = start + problem.column - 1;
  return tokens.map((token) => ({
    ...token,
    wrong: token.text.trim() !== "" && token.at <= at && at < token.at + token.text.length,
  }));
}
