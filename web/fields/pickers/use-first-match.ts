import { type ComboboxData, getParsedComboboxData } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../languages/index.ts";

// All pickers behave alike: typing narrows the list and highlights the first match, Enter chooses it (D-758). By
// default Mantine highlights nothing, ignores typing in lists that aren't searchable, and loses the highlight when
// options arrive.

export type PickerProps = {
  /** options are loading: Enter chooses the first one that arrives */
  isLoading?: boolean;
};

type ComboboxProps = PickerProps & {
  data?: ComboboxData;
  searchable?: boolean;
  searchValue?: string;
  onSearchChange?: (text: string) => void;
  onKeyDownCapture?: (event: KeyboardEvent<HTMLInputElement>) => void;
};

const listOptions = (data: ComboboxData | undefined) =>
  getParsedComboboxData(data).flatMap((item) => ("items" in item ? item.items : [item]));

const enabledOption = "[role=option]:not([data-combobox-disabled])";
const findList = (input: HTMLInputElement | null) =>
  document.getElementById(input?.getAttribute("aria-controls") ?? "");

/** `chosen`: the value whose label is in the input; null if the input contains only typed text. */
export function useFirstMatch(comboboxProps: ComboboxProps, chosen: string | null) {
  const { data, searchable = false, isLoading = false, searchValue, onSearchChange, onKeyDownCapture } = comboboxProps;
  const [ownSearch, setOwnSearch] = useState("");
  const [isAwaiting, setAwaiting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const options = listOptions(data);
  const search = searchValue ?? ownSearch;
  const isTyped = search.trim() !== "" && search !== options.find(({ value }) => value === chosen)?.label;
  useEffect(() => {
    if (!isAwaiting || (isLoading && isTyped)) return;
    setAwaiting(false);
    if (isTyped) findList(input.current)?.querySelector<HTMLElement>(enabledOption)?.click();
  }, [isAwaiting, isLoading, isTyped]);
  return {
    search,
    isTyped,
    props: {
      searchable: true,
      nothingFoundMessage: isLoading ? t("app.loading") : t("form.nothingFound"),
      // A short list opens like a button and doesn't open a phone's keyboard.
      ...(searchable ? {} : { openOnFocus: false, inputMode: "none" as const, "data-short-list": true }),
      // Mantine highlights the first option again whenever this value changes, though it is declared as a boolean.
      selectFirstOptionOnChange: (isTyped && !isLoading && options.map(({ value }) => value).join("\n")) as boolean,
      onSearchChange: (text: string) => {
        setOwnSearch(text);
        setAwaiting(false);
        onSearchChange?.(text);
      },
      onKeyDownCapture: (event: KeyboardEvent<HTMLInputElement>) => {
        onKeyDownCapture?.(event);
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const isOpen = event.currentTarget.getAttribute("aria-expanded") === "true";
        if (event.key === "Enter" && isOpen && isTyped) {
          event.preventDefault(); // the form has to wait for the choice
          input.current = event.currentTarget;
          setAwaiting(isLoading);
          // Mantine would choose by a position that may be from before the list was narrowed.
          event.stopPropagation();
          const list = findList(event.currentTarget);
          const highlighted = list?.querySelector<HTMLElement>("[data-combobox-selected]");
          // The highlight appears slightly later than the options.
          (highlighted ?? (isLoading ? null : list?.querySelector<HTMLElement>(enabledOption)))?.click();
        } else if (!searchable && !isOpen && (event.key === "Enter" || event.key === " ")) {
          event.preventDefault();
          event.currentTarget.click();
        }
      },
    },
  };
}
