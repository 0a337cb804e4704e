import { AppShell, Burger, Group, Image, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useActionKeys } from "../../actions/keys.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { TipLayer } from "../../parts/tip.tsx";
import { paths } from "../../paths.ts";
import { AccountSwitcher } from "./account-switcher.tsx";
import { Navigation } from "./navigation.tsx";
import { SearchBox } from "./search-box.tsx";
import { UserMenu } from "./user-menu.tsx";

// What every page has around it.

export function Shell({ children }: { children: ReactNode }) {
  const { account } = useCurrentAccount();
  const { pathname } = useLocation();
  const [opened, menu] = useDisclosure();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu of a phone
  useEffect(menu.close, [pathname]);
  useActionKeys();
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !opened } }}>
      <TipLayer />
      <a className="skip" href="#content">
        {t("app.skip")}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t("app.menu")}
              aria-expanded={opened}
            />
            <Group
              gap={8}
              wrap="nowrap"
              {...linkTo(paths.home(account.id))}
              className="brand"
              aria-label={t("app.name")}
            >
              <Image src="/web/icon.svg" alt="" w={26} h={26} />
              <Text fw={700} component="span" visibleFrom="xs">
                {t("app.name")}
              </Text>
            </Group>
          </Group>
          <SearchBox />
          <Group gap="xs" wrap="nowrap">
            <AccountSwitcher />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t("app.navigation")}>
        <ScrollArea type="hover" p="xs" viewportProps={{ tabIndex: -1 }}>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="main">
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
