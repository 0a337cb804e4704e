import type { ReactNode } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { paths } from "../../paths.ts";

const tabs = { profile: "profile.me", security: "profile.title", tokens: "tokens.title" } as const;
type Tab = keyof typeof tabs;

type Props = {
  active: Tab;
  /** at the far end of the bar */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page of the own profile. */
export function ProfilePage({ active, actions, children }: Props) {
  const { account } = useCurrentAccount();
  const shown = (Object.keys(tabs) as Tab[]).map((tab) => ({
    key: tab,
    label: t(tabs[tab]),
    path: paths[tab](account.id),
  }));
  return (
    <div className="page">
      <PageBar title={t("app.profile")} {...(actions === undefined ? {} : { actions })}>
        <PageTabs label={t("app.profile")} tabs={shown} active={active} />
      </PageBar>
      <div className="page-body profile-body">{children}</div>
    </div>
  );
}
