import { useId } from "react";

type Props = {
  label: string;
  value: string;
  rows: number;
  /** the message if it was left empty; null: no error */
  problem: string | null;
  autoFocus?: boolean;
  onChange(text: string): void;
};

/** Asks for a reason. */
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
