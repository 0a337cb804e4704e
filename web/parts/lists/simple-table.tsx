import { Box, Group, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { putIntoTableRow, RowBoundary } from "./row-boundary.tsx";

// A small table of data other than records: a table if there is room, cards on a phone.

export type Column<Row> = { label: string; cell(row: Row): ReactNode };

type Props<Row> = {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  columns: readonly Column<Row>[];
  actions?: (row: Row) => ReactNode;
};

export function SimpleTable<Row>({ label, rows, keyOf, columns, actions }: Props<Row>) {
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  if (narrow)
    return (
      <Stack gap={0} component="ul" aria-label={label} p={0} m={0} styles={{ root: { listStyle: "none" } }}>
        {rows.map((row) => (
          <RowBoundary key={keyOf(row)} row={row}>
            {() => (
              <Box component="li" className="cardrow" px="md" py="sm">
                {columns
                  .filter((column) => column.cell(row) !== "")
                  .map((column, index) => (
                    <Group key={column.label} gap={8} align="baseline" wrap="nowrap">
                      {index > 0 && (
                        <Text size="sm" c="dimmed" miw={96}>
                          {column.label}
                        </Text>
                      )}
                      <Box className="wrap" {...(index === 0 ? { fw: 600 } : { fz: "sm" })}>
                        {column.cell(row)}
                      </Box>
                    </Group>
                  ))}
                {actions !== undefined && <Box mt="xs">{actions(row)}</Box>}
              </Box>
            )}
          </RowBoundary>
        ))}
      </Stack>
    );
  return (
    <Table aria-label={label} verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column.label} className="nowrap">
              {column.label}
            </Table.Th>
          ))}
          {actions !== undefined && <Table.Td />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <RowBoundary key={keyOf(row)} row={row} frame={putIntoTableRow(columns.length + 1)}>
            {() => (
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Td key={column.label} className="wrap" valign="top">
                    {column.cell(row)}
                  </Table.Td>
                ))}
                {actions !== undefined && (
                  <Table.Td ta="right" valign="top" className="nowrap">
                    {actions(row)}
                  </Table.Td>
                )}
              </Table.Tr>
            )}
          </RowBoundary>
        ))}
      </Table.Tbody>
    </Table>
  );
}
