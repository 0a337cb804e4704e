import { ActionIcon, Box, Button, Group, Menu, Popover, Text } from "@mantine/core";
import { useState } from "react";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { getFieldKind } from "../../fields/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { CloseIcon, FilterIcon } from "../icons.tsx";
import { FilterValue } from "./filter-value.tsx";

// The filters of a list. What they hold is the API's own syntax, so an address can be read, kept and shared.

type Props = {
  type: RecordType;
  filters: Readonly<Record<string, string>>;
  onChange(filters: Readonly<Record<string, string>>): void;
};

export const pickFilterableFields = (type: RecordType): string[] =>
  type.filterable.filter((name) => {
    const field = type.fields[name];
    return field !== undefined && getFieldKind(field).Filter !== undefined;
  });

export function FilterBar({ type, filters, onChange }: Props) {
  const [editing, setEditing] = useState<string | null>(null);
  const names = pickFilterableFields(type);
  const set = (name: string, value: string) => {
    const { [name]: _, ...others } = filters;
    onChange(value === "" ? others : { ...others, [name]: value });
    setEditing(null);
  };
  const active = names.filter((name) => filters[name] !== undefined);
  return (
    <Group gap="xs">
      {active.map((name) => (
        <FilterPill
          key={name}
          name={name}
          field={type.fields[name] as Field}
          value={filters[name] as string}
          opened={editing === name}
          onOpen={() => setEditing(name)}
          onClose={() => setEditing(null)}
          onApply={(value) => set(name, value)}
        />
      ))}
      {editing !== null && !active.includes(editing) && (
        <FilterPill
          name={editing}
          field={type.fields[editing] as Field}
          value=""
          opened
          onOpen={() => {}}
          onClose={() => setEditing(null)}
          onApply={(value) => set(editing, value)}
        />
      )}
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<FilterIcon size={14} />}>
            {t("filter.add")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={320} styles={{ dropdown: { overflowY: "auto" } }}>
          {names
            .filter((name) => filters[name] === undefined)
            .map((name) => (
              <Menu.Item key={name} onClick={() => setEditing(name)}>
                {fieldLabel(name)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {active.length > 1 && (
        <Button variant="subtle" size="xs" onClick={() => onChange({})}>
          {t("filter.clear")}
        </Button>
      )}
    </Group>
  );
}

type PillProps = {
  name: string;
  field: Field;
  value: string;
  opened: boolean;
  onOpen(): void;
  onClose(): void;
  onApply(value: string): void;
};

function FilterPill({ name, field, value, opened, onOpen, onClose, onApply }: PillProps) {
  const [draft, setDraft] = useState(value);
  const { Filter } = getFieldKind(field);
  const label = fieldLabel(name);
  if (Filter === undefined) return null;
  const wanted = draft === "" && field.kind === "boolean" ? "true" : draft;
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && onClose()}
      trapFocus
      position="bottom-start"
      shadow="md"
      width={320}
    >
      <Group gap={0} className="card" wrap="nowrap">
        <Popover.Target>
          <Button variant="subtle" size="xs" onClick={() => (opened ? onClose() : onOpen())}>
            <Text size="xs" fw={600} component="span">
              {label}
            </Text>
            {value !== "" && (
              <Text size="xs" component="span" ml={6} maw={220} truncate>
                <FilterValue field={field} value={value} />
              </Text>
            )}
          </Button>
        </Popover.Target>
        <ActionIcon
          variant="subtle"
          size="md"
          aria-label={t("filter.remove", { field: label })}
          onClick={() => onApply("")}
        >
          <CloseIcon size={14} />
        </ActionIcon>
      </Group>
      <Popover.Dropdown aria-label={t("filter.by", { field: label })}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onApply(wanted.trim());
          }}
        >
          <Filter name={name} field={field} label={label} value={draft} onChange={setDraft} />
          <Box mt="sm" ta="right">
            <Button type="submit" size="xs">
              {t("filter.apply")}
            </Button>
          </Box>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
