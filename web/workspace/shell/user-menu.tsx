import { ActionIcon, Menu, Text, useMantineColorScheme } from "@mantine/core";
import { sessionApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { CheckIcon, PersonIcon } from "../../parts/icons.tsx";
import { showError } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { findType } from "../../record-types.ts";

const schemes = ["light", "dark", "auto"] as const;

async function signOut(): Promise<void> {
  try {
    await sessionApi.signOut();
    location.assign("/sign_in");
  } catch (error) {
    showError(error);
  }
}

export function UserMenu() {
  const { who, account } = useCurrentAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const person = findType("person");
  return (
    <Menu position="bottom-end" shadow="md" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} radius="xl" aria-label={`${t("app.userMenu")}: ${who.person.name}`}>
          <PersonIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Text component="div" size="sm" fw={600} px="sm" pt={6} truncate>
          {who.person.name}
        </Text>
        <Text component="div" size="xs" c="dimmed" px="sm" pb={6} truncate>
          {who.person.email}
        </Text>
        <Menu.Divider />
        {person !== undefined && (
          <Menu.Item {...linkTo(paths.record(account.id, person, who.person.id))}>{t("app.profile")}</Menu.Item>
        )}
        <Menu.Item {...linkTo(paths.security(account.id))}>{t("profile.title")}</Menu.Item>
        <Menu.Item {...linkTo(paths.tokens(account.id))}>{t("tokens.title")}</Menu.Item>
        <Menu.Item component="a" href="/docs/api">
          {t("app.apiDocs")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t("app.theme")}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? <CheckIcon size={16} /> : null}
            {...(colorScheme === scheme ? { "aria-current": "true" as const } : {})}
          >
            {t(`app.theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={signOut}>{t("app.signOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
