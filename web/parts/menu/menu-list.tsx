import { Menu } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import { linkTo } from "../../base/history.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { Anchor, useOpenedAfterMount } from "./anchor.tsx";
import type { DropdownProps, MenuEntry } from "./menu-entry.ts";

type Props = DropdownProps & {
  entries: readonly MenuEntry[];
  position: "bottom-start" | "bottom-end" | "top-start" | "top-end" | "right-start";
  width?: number | undefined;
};

/** The menu of a MenuButton. */
export function MenuList({ anchor, opened, onClose, entries, position, width }: Props) {
  const shown = useOpenedAfterMount(opened);
  return (
    <Menu
      opened={shown}
      onChange={(wanted) => !wanted && onClose()}
      position={position}
      shadow="md"
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>
        <Anchor of={anchor} />
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry, at) => (
          <Entry key={entry.is === "item" ? entry.key : at} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry.is === "divider") return <Menu.Divider />;
  if (entry.is === "heading") return <Menu.Label>{entry.label}</Menu.Label>;
  if (entry.is === "person")
    return (
      <div className="menu-head">
        <span className="truncate">{entry.name}</span>
        <span className="menu-second truncate">{entry.email}</span>
      </div>
    );
  const { label, second, icon, shortcut, chosen, disabled, path, keepOpen, run } = entry;
  const link =
    path === undefined ? {} : path.startsWith("/a/") ? linkTo(path) : { component: "a" as const, href: path };
  return (
    <Menu.Item
      {...link}
      {...(run === undefined ? {} : { onClick: () => void run() })}
      {...(keepOpen ? { closeMenuOnClick: false } : {})}
      {...(disabled ? { disabled } : {})}
      {...(chosen ? { "aria-current": "true" as const } : {})}
      leftSection={icon === undefined ? null : <Icon of={icon} />}
      rightSection={chosen ? <Icon of={IconCheck} /> : shortcut === undefined ? null : <Kbd keys={shortcut} />}
    >
      {label}
      {second !== undefined && <span className="menu-second">{second}</span>}
    </Menu.Item>
  );
}
