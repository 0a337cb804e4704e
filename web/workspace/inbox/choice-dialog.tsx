import { TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";

export type ChoiceOption = { id: string; label: string; lead?: string; icon?: ReactNode };

type Props = {
  title: string;
  options: readonly ChoiceOption[];
  /** the option that Enter chooses before the person types; the first one by default */
  initial?: string | undefined;
  /** more options are loading */
  loading?: boolean;
  onChoose(id: string): void;
  onClose(): void;
};

/** A short list to choose from by typing, with arrows and Enter, or with the pointer. */
export function ChoiceDialog({ title, options, initial, loading = false, onChoose, onClose }: Props) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(() =>
    Math.max(
      options.findIndex(({ id }) => id === initial),
      0,
    ),
  );
  const [choosesOnArrival, setChoosesOnArrival] = useState(false);
  const list = useId();
  const shown = options.filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));
  const current = shown[Math.min(at, shown.length - 1)];
  const choose = (option: ChoiceOption | undefined) => {
    if (option !== undefined) onChoose(option.id);
  };
  // A person may type a word and press Enter before the options are loaded: the choice is made when they arrive.
  useEffect(() => {
    if (choosesOnArrival && !loading) choose(current);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((was) => (Math.min(was, shown.length - 1) + step + shown.length) % Math.max(shown.length, 1));
    else if (event.key === "Enter") {
      if (loading) setChoosesOnArrival(true);
      else choose(current);
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : `${list}-${current.id}`}
        aria-label={title}
        placeholder={t("form.search")}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setChoosesOnArrival(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={list} aria-label={title} className="choices">
        {shown.map((option) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input above keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys act on the input above
          <div
            key={option.id}
            id={`${list}-${option.id}`}
            role="option"
            aria-selected={option === current}
            className="choice"
            onClick={() => choose(option)}
          >
            {option.icon}
            <span className="truncate">{option.label}</span>
            {option.lead !== undefined && <span className="quiet truncate">{option.lead}</span>}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className="quiet">{loading ? t("app.loading") : t("form.nothingFound")}</p>}
    </Dialog>
  );
}
