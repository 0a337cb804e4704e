import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { type Caller, describePlaces } from "../../queries/workspace/new-request.ts";
import { useCallers, usePlaces } from "./use-form-queries.ts";

type Props = {
  label: string;
  description?: string | undefined;
  value: Reference | null;
  placeholder: string;
  error?: string | undefined;
  disabled: boolean;
  onChange(person: Reference | null): void;
};

/** Finds a person by name, or by the number they call from. Enter and Tab choose the first match. */
export function PersonSelect({ label, description, value, placeholder, error, disabled, onChange }: Props) {
  const [text, setText] = useState("");
  const [opened, setOpened] = useState(false);
  /** The words for which Enter or Tab was pressed before the response: its first match is chosen when it arrives. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const { people: found, isComplete } = useCallers(awaited ?? text, opened || awaited !== null);
  const name = value === null ? "" : getReferenceName(value);
  const known: readonly Caller[] =
    value !== null && !found.some(({ id }) => id === value.id) ? [...found, value] : found;
  const choose = (id: string | null) => onChange(known.find((each) => String(each.id) === id) ?? null);
  const [first] = found;
  const places = usePlaces(value);
  // Hidden while the person searches for another one: the places of the chosen one would be wrong, and the clear button
  // needs their room.
  const showsPlaces = places !== "" && text === name && !opened;
  // A restored draft contains its person: an open list would hide the text below it.
  const [shownId, setShownId] = useState(value?.id);
  if (shownId !== value?.id) {
    setShownId(value?.id);
    setOpened(false);
  }
  const take = useEffectEvent((person: Caller | undefined) => {
    setAwaited(null);
    if (person !== undefined) onChange(person);
  });
  useEffect(() => {
    if (awaited !== null && isComplete) take(first);
  }, [awaited, isComplete, first]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isEnter = event.key === "Enter" && !event.ctrlKey && !event.metaKey;
    if (!isEnter && (event.key !== "Tab" || event.shiftKey)) return;
    // Uses the typed text, not the rendered one, because keys can be pressed faster than responses arrive.
    const typed = event.currentTarget.value.trim();
    if (typed === "" || typed === name) return;
    if (!isComplete || typed !== text.trim()) setAwaited(typed);
    else if (event.key === "Tab" && first !== undefined) onChange(first);
  };
  return (
    <Select
      label={label}
      description={description}
      withAsterisk
      {...(disabled ? {} : { "data-autofocus": true })}
      data-field="requested_for"
      searchable
      // A chosen person is rarely changed: an open list would hide the next inputs.
      openOnFocus={value === null}
      clearable={value !== null && !showsPlaces}
      allowDeselect={false}
      disabled={disabled}
      placeholder={placeholder}
      error={error}
      {...(value === null ? {} : { leftSection: <Avatar person={{ id: value.id, name }} silent /> })}
      {...(showsPlaces
        ? {
            rightSection: <span className="quiet small truncate person-places">{places}</span>,
            rightSectionWidth: 160,
            rightSectionPointerEvents: "none" as const,
          }
        : {})}
      value={value === null ? null : String(value.id)}
      data={known.map((person) => ({ value: String(person.id), label: getReferenceName(person) }))}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const person = known.find(({ id }) => String(id) === option.value);
        return (
          <span className="status-chip">
            <Avatar person={{ id: option.value, name: option.label }} silent />
            <span className="nowrap">{option.label}</span>
            <span className="quiet small truncate">{describePlaces(person)}</span>
          </span>
        );
      }}
      comboboxProps={{ width: 380, position: "bottom-start" }}
      nothingFoundMessage={!isComplete ? t("app.loading") : t("form.nothingFound")}
      onSearchChange={setText}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onKeyDownCapture={onKeyDown}
      onChange={choose}
    />
  );
}
