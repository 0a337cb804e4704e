import { TextInput } from "@mantine/core";
import { formatDuration as shown } from "../../base/formats.ts";
import { t } from "../../languages/index.ts";
import { type EditProps, type FieldKind, inputProps } from "../field-kind.ts";
import { NumberFilter } from "../number.tsx";

// Whole minutes in the API, hours and minutes in the interface; the API reads both.

function Edit(props: EditProps) {
  const { value, onChange } = props;
  return (
    <TextInput
      {...inputProps(props)}
      placeholder={t("form.minutes")}
      value={typeof value === "number" ? shown(value) : (value ?? "")}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

export const duration: FieldKind = { Show: ({ value }) => <>{shown(Number(value))}</>, Edit, Filter: NumberFilter };
