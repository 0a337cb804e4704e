import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { Icon } from "../../elements/icon.tsx";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { PanelButton } from "../../parts/menu/menu-button.tsx";

const MoreList = lazyPart(async () => (await import("./more-list.tsx")).MoreList);

/** Rarely used pages: a panel beside the menu. */
export const MorePanel = ({ collapsed }: { collapsed: boolean }) => (
  <PanelButton content={MoreList}>
    {(opening) => (
      <button type="button" className="menu-link" {...(collapsed ? tip(t("menu.more")) : {})} {...opening}>
        <Icon of={IconDots} />
        <span className="menu-label">{t("menu.more")}</span>
      </button>
    )}
  </PanelButton>
);
