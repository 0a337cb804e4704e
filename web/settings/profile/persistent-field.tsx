import type { SelectProps } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import { Select } from "../../fields/pickers/select.tsx";

// Changing the language re-mounts the whole page. A field that the person is using meanwhile keeps its focus and typed
// text.

type KeptText = {
  field: string;
  /** null: nothing is typed */
  text: string | null;
  /** the whole text is selected: typing replaces it */
  isSelected?: boolean;
};
let kept: KeptText | null = null;

const isSelected = ({ value, selectionStart, selectionEnd }: HTMLInputElement): boolean =>
  value !== "" && selectionStart === 0 && selectionEnd === value.length;

type Props = Omit<SelectProps, "data" | "value" | "searchValue" | "onSearchChange"> & {
  /** the same in all languages */
  name: string;
  data: readonly { value: string; label: string }[];
  value: string;
};

/** A select that keeps its focus and search text when the page is re-mounted. */
export function KeptSelect({ name, data, value, ...props }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const label = data.find((each) => each.value === value)?.label ?? "";
  const [search, setSearch] = useState(label);
  const getTyped = () => (kept?.field === name ? kept.text : null);
  useLayoutEffect(() => {
    const input = field.current;
    if (input !== null && kept?.field === name) {
      const { text, isSelected: wasSelected } = kept;
      input.focus();
      if (text !== null) setSearch(text);
      else if (wasSelected) input.select();
    }
    return () => {
      if (input !== null && kept?.field === name) kept.isSelected = isSelected(input);
      const left = kept;
      // Re-mounting takes a moment; a field mounted later starts empty.
      setTimeout(() => {
        if (kept === left) kept = null;
      }, 1000);
    };
  }, [name]);
  return (
    <Select
      {...props}
      ref={field}
      data-field={name}
      data={[...data]}
      value={value}
      searchValue={search}
      // The list itself writes the chosen label into the field, also when the label arrives in another language.
      onSearchChange={(text) => (getTyped() === null || getTyped() === text) && setSearch(text)}
      onInput={({ currentTarget }) => {
        kept = { field: name, text: currentTarget.value };
      }}
      onOptionSubmit={() => {
        kept = { field: name, text: null };
      }}
      onFocus={() => {
        kept = { field: name, text: getTyped() };
      }}
      // Unmounting isn't a blur: only leaving the field discards the typed text.
      onBlur={() => {
        kept = null;
        setSearch(label);
      }}
    />
  );
}
