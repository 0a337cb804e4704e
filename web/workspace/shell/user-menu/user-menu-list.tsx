import { useMantineColorScheme } from "@mantine/core";
import IconApi from "@tabler/icons-react/dist/esm/icons/IconApi.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconLogout from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
import IconShieldLock from "@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs";
import IconUserCircle from "@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { sessionApi } from "../../../api/index.ts";
import { paths } from "../../../base/paths.ts";
import { showError } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { leaveIfConnected, leaveWhenConnected } from "../../../live/navigation-guard.ts";
import type { DropdownProps, MenuEntry } from "../../../parts/menu/menu-entry.ts";
import { MenuList } from "../../../parts/menu/menu-list.tsx";

const schemes = ["light", "dark", "auto"] as const;

async function signOut(): Promise<void> {
  try {
    await sessionApi.signOut();
    await leaveWhenConnected(() => location.assign("/sign_in"));
  } catch (error) {
    showError(error);
  }
}

/** The menu of the person: profile, access, appearance, signing out. */
export function UserMenuList(dropdown: DropdownProps) {
  const { who, account } = useCurrentAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const entries: MenuEntry[] = [
    { is: "person", name: who.person.name, email: who.person.email },
    { is: "divider" },
    { is: "item", key: "profile", label: t("app.profile"), icon: IconUserCircle, path: paths.profile(account.id) },
    { is: "item", key: "security", label: t("profile.title"), icon: IconShieldLock, path: paths.security(account.id) },
    { is: "item", key: "tokens", label: t("tokens.title"), icon: IconKey, path: paths.tokens(account.id) },
    // A separate page with its own scripts, so it needs a page load.
    {
      is: "item",
      key: "portal",
      label: t("app.portal"),
      icon: IconUsers,
      run: () => void leaveIfConnected(() => location.assign(paths.portal(account.id))),
    },
    { is: "item", key: "api", label: t("app.apiDocs"), icon: IconApi, path: "/docs/api" },
    { is: "divider" },
    { is: "heading", label: t("app.theme") },
    ...schemes.map(
      (scheme): MenuEntry => ({
        is: "item",
        key: scheme,
        label: t(`app.theme.${scheme}`),
        chosen: colorScheme === scheme,
        keepOpen: true,
        run: () => setColorScheme(scheme),
      }),
    ),
    { is: "divider" },
    { is: "item", key: "out", label: t("app.signOut"), icon: IconLogout, run: signOut },
  ];
  return <MenuList {...dropdown} entries={entries} position="top-start" width={260} />;
}
