import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Chip } from "../../parts/chip.tsx";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import type { MenuEntry } from "../../parts/menu/menu-entry.ts";
import type { WhoAmI } from "../../wire.ts";

export type WorkAccount = WhoAmI["accounts"][number];

/** Where the request is registered: a choice for people who work in several accounts. */
export function AccountChoice({ onChoose }: { onChoose(account: WorkAccount): void }) {
  const { who, account } = useCurrentAccount();
  const accounts = who.accounts.filter(({ id, roles }) => roles.length > 0 || id === account.id);
  if (accounts.length < 2) return <Chip tone="outline">{account.name}</Chip>;
  const entries = accounts.map(
    (each): MenuEntry => ({
      is: "item",
      key: each.id,
      label: each.name,
      chosen: each.id === account.id,
      run: () => each.id !== account.id && onChoose(each),
    }),
  );
  return (
    <MenuButton entries={entries} position="bottom-start" width={260}>
      {(opening) => (
        <button type="button" className="account-choice" {...opening}>
          <span className="spoken">{t("app.account")}: </span>
          <span className="truncate">{account.name}</span>
          <Icon of={IconChevronDown} size={14} />
        </button>
      )}
    </MenuButton>
  );
}
