import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { getFieldKind } from "../../fields/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { ColumnsIcon } from "../icons.tsx";

type Props = {
  type: RecordType;
  columns: readonly string[];
  /** undefined: the default ones */
  onChange(columns: readonly string[] | undefined): void;
};

/** Which fields a list shows: the API's ?fields=. Long texts and lists have no place in a row. */
export function ColumnMenu({ type, columns, onChange }: Props) {
  const possible = Object.entries(type.fields)
    .filter(
      ([, field]) => field.access !== "writeonly" && !field.internal && !field.transient && field.selectable !== false,
    )
    .filter(
      ([name, field]) => columns.includes(name) || (getFieldKind(field).wide !== true && field.kind !== "aggregated"),
    )
    .map(([name]) => name);
  const order = (chosen: readonly string[]) => [
    ...type.defaultFields.filter((name) => chosen.includes(name)),
    ...possible.filter((name) => chosen.includes(name) && !type.defaultFields.includes(name)),
  ];
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<ColumnsIcon size={14} />}>
          {t("list.columns")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={400} styles={{ dropdown: { overflowY: "auto" } }} aria-label={t("list.columns")}>
        <Checkbox.Group value={[...columns]} onChange={(chosen) => chosen.length > 0 && onChange(order(chosen))}>
          <Stack gap={8}>
            {possible.map((name) => (
              <Checkbox key={name} value={name} label={fieldLabel(name)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button variant="subtle" size="xs" mt="sm" onClick={() => onChange(undefined)}>
          {t("list.defaultColumns")}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
