import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { buildSettingsPages } from "../../settings/home/settings-pages.ts";

/** The pages of the settings in the palette; loaded after the page, like the palette itself. */
export function SettingsActions() {
  const here = useCurrentAccount();
  useActions(
    buildSettingsPages(here).map(({ id, label, lead, icon, path }) => ({
      id: `settings.${id}`,
      name: label,
      group: "settings",
      words: lead,
      icon,
      run: () => (path.startsWith("/a/") ? navigateTo(path) : location.assign(path)),
    })),
  );
  return null;
}
