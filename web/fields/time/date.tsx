import { TextInput } from "@mantine/core";
import { formatDate as shown } from "../../base/formats.ts";
import { type EditProps, type FieldKind, inputProps } from "../field-kind.ts";
import { DateRangeFilter, formatDateRange } from "./date-range-filter.tsx";

// The browser's own picker: it uses the reader's language and works on a phone.

function Edit(props: EditProps) {
  return (
    <TextInput
      {...inputProps(props)}
      type="date"
      value={props.value ?? ""}
      onChange={(event) => props.onChange(event.currentTarget.value || null)}
    />
  );
}

export const date: FieldKind = {
  Show: ({ value }) => <time dateTime={value}>{shown(value)}</time>,
  Edit,
  Filter: DateRangeFilter,
  filterText: formatDateRange,
};
