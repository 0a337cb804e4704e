import { Menu, useMantineColorScheme } from "@mantine/core";
import IconApi from "@tabler/icons-react/dist/esm/icons/IconApi.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconLogout from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
import IconShieldLock from "@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs";
import IconUserCircle from "@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs";
import { sessionApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { showError } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";

const schemes = ["light", "dark", "auto"] as const;

export async function signOut(): Promise<void> {
  try {
    await sessionApi.signOut();
    location.assign("/sign_in");
  } catch (error) {
    showError(error);
  }
}

/** The person, with what is theirs: profile, access, appearance, the way out. */
export function UserMenu() {
  const { who, account } = useCurrentAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="top-start" shadow="md" width={260}>
      <Menu.Target>
        <button type="button" className="menu-person">
          <span className="spoken">{t("app.userMenu")}: </span>
          <Avatar person={who.person} size={24} presence="online" silent />
          <span className="menu-label truncate">{who.person.name}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="menu-head">
          <span className="truncate">{who.person.name}</span>
          <span className="menu-second truncate">{who.person.email}</span>
        </div>
        <Menu.Divider />
        <Menu.Item {...linkTo(paths.profile(account.id))} leftSection={<Icon of={IconUserCircle} />}>
          {t("app.profile")}
        </Menu.Item>
        <Menu.Item {...linkTo(paths.security(account.id))} leftSection={<Icon of={IconShieldLock} />}>
          {t("profile.title")}
        </Menu.Item>
        <Menu.Item {...linkTo(paths.tokens(account.id))} leftSection={<Icon of={IconKey} />}>
          {t("tokens.title")}
        </Menu.Item>
        <Menu.Item component="a" href="/docs/api" leftSection={<Icon of={IconApi} />}>
          {t("app.apiDocs")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t("app.theme")}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? <Icon of={IconCheck} /> : null}
            {...(colorScheme === scheme ? { "aria-current": "true" as const } : {})}
          >
            {t(`app.theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={signOut} leftSection={<Icon of={IconLogout} />}>
          {t("app.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
