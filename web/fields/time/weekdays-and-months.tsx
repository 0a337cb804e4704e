import { currentLocale } from "../../languages/index.ts";
import { type EditProps, type FieldKind, inputProps } from "../field-kind.ts";
import { MultiSelect } from "../pickers/multi-select.tsx";

// Several weekdays or months in one text: "1,3,5" or "monday,friday".

type Option = { value: string; label: string };

const formatName = (style: Intl.DateTimeFormatOptions, moment: number): string =>
  new Intl.DateTimeFormat(currentLocale(), { ...style, timeZone: "UTC" }).format(moment);

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
// 5 January 2025 was a Sunday.
const dayLabel = (index: number) => formatName({ weekday: "long" }, Date.UTC(2025, 0, 5 + index));

const buildWeekdayNumbers = (): Option[] => days.map((_, index) => ({ value: `${index}`, label: dayLabel(index) }));
const buildWeekdayNames = (): Option[] => days.map((value, index) => ({ value, label: dayLabel(index) }));
const buildMonths = (): Option[] =>
  Array.from({ length: 12 }, (_, index) => ({
    value: `${index + 1}`,
    label: formatName({ month: "long" }, Date.UTC(2025, index, 1)),
  }));

const splitList = (value: unknown): string[] =>
  typeof value === "string" && value !== "" ? value.split(",").map((part) => part.trim()) : [];

const formatList = (value: unknown, all: readonly Option[]): string =>
  splitList(value)
    .map((part) => all.find((each) => each.value === part)?.label ?? part)
    .join(", ");

function EditList({ all, ...props }: EditProps & { all: readonly Option[] }) {
  const rank = (value: string) => all.findIndex((each) => each.value === value);
  return (
    <MultiSelect
      {...inputProps(props)}
      data={[...all]}
      value={splitList(props.value)}
      onChange={(wanted) => props.onChange([...wanted].sort((one, other) => rank(one) - rank(other)).join(",") || null)}
    />
  );
}

/** "0,3": "Sunday, Wednesday"; "sunday,wednesday" the same. */
export const formatWeekdays = (value: unknown): string =>
  formatList(value, [...buildWeekdayNumbers(), ...buildWeekdayNames()]);
/** "1,4": "January, April" */
export const formatMonths = (value: unknown): string => formatList(value, buildMonths());

export const weekdayNumbers: FieldKind = {
  Show: ({ value }) => <>{formatList(value, buildWeekdayNumbers())}</>,
  Edit: (props) => <EditList {...props} all={buildWeekdayNumbers()} />,
};
export const weekdayNames: FieldKind = {
  Show: ({ value }) => <>{formatList(value, buildWeekdayNames())}</>,
  Edit: (props) => <EditList {...props} all={buildWeekdayNames()} />,
};
export const months: FieldKind = {
  Show: ({ value }) => <>{formatList(value, buildMonths())}</>,
  Edit: (props) => <EditList {...props} all={buildMonths()} />,
};
