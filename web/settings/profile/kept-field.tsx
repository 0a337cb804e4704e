import type { SelectProps } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import { Select } from "../../fields/pickers/select.tsx";

// Another language draws the whole page anew. Who goes on meanwhile keeps the field and what is typed into it.

type Kept = {
  field: string;
  /** null: nothing is typed */
  text: string | null;
  /** the whole text is selected: what is typed next replaces it */
  isSelected?: boolean;
};
let kept: Kept | null = null;

const isSelected = ({ value, selectionStart, selectionEnd }: HTMLInputElement): boolean =>
  value !== "" && selectionStart === 0 && selectionEnd === value.length;

type Props = Omit<SelectProps, "data" | "value" | "searchValue" | "onSearchChange"> & {
  /** the same in all languages */
  name: string;
  data: readonly { value: string; label: string }[];
  value: string;
};

/** A choice that keeps the focus, and the words that are searched for, when the page is drawn anew. */
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
      // Drawing anew takes a moment; whoever comes back later begins afresh.
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
      // The list itself writes the chosen label into the field, also when that label comes in another language.
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
      // Being removed is no blur: only who leaves the field gives up what was typed.
      onBlur={() => {
        kept = null;
        setSearch(label);
      }}
    />
  );
}
