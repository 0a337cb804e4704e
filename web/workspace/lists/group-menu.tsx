import { Button, Menu } from "@mantine/core";
import IconLayoutRows from "@tabler/icons-react/dist/esm/icons/IconLayoutRows.mjs";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { Icon } from "../../elements/icon.tsx";
import { CheckIcon } from "../../elements/icons.tsx";
import { t } from "../../languages/index.ts";
import { columnLabel } from "./grid/columns.ts";
import { canGroupBy } from "./list-address.ts";

type Props = { type: RecordType; group: string | undefined; onChange(group: string | undefined): void };

/** Chooses the field by which rows are grouped; renders nothing if there is none. */
export function GroupMenu({ type, group, onChange }: Props) {
  const names = type.sortable.filter((name) => canGroupBy(type, name));
  if (names.length === 0) return null;
  const current = group === undefined ? t("list.groupNone") : columnLabel(group);
  const items: readonly (string | undefined)[] = [undefined, ...names];
  return (
    <Menu position="bottom-end" shadow="md" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className="list-group-button"
          leftSection={<Icon of={IconLayoutRows} size={14} />}
        >
          {t("list.groupBy", { field: current })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((name) => (
          <Menu.Item
            key={name ?? ""}
            rightSection={name === group ? <CheckIcon size={14} /> : null}
            onClick={() => onChange(name)}
          >
            {name === undefined ? t("list.groupNone") : columnLabel(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
