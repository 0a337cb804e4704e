import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Field } from "../../../records/vocabulary/index.ts";
import { getFieldKind } from "../../fields/index.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { FirstFocus } from "../../parts/forms/first-focus.tsx";
import { type FilterOperator, type FilterTerm, listOperators, parseFilter, writeFilter } from "./filter-syntax.ts";
import { columnLabel } from "./grid/columns.ts";

// The form below the chip of a filter that is being changed.

type TermProps = {
  name: string;
  field: Field;
  /** undefined: the filter is new */
  text: string | undefined;
  onApply(text: string): void;
};

const withoutValue: readonly FilterOperator[] = ["empty", "filled"];

export function TermForm({ name, field, text, onApply }: TermProps) {
  const operators = listOperators(field);
  const [term, setTerm] = useState<FilterTerm>(() =>
    text === undefined
      ? { operator: operators[0] ?? "is", value: field.kind === "boolean" ? "true" : "" }
      : parseFilter(field, text),
  );
  const label = columnLabel(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const written = writeFilter(field, term);
    if (written !== null) onApply(written);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {/* Above the value, because its list of choices opens downwards. */}
        <Group gap="xs" wrap="nowrap" justify="space-between">
          {operators.length > 1 ? (
            <Select
              size="xs"
              flex={1}
              aria-label={t("filter.operator")}
              data={operators.map((operator) => ({ value: operator, label: t(`filter.op.${operator}`) }))}
              value={term.operator}
              allowDeselect={false}
              onChange={(wanted) => setTerm({ ...term, operator: operators.find((each) => each === wanted) ?? "is" })}
            />
          ) : (
            <span />
          )}
          <Button type="submit" size="xs">
            {t("filter.apply")}
          </Button>
        </Group>
        {!withoutValue.includes(term.operator) && (
          <FirstFocus>
            <TermValue name={name} field={field} label={label} term={term} onChange={setTerm} />
          </FirstFocus>
        )}
      </Stack>
    </form>
  );
}

type ValueProps = {
  name: string;
  field: Field;
  label: string;
  term: FilterTerm;
  onChange(term: FilterTerm): void;
};

function TermValue({ name, field, label, term, onChange }: ValueProps) {
  const { Filter } = getFieldKind(field);
  const set = (value: string) => onChange({ ...term, value });
  if (["after", "before", "between"].includes(term.operator)) {
    const [from = "", until = ""] = term.value.split("..");
    const day = (value: string, spoken: string, change: (wanted: string) => void, first: boolean) => (
      <TextInput
        size="xs"
        type="date"
        label={spoken}
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
        {...(first ? { "data-autofocus": true } : {})}
      />
    );
    if (term.operator !== "between") return day(from, label, set, true);
    return (
      <Group grow wrap="nowrap">
        {day(from, t("filter.from"), (wanted) => set(`${wanted}..${until}`), true)}
        {day(until, t("filter.until"), (wanted) => set(`${from}..${wanted}`), false)}
      </Group>
    );
  }
  if (Filter === undefined) return null;
  return <Filter name={name} field={field} label={label} value={term.value} onChange={set} />;
}

export function WordsForm({ value, onApply }: { value: string; onApply(value: string): void }) {
  const [text, setText] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onApply(text.trim());
      }}
    >
      <TextInput
        size="xs"
        label={t("filter.contains")}
        value={text}
        maxLength={255}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" mt="sm">
        <Button type="submit" size="xs">
          {t("filter.apply")}
        </Button>
      </Group>
    </form>
  );
}
