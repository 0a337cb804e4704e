import { Group, TextInput } from "@mantine/core";
import { formatDate } from "../../base/formats.ts";
import { t } from "../../languages/index.ts";
import type { FilterProps } from "../field-kind.ts";

// A range of days, both included: ">=2025-01-01<=2025-01-31". For a moment it covers the first to the last minute.

const pattern = /^(?:>=([^<]*))?(?:<=(.*))?$/;
const parseDays = (value: string): [from: string, until: string] => {
  const [, from = "", until = ""] = pattern.exec(value) ?? [];
  return [from.slice(0, 10), until.slice(0, 10)];
};

export function DateRangeFilter({ field, label, value, onChange }: FilterProps) {
  const [from, until] = parseDays(value);
  const moment = field.kind !== "date";
  const write = (first: string, last: string) =>
    onChange((first && `>=${first}${moment ? "T00:00:00" : ""}`) + (last && `<=${last}${moment ? "T23:59:59" : ""}`));
  return (
    <Group grow wrap="nowrap">
      <TextInput
        type="date"
        label={`${label} ${t("filter.from")}`}
        value={from}
        onChange={(event) => write(event.currentTarget.value, until)}
        data-autofocus
      />
      <TextInput
        type="date"
        label={t("filter.until")}
        value={until}
        onChange={(event) => write(from, event.currentTarget.value)}
      />
    </Group>
  );
}

export function formatDateRange(value: string): string {
  const [from, until] = parseDays(value);
  if (from === "" && until === "") return value;
  return [from && `${t("filter.from")} ${formatDate(from)}`, until && `${t("filter.until")} ${formatDate(until)}`]
    .filter(Boolean)
    .join(" ");
}
