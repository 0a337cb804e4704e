import { formatDateTime } from "../../base/formats.ts";
import { isMessage, t } from "../../languages/index.ts";
import type { FieldKind } from "../field-kind.ts";
import { DateRangeFilter, formatDateRange } from "./date-range-filter.tsx";
import { EditDatetime } from "./datetime.tsx";

// The time of an SLA target, or a word that explains why there is none.

export const target: FieldKind = {
  Show({ value }) {
    const key = `value.${value}`;
    return isMessage(key) ? t(key) : <time dateTime={value}>{formatDateTime(value)}</time>;
  },
  Edit: EditDatetime,
  Filter: DateRangeFilter,
  filterText: formatDateRange,
};
