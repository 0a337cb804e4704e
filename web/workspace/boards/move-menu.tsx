import { Menu } from "@mantine/core";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";

export type MoveTarget = {
  id: string;
  name: string;
  keys?: string | undefined;
  /** the card's current place */
  here?: boolean;
  /** a warning if the column is over its limit */
  warning?: string | undefined;
  /** below a divider: an entry that isn't a column */
  apart?: boolean;
  run(): void;
};

/** The possible destinations of a card, with their keys. */
export function MoveMenu({ name, targets }: { name: string; targets: readonly MoveTarget[] }) {
  const item = ({ id, name: label, keys, here, warning, run }: MoveTarget) => (
    <Menu.Item
      key={id}
      disabled={here ?? false}
      rightSection={
        here ? (
          <span className="quiet small">{t("boards.here")}</span>
        ) : (
          <span className="menu-end">
            {warning !== undefined && <span className="over-limit small">{warning}</span>}
            {keys !== undefined && <Kbd keys={keys} />}
          </span>
        )
      }
      onClick={run}
    >
      {label}
    </Menu.Item>
  );
  return (
    <Menu.Dropdown>
      <Menu.Label>{t("boards.moveTo", { id: name })}</Menu.Label>
      {targets.filter(({ apart }) => !apart).map(item)}
      {targets.some(({ apart }) => apart) && <Menu.Divider />}
      {targets.filter(({ apart }) => apart).map(item)}
    </Menu.Dropdown>
  );
}
