import { MultiSelect, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { typeNamed } from "../groups.ts";
import { t } from "../languages/index.ts";
import { useOptions } from "../parts/reference-options.ts";
import { type EditProps, type FieldKind, type FieldOf, type FilterProps, inputProps, type ShowProps } from "./kind.ts";

// A record of a type that the account fills itself, written and read as its `reference`: a list with names to choose from.

type Choice = { value: string; label: string };

/** The choices there are, and those in use that are none of them any more. */
function useChoices(field: unknown, used: readonly string[], typed = "", wanted = true) {
  const [search] = useDebouncedValue(typed, 250);
  const { options, loading } = useOptions(typeNamed((field as FieldOf<"code">).to), search, wanted);
  const choices = new Map<string, Choice>(used.map((value) => [value, { value, label: value }]));
  for (const { name = "", reference } of options as readonly { name?: string; reference?: string }[])
    if (typeof reference === "string") choices.set(reference, { value: reference, label: name });
  return { choices: [...choices.values()], loading };
}

function Show({ field, value }: ShowProps) {
  const { choices } = useChoices(field, [value]);
  return <>{choices.find((choice) => choice.value === value)?.label ?? value}</>;
}

function Edit(props: EditProps) {
  const value: string | null = props.value ?? null;
  const [typed, setTyped] = useState("");
  const [opened, setOpened] = useState(false);
  const { choices, loading } = useChoices(props.field, value === null ? [] : [value], typed, opened || value !== null);
  return (
    <Select
      {...inputProps(props)}
      data={choices}
      searchable
      limit={50}
      clearable={!props.required}
      allowDeselect={!props.required}
      value={value}
      onChange={props.onChange}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      placeholder={t("form.search")}
      nothingFoundMessage={loading ? t("app.loading") : t("form.nothingFound")}
    />
  );
}

function Filter({ field, label, value, onChange }: FilterProps) {
  const chosen = value === "" ? [] : value.split(",");
  const { choices } = useChoices(field, chosen);
  return (
    <MultiSelect
      label={label}
      data={choices}
      searchable
      value={chosen}
      onChange={(wanted) => onChange(wanted.join(","))}
      data-autofocus
    />
  );
}

export const code: FieldKind = { Show, Edit, Filter };
