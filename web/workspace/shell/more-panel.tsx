import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { lazy } from "react";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { PanelButton } from "../../parts/menu/menu-button.tsx";
import { tip } from "../../parts/tip.tsx";

const load = () => import("./more-list.tsx");
const MoreList = lazy(async () => ({ default: (await load()).MoreList }));

/** What is seldom wanted: a panel beside the menu. */
export const MorePanel = ({ collapsed }: { collapsed: boolean }) => (
  <PanelButton load={load} content={MoreList}>
    {(opening) => (
      <button type="button" className="menu-link" {...(collapsed ? tip(t("menu.more")) : {})} {...opening}>
        <Icon of={IconDots} />
        <span className="menu-label">{t("menu.more")}</span>
      </button>
    )}
  </PanelButton>
);
