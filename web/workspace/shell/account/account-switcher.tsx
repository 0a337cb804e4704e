import IconSelector from "@tabler/icons-react/dist/esm/icons/IconSelector.mjs";
import { useState } from "react";
import { useActions } from "../../../actions/registry.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { paths } from "../../../base/paths.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { leaveIfConnected } from "../../../live/navigation-guard.ts";
import { MenuButton } from "../../../parts/menu/menu-button.tsx";
import type { MenuEntry } from "../../../parts/menu/menu-entry.ts";

/** The current account; a choice only for people with several. */
export function AccountSwitcher() {
  const { who, account } = useCurrentAccount();
  const [opened, setOpened] = useState(false);
  const several = who.accounts.length > 1;
  useActions([
    {
      id: "go.account",
      name: t("app.switchAccount"),
      group: "general",
      keys: "g x",
      icon: IconSelector,
      when: several,
      run: () => setOpened(true),
    },
  ]);
  const sign = (
    <span className="account-sign" aria-hidden="true">
      {[...account.name][0]?.toUpperCase()}
    </span>
  );
  if (!several)
    return (
      <div className="account">
        {sign}
        <span className="menu-label account-name">{account.name}</span>
      </div>
    );
  const entries: MenuEntry[] = [
    { is: "heading", label: t("app.account") },
    ...who.accounts.map(
      ({ id, name }): MenuEntry => ({
        is: "item",
        key: id,
        label: name,
        second: id,
        chosen: id === account.id,
        // A full page load: the server remembers the account, and may return the portal.
        run: () => void leaveIfConnected(() => location.assign(paths.home(id))),
      }),
    ),
  ];
  return (
    <MenuButton entries={entries} position="bottom-start" width={280} opened={opened} onOpened={setOpened}>
      {(opening) => (
        <button type="button" className="account" {...opening}>
          {sign}
          <span className="spoken">{t("app.switchAccount")}: </span>
          <span className="menu-label account-name">{account.name}</span>
          <span className="menu-label account-end">
            <Icon of={IconSelector} size={14} />
          </span>
        </button>
      )}
    </MenuButton>
  );
}
