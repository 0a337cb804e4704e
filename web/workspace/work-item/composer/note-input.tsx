import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type Ref, useId, useState } from "react";
import { flushSync } from "react-dom";
import { MentionMenu, type MentionOption, optionId, useMentionOptions } from "./mention-menu.tsx";
import { findTrigger, type Mention } from "./mentions.ts";

type Props = {
  value: string;
  onChange(text: string): void;
  /** a person or record was chosen, and its name was inserted */
  onMention(mention: Mention): void;
  label: string;
  placeholder: string;
  onSend(): void;
  onEscape(): void;
  onFiles(files: readonly File[]): void;
  inputRef: Ref<HTMLTextAreaElement>;
  /** keeps the focus, unlike a disabled input */
  readOnly?: boolean;
};

/** A choice in the menu leaves the focus in the text area. */
const focusedInput = (): HTMLTextAreaElement | null =>
  document.activeElement instanceof HTMLTextAreaElement ? document.activeElement : null;

/** A text area that grows, with menus for @people and #records, and accepts files by paste and drop. */
export function NoteInput({
  value,
  onChange,
  onMention,
  label,
  placeholder,
  onSend,
  onEscape,
  onFiles,
  inputRef,
  readOnly,
}: Props) {
  const id = useId();
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(-1);
  const trigger = findTrigger(value, cursor);
  const wanted = trigger !== null && trigger.from !== dismissed ? trigger : null;
  const options = useMentionOptions(wanted);
  const open = wanted !== null && options.length > 0;
  const current = Math.min(active, options.length - 1);
  const choose = (option: MentionOption, input: HTMLTextAreaElement | null) => {
    if (wanted === null) return;
    const words = `${option.mention.words} `;
    const next = value.slice(0, wanted.from) + words + value.slice(cursor);
    const place = wanted.from + words.length;
    // Synchronously, because in a later frame the cursor would jump back behind letters typed meanwhile.
    flushSync(() => {
      onMention(option.mention);
      onChange(next);
      setCursor(place);
    });
    input?.setSelectionRange(place, place);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const option = options[current];
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      event.stopPropagation();
      onSend();
    } else if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      setActive((current + (event.key === "ArrowDown" ? 1 : options.length - 1)) % options.length);
    } else if (open && option !== undefined && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      choose(option, event.currentTarget);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (open) setDismissed(wanted?.from ?? -1);
      else onEscape();
    }
  };
  const takeFiles = (event: ClipboardEvent | DragEvent, files: FileList | undefined) => {
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    onFiles([...files]);
  };
  return (
    <div className="note-input" data-value={`${value}\n`}>
      {open && (
        <MentionMenu id={id} options={options} active={current} onChoose={(option) => choose(option, focusedInput())} />
      )}
      <textarea
        ref={inputRef}
        rows={2}
        value={value}
        readOnly={readOnly}
        placeholder={placeholder}
        aria-label={label}
        aria-haspopup="listbox"
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? optionId(id, current) : undefined}
        onChange={(event) => {
          setCursor(event.currentTarget.selectionStart);
          setActive(0);
          onChange(event.currentTarget.value);
        }}
        onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={(event) => takeFiles(event, event.clipboardData.files)}
        onDrop={(event) => takeFiles(event, event.dataTransfer.files)}
      />
    </div>
  );
}
