import { NumberInput, TextInput } from "@mantine/core";
import { formatNumber as shown } from "../base/formats.ts";
import { formatMinutes } from "../base/moments.ts";
import { type EditProps, type FieldKind, type FilterProps, inputProps, ofKind, type ShowProps } from "./field-kind.ts";

// Integers, decimals and floats. A decimal is edited and sent as text, because a binary float would lose precision.

const Show = ({ value }: ShowProps) => <>{shown(Number(value))}</>;

function EditInteger(props: EditProps) {
  const { min, max } = ofKind(props.field, "integer");
  const { value, onChange } = props;
  return (
    <NumberInput
      {...inputProps(props)}
      allowDecimal={false}
      min={min}
      max={max}
      clampBehavior="none"
      value={value ?? ""}
      onChange={(wanted) => onChange(wanted === "" ? null : wanted)}
    />
  );
}

function EditDecimal(props: EditProps) {
  const { value, onChange } = props;
  return (
    <TextInput
      {...inputProps(props)}
      inputMode="decimal"
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value.trim().replace(",", ".") || null)}
    />
  );
}

export function NumberFilter({ label, value, onChange }: FilterProps) {
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/[^\d.,<>=!-]/g, ""))}
      data-autofocus
    />
  );
}

function ShowInteger(props: ShowProps) {
  const value = Number(props.value);
  const { unit } = ofKind(props.field, "integer");
  if (unit === "year") return String(value);
  return unit === "minutes" && value >= 0 ? formatMinutes(value) : <Show {...props} />;
}

export const integer: FieldKind = { Show: ShowInteger, Edit: EditInteger, Filter: NumberFilter };
export const decimal: FieldKind = { Show, Edit: EditDecimal, Filter: NumberFilter };
