import { Box, Group, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api/index.ts";
import { AscendingIcon, DescendingIcon } from "../../elements/icons.tsx";
import { FieldValue } from "../../fields/field-value.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { RecordLink } from "../records/record-link.tsx";
import { putIntoTableRow, RowBoundary } from "./row-boundary.tsx";

// Rows of one type: a table if there is room, a card per row on a phone.

type Props = {
  type: RecordType;
  columns: readonly string[];
  rows: readonly Row[];
  label: string;
  /** "-name": by name, descending */
  sort?: string | undefined;
  onSort?: ((sort: string) => void) | undefined;
  /** buttons at the end of a row */
  actions?: (row: Row) => ReactNode;
};

const stripDirection = (sort: string) => sort.replace(/^-/, "");

function Cell({ type, name, row, first }: { type: RecordType; name: string; row: Row; first: boolean }) {
  const field = type.fields[name];
  if (field === undefined) return null;
  return first || name === type.display ? (
    <RecordLink type={type} name={name} row={row} />
  ) : (
    <FieldValue name={name} field={field} row={row} />
  );
}

export function RecordTable(props: Props) {
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  return narrow ? <CardList {...props} /> : <WideTable {...props} />;
}

function WideTable({ type, columns, rows, label, sort, onSort, actions }: Props) {
  return (
    <Table.ScrollContainer
      minWidth={Math.min(1000, columns.length * 120)}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": label } }}
    >
      <Table verticalSpacing="xs" horizontalSpacing="md" highlightOnHover fz="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((name) => (
              <Heading key={name} name={name} sort={sort} onSort={type.sortable.includes(name) ? onSort : undefined} />
            ))}
            {actions !== undefined && <Table.Td />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <RowBoundary key={row.id} row={row} frame={putIntoTableRow(columns.length + 1)}>
              {() => (
                <Table.Tr>
                  {columns.map((name, index) => (
                    <Table.Td key={name} className="cell">
                      <Cell type={type} name={name} row={row} first={index === 0} />
                    </Table.Td>
                  ))}
                  {actions !== undefined && <Table.Td ta="right">{actions(row)}</Table.Td>}
                </Table.Tr>
              )}
            </RowBoundary>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Heading({ name, sort, onSort }: { name: string; sort: string | undefined; onSort: Props["onSort"] }) {
  const label = fieldLabel(name);
  const active = sort !== undefined && stripDirection(sort) === name;
  const descending = active && sort.startsWith("-");
  if (onSort === undefined) return <Table.Th className="nowrap">{label}</Table.Th>;
  return (
    <Table.Th className="nowrap" aria-sort={active ? (descending ? "descending" : "ascending") : "none"}>
      <UnstyledButton
        fw={700}
        fz="sm"
        aria-label={t("list.sortBy", { field: label })}
        onClick={() => onSort(active && !descending ? `-${name}` : name)}
      >
        <Group gap={4} wrap="nowrap" component="span">
          {label}
          {active && (descending ? <DescendingIcon size={14} /> : <AscendingIcon size={14} />)}
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

function CardList({ type, columns, rows, label, actions }: Props) {
  const title = columns.includes(type.display) ? type.display : (columns[0] ?? "id");
  return (
    <Stack gap={0} component="ul" aria-label={label} p={0} m={0} styles={{ root: { listStyle: "none" } }}>
      {rows.map((row) => (
        <RowBoundary key={row.id} row={row}>
          {() => (
            <Box component="li" px="md" py="sm" className="cardrow">
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <Box fw={600} className="wrap">
                  <Cell type={type} name={title} row={row} first />
                </Box>
                {actions?.(row)}
              </Group>
              {columns
                .filter(
                  (name) =>
                    name !== title &&
                    type.fields[name] !== undefined &&
                    (type.fields[name].kind === "subject" || !isBlank(row[name])),
                )
                .map((name) => (
                  <Group key={name} gap={8} align="baseline" wrap="nowrap">
                    <Text size="sm" c="dimmed" miw={96}>
                      {fieldLabel(name)}
                    </Text>
                    <Box fz="sm" className="wrap">
                      <Cell type={type} name={name} row={row} first={false} />
                    </Box>
                  </Group>
                ))}
            </Box>
          )}
        </RowBoundary>
      ))}
    </Stack>
  );
}

const isBlank = (value: unknown): boolean => value === null || value === "" || value === undefined;
