import { type CSSProperties, useEffect, useRef } from "react";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import type { RuleSuggestion } from "../rule-answers.ts";
import type { CompletionState } from "./use-completion.ts";

const signs: Readonly<Record<RuleSuggestion["kind"], string>> = {
  field: "f",
  relation: "[]",
  name: "x",
  function: "()",
  choice: "•",
  word: "w",
  type: "T",
};

type Props = {
  id: string;
  state: CompletionState;
  /** the start of the completed word, from 0 */
  place: { line: number; column: number };
  onChoose(item: RuleSuggestion): void;
};

// React's types don't include custom properties.
const atColumn = (column: number) => ({ "--column": `${column}ch` }) as CSSProperties;

/** The possible completions at the cursor: name, type, and the value for the chosen record. */
export function CompletionList({ id, state: { items, active }, place, onChoose }: Props) {
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen.current?.dataset.at === String(active)) chosen.current.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      className="rule-completion"
      id={id}
      role="listbox"
      tabIndex={0}
      aria-label={t("ruleEditor.suggestionList")}
      style={{ top: `calc(${place.line + 1} * var(--rule-line) + 4px)`, ...atColumn(place.column) }}
    >
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text; aria-activedescendant leads here
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text
        <div
          key={`${item.kind} ${item.text}`}
          ref={index === active ? chosen : undefined}
          data-at={index}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="rule-option"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <span className="rule-option-sign" aria-hidden="true">
            {signs[item.kind]}
          </span>
          <b>{item.text}</b>
          {item.type !== null && <span className="rule-option-type">{fieldLabel(item.type).toLowerCase()}</span>}
          {item.value !== null && <span className="rule-option-value">{item.value}</span>}
        </div>
      ))}
    </div>
  );
}
