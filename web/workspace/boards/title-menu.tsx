import { Button } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { boardQueries } from "../../queries/boards.ts";

const types = { agile_boards: "agile_board", product_backlogs: "product_backlog" } as const;

type Props = { id: number; collection: "agile_boards" | "product_backlogs" };

/** Beside the title of a board or a backlog: a menu of the others. */
export function TitleMenu({ id, collection }: Props) {
  const { account, api } = useCurrentAccount();
  const [opened, setOpened] = useState(false);
  const { data } = useQuery({ ...boardQueries.siblings(api, types[collection]), enabled: opened });
  const all = { collection };
  return (
    <MenuButton
      position="bottom-start"
      width={260}
      opened={opened}
      onOpened={setOpened}
      entries={[
        ...(data ?? []).map((row) => ({
          is: "item" as const,
          key: String(row.id),
          label: row.name,
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
