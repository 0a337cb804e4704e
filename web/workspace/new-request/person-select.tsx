import { Select } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { t } from "../../languages/index.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { useCallers } from "./queries.ts";

type Caller = Reference & { organization?: Reference | null; site?: Reference | null };

type Props = {
  label: string;
  description?: string | undefined;
  value: Reference | null;
  placeholder: string;
  error?: string | undefined;
  disabled: boolean;
  onChange(person: Reference | null): void;
};

/** A person by words of the name, or by the number they call from. Tab takes the first that is found. */
export function PersonSelect({ label, description, value, placeholder, error, disabled, onChange }: Props) {
  const [text, setText] = useState("");
  const [opened, setOpened] = useState(false);
  const { people, isFetching } = useCallers(text, opened);
  const found = people as readonly Caller[];
  const known = value !== null && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  const choose = (id: string | null) => onChange(known.find((each) => String(each.id) === id) ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Tab" || !opened || text.trim() === "" || event.shiftKey) return;
    const [first] = found;
    if (first !== undefined && getReferenceName(first) !== (value === null ? "" : getReferenceName(value)))
      choose(String(first.id));
  };
  return (
    <Select
      label={label}
      description={description}
      withAsterisk
      data-autofocus
      data-field="requested_for"
      searchable
      clearable={value !== null}
      selectFirstOptionOnChange
      disabled={disabled}
      placeholder={placeholder}
      error={error}
      value={value === null ? null : String(value.id)}
      data={known.map((person) => ({ value: String(person.id), label: getReferenceName(person) }))}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const person = known.find(({ id }) => String(id) === option.value) as Caller | undefined;
        const where = [person?.organization, person?.site].flatMap((place) =>
          place == null ? [] : [getReferenceName(place)],
        );
        return (
          <span className="status-chip">
            <Avatar person={{ id: option.value, name: option.label }} silent />
            <span>{option.label}</span>
            <span className="quiet small truncate">{where.join(" · ")}</span>
          </span>
        );
      }}
      comboboxProps={{ width: 380, position: "bottom-start" }}
      nothingFoundMessage={isFetching ? t("app.loading") : t("form.nothingFound")}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onKeyDownCapture={onKeyDown}
      onChange={choose}
    />
  );
}
