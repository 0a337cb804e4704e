import type { Field } from "../../records/vocabulary/index.ts";
import { choiceLabel } from "../languages/labels.ts";
import { useEnumeration } from "../queries/index.ts";
import {
  type EditProps,
  type FieldKind,
  type FieldWithKind,
  type FilterProps,
  inputProps,
  ofKind,
  type ShowProps,
} from "./field-kind.ts";
import { MultiSelect } from "./pickers/multi-select.tsx";
import { Select } from "./pickers/select.tsx";

// A value from a list, with labels in the reader's language. Time zones and countries are such lists, too.

type EnumerationChoice = Pick<FieldWithKind<"enum">, "enumeration" | "values">;
function getEnumeration(field: Field): EnumerationChoice {
  if (field.kind === "timeZone") return { enumeration: "time_zone" };
  return field.kind === "string" ? { enumeration: "countries" } : ofKind(field, "enum");
}

function useChoices(field: Field) {
  const { enumeration, values } = getEnumeration(field);
  return useEnumeration(enumeration, values);
}

const nameChoice = (field: Field, value: string): string => choiceLabel(getEnumeration(field).enumeration, value);

const Show = ({ field, value }: ShowProps) => <>{nameChoice(field, String(value))}</>;

function Edit(props: EditProps) {
  const choices = useChoices(props.field);
  return (
    <Select
      {...inputProps(props)}
      data={choices}
      searchable={choices.length > 12}
      clearable={!props.required}
      allowDeselect={!props.required}
      value={props.value ?? null}
      onChange={props.onChange}
    />
  );
}

function Filter({ field, label, value, onChange }: FilterProps) {
  const choices = useChoices(field);
  return (
    <MultiSelect
      label={label}
      data={choices}
      searchable
      value={value === "" ? [] : value.split(",")}
      onChange={(wanted) => onChange(wanted.join(","))}
      data-autofocus
    />
  );
}

const filterText = (value: string, field: Field): string =>
  value
    .split(",")
    .map((each) => nameChoice(field, each))
    .join(", ");

export const enumeration: FieldKind = { Show, Edit, Filter, filterText };
