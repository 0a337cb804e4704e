import { MultiSelect } from "@mantine/core";
import { currentLocale } from "../languages/index.ts";
import { type EditProps, type FieldKind, inputProps } from "./kind.ts";

// Days and months, several of them in one text: "1,3,5" or "monday,friday".

type Named = { value: string; label: string };

const named = (style: Intl.DateTimeFormatOptions, moment: number): string =>
  new Intl.DateTimeFormat(currentLocale(), { ...style, timeZone: "UTC" }).format(moment);

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
// 5 January 2025 was a Sunday.
const dayLabel = (index: number) => named({ weekday: "long" }, Date.UTC(2025, 0, 5 + index));

const byNumber = (): Named[] => days.map((_, index) => ({ value: `${index}`, label: dayLabel(index) }));
const byName = (): Named[] => days.map((value, index) => ({ value, label: dayLabel(index) }));
const byMonth = (): Named[] =>
  Array.from({ length: 12 }, (_, index) => ({
    value: `${index + 1}`,
    label: named({ month: "long" }, Date.UTC(2025, index, 1)),
  }));

const partsOf = (value: unknown): string[] =>
  typeof value === "string" && value !== "" ? value.split(",").map((part) => part.trim()) : [];

const textOf = (value: unknown, all: readonly Named[]): string =>
  partsOf(value)
    .map((part) => all.find((each) => each.value === part)?.label ?? part)
    .join(", ");

function EditList({ all, ...props }: EditProps & { all: readonly Named[] }) {
  const rank = (value: string) => all.findIndex((each) => each.value === value);
  return (
    <MultiSelect
      {...inputProps(props)}
      data={[...all]}
      value={partsOf(props.value)}
      onChange={(wanted) => props.onChange([...wanted].sort((one, other) => rank(one) - rank(other)).join(",") || null)}
    />
  );
}

export const weekdayNumbers: FieldKind = {
  Show: ({ value }) => <>{textOf(value, byNumber())}</>,
  Edit: (props) => <EditList {...props} all={byNumber()} />,
};
export const weekdayNames: FieldKind = {
  Show: ({ value }) => <>{textOf(value, byName())}</>,
  Edit: (props) => <EditList {...props} all={byName()} />,
};
export const months: FieldKind = {
  Show: ({ value }) => <>{textOf(value, byMonth())}</>,
  Edit: (props) => <EditList {...props} all={byMonth()} />,
};
