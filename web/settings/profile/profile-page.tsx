import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { paths } from "../../paths.ts";

const tabs = { profile: "profile.me", security: "profile.title", tokens: "tokens.title" } as const;
type Tab = keyof typeof tabs;

export function ProfileTabs({ active, children }: { active: Tab; children: ReactNode }) {
  const { account } = useCurrentAccount();
  return (
    <Tabs value={active} onChange={(tab) => navigateTo(paths[tab as Tab](account.id))} keepMounted={false}>
      <Tabs.List mb="lg">
        {(Object.keys(tabs) as Tab[]).map((tab) => (
          <Tabs.Tab key={tab} value={tab} px={{ base: "xs", xs: "md" }}>
            {t(tabs[tab])}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {(Object.keys(tabs) as Tab[]).map((tab) => (
        <Tabs.Panel key={tab} value={tab}>
          {tab === active && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
