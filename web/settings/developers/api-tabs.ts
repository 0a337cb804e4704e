import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { t } from "../../languages/index.ts";

export const listApiTabs = (account: string) => [
  { key: "reference", label: t("apiPages.reference"), path: settingsPaths.apiReference(account) },
  { key: "log", label: t("apiPages.log"), path: paths.requestLog(account) },
  { key: "limits", label: t("apiPages.limits"), path: `${paths.requestLog(account)}?tab=limits` },
  { key: "changes", label: t("apiPages.changes"), path: settingsPaths.apiChanges(account) },
];
