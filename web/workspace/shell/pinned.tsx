import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconPinnedOff from "@tabler/icons-react/dist/esm/icons/IconPinnedOff.mjs";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { whenIdle } from "../../base/when-idle.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import type { MenuEntry } from "../../parts/menu/menu-entry.ts";
import { pickTint } from "../../parts/people/avatar.tsx";
import { type Pin, pinQueries, usePins } from "../../queries/kept/pins.ts";
import { formatTotal } from "../../queries/total.ts";

/** A person's pins, in order. Each can be moved and removed by pointer and by keyboard. */
export default function Pinned() {
  const { pins, move, remove } = usePins();
  const { href } = useLocation();
  const { api } = useCurrentAccount();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const { data: counts = {} } = useQuery({
    ...pinQueries.counts(api, pins),
    enabled: isIdle && pins.length > 0,
    refetchInterval: 120_000, // milliseconds
  });
  if (pins.length === 0) return null;
  // biome-ignore format: one line per item
  const buildEntries = (pin: Pin, at: number): MenuEntry[] => [
    { is: "item", key: "up", label: t("menu.pinUp"), icon: IconArrowUp, disabled: at === 0, run: () => move(pin, -1) },
    { is: "item", key: "down", label: t("menu.pinDown"), icon: IconArrowDown, disabled: at === pins.length - 1, run: () => move(pin, 1) },
    { is: "item", key: "unpin", label: t("menu.unpin"), icon: IconPinnedOff, run: () => remove(pin) },
  ];
  return (
    <section className="pinned" aria-label={t("menu.pinned")}>
      <h2 className="menu-heading">{t("menu.pinned")}</h2>
      {pins.map((pin, at) => {
        const { component: _, ...link } = linkTo(pin.path);
        const count = counts[pin.path];
        return (
          <div className="pin" key={pin.key}>
            <a className="menu-link" {...link} {...(href === pin.path ? { "aria-current": "page" as const } : {})}>
              <span className="pin-dot" data-tone={pickTint(pin.key)} />
              <span className="menu-label truncate">{pin.label}</span>
              {count !== undefined && <span className="menu-count pin-count">{formatTotal(count)}</span>}
            </a>
            <MenuButton entries={buildEntries(pin, at)} position="right-start">
              {(opening) => (
                <button
                  type="button"
                  className="pin-menu"
                  aria-label={t("menu.pinActions", { name: pin.label })}
                  {...opening}
                >
                  <Icon of={IconDots} size={14} />
                </button>
              )}
            </MenuButton>
          </div>
        );
      })}
    </section>
  );
}
