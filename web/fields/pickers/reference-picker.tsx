import { Loader, type OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { findType } from "../../base/record-types.ts";
import { t } from "../../languages/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { useReferenceOptions } from "../../queries/reference-options.ts";
import { Select } from "./select.tsx";

type Props = {
  to: string;
  /** a second type whose records can also be chosen */
  or?: string | undefined;
  value: Reference | null;
  onChange(value: Reference | null): void;
  label?: ReactNode;
  "aria-label"?: string;
  description?: string;
  error?: ReactNode;
  required?: boolean;
  /** focused when its dialog opens */
  "data-autofocus"?: boolean;
};

/** Chooses a record by name. */
export function ReferencePicker({ to, or, value, onChange, ...rest }: Props) {
  const type = findType(to);
  const [typed, setTyped] = useState("");
  const [opened, setOpened] = useState(false);
  const [settled] = useDebouncedValue(typed, 250);
  // Once a record is chosen, its name is in the input and must not trigger a search.
  const search = value !== null && settled === getReferenceName(value) ? "" : settled;
  const wanted = opened || (value !== null && value.name === undefined);
  const first = useReferenceOptions(type, search, wanted);
  const second = useReferenceOptions(or === undefined ? undefined : findType(or), search, wanted && or !== undefined);
  const options = [...first.options, ...second.options];
  const isSearching = (first.isPartial || second.isPartial) && typed !== settled;
  const loading = first.loading || second.loading || isSearching;
  const known = value !== null && !options.some(({ id }) => id === value.id) ? [value, ...options] : options;
  /** The server's results need not contain the typed words literally. */
  const filter: OptionsFilter = ({ options: given, search: words, limit }) =>
    given
      .filter(
        (each) =>
          "value" in each &&
          (first.found.has(Number(each.value)) || each.label.toLowerCase().includes(words.toLowerCase().trim())),
      )
      .slice(0, limit);
  const select = (id: string | null) => onChange(known.find((each) => String(each.id) === id) ?? null);
  return (
    <Select
      {...rest}
      searchable
      clearable={rest.required !== true}
      allowDeselect={false}
      data={known.map((each) => ({ value: String(each.id), label: getReferenceName(each) }))}
      limit={50}
      filter={filter}
      value={value === null ? null : String(value.id)}
      onChange={select}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      placeholder={t("form.search")}
      isLoading={loading}
      {...(loading && opened ? { rightSection: <Loader size="xs" /> } : {})}
    />
  );
}
