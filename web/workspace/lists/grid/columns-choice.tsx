import { ActionIcon, Button, Checkbox, TextInput } from "@mantine/core";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { listColumns } from "../list-address.ts";
import { columnLabel } from "./columns.ts";

type Props = {
  type: RecordType;
  columns: readonly string[];
  onChange(columns: readonly string[] | undefined): void;
};

/** The columns and their order: everything that dragging headers does, also by keyboard. */
export function ColumnsChoice({ type, columns, onChange }: Props) {
  const [find, setFind] = useState("");
  const others = listColumns(type).filter((name) => !columns.includes(name));
  const matches = (name: string) => columnLabel(name).toLowerCase().includes(find.toLowerCase());
  const move = (at: number, by: number) => {
    const next = [...columns];
    next.splice(at + by, 0, ...next.splice(at, 1));
    onChange(next);
  };
  return (
    <>
      <TextInput
        size="xs"
        m={4}
        aria-label={t("filter.findField")}
        placeholder={t("filter.findField")}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
        data-autofocus
      />
      <div className="list-menu-scroll">
        {columns.map(
          (name, at) =>
            matches(name) && (
              <div key={name} className="list-column">
                <Checkbox
                  size="xs"
                  label={columnLabel(name)}
                  checked
                  disabled={columns.length === 1}
                  onChange={() => onChange(columns.filter((each) => each !== name))}
                />
                <span className="list-column-keys">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    disabled={at === 0}
                    aria-label={t("list.moveLeft", { field: columnLabel(name) })}
                    onClick={() => move(at, -1)}
                  >
                    <Icon of={IconArrowUp} size={14} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    disabled={at === columns.length - 1}
                    aria-label={t("list.moveRight", { field: columnLabel(name) })}
                    onClick={() => move(at, 1)}
                  >
                    <Icon of={IconArrowDown} size={14} />
                  </ActionIcon>
                </span>
              </div>
            ),
        )}
        {others.filter(matches).map((name) => (
          <div key={name} className="list-column">
            <Checkbox
              size="xs"
              label={columnLabel(name)}
              checked={false}
              onChange={() => onChange([...columns, name])}
            />
          </div>
        ))}
      </div>
      <Button variant="subtle" size="xs" fullWidth onClick={() => onChange(undefined)}>
        {t("list.defaultColumns")}
      </Button>
    </>
  );
}
