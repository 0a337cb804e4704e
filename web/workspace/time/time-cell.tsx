import { type KeyboardEvent, useRef, useState } from "react";
import { formatDuration } from "../../base/formats.ts";
import { errorText } from "../../elements/error-text.ts";
import { parseMinutes } from "../../fields/time/parse-minutes.ts";
import { t } from "../../languages/index.ts";

type Props = {
  /** row and column: "2/4" */
  place: string;
  label: string;
  minutes: number;
  isLocked: boolean;
  isToday: boolean;
  /** typed but unsaved text; null: none */
  typed: string | null;
  onType(text: string | null): void;
  onSave(minutes: number): Promise<void>;
  onMove(rows: number, columns: number): void;
};

/** The time of a line on a day: "1:30", "90" and "1,5" all mean 90 minutes. */
export function TimeCell({ place, label, minutes, isLocked, isToday, typed, onType, onSave, onMove }: Props) {
  const [error, setError] = useState<string | null>(null);
  const [isFocused, setIsFocused] = useState(false);
  // The field also loses the focus after Enter and Escape, which must not save or discard again.
  const edited = useRef<string | null>(null);
  const change = (value: string | null) => {
    edited.current = value;
    onType(value);
  };
  const save = async () => {
    const text = edited.current;
    if (text === null) return;
    const wanted = text.trim() === "" ? 0 : parseMinutes(text);
    if (wanted === null || wanted > 1440) {
      setError(t("time.notATime"));
      return;
    }
    edited.current = null;
    try {
      await onSave(wanted);
      setError(null);
      // Typed since: that is saved on blur.
      if (edited.current === null) onType(null);
    } catch (failure) {
      // The typed text stays, with its error.
      setError(errorText(failure));
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    const isWhole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    const [atStart, atEnd] = [field.selectionEnd === 0, field.selectionStart === field.value.length];
    const move = (rows: number, columns: number) => {
      event.preventDefault();
      void save();
      onMove(rows, columns);
    };
    if (event.key === "Enter" || event.key === "ArrowDown") move(1, 0);
    else if (event.key === "ArrowUp") move(-1, 0);
    else if (event.key === "ArrowLeft" && (isWhole || atStart)) move(0, -1);
    else if (event.key === "ArrowRight" && (isWhole || atEnd)) move(0, 1);
    else if (event.key === "Escape" && (typed !== null || error !== null)) {
      event.preventDefault();
      event.stopPropagation();
      change(null);
      setError(null);
    }
  };
  const message = error ?? (isLocked && isFocused ? t("time.locked") : null);
  const messageId = `time-told-${place.replace("/", "-")}`;
  return (
    <div className="time-cell" data-error={error !== null || undefined}>
      <input
        className="time-input numbers"
        data-place={place}
        data-today={isToday || undefined}
        aria-label={label}
        aria-invalid={error !== null || undefined}
        aria-describedby={message === null ? undefined : messageId}
        value={typed ?? (minutes === 0 ? "" : formatDuration(minutes))}
        placeholder="·"
        readOnly={isLocked}
        inputMode="text"
        autoComplete="off"
        onChange={(event) => {
          change(event.currentTarget.value);
          setError(null);
        }}
        onFocus={(event) => {
          setIsFocused(true);
          edited.current = typed;
          event.currentTarget.select();
        }}
        onBlur={() => {
          setIsFocused(false);
          void save();
        }}
        onKeyDown={onKeyDown}
      />
      {message !== null && (
        <span
          id={messageId}
          className="time-told"
          role={error === null ? undefined : "alert"}
          data-tone={error === null ? "grey" : "red"}
        >
          {message}
        </span>
      )}
    </div>
  );
}
