import { Button, Menu, Text } from "@mantine/core";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { CheckIcon, DownIcon } from "../../parts/icons.tsx";
import { paths } from "../../paths.ts";

/** The account somebody works in; a choice only for those who have one. */
export function AccountSwitcher() {
  const { who, account } = useCurrentAccount();
  if (who.accounts.length < 2)
    return (
      <Text size="sm" c="dimmed" truncate maw={220}>
        {account.name}
      </Text>
    );
  return (
    <Menu position="bottom-end" shadow="md" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          rightSection={<DownIcon size={14} />}
          aria-label={`${t("app.switchAccount")}: ${account.name}`}
          maw={{ base: 170, xs: 260 }}
        >
          <Text component="span" inherit truncate>
            {account.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("app.account")}</Menu.Label>
        {who.accounts.map(({ id, name }) => (
          <Menu.Item
            key={id}
            {...linkTo(paths.home(id))}
            rightSection={id === account.id ? <CheckIcon size={16} /> : null}
            {...(id === account.id ? { "aria-current": "true" as const } : {})}
          >
            {name}
            <Text component="div" size="xs">
              {id}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
