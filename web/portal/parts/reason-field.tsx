import { useId } from "react";

type Props = {
  label: string;
  value: string;
  rows: number;
  /** what is said when it was left empty; null: nothing is wrong */
  problem: string | null;
  autoFocus?: boolean;
  onChange(text: string): void;
};

/** Asks why, in the reader's own words. */
export function ReasonField({ label, value, rows, problem, autoFocus = false, onChange }: Props) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="label">
        {label}
      </label>
      <textarea
        id={id}
        className="input"
        rows={rows}
        value={value}
        // biome-ignore lint/a11y/noAutofocus: the click before asked for this field
        autoFocus={autoFocus}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {problem !== null && (
        <p className="field-error" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </>
  );
}
