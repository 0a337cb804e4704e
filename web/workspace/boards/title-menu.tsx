import { Button } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { tip } from "../../parts/tip.tsx";
import { paths } from "../../paths.ts";

const mostShown = 20;

type Props = { id: number; collection: "agile_boards" | "product_backlogs" };

/** Beside the title of a board or a backlog: leads to the others. */
export function TitleMenu({ id, collection }: Props) {
  const { account, api } = useCurrentAccount();
  const [opened, setOpened] = useState(false);
  const query = { fields: "name", per_page: String(mostShown), sort: "name", state: "enabled" };
  const { data } = useQuery({
    queryKey: [account.id, "list", `/${collection}`, query],
    queryFn: () => api.list(`/${collection}`, query),
    staleTime: 60_000,
    enabled: opened,
  });
  const all = { collection };
  return (
    <MenuButton
      position="bottom-start"
      width={260}
      opened={opened}
      onOpened={setOpened}
      entries={[
        ...(data?.rows ?? []).map((row) => ({
          is: "item" as const,
          key: String(row.id),
          label: String(row.name),
          chosen: row.id === id,
          path: paths.record(account.id, all, row.id),
        })),
        ...(data === undefined ? [] : [{ is: "divider" as const }]),
        { is: "item", key: "all", label: t(`boards.all.${collection}`), path: paths.list(account.id, all) },
      ]}
    >
      {(opening) => (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          px={6}
          aria-label={t(`boards.others.${collection}`)}
          {...tip(t(`boards.others.${collection}`))}
          {...opening}
        >
          <Icon of={IconChevronDown} />
        </Button>
      )}
    </MenuButton>
  );
}
