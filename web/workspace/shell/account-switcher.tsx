import { Menu } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconSelector from "@tabler/icons-react/dist/esm/icons/IconSelector.mjs";
import { useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { paths } from "../../paths.ts";

/** The account somebody works in; a choice only for those who have one. */
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
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" shadow="md" width={280}>
      <Menu.Target>
        <button type="button" className="account">
          {sign}
          <span className="spoken">{t("app.switchAccount")}: </span>
          <span className="menu-label account-name">{account.name}</span>
          <span className="menu-label account-end">
            <Icon of={IconSelector} size={14} />
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("app.account")}</Menu.Label>
        {who.accounts.map(({ id, name }) => (
          <Menu.Item
            key={id}
            {...linkTo(paths.home(id))}
            rightSection={id === account.id ? <Icon of={IconCheck} /> : null}
            {...(id === account.id ? { "aria-current": "true" as const } : {})}
          >
            {name}
            <span className="menu-second">{id}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
