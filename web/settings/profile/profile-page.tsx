import type { ReactNode } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";

const tabs = [
  { key: "profile", label: "profile.me" },
  { key: "security", label: "profile.title" },
  { key: "tokens", label: "tokens.title" },
] as const;
type Tab = (typeof tabs)[number]["key"];

type Props = {
  active: Tab;
  /** at the far end of the bar */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page of the person's own profile. */
export function ProfilePage({ active, actions, children }: Props) {
  const { account } = useCurrentAccount();
  const shown = tabs.map(({ key, label }) => ({ key, label: t(label), path: paths[key](account.id) }));
  return (
    <div className="page">
      <PageBar title={t("app.profile")} {...(actions === undefined ? {} : { actions })}>
        <PageTabs label={t("app.profile")} tabs={shown} active={active} />
      </PageBar>
      <div className="page-body profile-body">{children}</div>
    </div>
  );
}
