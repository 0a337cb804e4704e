import { TextInput } from "@mantine/core";
import { formatDateTime } from "../../base/formats.ts";
import { type EditProps, type FieldKind, inputProps } from "../field-kind.ts";
import { DateRangeFilter, formatDateRange } from "./date-range-filter.tsx";

// The reader's wall-clock time: the API writes moments in their zone and reads those without an offset in it.

export function EditDatetime(props: EditProps) {
  return (
    <TextInput
      {...inputProps(props)}
      type="datetime-local"
      value={String(props.value ?? "").slice(0, 16)}
      onChange={(event) => props.onChange(event.currentTarget.value || null)}
    />
  );
}

export const datetime: FieldKind = {
  Show: ({ value }) => (
    <time className="nowrap" dateTime={value}>
      {formatDateTime(value)}
    </time>
  ),
  Edit: EditDatetime,
  Filter: DateRangeFilter,
  filterText: formatDateRange,
};
