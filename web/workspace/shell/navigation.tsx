import { NavLink, Text } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { automationRule } from "../../../records/work/automation-rule.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { paths } from "../../paths.ts";
import { typeGroups } from "../../record-types.ts";

/** The record types somebody may see, by group; then what administrators look after. */
export function Navigation() {
  const { account, may, isAdministrator } = useCurrentAccount();
  const shown = typeGroups.map(({ group, types }) => ({
    title: t(`group.${group}`),
    links: types
      .filter((type) => may("read", type))
      .map((type) => ({ label: collectionLabel(type), path: paths.list(account.id, type) })),
  }));
  const administration = {
    title: t("group.administration"),
    links: [
      ...(account.roles.length > 0 ? [{ label: t("account.title"), path: paths.accountSettings(account.id) }] : []),
      ...(may("update", automationRule) ? [{ label: t("rules.title"), path: paths.rules(account.id) }] : []),
      ...(isAdministrator
        ? [
            { label: t("applications.title"), path: paths.applications(account.id) },
            { label: t("trail.title"), path: paths.trail(account.id) },
            { label: t("mails.title"), path: paths.mails(account.id) },
            { label: t("received.title"), path: paths.receivedMails(account.id) },
          ]
        : []),
    ],
  };
  return (
    <>
      {[...shown, administration]
        .filter(({ links }) => links.length > 0)
        .map(({ title, links }) => (
          <Links key={title} title={title} links={links} />
        ))}
    </>
  );
}

function Links({ title, links }: { title: string; links: readonly { label: string; path: string }[] }) {
  const { pathname } = useLocation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
    <div role="group" aria-label={title}>
      <Text size="xs" fw={700} c="dimmed" tt="uppercase" px="sm" pt="md" pb={4}>
        {title}
      </Text>
      {links.map(({ label, path }) => {
        const active = pathname === path || pathname.startsWith(`${path}/`);
        return (
          <NavLink
            key={path}
            label={label}
            active={active}
            variant="light"
            className="navlink"
            {...(active ? { "aria-current": "page" as const } : {})}
            {...linkTo(path)}
          />
        );
      })}
    </div>
  );
}
