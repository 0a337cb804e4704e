import { Button, Menu } from "@mantine/core";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { AscendingIcon, DescendingIcon } from "../icons.tsx";

/** Sorting without the headings of a table: on a phone there are none. */
export function SortMenu({ type, sort, onSort }: { type: RecordType; sort: string; onSort(sort: string): void }) {
  const active = sort.replace(/^-/, "");
  const descending = sort.startsWith("-");
  return (
    <Menu position="bottom-end" shadow="md" closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          hiddenFrom="sm"
          leftSection={descending ? <DescendingIcon size={14} /> : <AscendingIcon size={14} />}
        >
          {t("list.sort")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {type.sortable.map((name) => (
          <Menu.Item
            key={name}
            onClick={() => onSort(name === active && !descending ? `-${name}` : name)}
            rightSection={
              name === active ? descending ? <DescendingIcon size={14} /> : <AscendingIcon size={14} /> : null
            }
          >
            {fieldLabel(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
