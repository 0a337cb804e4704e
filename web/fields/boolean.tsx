import { SegmentedControl, Stack, Switch, Text } from "@mantine/core";
import { t } from "../languages/index.ts";
import { type EditProps, type FieldKind, type FilterProps, inputProps } from "./field-kind.ts";

function Edit(props: EditProps) {
  const { required: _, ...rest } = inputProps(props);
  return (
    <Switch
      {...rest}
      mt={6}
      checked={props.value === true}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}

function Filter({ label, value, onChange }: FilterProps) {
  const choices = [
    { value: "true", label: t("filter.yes") },
    { value: "false", label: t("filter.no") },
  ];
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <SegmentedControl aria-label={label} data={choices} value={value || "true"} onChange={onChange} />
    </Stack>
  );
}

export const boolean: FieldKind = {
  Show: ({ value }) => <>{t(value === true ? "value.yes" : "value.no")}</>,
  Edit,
  Filter,
  filterText: (value) => t(value === "true" ? "filter.yes" : "filter.no"),
};
