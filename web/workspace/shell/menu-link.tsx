import type { ReactNode } from "react";
import { linkTo } from "../../base/history.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";

type Props = {
  label: string;
  icon: IconComponent;
  path: string;
  active?: boolean;
  count?: number | undefined;
  collapsed?: boolean;
  end?: ReactNode;
  /** preloads the page */
  onIntent?: () => void;
};

/** A line of the side menu; only its icon if the menu is collapsed. */
export function MenuLink({ label, icon, path, active = false, count = 0, collapsed = false, end, onIntent }: Props) {
  const { href, onClick } = linkTo(path);
  return (
    <a
      className="menu-link"
      href={href}
      {...(path.startsWith("/a/") ? { onClick } : {})}
      {...(active ? { "aria-current": "page" as const } : {})}
      {...(collapsed ? tip(label) : {})}
      onMouseEnter={onIntent}
      onFocus={onIntent}
    >
      <Icon of={icon} />
      <span className="menu-label">{label}</span>
      {count > 0 && <span className="menu-count">{count}</span>}
      {end}
    </a>
  );
}
