import { useCurrentAccount } from "../../../api/current-account.ts";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { t } from "../../../languages/index.ts";
import { PanelButton } from "../../../parts/menu/menu-button.tsx";
import { Avatar } from "../../../parts/people/avatar.tsx";

const UserMenuList = lazyPart(async () => (await import("./user-menu-list.tsx")).UserMenuList);

/** The person; the button opens their menu. */
export function UserMenu() {
  const { who } = useCurrentAccount();
  return (
    <PanelButton kind="menu" content={UserMenuList}>
      {(opening) => (
        <button type="button" className="menu-person" {...opening}>
          <span className="spoken">{t("app.userMenu")}: </span>
          <Avatar person={who.person} size={24} presence="online" silent />
          <span className="menu-label truncate">{who.person.name}</span>
        </button>
      )}
    </PanelButton>
  );
}
