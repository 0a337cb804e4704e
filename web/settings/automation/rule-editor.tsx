import { Input } from "@mantine/core";
import { useId, useRef } from "react";
import { tokenize } from "./rule-syntax.ts";

type Props = {
  label: string;
  description: string;
  value: string;
  rows: number;
  onChange(value: string): void;
  error: string | undefined;
  /** the line of the mistake, from 1 */
  line: number | undefined;
};

/** A text of a rule: what is typed stands in a text field, its colours lie right behind it. */
export function RuleEditor({ label, description, value, rows, onChange, error, line }: Props) {
  const id = useId();
  const behind = useRef<HTMLPreElement>(null);
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div className="rule-text">
        <pre ref={behind} aria-hidden="true">
          {tokenize(value).map(({ kind, text, at }) => (
            <span key={at} className={`rule-${kind}`}>
              {text}
            </span>
          ))}
          {"\n"}
        </pre>
        <textarea
          id={id}
          value={value}
          rows={Math.max(rows, value.split("\n").length)}
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (behind.current === null) return;
            behind.current.scrollTop = currentTarget.scrollTop;
            behind.current.scrollLeft = currentTarget.scrollLeft;
          }}
          data-line={line}
        />
      </div>
    </Input.Wrapper>
  );
}
