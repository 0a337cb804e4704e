import { Menu } from "@mantine/core";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconPinnedOff from "@tabler/icons-react/dist/esm/icons/IconPinnedOff.mjs";
import { useLocation } from "@tanstack/react-router";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { tintOf } from "../../parts/people/avatar.tsx";
import { usePins } from "../../queries/pins.ts";

/** What somebody has pinned, in their order. Each can be moved and taken away by pointer and by keyboard. */
export function Pinned() {
  const { pins, move, remove } = usePins();
  const { href } = useLocation();
  if (pins.length === 0) return null;
  return (
    <section className="pinned" aria-label={t("menu.pinned")}>
      <h2 className="menu-heading">{t("menu.pinned")}</h2>
      {pins.map((pin, at) => {
        const { component: _, ...link } = linkTo(pin.path);
        return (
          <div className="pin" key={pin.key}>
            <a className="menu-link" {...link} {...(href === pin.path ? { "aria-current": "page" as const } : {})}>
              <span className="pin-dot" data-tone={tintOf(pin.key)} />
              <span className="menu-label truncate">{pin.label}</span>
            </a>
            <Menu position="right-start" shadow="md">
              <Menu.Target>
                <button type="button" className="pin-menu" aria-label={t("menu.pinActions", { name: pin.label })}>
                  <Icon of={IconDots} size={14} />
                </button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item disabled={at === 0} leftSection={<Icon of={IconArrowUp} />} onClick={() => move(pin, -1)}>
                  {t("menu.pinUp")}
                </Menu.Item>
                <Menu.Item
                  disabled={at === pins.length - 1}
                  leftSection={<Icon of={IconArrowDown} />}
                  onClick={() => move(pin, 1)}
                >
                  {t("menu.pinDown")}
                </Menu.Item>
                <Menu.Item leftSection={<Icon of={IconPinnedOff} />} onClick={() => remove(pin)}>
                  {t("menu.unpin")}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </div>
        );
      })}
    </section>
  );
}
